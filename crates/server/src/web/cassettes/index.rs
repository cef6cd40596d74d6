//! Endpoints that list cassettes and describe one of them.

use std::fs;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use screentest::core::formats::cassette::{FRAMES, OUTPUT_RAW};
use screentest::recording::{Cassette, Player};
use serde::Serialize;
use serde_json::{Value, json};

use super::{PART_SUFFIX, cassette_path, cassettes_folder, recording_session};
use crate::service::Service;
use crate::web::Web;
use crate::web::http::error::HttpError;
use crate::web::sessions::check_name;
use crate::wire::{ErrorCode, RpcError};

/// Maximum number of cassettes in one response. Each of them must be opened.
const MAX_LISTED: usize = 1000;

/// The largest file whose frames are counted during a request.
const MAX_COUNTED_BYTES: u64 = 64 << 20;

/// State of a cassette.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CassetteState {
    /// Published and complete.
    Complete,
    /// Being recorded.
    Running,
    /// The recorder was interrupted.
    Unfinished,
    /// Invalid.
    Broken,
}

/// A cassette as responses describe it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CassetteSummary {
    name: String,
    state: CassetteState,
    /// Why it cannot be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The session that is being recorded.
    session: Option<String>,
    command: Vec<String>,
    /// The last window title.
    title: String,
    cols: Option<u16>,
    rows: Option<u16>,
    duration_ms: Option<f64>,
    /// The size of the program's output.
    bytes: u64,
    /// Start time, in seconds since 1970.
    recorded_at: Option<u64>,
    /// Whether recording started in the middle of a session.
    midway: bool,
}

impl CassetteSummary {
    fn new(name: &str, state: CassetteState) -> CassetteSummary {
        CassetteSummary {
            name: name.to_owned(),
            state,
            error: None,
            session: None,
            command: Vec::new(),
            title: String::new(),
            cols: None,
            rows: None,
            duration_ms: None,
            bytes: 0,
            recorded_at: None,
            midway: false,
        }
    }

    fn complete(name: &str, cassette: &Cassette) -> CassetteSummary {
        let manifest = cassette.manifest();
        let command = &manifest.command;
        let words = std::iter::once(&command.program).filter(|program| !program.is_empty());
        // Opening the cassette has already read the last screen. An invalid screen is not an error
        // here; the request for the frames reports it.
        let last = cassette.ending().screen().ok();
        CassetteSummary {
            command: words.chain(&command.args).cloned().collect(),
            title: last
                .map(|screen| screen.title.to_string())
                .unwrap_or_default(),
            cols: Some(manifest.terminal.cols),
            rows: Some(manifest.terminal.rows),
            duration_ms: Some(millis(manifest.timing.duration_ms.time())),
            bytes: cassette.output_len(),
            recorded_at: manifest.provenance.recorded_at,
            midway: manifest.provenance.portrait_bytes.is_some(),
            ..CassetteSummary::new(name, CassetteState::Complete)
        }
    }

    /// Describes a cassette that is not published.
    fn unpublished(service: &Service, name: &str, part: &FilePath) -> CassetteSummary {
        let raw = part.join(OUTPUT_RAW).symlink_metadata();
        let bytes = raw.map_or(0, |metadata| metadata.len());
        let Some(named) = recording_session(service, name) else {
            return CassetteSummary {
                bytes,
                error: Some(format!(
                    "the recorder was interrupted: run `screentest cassette recover {}`",
                    part.display()
                )),
                ..CassetteSummary::new(name, CassetteState::Unfinished)
            };
        };
        let screen = named.screen().ok();
        CassetteSummary {
            bytes,
            session: Some(named.name().to_owned()),
            command: named.command(),
            cols: screen.as_ref().map(|screen| screen.size.cols),
            rows: screen.as_ref().map(|screen| screen.size.rows),
            title: screen
                .map(|screen| screen.title.to_string())
                .unwrap_or_default(),
            ..CassetteSummary::new(name, CassetteState::Running)
        }
    }
}

