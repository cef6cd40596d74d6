//! `diffView`: compares two views that were saved to files.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use screentest::core::formats::ansi::{self, Meta};
use screentest::core::{Diff, Screen, Size};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::MethodContext;
use crate::session::screen_text;
use crate::wire::RpcError;

/// Compares two saved views.
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
pub(crate) struct DiffResponse {
    changed: bool,
    changed_lines: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    summary: String,
}

/// The compared properties: text only, or text and style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiffMode {
    Text,
    Styled,
}

impl DiffMode {
    fn read(word: Option<&str>) -> Result<DiffMode, RpcError> {
        match word.unwrap_or("text").trim().to_lowercase().as_str() {
            "text" => Ok(DiffMode::Text),
            "styled" => Ok(DiffMode::Styled),
            other => Err(RpcError::invalid_params(format!(
                "mode must be one of: text, styled; not {other}"
            ))),
        }
    }
}

impl Perform for DiffView {
    type Response = DiffResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<DiffResponse, RpcError> {
        let session = context.session()?;
        let mode = DiffMode::read(self.mode.as_deref())?;
        let (left, right) = (&self.left_path, &self.right_path);
        if !left.exists() || !right.exists() {
            return Err(RpcError::failed(format!(
                "diffView requires both paths to exist (left={}, right={})",
                left.display(),
                right.display()
            )));
        }
        let (left, right) = (SnapshotFile::read(left)?, SnapshotFile::read(right)?);
        // Views without a stored size are read at one size, which is large enough for all their
        // lines.
        let least = session.tui().options().size;
        let size = right.fitting_size(left.fitting_size(least)?)?;
        let (left, right) = (left.screen(size), right.screen(size));
        let changed_lines = match mode {
            DiffMode::Text => {
                let lines =
                    |screen: &Screen| screen_text::rows(screen).map(str::to_owned).collect();
                let (left, right): (Vec<String>, Vec<String>) = (lines(&left), lines(&right));
                let line = |lines: &[String], row| lines.get(row).cloned().unwrap_or_default();
                let count = left.len().max(right.len());
                (0..count)
                    .filter(|row| line(&left, *row) != line(&right, *row))
                    .count()
            }
            DiffMode::Styled => Diff::between(&left, &right).rows.len(),
        };
        let diff = || Diff::between(&left, &right).to_string();
        Ok(DiffResponse {
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

/// Maximum size of a file: enough for the largest screen with a colour for every cell.
const MAX_BYTES: u64 = 512 << 20;

/// A view that was saved to a file.
#[derive(Debug)]
struct SnapshotFile<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    /// The size in the `.meta.json` file next to it.
    size: Option<Size>,
}

impl SnapshotFile<'_> {
    fn read(path: &Path) -> Result<SnapshotFile<'_>, RpcError> {
        let name = path.to_string_lossy();
        let stem = name.strip_suffix(".ansi.txt").unwrap_or(&name);
        let beside = PathBuf::from(format!("{stem}.meta.json"));
        let size = match fs::metadata(&beside) {
            Ok(_) => {
                let meta = Meta::parse(read_file(&beside)?);
                let what = format!("could not read `{}`", beside.display());
                Some(
                    meta.map_err(|error| RpcError::with_cause(&what, &error))?
                        .size(),
                )
            }
            Err(_) => None,
        };
        Ok(SnapshotFile {
            path,
            bytes: read_file(path)?,
            size,
        })
    }

    /// Returns a size at which all lines fit. Returns `least` if the view has a stored size.
    fn fitting_size(&self, least: Size) -> Result<Size, RpcError> {
        match self.size {
            Some(_) => Ok(least),
            None => ansi::fitting(&self.bytes, least).ok_or_else(|| {
                RpcError::failed(format!(
                    "`{}` has more lines than a screen can have ({})",
                    self.path.display(),
                    Size::ROWS.end()
                ))
            }),
        }
    }

    /// Returns the screen at the stored size, or at `otherwise`.
    fn screen(&self, otherwise: Size) -> Screen {
        ansi::read(&self.bytes, self.size.unwrap_or(otherwise))
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, RpcError> {
    let shown = path.display();
    let could_not = |error| RpcError::with_cause(&format!("could not read `{shown}`"), &error);
    // Reading a pipe may block, and a device has no end.
    if !fs::metadata(path).map_err(could_not)?.is_file() {
        return Err(RpcError::failed(format!("`{shown}` is not a file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(could_not)?;
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(could_not)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(RpcError::failed(format!(
            "`{shown}` is larger than the limit of {MAX_BYTES} bytes"
        )));
    }
    Ok(bytes)
}
