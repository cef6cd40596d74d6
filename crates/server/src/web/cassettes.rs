//! Endpoints that record sessions into cassettes, by default in the folder `cassettes` of the
//! artifacts.
//!
//! A cassette is named by the client or after its session. Names follow the rules of session ids,
//! so that they cannot point outside the folder. Entries that are not directories, in particular
//! symbolic links, are ignored.
//!
//! See also: `cassettes/index.rs` (the cassettes and their metadata), `cassettes/frames.rs` (their
//! screens), `cassettes/download.rs` (a cassette as a file).

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use screentest::Session;
use screentest::recording::{RecordError, RecordOptions};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::service::Service;
use crate::session::NamedSession;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::blocking::require_write_access;
use crate::web::http::error::HttpError;
use crate::web::sessions::{check_name, percent_encode};
use crate::wire::{ErrorCode, RpcError};

mod download;
mod frames;
mod index;

pub(crate) use download::download;
pub(crate) use frames::frames;
pub(crate) use index::{list, one, open};

/// The field `record` of a new session.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum RecordOption {
    /// Whether to record it.
    Enabled(bool),
    /// Record into a cassette of this name.
    Named(String),
}

/// The cassette to record into.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct StartBody {
    name: Option<String>,
}

/// Returns whether a session is being recorded, and into which cassette.
pub(crate) async fn recording_status(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, HttpError> {
    let response = web.run_blocking(move |service| {
        let name = service.session(Some(&id))?.cassette();
        Ok(json!({ "recording": name.is_some(), "name": name }))
    });
    Ok(Json(response.await?))
}

/// Starts recording a session.
pub(crate) async fn start(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, HttpError> {
    require_write_access(access.role)?;
    let body = body.map_err(|error| HttpError::new(error.status(), error.body_text()))?;
    let start: StartBody = match body.trim_ascii() {
        [] => StartBody::default(),
        body => serde_json::from_slice(body).map_err(|error| {
            HttpError::bad_request(format!("expected {{\"name\": \"…\"}}: {error}"))
        })?,
    };
    let name = web.run_blocking(move |service| {
        let named = service.session(Some(&id))?;
        named.mark_used();
        let session = named.program_session("record")?;
        if let Some(name) = named.cassette() {
            return Err(RpcError::new(
                ErrorCode::AlreadyStarted,
                format!("already recording into `{name}`: stop that first"),
            ));
        }
        let name = free_name(service, start.name.as_deref(), named.name())?;
        let options = options(service, &name)?;
        // Set before the recording starts, so that the new recording is never found under the
        // previous name.
        named.set_cassette_name(&name);
        session
            .start_recording(options)
            .map_err(|error| record_failure(&error))?;
        Ok(name)
    });
    let name = name.await?;
    let location = format!("/api/cassettes/{}", percent_encode(&name));
    let response = Json(json!({ "recording": true, "name": name }));
    Ok((StatusCode::CREATED, [(LOCATION, location)], response).into_response())
}

/// Stops recording a session and describes the cassette.
pub(crate) async fn stop(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
) -> Result<Json<Value>, HttpError> {
    require_write_access(access.role)?;
    let response = web.run_blocking(move |service| {
        let named = service.session(Some(&id))?;
        let (session, name) = active_recording(&named)?;
        finish(&session)?;
        index::describe(service, &name)
    });
    Ok(Json(response.await?))
}

/// The mark to set.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MarkBody {
    name: String,
}

/// The longest name of a mark, which must fit into a line.
const MAX_MARK_CHARS: usize = 200;

/// Adds a mark to a recording.
pub(crate) async fn mark(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
    body: Result<Json<MarkBody>, JsonRejection>,
) -> Result<StatusCode, HttpError> {
    require_write_access(access.role)?;
    let Json(MarkBody { name }) = body?;
    let length = name.chars().count();
    if !(1..=MAX_MARK_CHARS).contains(&length) {
        return Err(HttpError::bad_request(format!(
            "name: expected 1 to {MAX_MARK_CHARS} characters, not {length}"
        )));
    }
    let marked = web.run_blocking(move |service| {
        let named = service.session(Some(&id))?;
        active_recording(&named)?.0.record_mark(&name);
        Ok(())
    });
    marked.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the program of a session that is being recorded, and the name of the cassette.
fn active_recording(named: &NamedSession) -> Result<(Arc<Session>, String), RpcError> {
    named.mark_used();
    let session = named.program_session("record")?;
    let name = named.cassette().ok_or_else(|| {
        RpcError::new(
            ErrorCode::AlreadyStarted,
            format!(
                "`{}` is not being recorded: start with POST to its `cassette`",
                named.name()
            ),
        )
    })?;
    Ok((session, name))
}

impl Web {
    /// Records the next program of a session from its start.
    pub(super) async fn record_next(
        self: &Arc<Self>,
        id: &str,
        record: RecordOption,
    ) -> Result<(), RpcError> {
        let name = match record {
            RecordOption::Enabled(false) => return Ok(()),
            RecordOption::Enabled(true) => None,
            RecordOption::Named(name) => Some(name),
        };
        let id = id.to_owned();
        self.run_blocking(move |service| {
            let named = service.session(Some(&id))?;
            let name = free_name(service, name.as_deref(), &id)?;
            let options = options(service, &name)?;
            options.check().map_err(|error| record_failure(&error))?;
            named.record_next(&name, options);
            Ok(())
        })
        .await
    }

    /// Fails if a program that should be recorded is not.
    pub(super) async fn check_recorded(self: &Arc<Self>, id: &str) -> Result<(), RpcError> {
        let id = id.to_owned();
        self.run_blocking(move |service| {
            let session = service.session(Some(&id))?.program_session("record")?;
            if session.is_recording() {
                Ok(())
            } else {
                // The recording has already ended together with the program, or it never started.
                finish(&session)
            }
        })
        .await
    }
}

/// Finishes a recording, if there is one.
fn finish(session: &Session) -> Result<(), RpcError> {
    match session.finish_recording() {
        Some(Err(error)) => Err(record_failure(&error)),
        Some(Ok(_)) | None => Ok(()),
    }
}

fn record_failure(error: &RecordError) -> RpcError {
    match error {
        RecordError::Exists { .. }
        | RecordError::InUse { .. }
        | RecordError::Unfinished { .. }
        | RecordError::InterruptedReplace { .. }
        | RecordError::Running { .. } => {
            RpcError::new(ErrorCode::AlreadyStarted, error.to_string())
        }
        _ => RpcError::with_cause("record", error),
    }
}

/// Returns the folder of all cassettes.
fn cassettes_folder(service: &Service) -> Result<PathBuf, RpcError> {
    if let Some(folder) = &service.settings.cassette_dir {
        return Ok(folder.clone());
    }
    let cwd = std::env::current_dir().map_err(|error| RpcError::with_cause("record", &error))?;
    let artifacts = screentest::test::project::artifacts_or(
        |name| std::env::var_os(name),
        &cwd,
        &service.settings.artifact_dir,
    );
    Ok(artifacts.join("cassettes"))
}

/// Suffix of the directories of unfinished cassettes.
const PART_SUFFIX: &str = ".part";

/// Returns the path of a cassette, which need not exist.
fn cassette_path(service: &Service, name: &str) -> Result<PathBuf, RpcError> {
    check_name(name)?;
    if name.ends_with(PART_SUFFIX) {
        return Err(RpcError::invalid_params(format!(
            "name: invalid name `{name}`: names that end with `{PART_SUFFIX}` are reserved for unfinished cassettes"
        )));
    }
    Ok(cassettes_folder(service)?.join(name))
}

/// Returns the options for recording a cassette. Creates the folder of all cassettes.
fn options(service: &Service, name: &str) -> Result<RecordOptions, RpcError> {
    let path = cassette_path(service, name)?;
    let folder = cassettes_folder(service)?;
    // Recordings contain what was typed, so other users may not read them.
    let created = DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .and_then(|()| folder.symlink_metadata());
    match created {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => {
            return Err(RpcError::failed(format!(
                "`{}` is not a directory, or is a symbolic link: cassettes need a directory",
                folder.display()
            )));
        }
        Err(error) => {
            return Err(RpcError::failed(format!(
                "could not create `{}`: {error}",
                folder.display()
            )));
        }
    }
    let secrets = service.secrets();
    let options = secrets
        .names()
        .fold(RecordOptions::new(path).owner_only(), |options, name| {
            let value = secrets.value(name).unwrap_or_default();
            options.secret_value(name, value.as_bytes())
        });
    Ok(options)
}

/// Returns the requested name, which must be free, or one derived from the session's.
fn free_name(service: &Service, wanted: Option<&str>, session: &str) -> Result<String, RpcError> {
    let is_free = |name: &str| -> Result<bool, RpcError> {
        let path = cassette_path(service, name)?;
        let part = path.with_file_name(format!("{name}{PART_SUFFIX}"));
        Ok(path.symlink_metadata().is_err() && part.symlink_metadata().is_err())
    };
    if let Some(name) = wanted {
        return if is_free(name)? {
            Ok(name.to_owned())
        } else {
            Err(RpcError::new(
                ErrorCode::AlreadyStarted,
                format!("cassette `{name}` already exists: choose another name"),
            ))
        };
    }
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let base: String = session
        .chars()
        .filter(|c| is_allowed(*c))
        .take(48)
        .collect();
    let base = match base.as_str() {
        "" => "session",
        base => base,
    };
    for number in 1..=MAX_DERIVED_NAMES {
        let name = match number {
            1 => base.to_owned(),
            number => format!("{base}-{number}"),
        };
        if is_free(&name)? {
            return Ok(name);
        }
    }
    Err(RpcError::new(
        ErrorCode::AlreadyStarted,
        format!("there are already {MAX_DERIVED_NAMES} cassettes of `{base}`: choose a name"),
    ))
}

/// How many derived names are tried.
const MAX_DERIVED_NAMES: usize = 10_000;

/// Returns the session that is being recorded into a cassette.
fn recording_session(service: &Service, name: &str) -> Option<Arc<NamedSession>> {
    let mut sessions = service.all_sessions().into_iter();
    sessions.find(|named| named.cassette().as_deref() == Some(name))
}
