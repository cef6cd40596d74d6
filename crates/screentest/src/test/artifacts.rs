//! The files that a run leaves, and where.
//!
//! ```text
//! artifacts/tests/<test>/snapshots/…       what a test saw, new with every attempt
//! artifacts/sessions/<session>/snapshots/… what a session saw
//! artifacts/tapes/<tape>/snapshots/…       what a tape saw
//! artifacts/snapshots/<test, …>/…          the baselines, which are kept and shared
//! ```
//!
//! Names become slugs, so that none leads elsewhere.
//!
//! Elsewhere: how files come to be there, and nowhere else (`folder.rs`); who may write into the folder of a run (`claim.rs`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use screentest_core::formats::ansi::MetaError;
use screentest_core::{Screen, Secrets};

use crate::test::atomic_write::{Folder, MOST, Passing, could_not};
use crate::test::dir_lock::{Claim, Owner};
use crate::test::project;
use crate::test::run_options::{Runner, Variables};
use crate::test::slug::Slug;
use crate::test::snapshot_files::Kept;

/// Why an artifact could not be left or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArtifactError {
    /// The system refused.
    #[error("could not write `{}`", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system refused.
    #[error("could not read `{}`", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something else stands where a file should be.
    #[error("`{}` is not a file", path.display())]
    NotAFile {
        /// What stands there.
        path: PathBuf,
    },
    /// Too much to read.
    #[error("`{}` is larger than the {MOST} bytes that are read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The file beside a kept screen does not say how large it was.
    #[error("`{}` gives no size", path.display())]
    Meta {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: MetaError,
    },
    /// A link in the artifact folder leads out of it.
    #[error("`{}` leads out of the artifact folder `{}`", path.display(), folder.display())]
    Outside {
        /// The folder that is elsewhere.
        path: PathBuf,
        /// The artifact folder.
        folder: PathBuf,
    },
    /// Two names give one slug, so that one would write over the other.
    #[error("`{name}` and `{other}` would both be kept as `{slug}`: give one of them another name")]
    SameSlug {
        /// The name that came second.
        name: String,
        /// The name that came first.
        other: String,
        /// What both become.
        slug: String,
    },
    /// Two tests have one name, so that one would write over the other.
    #[error(
        "the tests at `{place}` and at `{other}` are both named `{name}`: give one of them another name"
    )]
    SameName {
        /// The name of both.
        name: String,
        /// Where the test stands that came second, as `file:line`.
        place: String,
        /// Where the test stands that came first.
        other: String,
    },
    /// Another test of this name is running.
    #[error("another `{name}` is running and uses `{}`: give each test a name of its own", path.display())]
    InUse {
        /// The name.
        name: String,
        /// The folder that both would use.
        path: PathBuf,
    },
}

impl ArtifactError {
    /// What to do about it, where that is not in its words.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            ArtifactError::Write { .. } => Some("`SCREENTEST_ARTIFACTS_DIR` names another folder"),
            _ => None,
        }
    }
}

/// The artifacts of one run.
#[derive(Debug)]
pub(crate) struct Artifacts {
    project: PathBuf,
    folder: Folder,
    run: PathBuf,
    slug: Slug,
    names: Mutex<BTreeMap<Slug, String>>,
    /// What is never kept.
    secrets: Secrets,
    _claim: Claim,
}

impl Artifacts {
    /// Makes the folder of a run and takes it: nobody else writes there meanwhile.
    pub(crate) fn open(
        folder: &Path,
        runner: Runner,
        owner: &Owner,
        variables: &impl Variables,
    ) -> Result<Artifacts, ArtifactError> {
        let cwd = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let project = project::root(|name| variables.get(name), &cwd);
        let folder = project.join(folder);
        fs::create_dir_all(&folder).map_err(could_not(&folder))?;
        let folder = Folder::open(&folder).map_err(could_not(&folder))?;
        let runs = folder.path().join(match runner {
            Runner::Test => "tests",
            Runner::Session => "sessions",
            #[cfg(feature = "render")]
            Runner::Tape => "tapes",
        });
        let slug = match runner {
            Runner::Test | Runner::Session => Slug::of(owner.name()),
            #[cfg(feature = "render")]
            Runner::Tape => Slug::of_tape(owner.name()),
        };
        let run = runs.join(&slug);
        folder.make(&run)?;
        leave_to_git(&runs)?;
        Ok(Artifacts {
            _claim: Claim::take(owner, &slug, &run, variables)?,
            project,
            folder,
            run,
            slug,
            names: Mutex::default(),
            secrets: Secrets::default(),
        })
    }

    /// The same, keeping these values from everything that is left.
    pub(crate) fn without(self, secrets: Secrets) -> Artifacts {
        Artifacts { secrets, ..self }
    }

    /// What is never kept.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Removes what an earlier attempt left.
    pub(crate) fn clear(&self) -> Result<(), ArtifactError> {
        let entries = fs::read_dir(&self.run).map_err(could_not(&self.run))?;
        for entry in entries.flatten() {
            let path = entry.path();
            // A link is removed, not followed.
            let removed = match entry.file_type() {
                Ok(kind) if kind.is_dir() => fs::remove_dir_all(&path),
                _ => fs::remove_file(&path),
            };
            removed.map_err(could_not(&path))?;
        }
        Ok(())
    }

    /// The folder of this run.
    pub(crate) fn run(&self) -> &Path {
        &self.run
    }

    /// Where this run's snapshots go.
    pub(crate) fn captures(&self) -> PathBuf {
        self.run.join("snapshots")
    }

    /// Where the snapshots are that this run's are compared with.
    pub(crate) fn baselines(&self) -> PathBuf {
        self.folder.path().join("snapshots").join(&self.slug)
    }

    /// The slug of a snapshot. In one run a slug stands for one name.
    pub(crate) fn snapshot_slug(&self, name: &str) -> Result<Slug, ArtifactError> {
        let slug = Slug::of(name);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Writes a file as a whole, with its folder.
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), ArtifactError> {
        self.folder
            .make(path.parent().unwrap_or(self.folder.path()))?;
        // A run's own folder is never committed, and nobody else writes there.
        Passing::write(&self.run, path, bytes)?.settle()
    }

    /// Keeps a screen, with its folder.
    pub(crate) fn keep(&self, kept: &Kept, screen: &Screen) -> Result<(), ArtifactError> {
        kept.write(&self.folder, &self.run, &self.secrets.screen(screen))
    }

    /// Reads a screen that was kept; `None` where there is none.
    pub(crate) fn find(&self, kept: &Kept) -> Result<Option<Screen>, ArtifactError> {
        kept.find(&self.folder)
    }

    /// A path as people read it: from the project's root, where it is below.
    pub(crate) fn shown(&self, path: &Path) -> PathBuf {
        let root = fs::canonicalize(&self.project);
        let root = root.as_deref().unwrap_or(&self.project);
        path.strip_prefix(root).unwrap_or(path).to_owned()
    }
}

/// What a run leaves is not for the repository; baselines are, and stand elsewhere.
fn leave_to_git(runs: &Path) -> Result<(), ArtifactError> {
    let ignore = runs.join(".gitignore");
    if ignore.exists() {
        return Ok(());
    }
    Passing::write(runs, &ignore, b"*\n")?.settle()
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
    fn nothing_is_left_where_a_link_leads_out() {
        check("tests");
        check("snapshots");
    }
}
