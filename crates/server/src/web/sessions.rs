//! Endpoints that list, open and close sessions.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use screentest::ExitStatus;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::limits::MAX_LISTED_COMMAND_CHARS;
use crate::service::client::ClientHandle;
use crate::session::NamedSession;
use crate::web::Web;
use crate::web::auth::middleware::Access;
use crate::web::blocking::require_write_access;
use crate::web::cassettes::RecordOption;
use crate::web::http::error::HttpError;
use crate::wire::{ErrorCode, RpcError};

pub(crate) mod buffer;
pub(crate) mod input;

/// A session as responses describe it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionSummary {
    id: String,
    command: Vec<String>,
    cols: u16,
    rows: u16,
    title: String,
    cwd: String,
    running: bool,
    exit: Option<Exit>,
    revision: u64,
    /// The number of rows in the scrollback.
    scrollback: usize,
    viewers: usize,
    driver: Option<String>,
    /// The cassette that it is recorded into.
    cassette: Option<String>,
}

#[derive(Debug, Serialize)]
struct Exit {
    code: Option<i32>,
    signal: Option<String>,
}

impl SessionSummary {
    /// Describes a session with its published screen. Does not wait for output to be interpreted,
    /// so that a busy program cannot delay the list of all sessions.
    fn new(named: &NamedSession) -> SessionSummary {
        let size = named.tui().options().size;
        let mut summary = SessionSummary {
            id: named.name().to_owned(),
            command: listed_command(named.command()),
            cols: size.cols,
            rows: size.rows,
            title: String::new(),
            cwd: String::new(),
            running: false,
            exit: None,
            revision: 0,
            scrollback: 0,
            viewers: named.viewers.count(),
            driver: named.control.holder().map(|driver| driver.name),
            cassette: named.cassette(),
        };
        if let Some(program) = named.program() {
            let session = &program.session;
            let frame = session.shown();
            let screen = &frame.screen;
            summary.cols = screen.size.cols;
            summary.rows = screen.size.rows;
            summary.title = screen.title.to_string();
            // Most programs do not report their working directory; then the directory they were
            // started in is the best guess.
            summary.cwd = match &*screen.working_directory {
                "" => named.directory(),
                reported => reported.to_owned(),
            };
            summary.revision = program.revision(&frame);
            summary.scrollback = screen.scrollback_rows;
            summary.exit = session.try_exit_status().map(|outcome| match outcome {
                ExitStatus::Exited(code) => Exit {
                    code: Some(code),
                    signal: None,
                },
                ExitStatus::Signaled(signal) => Exit {
                    code: None,
                    signal: Some(signal.to_string()),
                },
            });
            summary.running = summary.exit.is_none();
        }
        summary
    }
}

/// Returns the beginning of a command line, which may be a script of any length.
fn listed_command(words: Vec<String>) -> Vec<String> {
    let mut left = MAX_LISTED_COMMAND_CHARS;
    let mut listed = Vec::new();
    for word in words {
        let length = word.chars().count() + 1;
        if length > left {
            let start: String = word.chars().take(left).collect();
            listed.push(format!("{start}…"));
            break;
        }
        left -= length;
        listed.push(word);
    }
    listed
}

impl Web {
    fn summary(&self, named: &NamedSession) -> Value {
        self.service
            .redact(crate::wire::message::to_value(&SessionSummary::new(named)))
    }
}

/// Lists all sessions.
pub(crate) async fn list(State(web): State<Arc<Web>>) -> Result<Json<Value>, HttpError> {
    let shared = Arc::clone(&web);
    let sessions = web.run_blocking(move |service| {
        let sessions: Vec<Value> = service
            .all_sessions()
            .iter()
            .map(|named| shared.summary(named))
            .collect();
        Ok(sessions)
    });
    Ok(Json(json!({ "sessions": sessions.await? })))
}

