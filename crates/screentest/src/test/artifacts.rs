//! Paths of the files that a run writes.
//!
//! ```text
//! artifacts/tests/<test>/snapshots/…       captures of a test, new with every attempt
//! artifacts/tests/<test>/failure-bundles/… the files that explain its failure
//! artifacts/sessions/<session>/snapshots/… captures of a session
//! artifacts/tapes/<tape>/snapshots/…       captures of a tape
//! artifacts/snapshots/<test, …>/…          the baselines, which are committed
//! ```
//!
//! Names become slugs, so that none leads out of the directory.
//!
//! See also: `atomic_write.rs` (the only place that writes files), `dir_lock.rs` (the lock of a
//! run's directory).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{fs, io};

use screentest_core::formats::ansi::MetaError;
use screentest_core::{Screen, Secrets};

use crate::environment::Variables;
use crate::lock::lock;
use crate::test::atomic_write::{AtomicFile, Folder, MAX_FILE_BYTES, write_error};
use crate::test::dir_lock::{DirLock, Owner};
use crate::test::project;
use crate::test::run_options::Runner;
use crate::test::slug::Slug;
use crate::test::snapshot_files::ScreenFiles;

/// Why an artifact could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// The system call failed.
    #[error("could not write `{}`", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The system call failed.
    #[error("could not read `{}`", path.display())]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The path of a file is occupied by something else.
    #[error("`{}` is not a file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The file is too large.
    #[error("`{}` is larger than the {MAX_FILE_BYTES} bytes that are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The file next to a stored screen does not contain its size.
    #[error("`{}` gives no size", path.display())]
    Meta {
        /// The file.
        path: PathBuf,
        /// The error.
        source: MetaError,
    },
    /// A link in the artifact directory leads out of it.
    #[error("`{}` leads out of the artifact folder `{}`", path.display(), folder.display())]
    Outside {
        /// The path that is elsewhere.
        path: PathBuf,
        /// The artifact directory.
        folder: PathBuf,
    },
    /// Two names have the same slug, so that one would overwrite the other.
    #[error(
        "`{name}` and `{other}` would both be saved as `{slug}`: give one of them another name"
    )]
    SameSlug {
        /// The second name.
        name: String,
        /// The first name.
        other: String,
        /// The slug of both.
        slug: String,
    },
    /// Two tests have the same name, so that one would overwrite the other.
    #[error(
        "the tests at `{place}` and at `{other}` are both named `{name}`: give one of them another name"
    )]
    SameName {
        /// The name.
        name: String,
        /// Where the second test is defined, as `file:line`.
        place: String,
        /// Where the first test is defined.
        other: String,
    },
    /// Another test of this name is running.
    #[error(
        "another `{name}` is running and uses `{}`: give each test its own name",
        path.display()
    )]
    InUse {
        /// The name.
        name: String,
        /// The directory that both would use.
        path: PathBuf,
    },
}

impl ArtifactError {
    /// Returns advice that the message does not contain, if there is any.
    #[doc(hidden)]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ArtifactError::Write { .. } => {
                Some("set `SCREENTEST_ARTIFACTS_DIR` to another directory")
            }
            _ => None,
        }
    }
}

/// The artifacts of one run.
#[derive(Debug)]
#[doc(hidden)]
pub struct Artifacts {
    project: PathBuf,
    folder: Folder,
    run: PathBuf,
    slug: Slug,
    names: Mutex<BTreeMap<Slug, String>>,
    /// Values that are redacted in stored screens. Callers of `write` redact other files.
    secrets: Secrets,
    _lock: DirLock,
}

impl Artifacts {
    /// Creates the directory of a run and locks it, so that no other run writes there meanwhile.
    #[doc(hidden)]
    pub fn open(
        folder: &Path,
        runner: Runner,
        owner: &Owner,
        variables: &impl Variables,
    ) -> Result<Artifacts, ArtifactError> {
        let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let project = project::root(|name| variables.get(name), &cwd);
        let folder = project.join(folder);
        fs::create_dir_all(&folder).map_err(write_error(&folder))?;
        let folder = Folder::open(&folder).map_err(write_error(&folder))?;
        let runs = folder.path().join(match runner {
            Runner::Test => "tests",
            Runner::Session => "sessions",
            Runner::Tape => "tapes",
        });
        let slug = match runner {
            Runner::Test | Runner::Session => Slug::of(owner.name()),
            Runner::Tape => Slug::of_tape(owner.name()),
        };
        let run = runs.join(&slug);
        folder.make(&run)?;
        leave_to_git(&runs)?;
        Ok(Artifacts {
            _lock: DirLock::take(owner, &slug, &run, variables)?,
            project,
            folder,
            run,
            slug,
            names: Mutex::default(),
            secrets: Secrets::default(),
        })
    }

