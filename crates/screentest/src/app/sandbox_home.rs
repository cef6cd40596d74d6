//! Empty home directory of a hermetic program.
//!
//! The user's settings, histories and caches would change the screen of a program. This directory
//! has none, and is removed with the session.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::app::{App, Inherit};

/// Empty directories that are removed when dropped.
#[derive(Debug)]
pub(crate) struct Home(PathBuf);

/// The variables that name these directories. The paths of settings, such as `~/.config`, follow
/// from `HOME`.
const PLACES: [(&str, &str); 3] = [
    ("HOME", "home"),
    ("TMPDIR", "tmp"),
    ("XDG_RUNTIME_DIR", "run"),
];

impl Home {
    /// Creates a home for a hermetic program, and sets the program's variables. A recorded program
    /// needs none.
    pub(crate) fn create_for(app: &App) -> io::Result<(App, Option<Home>)> {
        let mut app = app.clone();
        if app.inherit() == Inherit::Most || app.substitute().is_some() {
            return Ok((app, None));
        }
        let home = Home::make()?;
        for (name, place) in PLACES {
            let path = home.0.join(place);
            folder().create(&path)?;
            app.env_unless_set(name, path);
        }
        app.env_unless_set("TZ", "UTC");
        app.env_unless_set("SHELL", "/bin/sh");
        Ok((app, Some(home)))
    }

    fn make() -> io::Result<Home> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let next = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("screentest-home-{}-{next}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match folder().create(&path) {
                Ok(()) => return Ok(Home(path)),
                // Left by a killed process with the same id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Accessible only to this user.
fn folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

impl Drop for Home {
    fn drop(&mut self) {
        // A program may have made parts of it unreadable; a drop cannot return an error.
        let _ = fs::remove_dir_all(&self.0);
    }
}
