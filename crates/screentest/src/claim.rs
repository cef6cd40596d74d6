//! Whose folder it is.
//!
//! The folder of a run belongs to one run at a time, and in one run of the tests to one name: two tests that shared it would
//! write over each other's files and compare with each other's baselines. Threads are told apart by a list of this process,
//! processes by a lock of the system.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::artifacts::{ArtifactError, could_not, write_whole};
use crate::run_options::Variables;
use crate::slug::Slug;

/// The right to a run's folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    run: PathBuf,
    /// Held by the system, for other processes.
    _lock: File,
}

/// Who has had which folder in this process.
static OWNERS: Mutex<BTreeMap<PathBuf, Owner>> = Mutex::new(BTreeMap::new());

#[derive(Debug)]
struct Owner {
    name: String,
    running: bool,
}

impl Claim {
    /// Takes the folder of a run, if nobody has it.
    pub(crate) fn take(
        name: &str,
        slug: &Slug,
        run: &Path,
        variables: &impl Variables,
    ) -> Result<Claim, ArtifactError> {
        let same_slug = |other: &str| ArtifactError::SameSlug {
            name: name.to_owned(),
            other: other.to_owned(),
            slug: slug.as_str().to_owned(),
        };
        let in_use = || ArtifactError::InUse {
            name: name.to_owned(),
            path: run.to_owned(),
        };
        let mut owners = owners();
        if let Some(owner) = owners.get(run) {
            if owner.name != name {
                return Err(same_slug(&owner.name));
            } else if owner.running {
                return Err(in_use());
            }
        }
        let lock = File::open(run).map_err(could_not(run))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use()),
            // Some file systems know no locks; what they protect from is rare.
            Err(TryLockError::Error(_)) => {}
        }
        // There each test is a process of its own; a file beside the folder says which one had it in the same run.
        if let Some(id) = variables.get("NEXTEST_RUN_ID") {
            let record = run.with_file_name(format!(".{slug}.name"));
            let told = format!("{}\n{name}", id.display());
            let before = fs::read_to_string(&record).unwrap_or_default();
            let other = before.split_once('\n');
            if let Some((before, other)) = other
                && *before == *id.to_string_lossy()
                && other != name
            {
                return Err(same_slug(other));
            }
            write_whole(&record, told.as_bytes()).map_err(could_not(&record))?;
        }
        let name = name.to_owned();
        let running = true;
        owners.insert(run.to_owned(), Owner { name, running });
        Ok(Claim {
            run: run.to_owned(),
            _lock: lock,
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(owner) = owners().get_mut(&self.run) {
            owner.running = false;
        }
    }
}

fn owners() -> MutexGuard<'static, BTreeMap<PathBuf, Owner>> {
    OWNERS.lock().unwrap_or_else(PoisonError::into_inner)
}
