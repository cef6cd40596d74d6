//! What explains a failure is put aside before the tape is run again, which would write over it.
//!
//! It stands beside the folder of the tape, as `demo-tape.try-1`: no tape's own folder has a dot in its name.

use std::path::{Path, PathBuf};
use std::{env, fs};

use screentest::test::project;
use screentest_tape::{ReadyTape, TapeRun};

/// What was put aside of a tape.
#[derive(Debug)]
pub(crate) struct Aside {
    root: PathBuf,
    tapes: PathBuf,
    name: String,
    tries: usize,
}

/// The folder of the artifacts of tapes, and the root of the project that its shown paths begin at.
pub(crate) fn folders(artifacts: &Path) -> (PathBuf, PathBuf) {
    let cwd = env::current_dir().unwrap_or_default();
    let root = project::root(|name| env::var_os(name), &cwd);
    let artifacts = root.join(artifacts);
    (root, artifacts)
}

impl Aside {
    /// For a tape that will run: what earlier runs left is removed.
    pub(crate) fn of(tape: &ReadyTape) -> Aside {
        let (root, artifacts) = folders(&tape.options().run.artifacts_dir);
        let aside = Aside {
            root,
            tapes: artifacts.join("tapes"),
            name: format!("{}.try-", tape.folder()),
            tries: 0,
        };
        let entries = fs::read_dir(&aside.tapes).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let rest = name
                .to_str()
                .and_then(|name| name.strip_prefix(&aside.name));
            let number = rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            if number && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // What cannot be removed is in the way of nobody but itself.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        aside
    }

    /// Puts aside what a try left, if it left anything.
    pub(crate) fn put(&mut self, run: &mut TapeRun) {
        self.tries += 1;
        let Some(bundle) = run.failure.as_mut().and_then(|one| one.bundle.as_mut()) else {
            return;
        };
        let kept = self.tapes.join(format!("{}{}", self.name, self.tries));
        match fs::rename(self.root.join(&*bundle), &kept) {
            Ok(()) => *bundle = self.shown(&kept),
            Err(error) => run.notes.push(format!(
                "what explains the failure may be written over: `{}` could not be put aside: {error}",
                bundle.display()
            )),
        }
    }

    /// A path as people read it: from the project's root, where it is below.
    fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }
}
