//! A home for a program that must not see ours.
//!
//! Settings, histories and caches of whoever runs the tests would change what a program shows. In here it finds none,
//! and what it leaves is gone with the session.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::app::{App, Inherit};

/// Empty folders that are removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Home(PathBuf);

/// The variables by which a program finds its places. Where its settings are follows from its home.
const PLACES: [(&str, &str); 3] = [
    ("HOME", "home"),
    ("TMPDIR", "tmp"),
    ("XDG_RUNTIME_DIR", "run"),
];

impl Home {
    /// A home for a program that wants one, and the program told of it.
    pub(crate) fn furnish(app: &App) -> io::Result<(App, Option<Home>)> {
        let mut app = app.clone();
        if app.inherit() == Inherit::Most {
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
                // Left by a process of this number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Nobody else may look in.
fn folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

impl Drop for Home {
    fn drop(&mut self) {
        // A program may have made parts of it unreadable; there is nobody here to tell.
        let _ = fs::remove_dir_all(&self.0);
    }
}
