//! Cassettes: sessions that are kept, in the folder `cassettes` among the artifacts. Starting one, ending it, and who looks at them.
//!
//! A cassette is named by who starts it, or after its session, by the same rule as sessions are: no name leads out of the folder, and what is
//! there and is no folder, a link above all, is not there.
//!
//! Elsewhere: what is told of one (`cassettes/shelf.rs`), what it shows (`cassettes/frames.rs`), it as a file (`cassettes/download.rs`).

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use screentest::{RecordError, RecordOptions, Session};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Web;
use super::ask::check_touch;
use super::guard::Pass;
use super::refusal::Refusal;
use super::sessions::{check_name, encode};
use crate::service::Service;
use crate::session::NamedSession;
use crate::wire::{ErrorCode, RpcError};

mod download;
mod frames;
mod shelf;

pub(crate) use download::download;
pub(crate) use frames::frames;
pub(crate) use shelf::{list, one};

/// What a session is recorded into from its start on.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Record {
    /// Whether it is.
    Asked(bool),
    /// Into one of this name.
    Named(String),
}

/// What to call a cassette.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Starting {
    name: Option<String>,
}

/// Tells whether a session is recorded, and into what.
pub(crate) async fn running(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let told = web.do_blocking(move |service| {
        let name = service.session(Some(&id))?.cassette();
        Ok(json!({ "recording": name.is_some(), "name": name }))
    });
    Ok(Json(told.await?))
}

/// Begins to record a session.
pub(crate) async fn start(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refusal> {
    check_touch(pass.role)?;
    let body = body.map_err(|error| Refusal::new(error.status(), error.body_text()))?;
    let starting: Starting = match body.trim_ascii() {
        [] => Starting::default(),
        body => serde_json::from_slice(body)
            .map_err(|error| Refusal::bad(format!("expected {{\"name\": \"…\"}}: {error}")))?,
    };
    let name = web.do_blocking(move |service| {
        let stage = service.session(Some(&id))?;
        stage.mark_used();
        let session = stage.program_session("record")?;
        if let Some(name) = stage.cassette() {
            return Err(RpcError::new(
                ErrorCode::AlreadyStarted,
                format!("it is being recorded into `{name}`: end that first"),
            ));
        }
        let name = free_name(service, starting.name.as_deref(), stage.name())?;
        let options = options(service, &name)?;
        // First, so that nobody finds the new one under the name of the one before.
        stage.set_cassette_name(&name);
        session
            .start_recording(options)
            .map_err(|error| refused(&error))?;
        Ok(name)
    });
    let name = name.await?;
    let location = format!("/api/cassettes/{}", encode(&name));
    let told = Json(json!({ "recording": true, "name": name }));
    Ok((StatusCode::CREATED, [(LOCATION, location)], told).into_response())
}

/// Ends the recording of a session, and tells what came of it.
pub(crate) async fn stop(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    check_touch(pass.role)?;
    let told = web.do_blocking(move |service| {
        let stage = service.session(Some(&id))?;
        let (session, name) = under_way(&stage)?;
        finished(&session)?;
        shelf::told(service, &name)
    });
    Ok(Json(told.await?))
}

/// What a moment is called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marking {
    name: String,
}

/// The longest name of a moment: it stands on a line.
const LONGEST_MARK: usize = 200;

