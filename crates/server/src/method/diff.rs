//! Comparing two views that were left on disk.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use screentest::core::formats::ansi::{self, Meta};
use screentest::core::{Diff, Screen, Size};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::Job;
use crate::view;
use crate::wire::Failure;

/// Says what differs.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiffView {
    left_path: PathBuf,
    right_path: PathBuf,
    mode: Option<String>,
    include_diff: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Differs {
    changed: bool,
    changed_lines: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    summary: String,
}

impl Perform for DiffView {
    type Answer = Differs;

    fn perform(self, job: &Job<'_>) -> Result<Differs, Failure> {
        let stage = job.stage()?;
        let mode = self.mode.as_deref().unwrap_or("text").trim().to_lowercase();
        let (left, right) = (&self.left_path, &self.right_path);
        if !left.exists() || !right.exists() {
            return Err(Failure::failed(format!(
                "diffView requires both paths to exist (left={}, right={})",
                left.display(),
                right.display()
            )));
        }
        let size = stage.tui().options().size;
        let (left, right) = (read(left, size)?, read(right, size)?);
        let changed_lines = match mode.as_str() {
            "text" => {
                let lines = |screen: &Screen| view::lines(screen).map(str::to_owned).collect();
                let (left, right): (Vec<String>, Vec<String>) = (lines(&left), lines(&right));
                let line = |lines: &[String], row| lines.get(row).cloned().unwrap_or_default();
                let count = left.len().max(right.len());
                (0..count)
                    .filter(|row| line(&left, *row) != line(&right, *row))
                    .count()
            }
            "styled" => Diff::between(&left, &right).rows.len(),
            _ => {
                return Err(Failure::params(format!(
                    "mode must be one of: text, styled; not {mode}"
                )));
            }
        };
        let diff = || Diff::between(&left, &right).to_string();
        Ok(Differs {
            changed: changed_lines > 0,
            changed_lines,
            diff: (self.include_diff == Some(true)).then(diff),
            summary: match changed_lines {
                0 => "Snapshots are identical".to_owned(),
                count => format!("Snapshots differ ({count} changed lines)"),
            },
        })
    }
}

/// The most that is read of a file, as of one that is kept: the largest screen in full colour.
const MOST: u64 = 512 << 20;

/// Reads a view, at the size that the file beside it gives.
fn read(path: &Path, otherwise: Size) -> Result<Screen, Failure> {
    let name = path.to_string_lossy();
    let stem = name.strip_suffix(".ansi.txt").unwrap_or(&name);
    let size = match fs::metadata(format!("{stem}.meta.json")) {
        Ok(_) => {
            let path = PathBuf::from(format!("{stem}.meta.json"));
            let meta = Meta::parse(bytes(&path)?);
            let what = format!("could not read `{}`", path.display());
            meta.map_err(|error| Failure::caused(&what, &error))?.size()
        }
        Err(_) => otherwise,
    };
    Ok(ansi::read(&bytes(path)?, size))
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let could_not = |error| Failure::caused(&format!("could not read `{shown}`"), &error);
    // A pipe would keep us waiting, and a device has no end.
    if !fs::metadata(path).map_err(could_not)?.is_file() {
        return Err(Failure::failed(format!("`{shown}` is not a file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(could_not)?;
    file.take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(could_not)?;
    if bytes.len() as u64 > MOST {
        return Err(Failure::failed(format!(
            "`{shown}` is larger than the {MOST} bytes that are read"
        )));
    }
    Ok(bytes)
}