/// Describes one session.
pub(crate) async fn one(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, HttpError> {
    let shared = Arc::clone(&web);
    let summary = web.run_blocking(move |service| {
        let named = service.session(Some(&id))?;
        named.mark_used();
        if let Some(program) = named.program() {
            // Includes what the program has already written.
            program.session.catch_up();
        }
        Ok(shared.summary(&named))
    });
    Ok(Json(summary.await?))
}

/// The session to open.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenBody {
    name: Option<String>,
    command: Vec<String>,
    cwd: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, Option<String>>,
    inherit: Option<BTreeMap<String, String>>,
    cols: Option<u64>,
    rows: Option<u64>,
    #[serde(rename = "autoWait")]
    auto_wait: Option<Value>,
    #[serde(rename = "delayMs")]
    delay_ms: Option<Value>,
    record: Option<RecordOption>,
}

/// Opens a session and starts a program in it.
pub(crate) async fn create(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    opening: Result<Json<OpenBody>, JsonRejection>,
) -> Result<Response, HttpError> {
    require_write_access(access.role)?;
    let Json(opening) = opening?;
    // Runs to completion even if the client disconnects, because a session without a program would
    // remain.
    let opened = tokio::spawn(open(web, access, opening)).await;
    opened.unwrap_or_else(|error| {
        if error.is_cancelled() {
            Err(HttpError::shutting_down())
        } else {
            Err(HttpError::internal(
                "internal error: see the server's stderr",
            ))
        }
    })
}

async fn open(web: Arc<Web>, access: Access, opening: OpenBody) -> Result<Response, HttpError> {
    let Some((command, args)) = opening.command.split_first() else {
        return Err(HttpError::bad_request(
            "command: expected at least the name of a program, for example [\"vim\", \"notes.txt\"]",
        ));
    };
    let caller = web.caller(access.role);
    let id = web.open_empty_session(&caller, &opening, command).await?;
    if let Some(record) = opening.record
        && let Err(failure) = web.record_next(&id, record).await
    {
        let _ = web.call(&caller, "close", json!({ "session": id })).await;
        return Err(failure.into());
    }
    let mut launch = json!({ "session": id, "command": command, "args": args });
    if let Some(cwd) = opening.cwd {
        launch["cwd"] = cwd.into();
    }
    if let Some(inherit) = opening.inherit {
        launch["inherit"] = json!(inherit);
    }
    if !opening.env.is_empty() {
        launch["env"] = json!(opening.env);
    }
    let launched = match web.call(&caller, "launch", launch).await {
        Ok(_) => web.check_recorded(&id).await.map_err(HttpError::from),
        Err(failure) => Err(HttpError::bad_request(failure.details())),
    };
    if let Err(error) = launched {
        // A session without a program is useless.
        let _ = web.call(&caller, "close", json!({ "session": id })).await;
        return Err(error);
    }
    web.metrics.sessions_opened.fetch_add(1, Ordering::Relaxed);
    let location = format!("/api/sessions/{}", percent_encode(&id));
    let shared = Arc::clone(&web);
    let summary =
        web.run_blocking(move |service| Ok(shared.summary(&*service.session(Some(&id))?)));
    let summary = Json(summary.await?);
    Ok((StatusCode::CREATED, [(LOCATION, location)], summary).into_response())
}

impl Web {
    /// Opens a session without a program and returns its id.
    async fn open_empty_session(
        self: &Arc<Self>,
        caller: &ClientHandle,
        opening: &OpenBody,
        command: &str,
    ) -> Result<String, HttpError> {
        // The lock makes a concurrent request see the name that this one takes.
        let _naming = self.naming_session.lock().await;
        let id = self.free_name(opening.name.as_deref(), command)?;
        // The artifact folder gets a name that is never used again, because viewers may still use
        // that of a closed session of the same id.
        let number = self
            .metrics
            .session_attempts
            .fetch_add(1, Ordering::Relaxed)
            + 1;
        let mut initialize = json!({
            "session": id,
            "name": format!("{id} {number}"),
            // The page draws every session in these colours (`page/draw/colours.js`).
            "snapshotTheme": "screentest",
        });
        if let Some(cols) = opening.cols {
            initialize["terminalCols"] = cols.into();
        }
        if let Some(rows) = opening.rows {
            initialize["terminalRows"] = rows.into();
        }
        for (name, value) in [
            ("autoWait", &opening.auto_wait),
            ("delayMs", &opening.delay_ms),
        ] {
            if let Some(value) = value {
                initialize[name] = value.clone();
            }
        }
        match self.call(caller, "initialize", initialize).await {
            Ok(_) => Ok(id),
            Err(_) if self.service.is_closing() => Err(HttpError::shutting_down()),
            Err(failure) => Err(failure.into()),
        }
    }
}

