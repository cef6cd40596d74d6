//! Exclusive use of a run's directory.
//!
//! The directory belongs to one run at a time, and during one run of the tests to one test: two
//! tests that shared it would overwrite each other's files and compare with each other's baselines.
//! A list in this process separates threads, a file lock separates processes, and a record next to
//! the directory separates the processes of one nextest run.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use crate::environment::Variables;
use crate::lock::lock;
use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::{AtomicFile, write_error};
use crate::test::slug::Slug;

/// The test or session that uses a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    name: String,
    /// Where a test is defined, as `file:line` or `file`. Empty for a session: a script may run
    /// sessions of one name from several places.
    place: String,
}

impl Owner {
    /// The test of this name, defined at `place`.
    pub fn test(name: &str, place: &Location<'_>) -> Owner {
        Owner {
            name: name.to_owned(),
            place: format!("{}:{}", place.file(), place.line()),
        }
    }

    /// The test of this name, somewhere in a file.
    pub(crate) fn in_file(name: &str, file: &str) -> Owner {
        Owner {
            name: name.to_owned(),
            place: file.to_owned(),
        }
    }

    /// The session of this name.
    pub fn session(name: &str) -> Owner {
        Owner {
            name: name.to_owned(),
            place: String::new(),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns an error unless this is the same test or session as the previous one.
    fn succeeds(&self, other: &Owner, slug: &Slug) -> Result<(), ArtifactError> {
        if self.name != other.name {
            return Err(ArtifactError::SameSlug {
                name: self.name.clone(),
                other: other.name.clone(),
                slug: slug.as_str().to_owned(),
            });
        } else if self.place != other.place {
            return Err(ArtifactError::SameName {
                name: self.name.clone(),
                place: self.place.clone(),
                other: other.place.clone(),
            });
        }
        Ok(())
    }
}

/// Exclusive use of a run's directory, until dropped.
#[derive(Debug)]
pub(crate) struct DirLock {
    run: PathBuf,
    /// The file lock, for other processes.
    _lock: File,
}

/// The users of directories in this process, and whether they still run.
static OWNERS: Mutex<BTreeMap<PathBuf, (Owner, OwnerState)>> = Mutex::new(BTreeMap::new());

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OwnerState {
    Running,
    Over,
}

impl DirLock {
    /// Takes the directory of a run, if it is free.
    pub(crate) fn take(
        owner: &Owner,
        slug: &Slug,
        run: &Path,
        variables: &impl Variables,
    ) -> Result<DirLock, ArtifactError> {
        let in_use = || ArtifactError::InUse {
            name: owner.name.clone(),
            path: run.to_owned(),
        };
        let mut owners = owners();
        if let Some((before, state)) = owners.get(run) {
            owner.succeeds(before, slug)?;
            if *state == OwnerState::Running {
                return Err(in_use());
            }
        }
        // Under nextest, each test is its own process.
        let record = variables.get("NEXTEST_RUN_ID").map(|id| Record {
            path: run.with_file_name(format!(".{slug}.name")),
            id: id.to_string_lossy().into_owned(),
        });
        let succeeds = || match record.as_ref().and_then(Record::read) {
            Some(before) => owner.succeeds(&before, slug),
            None => Ok(()),
        };
        let lock = File::open(run).map_err(write_error(run))?;
        match lock.try_lock() {
            Ok(()) => {}
            // Prefers the error that does not depend on timing.
            Err(TryLockError::WouldBlock) => return Err(succeeds().err().unwrap_or_else(in_use)),
            // Some file systems have no locks; the collision they would prevent is rare.
            Err(TryLockError::Error(_)) => {}
        }
        succeeds()?;
        if let Some(record) = &record {
            record.write(owner)?;
        }
        owners.insert(run.to_owned(), (owner.clone(), OwnerState::Running));
        Ok(DirLock {
            run: run.to_owned(),
            _lock: lock,
        })
    }
}

impl Drop for DirLock {
    fn drop(&mut self) {
        if let Some((_, state)) = owners().get_mut(&self.run) {
            *state = OwnerState::Over;
        }
    }
}

fn owners() -> MutexGuard<'static, BTreeMap<PathBuf, (Owner, OwnerState)>> {
    lock(&OWNERS)
}

/// A file next to a run's directory that stores its user within one nextest run: one line each for
/// the run's id and the place, then the name.
#[derive(Debug)]
struct Record {
    path: PathBuf,
    id: String,
}

impl Record {
    /// Returns the user of the directory in this nextest run. Records of other runs are ignored.
    fn read(&self) -> Option<Owner> {
        let text = fs::read_to_string(&self.path).ok()?;
        let mut parts = text.splitn(3, '\n');
        let (id, place, name) = (parts.next()?, parts.next()?, parts.next()?);
        (id == self.id).then(|| Owner {
            name: name.to_owned(),
            place: place.to_owned(),
        })
    }

