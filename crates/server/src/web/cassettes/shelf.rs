//! The cassettes that there are, and what is known of each.

use std::fs;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use screentest::core::formats::cassette::{FRAMES, OUTPUT_RAW};
use screentest::{Cassette, Player};
use serde::Serialize;
use serde_json::{Value, json};

use super::{PART, folder, place, recorded};
use crate::service::Service;
use crate::web::Web;
use crate::web::refusal::Refusal;
use crate::web::sessions::check_name;
use crate::wire::{ErrorCode, RpcError};

/// How many are told of at once; each is opened for that.
const MOST: usize = 1000;

/// How large a file of frames may be to be counted while somebody waits.
const QUICK: u64 = 64 << 20;

/// How far a cassette is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Stand {
    /// All of it is there.
    Complete,
    /// It is being recorded.
    Running,
    /// Its recorder was cut off.
    Unfinished,
    /// Something is wrong with it.
    Broken,
}

/// A cassette, as everybody may see it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    state: Stand,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The session that is recorded.
    session: Option<String>,
    command: Vec<String>,
    /// The title that was shown last.
    title: String,
    cols: Option<u16>,
    rows: Option<u16>,
    duration_ms: Option<f64>,
    /// How much the program wrote.
    bytes: u64,
    /// When it began, in seconds since 1970.
    recorded_at: Option<u64>,
    /// Whether it began in the middle of a session.
    midway: bool,
}

impl Listed {
    fn new(name: &str, state: Stand) -> Listed {
        Listed {
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

    fn complete(name: &str, cassette: &Cassette) -> Listed {
        let manifest = cassette.manifest();
        let command = &manifest.command;
        let words = std::iter::once(&command.program).filter(|program| !program.is_empty());
        // The last screen was read when it was opened; what is wrong with it, the frames will say.
        let last = cassette.ending().screen().ok();
        Listed {
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
            ..Listed::new(name, Stand::Complete)
        }
    }

    /// One that is not published.
    fn unpublished(service: &Service, name: &str, part: &FilePath) -> Listed {
        let raw = part.join(OUTPUT_RAW).symlink_metadata();
        let bytes = raw.map_or(0, |there| there.len());
        let Some(stage) = recorded(service, name) else {
            return Listed {
                bytes,
                error: Some(format!(
                    "its recorder was cut off: `screentest cassette recover {}` makes a cassette of it",
                    part.display()
                )),
                ..Listed::new(name, Stand::Unfinished)
            };
        };
        let screen = stage.screen().ok();
        Listed {
            bytes,
            session: Some(stage.name().to_owned()),
            command: stage.command(),
            cols: screen.as_ref().map(|screen| screen.size.cols),
            rows: screen.as_ref().map(|screen| screen.size.rows),
            title: screen
                .map(|screen| screen.title.to_string())
                .unwrap_or_default(),
            ..Listed::new(name, Stand::Running)
        }
    }
}

fn millis(time: std::time::Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// What is at a name: a cassette, one that is not finished, or nothing.
fn look(service: &Service, name: &str) -> Result<(Listed, Option<Cassette>), RpcError> {
    let path = place(service, name)?;
    let is_folder = |path: &FilePath| path.symlink_metadata().is_ok_and(|there| there.is_dir());
    if is_folder(&folder(service)?) {
        if is_folder(&path) {
            return Ok(match Cassette::open(&path) {
                Ok(cassette) => (Listed::complete(name, &cassette), Some(cassette)),
                Err(error) => {
                    let mut listed = Listed::new(name, Stand::Broken);
                    listed.error = Some(error.to_string());
                    (listed, None)
                }
            });
        }
        let part = path.with_file_name(format!("{name}{PART}"));
        if is_folder(&part) {
            return Ok((Listed::unpublished(service, name, &part), None));
        }
    }
    Err(RpcError::new(
        ErrorCode::NoSession,
        format!("there is no cassette `{name}`: /api/cassettes lists them"),
    ))
}

/// The cassette of a name, if it is one that can be played.
pub(super) fn open(service: &Service, name: &str) -> Result<Cassette, RpcError> {
    match look(service, name)? {
        (_, Some(cassette)) => Ok(cassette),
        (listed, None) if listed.state == Stand::Running => Err(RpcError::new(
            ErrorCode::AlreadyStarted,
            format!("`{name}` is being recorded: end that first"),
        )),
        (listed, None) => Err(RpcError::failed(format!(
            "`{name}` cannot be played: {}",
            listed.error.unwrap_or_default()
        ))),
    }
}

/// What is told of one, without its secrets.
pub(super) fn told(service: &Service, name: &str) -> Result<Value, RpcError> {
    let (listed, _) = look(service, name)?;
    Ok(service.redact(crate::wire::message::to_value(&listed)))
}

/// All cassettes.
pub(crate) async fn list(State(web): State<Arc<Web>>) -> Result<Json<Value>, Refusal> {
    let told = web.do_blocking(|service| {
        let mut names = names(service)?;
        let left_out = names.len().saturating_sub(MOST);
        names.truncate(MOST);
        // One that is published or removed at this moment is told of the next time.
        let all: Vec<Value> = names
            .iter()
            .filter_map(|name| told(service, name).ok())
            .collect();
        Ok(json!({ "cassettes": all, "leftOut": left_out }))
    });
    Ok(Json(told.await?))
}

/// The names of all folders that may be cassettes, in their order.
fn names(service: &Service) -> Result<Vec<String>, RpcError> {
    let folder = folder(service)?;
    let Ok(entries) = fs::read_dir(&folder) else {
        // Nobody has kept anything yet.
        return Ok(Vec::new());
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|name| match name.strip_suffix(PART) {
            Some(name) => name.to_owned(),
            None => name,
        })
        .filter(|name| check_name(name).is_ok())
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// One cassette, with its marks and how many frames it has.
pub(crate) async fn one(
    State(web): State<Arc<Web>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let told = web.do_blocking(move |service| {
        let (listed, cassette) = look(service, &name)?;
        let mut told = crate::wire::message::to_value(&listed);
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
        told["marks"] = marks.into();
        told["frames"] = json!(frames);
        Ok(service.redact(told))
    });
    Ok(Json(told.await?))
}

/// How many frames there are, where that is known at once: each is a line.
fn count_frames(cassette: &Cassette) -> Option<u64> {
    use std::io::Read;
    let mut file = cassette.file(FRAMES).ok()?;
    let length = file.metadata().ok()?.len();
    if length > QUICK {
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
