//! A desk for one test: an empty folder in which a program works, and a terminal.
//!
//! Programs see nothing of ours, artifacts stay in the folder, and all of it is gone afterwards. The time is long enough
//! for a busy machine: a test that waits this long has failed.

use std::path::Path;
use std::time::Duration;

use screentest::core::Size;
use screentest::{App, Failure, RunOptions, Tui, with_session};
use screentest_fixtures::scratch::Scratch;

pub(crate) struct Desk(Scratch);

impl Desk {
    pub(crate) fn new() -> Desk {
        Desk(Scratch::new())
    }

    /// Puts a file there.
    pub(crate) fn with(self, name: &str, text: &str) -> Desk {
        self.0.write(name, text);
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A program that works here, in a world of its own.
    pub(crate) fn app(&self, program: &str) -> App {
        App::new(program).hermetic().cwd(self.path())
    }

    /// A line of shell as such a program.
    pub(crate) fn sh(&self, script: &str) -> App {
        self.app("sh").args(["-c", script])
    }

    pub(crate) fn options(&self) -> RunOptions {
        RunOptions::default()
            .artifacts_dir(self.path().join("artifacts"))
            .timeout(Duration::from_secs(20))
            .size(Size { cols: 80, rows: 24 })
    }

    /// Gives the body a terminal; its failure is the test's.
    #[track_caller]
    pub(crate) fn run<T>(&self, body: impl FnOnce(&Tui) -> Result<T, Failure>) -> T {
        self.run_with(self.options(), body)
    }

    /// Gives the body a terminal with other options.
    #[track_caller]
    pub(crate) fn run_with<T>(
        &self,
        options: RunOptions,
        body: impl FnOnce(&Tui) -> Result<T, Failure>,
    ) -> T {
        match with_session(options, "desk", body) {
            Ok(done) => done,
            Err(failure) => panic!("{failure:?}"),
        }
    }
}
