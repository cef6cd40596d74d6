//! Which tapes are meant: those that were named, or the project's own, and of these the ones that were asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use regex::Regex;
use screentest_tape::TapeScript;

use super::shard::Shard;
use crate::config::{self, Config};
use crate::failure::Failure;

/// What messages call a tape that comes from stdin.
pub(crate) const STDIN: &str = "stdin";

/// A tape that is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// As it was given.
    pub(crate) path: PathBuf,
    /// What it is called, wherever one stands.
    pub(crate) name: String,
}

impl Chosen {
    /// The tape at a path; `-` is stdin.
    pub(crate) fn at(path: PathBuf) -> Chosen {
        let name = match path.as_os_str() == "-" {
            true => STDIN.to_owned(),
            false => TapeScript::name_of(&path),
        };
        Chosen { path, name }
    }

    /// Whether it comes from stdin.
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// The tapes that were named, each once, or else those of the project.
pub(crate) fn meant(named: &[PathBuf], config: &Config) -> Result<Vec<Chosen>, Failure> {
    let paths = match named {
        [] => found(config)?,
        named => named.to_vec(),
    };
    let mut known = BTreeSet::new();
    let all = paths.into_iter().map(Chosen::at);
    Ok(all.filter(|one| known.insert(one.name.clone())).collect())
}

/// The tapes that the project's patterns find, sorted within each pattern.
fn found(config: &Config) -> Result<Vec<PathBuf>, Failure> {
    if config.tapes.is_empty() {
        let fault = anyhow!("no tape is named");
        return Err(Failure::usage(fault).hint(format!(
            "name one, as in `screentest run demo.tape`, or say which are meant in `{}`: `[run]`, `tapes = [\"tests/*.tape\"]`; `screentest new demo` writes one to begin with",
            config::NAME
        )));
    }
    let folder = config.folder().to_string_lossy();
    let folder = PathBuf::from(glob::Pattern::escape(&folder));
    let mut paths = Vec::new();
    for pattern in &config.tapes {
        let whole = folder.join(pattern);
        let matches = glob::glob(&whole.to_string_lossy()).map_err(Failure::usage)?;
        let before = paths.len();
        for path in matches {
            let path = path.map_err(Failure::usage)?;
            if path.is_file() {
                paths.push(path);
            }
        }
        if paths.len() == before {
            let fault = anyhow!("`{pattern}` of `{}` finds no tape", config::NAME);
            return Err(Failure::usage(fault));
        }
    }
    Ok(paths)
}

/// What was asked for of them.
#[derive(Debug, Default)]
pub(crate) struct Wish<'a> {
    /// In the name.
    pub(crate) pattern: Option<&'a Regex>,
    /// Those that failed last.
    pub(crate) last_failed: Option<BTreeSet<PathBuf>>,
    /// One part of what is left.
    pub(crate) shard: Option<Shard>,
}

/// The tapes that were asked for.
#[derive(Debug)]
pub(crate) struct Picked {
    /// In their order.
    pub(crate) tapes: Vec<Chosen>,
    /// Why there is none, which is no failure.
    pub(crate) why_none: Option<&'static str>,
}

impl Wish<'_> {
    /// The tapes that were asked for.
    pub(crate) fn pick(&self, all: Vec<Chosen>) -> Result<Picked, Failure> {
        let mut left = all;
        let mut why_none = None;
        if let Some(pattern) = self.pattern {
            let (fits, others): (Vec<Chosen>, Vec<Chosen>) = left
                .into_iter()
                .partition(|one| pattern.is_match(&one.name));
            if fits.is_empty() {
                let names: Vec<&str> = others.iter().map(|one| one.name.as_str()).collect();
                let fault = anyhow!("no tape has `{pattern}` in its name");
                return Err(Failure::usage(fault).hint(format!("there are {}", few(&names))));
            }
            left = fits;
        }
        if let Some(failed) = &self.last_failed {
            let failed: BTreeSet<PathBuf> = failed.iter().map(|path| whole(path)).collect();
            left.retain(|one| failed.contains(&whole(&one.path)));
            why_none = left.is_empty().then_some(match failed.is_empty() {
                true => "no tape failed last",
                false => "none of these tapes failed last",
            });
        }
        if let Some(shard) = self.shard {
            let mut names: Vec<&str> = left.iter().map(|one| one.name.as_str()).collect();
            names.sort_unstable();
            let places = names.into_iter().enumerate();
            let ours = places.filter(|(place, _)| shard.has(*place));
            let ours: BTreeSet<String> = ours.map(|(_, name)| name.to_owned()).collect();
            left.retain(|one| ours.contains(&one.name));
            why_none = why_none.or(left.is_empty().then_some(match self.last_failed {
                Some(_) => "this part has no tape: fewer failed last than there are parts",
                None => "this part has no tape: there are fewer than parts",
            }));
        }
        Ok(Picked {
            tapes: left,
            why_none,
        })
    }
}

/// A path without links and detours, where there is something.
pub(crate) fn whole(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The first of many names.
fn few(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    match names.get(..SHOWN) {
        Some(shown) if names.len() > SHOWN => {
            format!("{} and {} more", shown.join(", "), names.len() - SHOWN)
        }
        _ => names.join(", "),
    }
}

/// Two tapes whose artifacts would go to one folder, and that folder: the second would write over what the first left.
pub(crate) fn sharing<'a>(
    folders: impl Iterator<Item = (&'a str, String)>,
) -> Option<(&'a str, &'a str, String)> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for (name, folder) in folders {
        if let Some(other) = known.insert(folder.clone(), name) {
            return Some((other, name, folder));
        }
    }
    None
}
