//! An empty folder for the program of one test, and a terminal.
//!
//! Programs are hermetic, artifacts stay in the folder, and the folder is removed afterwards. The
//! timeout is long enough for a busy machine; a wait that takes this long is a failure.

use std::path::Path;
use std::time::Duration;

use screentest::{App, Failure, RunOptions, Terminal, with_session};
use screentest_fixtures::scratch::Scratch;

pub(crate) struct Sandbox(Scratch);

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        Sandbox(Scratch::new())
    }

    /// Adds a file.
    pub(crate) fn with(self, name: &str, text: &str) -> Sandbox {
        self.0.write(name, text);
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns a hermetic program that runs in the folder.
    pub(crate) fn app(&self, program: &str) -> App {
        App::new(program).hermetic().cwd(self.path())
    }

    /// Returns a hermetic shell script that runs in the folder.
    pub(crate) fn sh(&self, script: &str) -> App {
        self.app("sh").args(["-c", script])
    }

    pub(crate) fn options(&self) -> RunOptions {
        RunOptions::default()
            .artifacts_dir(self.path().join("artifacts"))
            .timeout(Duration::from_secs(20))
            .size(80, 24)
    }

    /// Runs the body with a terminal; panics if it fails.
    #[track_caller]
    pub(crate) fn run<T>(&self, body: impl FnOnce(&Terminal) -> Result<T, Failure>) -> T {
        self.run_with(self.options(), body)
    }

    /// Like [`Sandbox::run`], with other options.
    #[track_caller]
    pub(crate) fn run_with<T>(
        &self,
        options: RunOptions,
        body: impl FnOnce(&Terminal) -> Result<T, Failure>,
    ) -> T {
        match with_session(options, "sandbox", body) {
            Ok(value) => value,
            Err(failure) => panic!("{failure:?}"),
        }
    }
}