/// Gives this moment of a recording a name.
pub(crate) async fn mark(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
    marking: Result<Json<Marking>, JsonRejection>,
) -> Result<StatusCode, Refusal> {
    check_touch(pass.role)?;
    let Json(Marking { name }) = marking?;
    let length = name.chars().count();
    if !(1..=LONGEST_MARK).contains(&length) {
        return Err(Refusal::bad(format!(
            "name: expected 1 to {LONGEST_MARK} characters, not {length}"
        )));
    }
    let marked = web.do_blocking(move |service| {
        let stage = service.session(Some(&id))?;
        under_way(&stage)?.0.record_mark(&name);
        Ok(())
    });
    marked.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The program of a session that is being recorded, and into what.
fn under_way(stage: &NamedSession) -> Result<(Arc<Session>, String), RpcError> {
    stage.mark_used();
    let session = stage.program_session("record")?;
    let name = stage.cassette().ok_or_else(|| {
        RpcError::new(
            ErrorCode::AlreadyStarted,
            format!(
                "`{}` is not being recorded: POST to its `cassette` starts that",
                stage.name()
            ),
        )
    })?;
    Ok((session, name))
}

impl Web {
    /// Has the next program of a session recorded from its start on.
    pub(super) async fn record_next(
        self: &Arc<Self>,
        id: &str,
        record: Record,
    ) -> Result<(), RpcError> {
        let wanted = match record {
            Record::Asked(false) => return Ok(()),
            Record::Asked(true) => None,
            Record::Named(name) => Some(name),
        };
        let id = id.to_owned();
        self.do_blocking(move |service| {
            let stage = service.session(Some(&id))?;
            let name = free_name(service, wanted.as_deref(), &id)?;
            let options = options(service, &name)?;
            options.check().map_err(|error| refused(&error))?;
            stage.record_next(&name, options);
            Ok(())
        })
        .await
    }

    /// Whether a program is recorded that should be.
    pub(super) async fn check_recorded(self: &Arc<Self>, id: &str) -> Result<(), RpcError> {
        let id = id.to_owned();
        self.do_blocking(move |service| {
            let session = service.session(Some(&id))?.program_session("record")?;
            match session.is_recording() {
                true => Ok(()),
                // It ended with the program already, or never began.
                false => finished(&session),
            }
        })
        .await
    }
}

/// Ends a recording, if there is one.
fn finished(session: &Session) -> Result<(), RpcError> {
    match session.finish_recording() {
        Some(Err(error)) => Err(refused(&error)),
        Some(Ok(_)) | None => Ok(()),
    }
}

fn refused(error: &RecordError) -> RpcError {
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

/// The folder of all cassettes.
fn folder(service: &Service) -> Result<PathBuf, RpcError> {
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

/// What ends the name of a folder that is not a cassette yet.
const PART: &str = ".part";

/// Where a cassette of this name is, or would be.
fn place(service: &Service, name: &str) -> Result<PathBuf, RpcError> {
    check_name(name)?;
    if name.ends_with(PART) {
        return Err(RpcError::invalid_params(format!(
            "name: `{name}` is none: what ends with `{PART}` is not finished yet"
        )));
    }
    Ok(folder(service)?.join(name))
}

/// How a cassette of this name is recorded; its folder is made.
fn options(service: &Service, name: &str) -> Result<RecordOptions, RpcError> {
    let path = place(service, name)?;
    let folder = folder(service)?;
    let made = std::fs::create_dir_all(&folder).and_then(|()| folder.symlink_metadata());
    match made {
        Ok(there) if there.is_dir() => {}
        Ok(_) => {
            return Err(RpcError::failed(format!(
                "`{}` is a link: cassettes are kept in a folder",
                folder.display()
            )));
        }
        Err(error) => {
            return Err(RpcError::failed(format!(
                "could not make `{}`: {error}",
                folder.display()
            )));
        }
    }
    let secrets = service.secrets();
    let options = secrets
        .names()
        .fold(RecordOptions::new(path), |options, name| {
            let value = secrets.value(name).unwrap_or_default();
            options.secret_value(name, value.as_bytes())
        });
    Ok(options)
}

/// The name that a client wants, which must be free, or one after the session.
fn free_name(service: &Service, wanted: Option<&str>, session: &str) -> Result<String, RpcError> {
    let is_free = |name: &str| -> Result<bool, RpcError> {
        let path = place(service, name)?;
        let part = path.with_file_name(format!("{name}{PART}"));
        Ok(path.symlink_metadata().is_err() && part.symlink_metadata().is_err())
    };
    if let Some(name) = wanted {
        return match is_free(name)? {
            true => Ok(name.to_owned()),
            false => Err(RpcError::new(
                ErrorCode::AlreadyStarted,
                format!("there is a cassette `{name}`: choose another name"),
            )),
        };
    }
    let fit = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let base: String = session.chars().filter(|c| fit(*c)).take(48).collect();
    let base = match base.as_str() {
        "" => "session",
        base => base,
    };
    for number in 1..=MOST_OF_A_NAME {
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
        format!("there are {MOST_OF_A_NAME} cassettes of `{base}`: give this one a name"),
    ))
}

/// How many names after one session are tried.
const MOST_OF_A_NAME: usize = 10_000;

/// The session that is being recorded under a name.
fn recorded(service: &Service, name: &str) -> Option<Arc<NamedSession>> {
    let mut stages = service.all_sessions().into_iter();
    stages.find(|stage| stage.cassette().as_deref() == Some(name))
}
