//! Views that are left on disk, as text and as pictures, and comparing them with those that were kept.

use std::path::PathBuf;

use screentest::core::formats::ansi;
use screentest::{SnapshotError, TuiError};
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::picture::{self, Look};
use crate::service::Job;
use crate::wire::number::{Whole, millis};
use crate::wire::{Failure, place, theme};

/// Keeps what is shown.
#[derive(Debug, Deserialize)]
pub(crate) struct DumpView {
    name: String,
    format: Option<String>,
    #[serde(flatten)]
    overrides: Overrides,
}

/// Keeps what is shown, with a picture.
#[derive(Debug, Deserialize)]
pub(crate) struct RenderView {
    name: String,
    #[serde(flatten)]
    overrides: Overrides,
}

/// How a picture is drawn, where not as usual.
#[derive(Debug, Deserialize)]
struct Overrides {
    theme: Option<String>,
    font: Option<PathBuf>,
    rows: Option<Whole>,
    cols: Option<Whole>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Kept {
    artifact_root: String,
    meta_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    png_path: Option<String>,
    snapshot_path: String,
}

/// Whether a picture is drawn too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Png {
    Drawn,
    Left,
}

impl Perform for DumpView {
    type Answer = Kept;

    fn perform(self, job: &Job<'_>) -> Result<Kept, Failure> {
        let format = self
            .format
            .as_deref()
            .unwrap_or("ansi")
            .trim()
            .to_lowercase();
        let png = match format.as_str() {
            "ansi" => Png::Left,
            "png" | "both" => Png::Drawn,
            _ => {
                return Err(Failure::params(format!(
                    "format must be one of: ansi, png, both; not {format}"
                )));
            }
        };
        keep(job, "dumpView", &self.name, png, &self.overrides)
    }
}

impl Perform for RenderView {
    type Answer = Kept;

    fn perform(self, job: &Job<'_>) -> Result<Kept, Failure> {
        keep(job, "renderView", &self.name, Png::Drawn, &self.overrides)
    }
}

fn keep(
    job: &Job<'_>,
    doing: &str,
    name: &str,
    png: Png,
    overrides: &Overrides,
) -> Result<Kept, Failure> {
    let stage = job.stage()?;
    let tui = stage.tui();
    check_name(name)?;
    // Looked at once: the text and the picture are of the same moment.
    let mut screen = stage.screen()?;
    // Another size is that of a terminal which shows the same text.
    let size = place::size(overrides.cols, overrides.rows, screen.size)?;
    let look = Look {
        theme: match overrides.theme.as_deref() {
            None => tui.theme(),
            Some(text) => theme::read("theme", text)?.resolved(),
        },
        font: overrides.font.clone(),
    };
    let wrong = |error| Failure::of(doing, &error);
    let files = tui.snapshot_files(name).map_err(wrong)?;
    tui.dump_screen(name, &screen).map_err(wrong)?;
    let png_path = match png {
        Png::Left => None,
        Png::Drawn => {
            if size != screen.size {
                screen = ansi::read(ansi::write(&screen).as_bytes(), size);
            }
            let bytes = picture::draw_png(&screen, &look, job.service.fonts()?)?;
            let name = files.capture.to_string_lossy();
            let path = PathBuf::from(format!("{}.png", name.trim_end_matches(".ansi.txt")));
            tui.keep_file(&path, &bytes).map_err(wrong)?;
            Some(path.display().to_string())
        }
    };
    Ok(Kept {
        artifact_root: tui.artifacts().display().to_string(),
        meta_path: files.capture_meta.display().to_string(),
        png_path,
        snapshot_path: files.capture.display().to_string(),
    })
}

fn check_name(name: &str) -> Result<(), Failure> {
    match name.is_empty() {
        true => Err(Failure::failed("snapshot name cannot be empty")),
        false => Ok(()),
    }
}

/// Compares what is shown with what was kept.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpectSnapshot {
    name: String,
    timeout_ms: Option<Whole>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Compared {
    actual_path: String,
    baseline_exists: bool,
    baseline_path: String,
    ok: bool,
}

impl Perform for ExpectSnapshot {
    type Answer = Compared;

    fn perform(self, job: &Job<'_>) -> Result<Compared, Failure> {
        let stage = job.stage()?;
        check_name(&self.name)?;
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let tui = stage.tui().with(job.waits(timeout));
        let wrong = |error| Failure::of("expectSnapshot", &error);
        let files = tui.snapshot_files(&self.name).map_err(wrong)?;
        let existed = files.baseline.exists();
        tui.expect_snapshot(&self.name).map_err(|error| {
            let is_mismatch = matches!(&error, TuiError::Snapshot(SnapshotError::Mismatch(_)));
            let failure = wrong(error);
            let (baseline, capture) = (files.baseline.display(), files.capture.display());
            match is_mismatch {
                true => failure.and(&format!(
                    ": compare {baseline} and {capture}, or see both with `screentest review`"
                )),
                false => failure,
            }
        })?;
        Ok(Compared {
            actual_path: files.capture.display().to_string(),
            baseline_exists: existed,
            baseline_path: files.baseline.display().to_string(),
            ok: true,
        })
    }
}
