//! Tapes that run in real shells and programs and write real files.

use std::fs;
use std::path::{Path, PathBuf};

use screentest::{RunOptions, Update};
use screentest_fixtures::scratch::Scratch;
use screentest_tape::{ReadyTape, RefusedTape, TapeOptions, TapeRun, TapeScript};

mod everything;
mod failures;
mod fast;
mod outputs;
mod refusals;
mod steps;

/// A temporary folder for the files of one test. In its tapes, `@/` means this folder, because
/// tests share a working directory.
pub(crate) struct TapeProject(Scratch);

impl TapeProject {
    pub(crate) fn new() -> TapeProject {
        TapeProject(Scratch::new())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.0.write(name, &self.expand_folder(text));
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the names in the folder, without artifacts.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "artifacts").collect();
        names.sort();
        names
    }

    fn expand_folder(&self, text: &str) -> String {
        text.replace("@/", &format!("{}/", self.0.path().display()))
    }

    pub(crate) fn options(&self) -> TapeOptions {
        let artifacts = self.path("artifacts");
        let run = RunOptions::default().artifacts_dir(artifacts);
        TapeOptions::default().run(run).update(Update::Missing)
    }

    fn script(&self, tape: &str) -> Result<TapeScript, RefusedTape> {
        TapeScript::read_from(self.expand_folder(tape).as_bytes(), "test.tape", None)
    }

    #[track_caller]
    pub(crate) fn ready(&self, tape: &str, options: TapeOptions) -> ReadyTape {
        let ready = self.script(tape).and_then(|script| script.ready(options));
        ready.unwrap_or_else(|refused| panic!("{refused}"))
    }

    /// Runs a tape without pauses.
    #[track_caller]
    pub(crate) fn run(&self, tape: &str) -> TapeRun {
        self.ready(tape, self.options().fast()).run(|_| {})
    }

    /// Runs a tape that must pass.
    #[track_caller]
    pub(crate) fn pass(&self, tape: &str) -> TapeRun {
        let run = self.run(tape);
        assert!(run.passed(), "{}", run.failure_text());
        assert_eq!(run.steps_done, run.steps);
        run
    }

    /// Returns the errors of a tape that cannot run.
    #[track_caller]
    pub(crate) fn refused(&self, tape: &str) -> String {
        let ready = self
            .script(tape)
            .and_then(|script| script.ready(self.options()));
        let message = ready.err().unwrap_or_else(|| panic!("it can run: {tape}"));
        self.without_folder(&message.to_string())
    }

    /// Replaces the path of the folder by `@`.
    pub(crate) fn without_folder(&self, text: &str) -> String {
        text.replace(&*self.0.path().to_string_lossy(), "@")
    }
}

pub(crate) fn starts_with(path: &Path, magic: &[u8]) -> bool {
    fs::read(path).unwrap().starts_with(magic)
}
