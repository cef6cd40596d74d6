//! Which tapes failed last, for `--last-failed`.
//!
//! A list in the folder of the artifacts of tapes, which git leaves alone: the paths of tapes from the root of the project, as JSON. Who was
//! run and passed leaves it; who was not run stays. Without a failure there is no list.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::attempt_artifacts;
use super::select::STDIN;
use super::tape_result::{Results, Verdict};
use crate::failure::Failure;

/// A list that is longer was not written by us.
const LONGEST: u64 = 64 << 20;

/// The list.
#[derive(Debug)]
pub(crate) struct LastFailed {
    root: PathBuf,
    path: PathBuf,
}

impl LastFailed {
    /// The list in the folder for artifacts.
    pub(crate) fn within(artifacts: &Path) -> LastFailed {
        let (root, artifacts) = attempt_artifacts::folders(artifacts);
        LastFailed {
            root,
            path: artifacts.join("tapes/last-failed.json"),
        }
    }

    /// The tapes that failed and are still there: one that was renamed or removed keeps nobody from running the others.
    pub(crate) fn read(&self) -> Result<BTreeSet<PathBuf>, Failure> {
        let paths = self.listed()?;
        let paths = paths.iter().map(|path| self.root.join(path));
        Ok(paths.filter(|path| path.exists()).collect())
    }

    fn listed(&self) -> Result<BTreeSet<String>, Failure> {
        let name = self.path.display();
        let hint = "remove it; the next run writes it anew";
        match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            Ok(there) if there.len() > LONGEST || !there.is_file() => {
                return Err(Failure::usage(anyhow!("`{name}` is not a list of tapes")).hint(hint));
            }
            _ => {}
        }
        let text = fs::read(&self.path).with_context(|| format!("could not read `{name}`"));
        let list = serde_json::from_slice(&text.map_err(Failure::usage)?);
        let list = list.with_context(|| format!("`{name}` is not a list of tapes"));
        list.map_err(|error| Failure::usage(error).hint(hint))
    }

    /// Keeps what this run found out.
    pub(crate) fn update(&self, results: &Results) -> Result<(), Failure> {
        // What was there and cannot be read says nothing.
        let before = self.listed().unwrap_or_default();
        let mut now = before.clone();
        for case in results.cases.iter().filter(|case| case.name != STDIN) {
            let verdict = case.verdict();
            if case.time.0 == 1 && matches!(verdict, Verdict::Passed | Verdict::Flaky) {
                now.remove(&self.listed_as(&case.name));
            }
            if verdict == Verdict::Failed {
                now.insert(self.listed_as(&case.name));
            }
        }
        if now == before {
            return Ok(());
        }
        let name = self.path.display().to_string();
        let written = match now.is_empty() {
            true => fs::remove_file(&self.path),
            false => self.write(&now),
        };
        written
            .with_context(|| format!("could not write `{name}`"))
            .map_err(Failure::usage)
    }

    fn write(&self, list: &BTreeSet<String>) -> io::Result<()> {
        let folder = self.path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        let ignore = folder.join(".gitignore");
        if !ignore.exists() {
            fs::write(ignore, "*\n")?;
        }
        let mut file = tempfile::Builder::new()
            .prefix(".last-failed")
            .tempfile_in(folder)?;
        serde_json::to_writer_pretty(&mut file, list)?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// A tape as it stands in the list.
    fn listed_as(&self, name: &str) -> String {
        let path = self.root.join(name);
        let path = fs::canonicalize(&path).unwrap_or(path);
        let root = fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let below = path.strip_prefix(root).unwrap_or(&path);
        below.to_string_lossy().into_owned()
    }
}
