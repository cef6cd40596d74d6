//! `currentState`, `currentSnapshot`, `cursor`, `exitStatus` and `scrollback`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use screentest::Session;
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2;
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::MethodContext;
use crate::wire::RpcError;
use crate::wire::coordinates::WireCursor;
use crate::wire::number::{WholeNumber, millis};

/// Returns the screen as State JSON.
#[derive(Debug, Deserialize)]
pub(crate) struct CurrentState {
    scrollback: Option<WholeNumber>,
}

/// Returns a number of scrollback rows: the parameter or the default, limited to what the format
/// can hold.
fn rows(field: &str, number: Option<WholeNumber>, otherwise: usize) -> Result<usize, RpcError> {
    let count = number
        .map(|number| number.non_negative(field))
        .transpose()?;
    let count = count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    Ok(count.unwrap_or(otherwise).min(state_json::MAX_SCROLLBACK))
}

impl Perform for CurrentState {
    type Response = StateJson;

    fn perform(self, context: &MethodContext<'_>) -> Result<StateJson, RpcError> {
        let session = context.session()?;
        let scrollback = rows("scrollback", self.scrollback, 0)?;
        let options = state_json::StateJsonOptions {
            theme: session.tui().theme(),
            scrollback,
        };
        Ok(StateJson::from_state(&session.state(scrollback)?, &options))
    }
}

/// Returns the screen as a binary snapshot.
#[derive(Debug, Deserialize)]
pub(crate) struct CurrentSnapshot {}

#[derive(Debug, Serialize)]
pub(crate) struct SnapshotResponse {
    cols: u16,
    data: String,
    encoding: &'static str,
    format: &'static str,
    rows: u16,
}

impl Perform for CurrentSnapshot {
    type Response = SnapshotResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<SnapshotResponse, RpcError> {
        let screen = context.session()?.screen()?;
        let encoded = vt2::encode(&screen, vt2::HeaderLength::default());
        Ok(SnapshotResponse {
            cols: screen.size.cols,
            data: STANDARD.encode(encoded.bytes),
            encoding: "base64",
            format: "vt2",
            rows: screen.size.rows,
        })
    }
}

/// Returns the cursor, the title and the revision.
#[derive(Debug, Deserialize)]
pub(crate) struct Cursor {}

#[derive(Debug, Serialize)]
pub(crate) struct CursorResponse {
    #[serde(flatten)]
    cursor: WireCursor,
    revision: u64,
    title: String,
}

impl Perform for Cursor {
    type Response = CursorResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<CursorResponse, RpcError> {
        let session = context.session()?;
        let frame = session.program_session("viewport sync")?.frame();
        Ok(CursorResponse {
            cursor: (&frame.screen.cursor).into(),
            revision: session.revision(&frame),
            title: frame.screen.title.to_string(),
        })
    }
}

/// Returns whether the program is running, and its exit status. With a timeout, waits for the exit
/// first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExitStatus {
    timeout_ms: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ExitStatusResponse {
    code: Option<i32>,
    running: bool,
    signal: Option<String>,
}

impl Perform for ExitStatus {
    type Response = ExitStatusResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ExitStatusResponse, RpcError> {
        let session = context.session()?.program_session("exitStatus")?;
        if let Some(timeout) = millis("timeoutMs", self.timeout_ms)? {
            let ended = session.wait_for_exit(context.interrupt.within(timeout));
            ended.map_err(|error| RpcError::from_wait("exitStatus", &error))?;
        }
        Ok(status(&session))
    }
}

fn status(session: &Session) -> ExitStatusResponse {
    let (code, signal) = match session.outcome() {
        None => {
            return ExitStatusResponse {
                code: None,
                running: true,
                signal: None,
            };
        }
        Some(screentest::ExitStatus::Exited(code)) => (Some(code), None),
        Some(screentest::ExitStatus::Signaled(signal)) => (None, Some(signal.to_string())),
    };
    ExitStatusResponse {
        code,
        running: false,
        signal,
    }
}

/// Returns the text of the scrollback, at most the newest `rows` rows.
#[derive(Debug, Deserialize)]
pub(crate) struct Scrollback {
    rows: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ScrollbackResponse {
    rows: usize,
    text: String,
    total: usize,
}

impl Perform for Scrollback {
    type Response = ScrollbackResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ScrollbackResponse, RpcError> {
        let most = rows("rows", self.rows, 1000)?;
        let state = context.session()?.state(most)?;
        let lines: Vec<&str> = state.scrollback.iter().map(|row| row.text()).collect();
        Ok(ScrollbackResponse {
            rows: lines.len(),
            text: lines.join("\n"),
            total: state.screen.scrollback_rows,
        })
    }
}
