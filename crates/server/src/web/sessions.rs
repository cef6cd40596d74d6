//! The sessions: listing, opening and closing them.

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

use super::Web;
use super::ask::check_touch;
use super::cassettes::Record;
use super::guard::Pass;
use super::refusal::Refusal;
use crate::caller::Caller;
use crate::stage::Stage;
use crate::wire::{Code, Failure};

/// A session, as everybody may see it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: String,
    command: Vec<String>,
    cols: u16,
    rows: u16,
    title: String,
    cwd: String,
    running: bool,
    exit: Option<Exit>,
    revision: u64,
    /// How many rows are kept above the viewport.
    scrollback: usize,
    viewers: usize,
    driver: Option<String>,
    /// What it is recorded into.
    cassette: Option<String>,
}

#[derive(Debug, Serialize)]
struct Exit {
    code: Option<i32>,
    signal: Option<String>,
}

impl Listed {
    fn of(stage: &Stage) -> Listed {
        let size = stage.tui().options().size;
        let mut listed = Listed {
            id: stage.name().to_owned(),
            command: stage.command(),
            cols: size.cols,
            rows: size.rows,
            title: String::new(),
            cwd: String::new(),
            running: false,
            exit: None,
            revision: 0,
            scrollback: 0,
            viewers: stage.audience.count(),
            driver: stage.wheel.driver().map(|driver| driver.name),
            cassette: stage.cassette(),
        };
        if let Some(program) = stage.program() {
            let session = &program.session;
            let frame = session.frame();
            let screen = &frame.screen;
            listed.cols = screen.size.cols;
            listed.rows = screen.size.rows;
            listed.title = screen.title.to_string();
            // Most programs do not say where they are; where they started is the best that is known then.
            listed.cwd = match &*screen.working_directory {
                "" => stage.directory(),
                told => told.to_owned(),
            };
            listed.revision = program.revision(&frame);
            listed.scrollback = screen.scrollback_rows;
            listed.exit = session.outcome().map(|outcome| match outcome {
                ExitStatus::Exited(code) => Exit {
                    code: Some(code),
                    signal: None,
                },
                ExitStatus::Signaled(signal) => Exit {
                    code: None,
                    signal: Some(signal.to_string()),
                },
            });
            listed.running = listed.exit.is_none();
        }
        listed
    }
}

impl Web {
    fn told(&self, stage: &Stage) -> Value {
        self.service
            .covered(crate::wire::message::value(&Listed::of(stage)))
    }
}

/// All sessions.
pub(crate) async fn list(State(web): State<Arc<Web>>) -> Result<Json<Value>, Refusal> {
    let asked = Arc::clone(&web);
    let sessions = web.do_blocking(move |service| {
        let sessions: Vec<Value> = service
            .all()
            .iter()
            .map(|stage| asked.told(stage))
            .collect();
        Ok(sessions)
    });
    Ok(Json(json!({ "sessions": sessions.await? })))
}

/// One session.
pub(crate) async fn one(
    State(web): State<Arc<Web>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let asked = Arc::clone(&web);
    let told = web.do_blocking(move |service| {
        let stage = service.stage(Some(&id))?;
        stage.use_now();
        Ok(asked.told(&stage))
    });
    Ok(Json(told.await?))
}

/// What to start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opening {
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
    record: Option<Record>,
}

/// Opens a session and starts a program in it.
pub(crate) async fn create(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    opening: Result<Json<Opening>, JsonRejection>,
) -> Result<Response, Refusal> {
    check_touch(pass.role)?;
    let Json(opening) = opening?;
    // To its end, also when whoever asked goes away: a session in which nothing was started would stay.
    let opened = tokio::spawn(open(web, pass, opening)).await;
    opened.unwrap_or_else(|error| match error.is_cancelled() {
        true => Err(Refusal::ending()),
        false => Err(Refusal::fault(
            "a fault of the server, which its stderr tells",
        )),
    })
}