/// Percent-encodes a name for a URL path.
pub(super) fn percent_encode(name: &str) -> String {
    name.bytes().fold(String::new(), |mut text, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                text.push(byte.into());
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
        text
    })
}

/// The most characters of a name of a session or a cassette.
const MAX_LETTERS: usize = 64;

/// Fails if a session or a cassette may not have this name.
pub(super) fn check_name(name: &str) -> Result<(), RpcError> {
    let is_valid = !name.is_empty()
        && name.chars().nth(MAX_LETTERS).is_none()
        && !name.starts_with('.')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_.".contains(c));
    if is_valid {
        Ok(())
    } else {
        Err(RpcError::invalid_params(format!(
            "name: invalid name `{}`: expected at most {MAX_LETTERS} letters, digits, `-`, `_` and `.`, not starting with a dot",
            name.escape_debug()
        )))
    }
}

impl Web {
    /// Returns the requested name if it is free, or one derived from the program.
    fn free_name(&self, wanted: Option<&str>, command: &str) -> Result<String, RpcError> {
        let taken: Vec<String> = self
            .service
            .all_sessions()
            .iter()
            .map(|named| named.name().to_owned())
            .collect();
        if let Some(name) = wanted {
            return match check_name(name) {
                Err(failure) => Err(failure),
                Ok(()) if taken.iter().any(|other| other == name) => Err(RpcError::new(
                    ErrorCode::AlreadyStarted,
                    format!("session `{name}` already exists: close it or choose another name"),
                )),
                Ok(()) => Ok(name.to_owned()),
            };
        }
        let base: String = command
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
            .take(32)
            .collect();
        let base = if base.is_empty() {
            "session".to_owned()
        } else {
            base
        };
        let mut names = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}-{n}")));
        let free = names.find(|name| !taken.contains(name));
        Ok(free.unwrap_or(base))
    }
}

/// Closes a session and ends its program.
pub(crate) async fn delete(
    State(web): State<Arc<Web>>,
    Extension(access): Extension<Access>,
    Path(id): Path<String>,
) -> Result<StatusCode, HttpError> {
    require_write_access(access.role)?;
    let caller = web.caller(access.role);
    web.call(&caller, "close", json!({ "session": id })).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns when no session has been open for the linger time. After that, no session can be opened.
pub(crate) async fn wait_until_unused(web: &Web) {
    let Some(linger) = web.linger else {
        return std::future::pending().await;
    };
    loop {
        let left = match web.service.empty_for() {
            // Requests that are still running would be cut off.
            Some(empty) if empty >= linger && web.requests.all_free() => {
                if web.service.close_if_empty() {
                    return;
                }
                linger
            }
            Some(empty) if empty >= linger => linger,
            Some(empty) => linger.saturating_sub(empty),
            None => linger,
        };
        tokio::time::sleep(left).await;
    }
}

/// Closes sessions that were unused for the idle time, as long as the server runs.
pub(crate) async fn close_idle(web: Arc<Web>) {
    let Some(idle) = web.idle else {
        return std::future::pending().await;
    };
    let mut pause = idle;
    loop {
        tokio::time::sleep(pause.max(Duration::from_millis(50))).await;
        pause = idle;
        for named in web.service.all_sessions() {
            match named.unused_for() {
                unused if unused >= idle => {
                    let _ = web.run_blocking(move |service| service.close(&named)).await;
                }
                unused => pause = pause.min(idle.saturating_sub(unused)),
            }
        }
    }
}
