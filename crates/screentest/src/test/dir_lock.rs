//! Whose folder it is.
//!
//! The folder of a run belongs to one run at a time, and in one run of the tests to one test: two that shared it would write
//! over each other's files and compare with each other's baselines. Threads are told apart by a list of this process,
//! processes by a lock of the system, and those of one nextest run by a record beside the folder.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::test::artifacts::ArtifactError;
use crate::test::atomic_write::{Passing, could_not};
use crate::test::run_options::Variables;
use crate::test::slug::Slug;

/// Who wants a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    name: String,
    /// Where a test stands, as `file:line`. Empty for a session: a script may run one of a name from several places.
    place: String,
}

impl Owner {
    /// The test of this name, which stands there.
    pub(crate) fn test(name: &str, place: &Location<'_>) -> Owner {
        Owner {
            name: name.to_owned(),
            place: format!("{}:{}", place.file(), place.line()),
        }
    }

    /// The session of this name.
    pub(crate) fn session(name: &str) -> Owner {
        Owner {
            name: name.to_owned(),
            place: String::new(),
        }
    }

    /// The name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether this is the one that had the folder before.
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

/// The right to a run's folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    run: PathBuf,
    /// Held by the system, for other processes.
    _lock: File,
}

/// Who has had which folder in this process, and whether it is still in use.
static OWNERS: Mutex<BTreeMap<PathBuf, (Owner, Use)>> = Mutex::new(BTreeMap::new());

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Running,
    Over,
}

impl Claim {
    /// Takes the folder of a run, if nobody has it.
    pub(crate) fn take(
        owner: &Owner,
        slug: &Slug,
        run: &Path,
        variables: &impl Variables,
    ) -> Result<Claim, ArtifactError> {
        let in_use = || ArtifactError::InUse {
            name: owner.name.clone(),
            path: run.to_owned(),
        };
        let mut owners = owners();
        if let Some((before, used)) = owners.get(run) {
            owner.succeeds(before, slug)?;
            if *used == Use::Running {
                return Err(in_use());
            }
        }
        // There each test is a process of its own.
        let record = variables.get("NEXTEST_RUN_ID").map(|id| Record {
            path: run.with_file_name(format!(".{slug}.name")),
            id: id.to_string_lossy().into_owned(),
        });
        let succeeds = || match record.as_ref().and_then(Record::read) {
            Some(before) => owner.succeeds(&before, slug),
            None => Ok(()),
        };
        let lock = File::open(run).map_err(could_not(run))?;
        match lock.try_lock() {
            Ok(()) => {}
            // Of two reasons, the one that does not depend on who was quicker.
            Err(TryLockError::WouldBlock) => return Err(succeeds().err().unwrap_or_else(in_use)),
            // Some file systems know no locks; what they protect from is rare.
            Err(TryLockError::Error(_)) => {}
        }
        succeeds()?;
        if let Some(record) = &record {
            record.write(owner)?;
        }
        owners.insert(run.to_owned(), (owner.clone(), Use::Running));
        Ok(Claim {
            run: run.to_owned(),
            _lock: lock,
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((_, used)) = owners().get_mut(&self.run) {
            *used = Use::Over;
        }
    }
}

fn owners() -> MutexGuard<'static, BTreeMap<PathBuf, (Owner, Use)>> {
    OWNERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file beside a run's folder that says who had it, in which run of nextest: one line each for the run and the place, then
/// the name.
#[derive(Debug)]
struct Record {
    path: PathBuf,
    id: String,
}

impl Record {
    /// Who had the folder in this run of nextest. What another run left says nothing.
    fn read(&self) -> Option<Owner> {
        let told = fs::read_to_string(&self.path).ok()?;
        let mut parts = told.splitn(3, '\n');
        let (id, place, name) = (parts.next()?, parts.next()?, parts.next()?);
        (id == self.id).then(|| Owner {
            name: name.to_owned(),
            place: place.to_owned(),
        })
    }

    fn write(&self, Owner { name, place }: &Owner) -> Result<(), ArtifactError> {
        let told = format!("{}\n{place}\n{name}", self.id);
        let runs = self.path.parent().unwrap_or(&self.path);
        Passing::write(runs, &self.path, told.as_bytes())?.settle()
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use screentest_fixtures::scratch::Scratch;

    use super::*;

    /// Takes the folder as a process of its own would in that run of nextest, and leaves it.
    fn take(scratch: &Scratch, id: &str, name: &str, place: &str) -> Result<(), String> {
        let owner = Owner {
            name: name.to_owned(),
            place: place.to_owned(),
        };
        let slug = Slug::of(name);
        let run = scratch.path().join(&slug);
        fs::create_dir_all(&run).unwrap();
        let variables =
            |asked: &str| (asked == "NEXTEST_RUN_ID").then(|| OsString::from(id.to_owned()));
        let taken = Claim::take(&owner, &slug, &run, &variables);
        let taken = taken.map(drop).map_err(|error| error.to_string());
        owners().remove(&run);
        taken
    }

    #[test]
    fn in_one_run_of_nextest_a_folder_has_one_test() {
        let scratch = Scratch::new();
        take(&scratch, "1", "it starts", "a.rs:1").unwrap();
        take(&scratch, "1", "it starts", "a.rs:1").unwrap();
        assert_eq!(
            take(&scratch, "1", "it starts", "b.rs:2").unwrap_err(),
            "the tests at `b.rs:2` and at `a.rs:1` are both named `it starts`: give one of them another name"
        );
        assert_eq!(
            take(&scratch, "1", "It Starts", "a.rs:1").unwrap_err(),
            "`It Starts` and `it starts` would both be kept as `it-starts`: give one of them another name"
        );
        // The tests have changed since.
        take(&scratch, "2", "It Starts", "c.rs:3").unwrap();
    }

    #[test]
    fn a_record_that_is_not_one_is_written_over() {
        let scratch = Scratch::new();
        for garbage in ["", "1", "1\nit starts", "\n\n", "\u{0}"] {
            scratch.write(".it-starts.name", garbage);
            take(&scratch, "1", "it starts", "a.rs:1").unwrap();
            take(&scratch, "1", "it starts", "b.rs:2").unwrap_err();
        }
    }

    #[test]
    fn two_places_are_told_also_while_one_of_them_runs() {
        let scratch = Scratch::new();
        let here = Owner::test("twice", Location::caller());
        let there = Owner::test("twice", Location::caller());
        let nothing = |_: &str| None;
        let take = |owner| Claim::take(owner, &Slug::of("twice"), scratch.path(), &nothing);
        let _claim = take(&here).unwrap();
        let told = take(&there).unwrap_err();
        assert!(matches!(told, ArtifactError::SameName { .. }), "{told}");
        let told = take(&here).unwrap_err();
        assert!(matches!(told, ArtifactError::InUse { .. }), "{told}");
    }
}
