//! `dumpView`, `renderView` and `expectSnapshot`: save views to files and compare them with
//! baselines.

use std::path::PathBuf;

use screentest::TuiError;
use screentest::core::formats::ansi;
use screentest::test::SnapshotError;
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::MethodContext;
use crate::session::screenshot::ScreenshotOptions;
use crate::wire::number::{WholeNumber, millis};
use crate::wire::{RpcError, coordinates, theme};

/// Saves the view.
#[derive(Debug, Deserialize)]
pub(crate) struct DumpView {
    name: String,
    format: Option<String>,
    #[serde(flatten)]
    overrides: DrawOverrides,
}

/// Saves the view with a screenshot.
#[derive(Debug, Deserialize)]
pub(crate) struct RenderView {
    name: String,
    #[serde(flatten)]
    overrides: DrawOverrides,
}

/// How the screenshot is drawn. Omitted fields select the session's settings.
#[derive(Debug, Deserialize)]
struct DrawOverrides {
    theme: Option<String>,
    font: Option<PathBuf>,
    rows: Option<WholeNumber>,
    cols: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DumpResponse {
    artifact_root: String,
    meta_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    png_path: Option<String>,
    snapshot_path: String,
}

/// Whether a screenshot is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PngFile {
    Written,
    Omitted,
}

impl Perform for DumpView {
    type Response = DumpResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<DumpResponse, RpcError> {
        let format = self
            .format
            .as_deref()
            .unwrap_or("ansi")
            .trim()
            .to_lowercase();
        let png = match format.as_str() {
            "ansi" => PngFile::Omitted,
            "png" | "both" => PngFile::Written,
            _ => {
                return Err(RpcError::invalid_params(format!(
                    "format must be one of: ansi, png, both; not {format}"
                )));
            }
        };
        dump(context, "dumpView", &self.name, png, &self.overrides)
    }
}

impl Perform for RenderView {
    type Response = DumpResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<DumpResponse, RpcError> {
        dump(
            context,
            "renderView",
            &self.name,
            PngFile::Written,
            &self.overrides,
        )
    }
}

fn dump(
    context: &MethodContext<'_>,
    doing: &str,
    name: &str,
    png: PngFile,
    overrides: &DrawOverrides,
) -> Result<DumpResponse, RpcError> {
    let session = context.session()?;
    let tui = session.tui();
    check_name(name)?;
    // Read once, so that the text and the screenshot show the same moment.
    let mut screen = session.screen()?;
    // With another size, the screenshot shows the same text in a terminal of that size.
    let size = coordinates::size(overrides.cols, overrides.rows, screen.size)?;
    let options = ScreenshotOptions {
        theme: match overrides.theme.as_deref() {
            None => tui.theme(),
            Some(text) => theme::read("theme", text)?.resolved(),
        },
        font: overrides.font.clone(),
    };
    let failed = |error| RpcError::from_tui(doing, &error);
    let files = tui.snapshot_files(name).map_err(failed)?;
    tui.dump_screen(name, &screen).map_err(failed)?;
    let png_path = match png {
        PngFile::Omitted => None,
        PngFile::Written => {
            if size != screen.size {
                screen = ansi::read(ansi::write(&screen).as_bytes(), size);
            }
            let role = context.origin.caller.role;
            let bytes = context.service.draw(role, &screen, &options)?;
            let name = files.capture.to_string_lossy();
            let path = PathBuf::from(format!("{}.png", name.trim_end_matches(".ansi.txt")));
            tui.keep_file(&path, &bytes).map_err(failed)?;
            Some(path.display().to_string())
        }
    };
    Ok(DumpResponse {
        artifact_root: tui.artifacts().display().to_string(),
        meta_path: files.capture_meta.display().to_string(),
        png_path,
        snapshot_path: files.capture.display().to_string(),
    })
}

fn check_name(name: &str) -> Result<(), RpcError> {
    if name.is_empty() {
        Err(RpcError::failed("snapshot name cannot be empty"))
    } else {
        Ok(())
    }
}

/// Compares the view with a baseline.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpectSnapshot {
    name: String,
    timeout_ms: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SnapshotResponse {
    actual_path: String,
    baseline_exists: bool,
    baseline_path: String,
    ok: bool,
}

impl Perform for ExpectSnapshot {
    type Response = SnapshotResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<SnapshotResponse, RpcError> {
        let session = context.session()?;
        check_name(&self.name)?;
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let tui = session.tui().with(context.wait_options(timeout));
        let failed = |error| RpcError::from_tui("expectSnapshot", &error);
        let files = tui.snapshot_files(&self.name).map_err(failed)?;
        let existed = files.baseline.exists();
        tui.expect_snapshot(&self.name).map_err(|error| {
            let is_mismatch = matches!(&error, TuiError::Snapshot(SnapshotError::Mismatch(_)));
            let failure = failed(error);
            let (baseline, capture) = (files.baseline.display(), files.capture.display());
            if is_mismatch {
                failure.append(&format!(
                    ": compare {baseline} and {capture}, or see both with `screentest review`"
                ))
            } else {
                failure
            }
        })?;
        Ok(SnapshotResponse {
            actual_path: files.capture.display().to_string(),
            baseline_exists: existed,
            baseline_path: files.baseline.display().to_string(),
            ok: true,
        })
    }
}
