//! What is there besides the text: styles, cursor, scrollback, and whether the program lives.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use screentest::Session;
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2;
use serde::{Deserialize, Serialize};

use super::Perform;
use crate::service::Job;
use crate::wire::Failure;
use crate::wire::number::{Whole, millis};
use crate::wire::place::WireCursor;

/// Returns what is shown as State JSON.
#[derive(Debug, Deserialize)]
pub(crate) struct CurrentState {
    scrollback: Option<Whole>,
}

/// So many rows; as many as usual where nothing was said, and no more than can be written.
fn rows(field: &str, number: Option<Whole>, otherwise: usize) -> Result<usize, Failure> {
    let count = number.map(|number| number.count(field)).transpose()?;
    let count = count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    Ok(count.unwrap_or(otherwise).min(state_json::MAX_SCROLLBACK))
}

impl Perform for CurrentState {
    type Answer = StateJson;

    fn perform(self, job: &Job<'_>) -> Result<StateJson, Failure> {
        let stage = job.stage()?;
        let scrollback = rows("scrollback", self.scrollback, 0)?;
        let options = state_json::Options {
            theme: stage.tui().theme(),
            scrollback,
        };
        Ok(StateJson::from_state(&stage.state(scrollback)?, &options))
    }
}

/// Returns what is shown as a binary snapshot.
#[derive(Debug, Deserialize)]
pub(crate) struct CurrentSnapshot {}

#[derive(Debug, Serialize)]
pub(crate) struct Snapshot {
    cols: u16,
    data: String,
    encoding: &'static str,
    format: &'static str,
    rows: u16,
}

impl Perform for CurrentSnapshot {
    type Answer = Snapshot;

    fn perform(self, job: &Job<'_>) -> Result<Snapshot, Failure> {
        let screen = job.stage()?.screen()?;
        let encoded = vt2::encode(&screen, vt2::Header::default());
        Ok(Snapshot {
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
pub(crate) struct CursorAnswer {
    #[serde(flatten)]
    cursor: WireCursor,
    revision: u64,
    title: String,
}

impl Perform for Cursor {
    type Answer = CursorAnswer;

    fn perform(self, job: &Job<'_>) -> Result<CursorAnswer, Failure> {
        let stage = job.stage()?;
        let frame = stage.session("viewport sync")?.frame();
        Ok(CursorAnswer {
            cursor: (&frame.screen.cursor).into(),
            revision: stage.revision(&frame),
            title: frame.screen.title.to_string(),
        })
    }
}

/// Says whether the program lives, and how it ended. With a time, waits so long for its end.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExitStatus {
    timeout_ms: Option<Whole>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Status {
    code: Option<i32>,
    running: bool,
    signal: Option<String>,
}

impl Perform for ExitStatus {
    type Answer = Status;

    fn perform(self, job: &Job<'_>) -> Result<Status, Failure> {
        let session = job.stage()?.session("exitStatus")?;
        if let Some(timeout) = millis("timeoutMs", self.timeout_ms)? {
            let ended = session.wait_for_exit(job.interrupt.within(timeout));
            ended.map_err(|error| Failure::of_wait("exitStatus", &error))?;
        }
        Ok(status(&session))
    }
}

fn status(session: &Session) -> Status {
    let (code, signal) = match session.outcome() {
        None => {
            return Status {
                code: None,
                running: true,
                signal: None,
            };
        }
        Some(screentest::ExitStatus::Exited(code)) => (Some(code), None),
        Some(screentest::ExitStatus::Signaled(signal)) => (None, Some(signal.to_string())),
    };
    Status {
        code,
        running: false,
        signal,
    }
}

/// Returns the text that scrolled out, the newest rows of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Scrollback {
    rows: Option<Whole>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Above {
    rows: usize,
    text: String,
    total: usize,
}

impl Perform for Scrollback {
    type Answer = Above;

    fn perform(self, job: &Job<'_>) -> Result<Above, Failure> {
        let most = rows("rows", self.rows, 1000)?;
        let state = job.stage()?.state(most)?;
        let lines: Vec<&str> = state.scrollback.iter().map(|row| row.text()).collect();
        Ok(Above {
            rows: lines.len(),
            text: lines.join("\n"),
            total: state.screen.scrollback_rows,
        })
    }
}
