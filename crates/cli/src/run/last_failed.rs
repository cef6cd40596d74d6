//! Stores which tapes failed in the last run, for `--last-failed`.
//!
//! The list is a JSON file in the artifact directory of tapes, which git ignores. Paths are
//! relative to the project root. A tape that passes is removed from the list; a tape that did not
//! run stays. If the list is empty, there is no file.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::attempt_artifacts;
use super::select::STDIN;
use super::tape_result::{RunResults, Verdict};
use crate::failure::Failure;

/// Maximum size of the file in bytes; a larger file is not a list that `run` wrote.
const MAX_SIZE: u64 = 64 << 20;

/// The list of failed tapes.
#[derive(Debug)]
pub(crate) struct LastFailed {
    root: PathBuf,
    path: PathBuf,
}

impl LastFailed {
    /// Returns the list of an artifact directory.
    pub(crate) fn within(artifacts: &Path) -> LastFailed {
        let (root, artifacts) = attempt_artifacts::dirs(artifacts);
        LastFailed {
            root,
            path: artifacts.join("tapes/last-failed.json"),
        }
    }

    /// Returns the failed tapes that still exist. Renamed and removed tapes are skipped.
    pub(crate) fn read(&self) -> Result<BTreeSet<PathBuf>, Failure> {
        let paths = self.listed()?;
        let paths = paths.iter().map(|path| self.root.join(path));
        Ok(paths.filter(|path| path.exists()).collect())
    }

    fn listed(&self) -> Result<BTreeSet<String>, Failure> {
        let name = self.path.display();
        let hint = "remove it; the next run creates a new one";
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            Ok(metadata) if metadata.len() > MAX_SIZE || !metadata.is_file() => {
                return Err(
                    Failure::usage(anyhow!("`{name}` is not a list of failed tapes")).hint(hint),
                );
            }
            _ => {}
        }
        let text = fs::read(&self.path).with_context(|| format!("could not read `{name}`"));
        let list = serde_json::from_slice(&text.map_err(Failure::usage)?);
        let list = list.with_context(|| format!("`{name}` is not a list of failed tapes"));
        list.map_err(|error| Failure::usage(error).hint(hint))
    }

    /// Updates the list with the results of a run.
    pub(crate) fn update(&self, results: &RunResults) -> Result<(), Failure> {
        // An unreadable list is replaced.
        let before = self.listed().unwrap_or_default();
        let mut now = before.clone();
        for case in results.cases.iter().filter(|case| case.name != STDIN) {
            let verdict = case.verdict();
            if case.repetition.0 == 1 && matches!(verdict, Verdict::Passed | Verdict::Flaky) {
                now.remove(&self.list_entry(&case.name));
            }
            if verdict == Verdict::Failed {
                now.insert(self.list_entry(&case.name));
            }
        }
        if now == before {
            return Ok(());
        }
        let name = self.path.display().to_string();
        let written = if now.is_empty() {
            fs::remove_file(&self.path)
        } else {
            self.write(&now)
        };
        written
            .with_context(|| format!("could not write `{name}`"))
            .map_err(Failure::usage)
    }

    fn write(&self, list: &BTreeSet<String>) -> io::Result<()> {
        let dir = self.path.parent().unwrap_or(&self.root);
        fs::create_dir_all(dir)?;
        let ignore = dir.join(".gitignore");
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
        let mut file = tempfile::Builder::new()
            .prefix(".last-failed")
            .tempfile_in(dir)?;
        serde_json::to_writer_pretty(&mut file, list)?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// Returns the path of a tape as the list contains it.
    fn list_entry(&self, name: &str) -> String {
        let path = self.root.join(name);
        let path = fs::canonicalize(&path).unwrap_or(path);
        let root = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let relative = path.strip_prefix(root).unwrap_or(&path);
        relative.to_string_lossy().into_owned()
    }
}
