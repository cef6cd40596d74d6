//! Keeps the artifacts of failed attempts, which the next attempt of the tape would overwrite.
//!
//! They are renamed to a directory beside the tape's own, such as `demo-tape.try-1`. There are no
//! collisions: the directory names of tapes contain no dots.

use std::path::{Path, PathBuf};
use std::{env, fs};

use screentest::test::project;
use screentest_tape::{ReadyTape, TapeRun};

/// The kept artifacts of one tape.
#[derive(Debug)]
pub(crate) struct AttemptArtifacts {
    root: PathBuf,
    tapes: PathBuf,
    name: String,
    attempts: usize,
}

/// Returns the project root, which displayed paths are relative to, and the artifact directory.
pub(crate) fn dirs(artifacts: &Path) -> (PathBuf, PathBuf) {
    let cwd = env::current_dir().unwrap_or_default();
    let root = project::root(|name| env::var_os(name), &cwd);
    let artifacts = root.join(artifacts);
    (root, artifacts)
}

impl AttemptArtifacts {
    /// Prepares for a tape that will run: removes kept artifacts of earlier runs.
    pub(crate) fn new(tape: &ReadyTape) -> AttemptArtifacts {
        let (root, artifacts) = dirs(&tape.options().run.artifacts_dir);
        let this = AttemptArtifacts {
            root,
            tapes: artifacts.join("tapes"),
            name: format!("{}.try-", tape.folder()),
            attempts: 0,
        };
        let entries = fs::read_dir(&this.tapes).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let rest = name.to_str().and_then(|name| name.strip_prefix(&this.name));
            let number = rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
            if number && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                // A directory that cannot be removed does no harm.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        this
    }

    /// Renames the artifacts of a failed attempt, if there are any.
    pub(crate) fn preserve(&mut self, run: &mut TapeRun) {
        self.attempts += 1;
        let Some(bundle) = run
            .failure
            .as_mut()
            .and_then(|failure| failure.bundle.as_mut())
        else {
            return;
        };
        let kept = self.tapes.join(format!("{}{}", self.name, self.attempts));
        match fs::rename(self.root.join(&*bundle), &kept) {
            Ok(()) => *bundle = self.display_path(&kept),
            Err(error) => run.notes.push(format!(
                "could not keep the artifacts in `{}`, the next attempt may overwrite them: {error}",
                bundle.display()
            )),
        }
    }

    /// Returns the path as it is displayed: relative to the project root, if the root contains it.
    fn display_path(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.root).unwrap_or(path).to_owned()
    }
}