fn millis(time: std::time::Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// Finds a cassette by name. Unfinished and invalid ones are described but not opened.
fn find(service: &Service, name: &str) -> Result<(CassetteSummary, Option<Cassette>), RpcError> {
    let path = cassette_path(service, name)?;
    let is_directory = |path: &FilePath| {
        path.symlink_metadata()
            .is_ok_and(|metadata| metadata.is_dir())
    };
    if is_directory(&cassettes_folder(service)?) {
        if is_directory(&path) {
            return Ok(match Cassette::open(&path) {
                Ok(cassette) => (CassetteSummary::complete(name, &cassette), Some(cassette)),
                Err(error) => {
                    let mut summary = CassetteSummary::new(name, CassetteState::Broken);
                    summary.error = Some(error.to_string());
                    (summary, None)
                }
            });
        }
        let part = path.with_file_name(format!("{name}{PART_SUFFIX}"));
        if is_directory(&part) {
            return Ok((CassetteSummary::unpublished(service, name, &part), None));
        }
    }
    Err(RpcError::new(
        ErrorCode::NoSession,
        format!("no cassette `{name}`: /api/cassettes lists all"),
    ))
}

/// Opens a cassette, if it can be played.
pub(crate) fn open(service: &Service, name: &str) -> Result<Cassette, RpcError> {
    match find(service, name)? {
        (_, Some(cassette)) => Ok(cassette),
        (summary, None) if summary.state == CassetteState::Running => Err(RpcError::new(
            ErrorCode::AlreadyStarted,
            format!("`{name}` is still being recorded: stop the recording first"),
        )),
        (summary, None) => Err(RpcError::failed(format!(
            "`{name}` cannot be played: {}",
            summary.error.unwrap_or_default()
        ))),
    }
}

/// Describes a cassette, with secrets redacted.
pub(super) fn describe(service: &Service, name: &str) -> Result<Value, RpcError> {
    let (summary, _) = find(service, name)?;
    Ok(service.redact(crate::wire::message::to_value(&summary)))
}

/// Lists all cassettes.
pub(crate) async fn list(State(web): State<Arc<Web>>) -> Result<Json<Value>, HttpError> {
    let response = web.run_blocking(|service| {
        let mut names = names(service)?;
        let left_out = names.len().saturating_sub(MAX_LISTED);
        names.truncate(MAX_LISTED);
        // Cassettes that are published or removed at this moment are omitted.
        let all: Vec<Value> = names
            .iter()
            .filter_map(|name| describe(service, name).ok())
            .collect();
        Ok(json!({ "cassettes": all, "leftOut": left_out }))
    });
    Ok(Json(response.await?))
}

/// Returns the sorted names of all directories that may be cassettes.
fn names(service: &Service) -> Result<Vec<String>, RpcError> {
    let folder = cassettes_folder(service)?;
    let Ok(entries) = fs::read_dir(&folder) else {
        // The folder does not exist before the first recording.
        return Ok(Vec::new());
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|name| match name.strip_suffix(PART_SUFFIX) {
            Some(name) => name.to_owned(),
            None => name,
        })
        .filter(|name| check_name(name).is_ok())
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Describes a cassette, with its marks and its number of frames.
pub(crate) async fn one(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, HttpError> {
    let response = web.run_blocking(move |service| {
        let (summary, cassette) = find(service, &name)?;
        let mut summary_json = crate::wire::message::to_value(&summary);
        let (mut marks, mut frames) = (Vec::new(), None);
        if let Some(cassette) = &cassette {
            let player = Player::of_any_emulator(cassette)
                .map_err(|error| RpcError::with_cause("cassette", &error))?;
            marks = player
                .marks()
                .map(|(name, time)| json!({ "name": name, "atMs": millis(time) }))
                .collect();
            frames = count_frames(cassette);
        }
        summary_json["marks"] = marks.into();
        summary_json["frames"] = json!(frames);
        Ok(service.redact(summary_json))
    });
    Ok(Json(response.await?))
}

/// Counts the frames, one per line. Returns `None` for large files.
fn count_frames(cassette: &Cassette) -> Option<u64> {
    use std::io::Read;
    let mut file = cassette.file(FRAMES).ok()?;
    let length = file.metadata().ok()?.len();
    if length > MAX_COUNTED_BYTES {
        return None;
    }
    let mut buffer = vec![0; 64 << 10];
    let mut frames = 0;
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(frames),
            count => {
                let lines = buffer[..count].iter().filter(|byte| **byte == b'\n');
                frames += lines.count() as u64;
            }
        }
    }
}
