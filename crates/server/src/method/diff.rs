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

/// What counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Text,
    Styled,
}

impl Mode {
    fn read(word: Option<&str>) -> Result<Mode, Failure> {
        match word.unwrap_or("text").trim().to_lowercase().as_str() {
            "text" => Ok(Mode::Text),
            "styled" => Ok(Mode::Styled),
            other => Err(Failure::params(format!(
                "mode must be one of: text, styled; not {other}"
            ))),
        }
    }
}

impl Perform for DiffView {
    type Answer = Differs;

    fn perform(self, job: &Job<'_>) -> Result<Differs, Failure> {
        let stage = job.stage()?;
        let mode = Mode::read(self.mode.as_deref())?;
        let (left, right) = (&self.left_path, &self.right_path);
        if !left.exists() || !right.exists() {
            return Err(Failure::failed(format!(
                "diffView requires both paths to exist (left={}, right={})",
                left.display(),
                right.display()
            )));
        }
        let (left, right) = (Kept::read(left)?, Kept::read(right)?);
        // What has no size of its own is shown whole, and both at the same size.
        let least = stage.tui().options().size;
        let size = right.fitting(left.fitting(least)?)?;
        let (left, right) = (left.screen(size), right.screen(size));
        let changed_lines = match mode {
            Mode::Text => {
                let lines = |screen: &Screen| view::lines(screen).map(str::to_owned).collect();
                let (left, right): (Vec<String>, Vec<String>) = (lines(&left), lines(&right));
                let line = |lines: &[String], row| lines.get(row).cloned().unwrap_or_default();
                let count = left.len().max(right.len());
                (0..count)
                    .filter(|row| line(&left, *row) != line(&right, *row))
                    .count()
            }
            Mode::Styled => Diff::between(&left, &right).rows.len(),
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

/// A view that was left on disk.
#[derive(Debug)]
struct Kept<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    /// What the file beside it gives.
    size: Option<Size>,
}

impl Kept<'_> {
    fn read(path: &Path) -> Result<Kept<'_>, Failure> {
        let name = path.to_string_lossy();
        let stem = name.strip_suffix(".ansi.txt").unwrap_or(&name);
        let beside = PathBuf::from(format!("{stem}.meta.json"));
        let size = match fs::metadata(&beside) {
            Ok(_) => {
                let meta = Meta::parse(bytes(&beside)?);
                let what = format!("could not read `{}`", beside.display());
                Some(meta.map_err(|error| Failure::caused(&what, &error))?.size())
            }
            Err(_) => None,
        };
        Ok(Kept {
            path,
            bytes: bytes(path)?,
            size,
        })
    }

    /// A size at which it is seen whole, if it has none of its own.
    fn fitting(&self, least: Size) -> Result<Size, Failure> {
        match self.size {
            Some(_) => Ok(least),
            None => ansi::fitting(&self.bytes, least).ok_or_else(|| {
                Failure::failed(format!(
                    "`{}` has more lines than the {} that a screen may have",
                    self.path.display(),
                    Size::ROWS.end()
                ))
            }),
        }
    }

    /// What it shows, at its own size or this one.
    fn screen(&self, otherwise: Size) -> Screen {
        ansi::read(&self.bytes, self.size.unwrap_or(otherwise))
    }
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