    fn write(&self, Owner { name, place }: &Owner) -> Result<(), ArtifactError> {
        let text = format!("{}\n{place}\n{name}", self.id);
        let runs = self.path.parent().unwrap_or(&self.path);
        AtomicFile::write(runs, &self.path, text.as_bytes())?.commit()
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use screentest_fixtures::scratch::Scratch;

    use super::*;

    /// Takes the directory as a separate process of that nextest run would, and releases it.
    fn take(scratch: &Scratch, id: &str, name: &str, place: &str) -> Result<(), String> {
        let owner = Owner {
            name: name.to_owned(),
            place: place.to_owned(),
        };
        let slug = Slug::of(name);
        let run = scratch.path().join(&slug);
        fs::create_dir_all(&run).unwrap();
        let variables =
            |variable: &str| (variable == "NEXTEST_RUN_ID").then(|| OsString::from(id.to_owned()));
        let result = DirLock::take(&owner, &slug, &run, &variables);
        let result = result.map(drop).map_err(|error| error.to_string());
        owners().remove(&run);
        result
    }

    #[test]
    fn in_one_nextest_run_a_directory_belongs_to_one_test() {
        let scratch = Scratch::new();
        take(&scratch, "1", "it starts", "a.rs:1").unwrap();
        take(&scratch, "1", "it starts", "a.rs:1").unwrap();
        assert_eq!(
            take(&scratch, "1", "it starts", "b.rs:2").unwrap_err(),
            "the tests at `b.rs:2` and at `a.rs:1` are both named `it starts`: give one of them another name"
        );
        assert_eq!(
            take(&scratch, "1", "It Starts", "a.rs:1").unwrap_err(),
            "`It Starts` and `it starts` would both be saved as `it-starts`: give one of them another name"
        );
        // In another run, the tests may have changed.
        take(&scratch, "2", "It Starts", "c.rs:3").unwrap();
    }

    #[test]
    fn an_invalid_record_is_overwritten() {
        let scratch = Scratch::new();
        for garbage in ["", "1", "1\nit starts", "\n\n", "\u{0}"] {
            scratch.write(".it-starts.name", garbage);
            take(&scratch, "1", "it starts", "a.rs:1").unwrap();
            take(&scratch, "1", "it starts", "b.rs:2").unwrap_err();
        }
    }

    #[test]
    fn two_tests_of_one_name_are_reported_even_while_one_runs() {
        let scratch = Scratch::new();
        let here = Owner::test("twice", Location::caller());
        let there = Owner::test("twice", Location::caller());
        let nothing = |_: &str| None;
        let take = |owner| DirLock::take(owner, &Slug::of("twice"), scratch.path(), &nothing);
        let _lock = take(&here).unwrap();
        let error = take(&there).unwrap_err();
        assert!(matches!(error, ArtifactError::SameName { .. }), "{error}");
        let error = take(&here).unwrap_err();
        assert!(matches!(error, ArtifactError::InUse { .. }), "{error}");
    }
}
