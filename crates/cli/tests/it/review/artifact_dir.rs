//! An artifact folder with pending snapshots, as test runs leave it, and a review of it in a
//! terminal.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest::core::formats::ansi::{self, Meta};
use screentest::core::{Chord, Condition, Screen, Size};
use screentest::session::SessionOptions;
use screentest::{App, ExitStatus, Session};

use crate::harness::cli::{Folder, TOOL};

/// Timeout of one wait. Long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Default size of the snapshots.
pub(crate) const SIZE: Size = Size { cols: 20, rows: 3 };

/// An artifact folder with pending snapshots.
pub(crate) struct ArtifactDir(Folder);

impl ArtifactDir {
    pub(crate) fn new() -> ArtifactDir {
        ArtifactDir(Folder::new())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the folder as a command-line argument.
    pub(crate) fn as_argument(&self) -> String {
        self.0.join("")
    }

    pub(crate) fn masked(&self, said: &str) -> String {
        self.0.masked(said)
    }

    /// Adds a snapshot that differs from its baseline.
    pub(crate) fn changed(&self, name: &str, old: &str, new: &str) {
        self.sized(name, SIZE, Some(old), new);
    }

    /// Adds a snapshot without a baseline.
    pub(crate) fn unknown(&self, name: &str, new: &str) {
        self.sized(name, SIZE, None, new);
    }

    pub(crate) fn sized(&self, name: &str, size: Size, old: Option<&str>, new: &str) {
        let captures = self.captures();
        if let Some(old) = old {
            self.write_screen(&self.baselines(), name, size, old);
            self.write_screen(&captures, &format!("{name}.expected"), size, old);
        }
        self.write_screen(&captures, name, size, new);
        self.write_screen(&captures, &format!("{name}.actual"), size, new);
        fs::write(captures.join(format!("{name}.diff.txt")), "in words\n").unwrap();
    }

    fn write_screen(&self, folder: &Path, name: &str, size: Size, bytes: &str) {
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

    /// Returns the text of a baseline.
    pub(crate) fn baseline(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.baselines().join(format!("{name}.ansi.txt"))).ok()
    }

    /// Returns the names of all files in the folder of the captures.
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

    /// Starts a review in a terminal of this size.
    pub(crate) fn review(&self, cols: u16, rows: u16) -> Review {
        let app = App::new(TOOL).args(["review", "--artifact-dir", &self.as_argument()]);
        Review::start(&app, cols, rows)
    }
}

/// A review in a terminal.
pub(crate) struct Review(pub(crate) Session);

impl Review {
    pub(crate) fn start(app: &App, cols: u16, rows: u16) -> Review {
        let options = SessionOptions {
            size: Size { cols, rows },
            ..SessionOptions::default()
        };
        Review(Session::start(app, options).unwrap())
    }

    /// Waits until the screen matches and returns it.
    #[track_caller]
    pub(crate) fn shows(&self, condition: impl Into<Condition>) -> Screen {
        match self.0.wait_for(condition, TIMEOUT) {
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

    /// Waits for the exit and checks that the terminal is restored. Returns the exit status and the
    /// last screen.
    #[track_caller]
    pub(crate) fn end(self) -> (ExitStatus, String) {
        let exit_status = self.0.wait_for_exit(TIMEOUT).unwrap();
        let screen = self.0.screen();
        assert!(!screen.modes.alternate_screen);
        assert!(screen.cursor.visible);
        (exit_status, screen.text())
    }
}