    /// Returns the artifacts with these values redacted in stored screens.
    #[doc(hidden)]
    pub fn without(self, secrets: Secrets) -> Artifacts {
        Artifacts { secrets, ..self }
    }

    /// Returns the values that are redacted.
    #[doc(hidden)]
    pub fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Removes the files of an earlier attempt.
    #[doc(hidden)]
    pub fn clear(&self) -> Result<(), ArtifactError> {
        let entries = fs::read_dir(&self.run).map_err(write_error(&self.run))?;
        for entry in entries.flatten() {
            let path = entry.path();
            // A link is removed, not followed.
            let removed = match entry.file_type() {
                Ok(kind) if kind.is_dir() => fs::remove_dir_all(&path),
                _ => fs::remove_file(&path),
            };
            removed.map_err(write_error(&path))?;
        }
        Ok(())
    }

    /// Returns the directory of this run.
    #[doc(hidden)]
    pub fn run(&self) -> &Path {
        &self.run
    }

    /// Returns the directory of this run's captures.
    #[doc(hidden)]
    pub fn captures(&self) -> PathBuf {
        self.run.join("snapshots")
    }

    /// Returns the directory of this run's baselines.
    #[doc(hidden)]
    pub fn baselines(&self) -> PathBuf {
        self.folder.path().join("snapshots").join(&self.slug)
    }

    /// Returns the slug of a snapshot's name. Within a run, each slug belongs to one name.
    #[doc(hidden)]
    pub fn snapshot_slug(&self, name: &str) -> Result<Slug, ArtifactError> {
        let slug = Slug::of(name);
        let mut names = lock(&self.names);
        let other = names.entry(slug.clone()).or_insert_with(|| name.to_owned());
        if other != name {
            return Err(ArtifactError::SameSlug {
                name: name.to_owned(),
                other: other.clone(),
                slug: slug.as_str().to_owned(),
            });
        }
        Ok(slug)
    }

    /// Writes a file atomically as it is, and creates its directory.
    #[doc(hidden)]
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), ArtifactError> {
        self.folder
            .make(path.parent().unwrap_or(self.folder.path()))?;
        // The temporary file is in the run's own directory: no other run writes there, and it is
        // never committed.
        AtomicFile::write(&self.run, path, bytes)?.commit()
    }

    /// Stores a screen, and creates its directory.
    #[doc(hidden)]
    pub(crate) fn keep(&self, files: &ScreenFiles, screen: &Screen) -> Result<(), ArtifactError> {
        files.write(&self.folder, &self.run, &self.secrets.screen(screen))
    }

    /// Reads a stored screen; `None` if there is none.
    #[doc(hidden)]
    pub(crate) fn find(&self, files: &ScreenFiles) -> Result<Option<Screen>, ArtifactError> {
        files.find(&self.folder)
    }

    /// Shortens a path for people: relative to the project's root, if below it.
    #[doc(hidden)]
    pub fn shown(&self, path: &Path) -> PathBuf {
        let root = fs::canonicalize(&self.project);
        let root = root.as_deref().unwrap_or(&self.project);
        path.strip_prefix(root).unwrap_or(path).to_owned()
    }
}

/// Excludes the files of runs from the repository; baselines are in another directory.
fn leave_to_git(runs: &Path) -> Result<(), ArtifactError> {
    let ignore = runs.join(".gitignore");
    if ignore.exists() {
        return Ok(());
    }
    AtomicFile::write(runs, &ignore, b"*\n")?.commit()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use screentest_fixtures::scratch::Scratch;

    use super::*;

    /// Opens a run and writes a baseline, with a link of this name that leads out.
    #[track_caller]
    fn check(link: &str) {
        let (scratch, other) = (Scratch::new(), Scratch::new());
        symlink(other.path(), scratch.path().join(link)).unwrap();
        let owner = Owner::session("away");
        let nothing = |_: &str| None;
        let written = Artifacts::open(scratch.path(), Runner::Test, &owner, &nothing)
            .and_then(|run| run.write(&run.baselines().join("x"), b"x"));
        assert!(
            matches!(written, Err(ArtifactError::Outside { .. })),
            "{written:?}"
        );
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    }

    #[test]
    fn nothing_is_written_through_a_link_that_leads_out() {
        check("tests");
        check("snapshots");
    }
}