async fn open(web: Arc<Web>, pass: Pass, opening: Opening) -> Result<Response, Refusal> {
    let Some((command, args)) = opening.command.split_first() else {
        return Err(Refusal::bad(
            "command: expected at least the name of a program, as in [\"vim\", \"notes.txt\"]",
        ));
    };
    let caller = web.caller(pass.role);
    let id = web.start_session(&caller, &opening, command).await?;
    if let Some(record) = opening.record
        && let Err(failure) = web.record_next(&id, record).await
    {
        let _ = web.ask(&caller, "close", json!({ "session": id })).await;
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
    let launched = match web.ask(&caller, "launch", launch).await {
        Ok(_) => web.check_recorded(&id).await.map_err(Refusal::from),
        Err(failure) => Err(Refusal::bad(failure.details())),
    };
    if let Err(refusal) = launched {
        // A session in which nothing could be started is of no use to anybody.
        let _ = web.ask(&caller, "close", json!({ "session": id })).await;
        return Err(refusal);
    }
    web.metrics.sessions_opened.fetch_add(1, Ordering::Relaxed);
    let location = format!("/api/sessions/{}", encode(&id));
    let asked = Arc::clone(&web);
    let told = web.do_blocking(move |service| Ok(asked.told(&*service.stage(Some(&id))?)));
    let told = Json(told.await?);
    Ok((StatusCode::CREATED, [(LOCATION, location)], told).into_response())
}

impl Web {
    /// Opens a session in which nothing runs yet, and gives its name.
    async fn start_session(
        self: &Arc<Self>,
        caller: &Caller,
        opening: &Opening,
        command: &str,
    ) -> Result<String, Refusal> {
        // Of two who come at once, the second sees which name the first has.
        let _turn = self.opening.lock().await;
        let id = self.free_name(opening.name.as_deref(), command)?;
        // Its folder is called as no other ever was: somebody may still look at one of this name that was closed.
        let number = self.metrics.sessions_begun.fetch_add(1, Ordering::Relaxed) + 1;
        let mut initialize = json!({ "session": id, "name": format!("{id} {number}") });
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
        match self.ask(caller, "initialize", initialize).await {
            Ok(_) => Ok(id),
            Err(_) if self.service.is_over() => Err(Refusal::ending()),
            Err(failure) => Err(failure.into()),
        }
    }
}

/// A name as a part of a path.
pub(super) fn encode(name: &str) -> String {
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

/// Whether something may be called so.
pub(super) fn check_name(name: &str) -> Result<(), Failure> {
    let is_fit = !name.is_empty()
        && name.len() <= 64
        && !name.starts_with('.')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_.".contains(c));
    match is_fit {
        true => Ok(()),
        false => Err(Failure::params(format!(
            "name: `{}` is none: expected at most 64 letters, digits, `-`, `_` and `.`, not beginning with a dot",
            name.escape_debug()
        ))),
    }
}

impl Web {
    /// The name that a client wants, or one after the program.
    fn free_name(&self, wanted: Option<&str>, command: &str) -> Result<String, Failure> {
        let taken: Vec<String> = self
            .service
            .all()
            .iter()
            .map(|stage| stage.name().to_owned())
            .collect();
        if let Some(name) = wanted {
            return match check_name(name) {
                Err(failure) => Err(failure),
                Ok(()) if taken.iter().any(|other| other == name) => Err(Failure::new(
                    Code::AlreadyStarted,
                    format!("session `{name}` is open: close it, or give this one another name"),
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

/// Closes a session, and ends what runs in it.
pub(crate) async fn delete(
    State(web): State<Arc<Web>>,
    Extension(pass): Extension<Pass>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    check_touch(pass.role)?;
    let caller = web.caller(pass.role);
    web.ask(&caller, "close", json!({ "session": id })).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns once no session has been open for as long as the server lingers; none is opened then any more.
pub(crate) async fn all_gone(web: &Web) {
    let Some(linger) = web.linger else {
        return std::future::pending().await;
    };
    loop {
        let left = match web.service.empty_for() {
            // Whoever is still being answered would be cut off.
            Some(empty) if empty >= linger && web.places.are_free() => match web.service.retire() {
                true => return,
                false => linger,
            },
            Some(empty) if empty >= linger => linger,
            Some(empty) => linger.saturating_sub(empty),
            None => linger,
        };
        tokio::time::sleep(left).await;
    }
}

/// Closes sessions of which nobody has wanted anything for long enough, as long as the server runs.
pub(crate) async fn end_idle(web: Arc<Web>) {
    let Some(idle) = web.idle else {
        return std::future::pending().await;
    };
    let mut pause = idle;
    loop {
        tokio::time::sleep(pause.max(Duration::from_millis(50))).await;
        pause = idle;
        for stage in web.service.all() {
            match stage.unused_for() {
                unused if unused >= idle => {
                    let _ = web.do_blocking(move |service| service.close(&stage)).await;
                }
                unused => pause = pause.min(idle.saturating_sub(unused)),
            }
        }
    }
}
