//! Selects the tapes to run: those of the command line or of the project, filtered by the options.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use regex::Regex;
use screentest_tape::TapeScript;

use super::shard::Shard;
use crate::config::{self, Config};
use crate::failure::Failure;

/// The name of a tape from stdin in messages.
pub(crate) const STDIN: &str = "stdin";

/// A selected tape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SelectedTape {
    /// The path as given.
    pub(crate) path: PathBuf,
    /// The name, which does not depend on the current directory.
    pub(crate) name: String,
}

impl SelectedTape {
    /// Returns the tape at a path; `-` is stdin.
    pub(crate) fn at(path: PathBuf) -> SelectedTape {
        let name = if path.as_os_str() == "-" {
            STDIN.to_owned()
        } else {
            TapeScript::name_of(&path)
        };
        SelectedTape { path, name }
    }

    /// Returns whether the tape is read from stdin.
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// Returns the named tapes without duplicates, or those of the project if none are named. `command`
/// is the command that needs them.
pub(crate) fn resolve(
    command: &str,
    named: &[PathBuf],
    config: &Config,
) -> Result<Vec<SelectedTape>, Failure> {
    let paths = match named {
        [] => project_tapes(command, config)?,
        named => named.to_vec(),
    };
    let mut seen_names = BTreeSet::new();
    let all = paths.into_iter().map(SelectedTape::at);
    Ok(all
        .filter(|tape| seen_names.insert(tape.name.clone()))
        .collect())
}

/// Returns the tapes that match the project's patterns, sorted within each pattern.
fn project_tapes(command: &str, config: &Config) -> Result<Vec<PathBuf>, Failure> {
    if config.tapes.is_empty() {
        let error = anyhow!(
            "no tapes to {}",
            if command == "fmt" { "format" } else { command }
        );
        return Err(Failure::usage(error).hint(format!(
            "name a tape, as in `screentest {command} demo.tape`, or list the tapes in `{}`: `[run]`, `tapes = [\"tests/*.tape\"]`. `screentest new demo` creates one",
            config::NAME
        )));
    }
    let dir = config.folder().to_string_lossy();
    let dir = PathBuf::from(glob::Pattern::escape(&dir));
    let mut paths = Vec::new();
    for pattern in &config.tapes {
        let pattern_path = dir.join(pattern);
        let matches = glob::glob(&pattern_path.to_string_lossy()).map_err(Failure::usage)?;
        let before = paths.len();
        for path in matches {
            let path = path.map_err(Failure::usage)?;
            if path.is_file() {
                paths.push(path);
            }
        }
        if paths.len() == before {
            let error = anyhow!("`{pattern}` in `{}` matches no tape", config::NAME);
            return Err(Failure::usage(error));
        }
    }
    Ok(paths)
}

/// Options that filter tapes.
#[derive(Debug, Default)]
pub(crate) struct TapeFilter<'a> {
    /// The name must match.
    pub(crate) pattern: Option<&'a Regex>,
    /// Only these, which failed in the last run.
    pub(crate) last_failed: Option<BTreeSet<PathBuf>>,
    /// Only this shard of the remaining tapes.
    pub(crate) shard: Option<Shard>,
}

/// The selected tapes.
#[derive(Debug)]
pub(crate) struct Selection {
    /// In order.
    pub(crate) tapes: Vec<SelectedTape>,
    /// Why there are no tapes; this is not an error.
    pub(crate) empty_reason: Option<&'static str>,
}

impl TapeFilter<'_> {
    /// Applies the filter.
    pub(crate) fn apply(&self, all: Vec<SelectedTape>) -> Result<Selection, Failure> {
        let mut tapes = all;
        let mut empty_reason = None;
        if let Some(pattern) = self.pattern {
            let (matching, others): (Vec<SelectedTape>, Vec<SelectedTape>) = tapes
                .into_iter()
                .partition(|tape| pattern.is_match(&tape.name));
            if matching.is_empty() {
                let names: Vec<&str> = others.iter().map(|tape| tape.name.as_str()).collect();
                let error = anyhow!("no tape name matches `{pattern}`");
                return Err(
                    Failure::usage(error).hint(format!("the tapes are {}", first_names(&names)))
                );
            }
            tapes = matching;
        }
        if let Some(failed) = &self.last_failed {
            let failed: BTreeSet<PathBuf> = failed.iter().map(|path| canonical(path)).collect();
            tapes.retain(|tape| failed.contains(&canonical(&tape.path)));
            empty_reason = tapes.is_empty().then_some(if failed.is_empty() {
                "no tape failed in the last run"
            } else {
                "none of these tapes failed in the last run"
            });
        }
        if let Some(shard) = self.shard {
            let mut names: Vec<&str> = tapes.iter().map(|tape| tape.name.as_str()).collect();
            names.sort_unstable();
            let indexed = names.into_iter().enumerate();
            let in_shard = indexed.filter(|(index, _)| shard.has(*index));
            let in_shard: BTreeSet<String> = in_shard.map(|(_, name)| name.to_owned()).collect();
            tapes.retain(|tape| in_shard.contains(&tape.name));
            empty_reason = empty_reason.or(tapes.is_empty().then_some(match self.last_failed {
                Some(_) => "this shard is empty: fewer tapes failed than there are shards",
                None => "this shard is empty: there are fewer tapes than shards",
            }));
        }
        Ok(Selection {
            tapes,
            empty_reason,
        })
    }
}

/// Returns the canonical path if the file exists, else the path as it is.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Joins the first names of a list.
fn first_names(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    match names.get(..SHOWN) {
        Some(shown) if names.len() > SHOWN => {
            format!("{} and {} more", shown.join(", "), names.len() - SHOWN)
        }
        _ => names.join(", "),
    }
}

/// Finds two tapes that would write their artifacts to the same directory. The second would
/// overwrite those of the first.
pub(crate) fn shared_artifact_dir<'a>(
    folders: impl Iterator<Item = (&'a str, String)>,
) -> Option<(&'a str, &'a str, String)> {
    let mut seen_dirs: BTreeMap<String, &str> = BTreeMap::new();
    for (name, dir) in folders {
        if let Some(other) = seen_dirs.insert(dir.clone(), name) {
            return Some((other, name, dir));
        }
    }
    None
}
