//! `currentState`, `currentSnapshot`, `cursor`, `exitStatus` and `scrollback`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use screentest::Session;
use screentest::core::formats::state_json::{self, StateJson, StateJsonOptions, StateSpan};
use screentest::core::formats::vt2;
use screentest::core::{State, Theme};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Perform;
use crate::limits::MAX_ANSWER_BYTES;
use crate::service::{MethodContext, Reservation};
use crate::wire::RpcError;
use crate::wire::answer::too_large;
use crate::wire::coordinates::WireCursor;
use crate::wire::message::to_value;
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

/// State JSON with its fields in alphabetical order.
#[derive(Debug, Serialize)]
pub(crate) struct StateResponse {
    cursor: Value,
    default_style: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    palette: Option<Value>,
    scrollback: Vec<Vec<StateSpan>>,
    scrollback_rows: usize,
    scrollback_text: String,
    size: [u16; 2],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    styles: Vec<Value>,
    #[serde(skip_serializing_if = "String::is_empty")]
    title: String,
    total_rows: usize,
    viewport: Vec<Vec<StateSpan>>,
    viewport_text: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    working_directory: String,
    #[serde(skip)]
    _memory: Reservation,
}

impl Perform for CurrentState {
    type Response = StateResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<StateResponse, RpcError> {
        let session = context.session()?;
        let scrollback = rows("scrollback", self.scrollback, 0)?;
        let (state, memory) = context.state(scrollback)?;
        StateResponse::new(&state, memory, session.tui().theme(), scrollback)
    }
}

/// Memory of a span of State JSON, without its text.
const SPAN_BYTES: usize = 64;

impl StateResponse {
    /// Converts a state. Fails before the conversion if the result would be too large. `memory` is
    /// the reservation for the state. It grows by the memory of the response.
    pub(crate) fn new(
        state: &State,
        mut memory: Reservation,
        theme: Theme,
        scrollback: usize,
    ) -> Result<StateResponse, RpcError> {
        let (mut cells, mut spans) = (0, 0);
        for row in state.scrollback.iter().chain(&state.screen.rows) {
            cells += row.len();
            spans += row.runs().count();
        }
        // The JSON is larger than this: it has the text twice, and each span has two quotes.
        if cells + 2 * spans > MAX_ANSWER_BYTES {
            return Err(too_large());
        }
        memory.grow(4 * cells + SPAN_BYTES * spans)?;
        let options = StateJsonOptions { theme, scrollback };
        let json = StateJson::from_state(state, &options);
        Ok(StateResponse {
            cursor: to_value(&json.cursor),
            default_style: to_value(&json.default_style),
            palette: json.palette.as_ref().map(to_value),
            scrollback: json.scrollback,
            scrollback_rows: json.scrollback_rows,
            scrollback_text: json.scrollback_text,
            size: json.size,
            styles: json.styles.iter().map(to_value).collect(),
            title: json.title,
            total_rows: json.total_rows,
            viewport: json.viewport,
            viewport_text: json.viewport_text,
            working_directory: json.working_directory,
            _memory: memory,
        })
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
    #[serde(skip)]
    _memory: Reservation,
}

/// Memory of a cell in a snapshot and its base64. A cell with colours needs more.
const SNAPSHOT_CELL_BYTES: usize = 8;

impl Perform for CurrentSnapshot {
    type Response = SnapshotResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<SnapshotResponse, RpcError> {
        let screen = context.session()?.screen()?;
        let cells: usize = screen.rows.iter().map(|row| row.len()).sum();
        let role = context.origin.caller.role;
        let mut memory = context.service.answer_memory.reservation(role);
        memory.grow(SNAPSHOT_CELL_BYTES * cells)?;
        let encoded = vt2::encode(&screen, vt2::HeaderLength::default());
        Ok(SnapshotResponse {
            cols: screen.size.cols,
            data: STANDARD.encode(encoded.bytes),
            encoding: "base64",
            format: "vt2",
            rows: screen.size.rows,
            _memory: memory,
        })
    }
}

/// Returns the cursor, the title and the revision.
#[derive(Debug, Deserialize)]
pub(crate) struct Cursor {}

#[derive(Debug, Serialize)]
pub(crate) struct CursorResponse {
    blinking: bool,
    col: usize,
    revision: u64,
    row: usize,
    shape: &'static str,
    title: String,
    visible: bool,
}

impl Perform for Cursor {
    type Response = CursorResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<CursorResponse, RpcError> {
        let program = context.session()?.program_or_error("viewport sync")?;
        let frame = program.session.frame();
        let cursor = WireCursor::from(&frame.screen.cursor);
        Ok(CursorResponse {
            blinking: cursor.blinking,
            col: cursor.col,
            revision: program.revision(&frame),
            row: cursor.row,
            shape: cursor.shape,
            title: frame.screen.title.to_string(),
            visible: cursor.visible,
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
    let (code, signal) = match session.exit_status() {
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
        let (state, _memory) = context.state(most)?;
        let lines: Vec<&str> = state.scrollback.iter().map(|row| row.text()).collect();
        Ok(ScrollbackResponse {
            rows: lines.len(),
            text: lines.join("\n"),
            total: state.screen.scrollback_rows,
        })
    }
}
