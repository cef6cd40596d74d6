//! The files that a run leaves, and where.
//!
//! ```text
//! artifacts/tests/<test>/snapshots/…       what a test saw, new with every attempt
//! artifacts/sessions/<session>/snapshots/… what a session saw
//! artifacts/snapshots/<test or session>/…  the baselines, which are kept and shared
//! ```
//!
//! Names become slugs, so that none leads elsewhere. Files are whole or not there.
//!
//! Elsewhere: who may write into the folder of a run (`claim.rs`).

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::claim::{Claim, Owner};
use crate::project;
use crate::run_options::{Runner, Variables};
use crate::slug::Slug;

/// Why an artifact could not be left.
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

/// The artifacts of one run.
#[derive(Debug)]
pub(crate) struct Artifacts {
    project: PathBuf,
    /// The artifact folder itself, with no link left in its path.
    folder: PathBuf,
    run: PathBuf,
    slug: Slug,
    names: Mutex<BTreeMap<Slug, String>>,
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
        make_folder(&folder)?;
        let folder = fs::canonicalize(&folder).map_err(could_not(&folder))?;
        let runs = folder.join(match runner {
            Runner::Test => "tests",
            Runner::Session => "sessions",
        });
        let slug = Slug::of(owner.name());
        let run = runs.join(&slug);
        make_folder(&run)?;
        inside(&folder, &run)?;
        leave_to_git(&runs)?;
        Ok(Artifacts {
            _claim: Claim::take(owner, &slug, &run, variables)?,
            project,
            folder,
            run,
            slug,
            names: Mutex::default(),
        })
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
        self.folder.join("snapshots").join(&self.slug)
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
        let folder = path.parent().unwrap_or(&self.folder);
        make_folder(folder)?;
        inside(&self.folder, folder)?;
        write_whole(path, bytes).map_err(could_not(path))
    }

    /// A path as people read it: from the project's root, where it is below.
    pub(crate) fn shown(&self, path: &Path) -> PathBuf {
        let root = fs::canonicalize(&self.project);
        let root = root.as_deref().unwrap_or(&self.project);
        path.strip_prefix(root).unwrap_or(path).to_owned()
    }
}

/// Writes a file under another name beside its place and renames it, so that nobody meets half of it.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let passing = path.with_file_name(format!(".screentest-{}-{next}", std::process::id()));
    let written = fs::write(&passing, bytes).and_then(|()| fs::rename(&passing, path));
    if written.is_err() {
        // It is not there, or of no use; the error that is told is the first.
        let _ = fs::remove_file(&passing);
    }
    written
}

fn make_folder(path: &Path) -> Result<(), ArtifactError> {
    fs::create_dir_all(path).map_err(could_not(path))
}

pub(crate) fn could_not(path: &Path) -> impl FnOnce(io::Error) -> ArtifactError {
    move |source| ArtifactError::Write {
        path: path.to_owned(),
        source,
    }
}

/// Whether a folder is where it seems to be.
fn inside(folder: &Path, path: &Path) -> Result<(), ArtifactError> {
    let real = fs::canonicalize(path).map_err(could_not(path))?;
    if real.starts_with(folder) {
        return Ok(());
    }
    Err(ArtifactError::Outside {
        path: path.to_owned(),
        folder: folder.to_owned(),
    })
}

/// What a run leaves is not for the repository; baselines are, and stand elsewhere.
fn leave_to_git(runs: &Path) -> Result<(), ArtifactError> {
    let ignore = runs.join(".gitignore");
    if ignore.exists() {
        return Ok(());
    }
    write_whole(&ignore, b"*\n").map_err(could_not(&ignore))
}
