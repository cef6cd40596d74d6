//! Tapes, run as their authors run them: real shells and programs, real files.

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

/// A folder for the files of one test; in its tapes `@/` stands for it, since tests share the directory that they are in.
pub(crate) struct Studio(Scratch);

impl Studio {
    pub(crate) fn new() -> Studio {
        Studio(Scratch::new())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        self.0.write(name, &self.filled(text));
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// What is there, but for artifacts.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name != "artifacts").collect();
        names.sort();
        names
    }

    fn filled(&self, text: &str) -> String {
        text.replace("@/", &format!("{}/", self.0.path().display()))
    }

    pub(crate) fn options(&self) -> TapeOptions {
        let artifacts = self.path("artifacts");
        let run = RunOptions::default().artifacts_dir(artifacts);
        TapeOptions::default().run(run).update(Update::Missing)
    }

    fn script(&self, tape: &str) -> Result<TapeScript, RefusedTape> {
        TapeScript::read_from(self.filled(tape).as_bytes(), "test.tape", None)
    }

    #[track_caller]
    pub(crate) fn ready(&self, tape: &str, options: TapeOptions) -> ReadyTape {
        let ready = self.script(tape).and_then(|script| script.ready(options));
        ready.unwrap_or_else(|refused| panic!("{refused}"))
    }

    /// Runs a tape as fast as its program is.
    #[track_caller]
    pub(crate) fn run(&self, tape: &str) -> TapeRun {
        self.ready(tape, self.options().fast()).run(|_| {})
    }

    /// The same for one that must pass.
    #[track_caller]
    pub(crate) fn pass(&self, tape: &str) -> TapeRun {
        let run = self.run(tape);
        assert!(run.passed(), "{}", run.failure_text());
        assert_eq!(run.steps_done, run.steps);
        run
    }

    /// What is told of a tape that must not run.
    #[track_caller]
    pub(crate) fn refused(&self, tape: &str) -> String {
        let ready = self
            .script(tape)
            .and_then(|script| script.ready(self.options()));
        let told = ready.err().unwrap_or_else(|| panic!("it can run: {tape}"));
        self.hidden(&told.to_string())
    }

    /// A text in which the folder stands as `@`.
    pub(crate) fn hidden(&self, text: &str) -> String {
        text.replace(&*self.0.path().to_string_lossy(), "@")
    }
}

pub(crate) fn starts_with(path: &Path, magic: &[u8]) -> bool {
    fs::read(path).unwrap().starts_with(magic)
}
