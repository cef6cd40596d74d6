//! An artifact folder with snapshots that wait, as runs of tests leave them, and the tool that shows them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest::core::formats::ansi::{self, Meta};
use screentest::core::{Chord, Condition, Screen, Size};
use screentest::{App, ExitStatus, Options, Session};

use crate::tool::{Folder, TOOL};

/// Long enough for any machine; a test that waits this long has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The size of the snapshots, unless a test has another.
pub(crate) const SIZE: Size = Size { cols: 20, rows: 3 };

/// An artifact folder.
pub(crate) struct Shelf(Folder);

impl Shelf {
    pub(crate) fn new() -> Shelf {
        Shelf(Folder::new())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The folder as a word for the command line.
    pub(crate) fn word(&self) -> String {
        self.0.join("")
    }

    pub(crate) fn masked(&self, said: &str) -> String {
        self.0.masked(said)
    }

    /// A snapshot of a test that is no longer what its baseline says.
    pub(crate) fn changed(&self, name: &str, old: &str, new: &str) {
        self.sized(name, SIZE, Some(old), new);
    }

    /// One without a baseline.
    pub(crate) fn unknown(&self, name: &str, new: &str) {
        self.sized(name, SIZE, None, new);
    }

    pub(crate) fn sized(&self, name: &str, size: Size, old: Option<&str>, new: &str) {
        let captures = self.captures();
        if let Some(old) = old {
            self.keep(&self.baselines(), name, size, old);
            self.keep(&captures, &format!("{name}.expected"), size, old);
        }
        self.keep(&captures, name, size, new);
        self.keep(&captures, &format!("{name}.actual"), size, new);
        fs::write(captures.join(format!("{name}.diff.txt")), "in words\n").unwrap();
    }

    fn keep(&self, folder: &Path, name: &str, size: Size, bytes: &str) {
        fs::create_dir_all(folder).unwrap();
        let screen = ansi::read(bytes.as_bytes(), size);
        fs::write(
            folder.join(format!("{name}.ansi.txt")),
            ansi::write(&screen),
        )
        .unwrap();
        let meta = Meta::new(size).to_string();
        fs::write(folder.join(format!("{name}.meta.json")), meta).unwrap();
    }

    /// What the baseline of a snapshot holds.
    pub(crate) fn baseline(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.baselines().join(format!("{name}.ansi.txt"))).ok()
    }

    /// The names of all files beside a capture.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.captures()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn captures(&self) -> PathBuf {
        self.path().join("tests/login/snapshots")
    }

    pub(crate) fn baselines(&self) -> PathBuf {
        self.path().join("snapshots/login")
    }

    /// A review in a terminal of this size.
    pub(crate) fn review(&self, cols: u16, rows: u16) -> Review {
        let app = App::new(TOOL).args(["review", "--artifact-dir", &self.word()]);
        Review::start(&app, cols, rows)
    }
}

/// A review in a terminal.
pub(crate) struct Review(pub(crate) Session);

impl Review {
    pub(crate) fn start(app: &App, cols: u16, rows: u16) -> Review {
        let options = Options {
            size: Size { cols, rows },
            ..Options::default()
        };
        Review(Session::start(app, options).unwrap())
    }

    /// Waits until this is shown.
    #[track_caller]
    pub(crate) fn shows(&self, condition: impl Into<Condition>) -> Screen {
        match self.0.wait_for(condition, PATIENCE) {
            Ok(screen) => screen,
            Err(error) => panic!("{error:?}"),
        }
    }

    /// Presses keys, given by their names.
    pub(crate) fn press(&self, keys: &str) {
        for key in keys.split(' ') {
            self.0.press(key.parse::<Chord>().unwrap()).unwrap();
        }
    }

    /// Waits for the end; the terminal is as it was before. Returns the exit code and what stands there.
    #[track_caller]
    pub(crate) fn end(self) -> (ExitStatus, String) {
        let outcome = self.0.wait_for_exit(PATIENCE).unwrap();
        let screen = self.0.screen();
        assert!(!screen.modes.alternate_screen);
        assert!(screen.cursor.visible);
        (outcome, screen.text())
    }
}
