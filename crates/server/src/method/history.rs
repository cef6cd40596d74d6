//! `changesSince`, `saw` and `never`: what changed, and what was shown in the past.
//!
//! A revision is a number that increases with every change. `cursor` and `changesSince` return the
//! current one.

use screentest::core::{Condition, Diff};
use screentest::{Mark, TuiError};
use serde::{Deserialize, Serialize};

use super::{OkResponse, Perform};
use crate::service::MethodContext;
use crate::session::CurrentProgram;
use crate::wire::RpcError;
use crate::wire::coordinates::WireCursor;
use crate::wire::number::WholeNumber;
use crate::wire::selector::WireSelector;

/// Returns the rows that changed since a revision.
#[derive(Debug, Deserialize)]
pub(crate) struct ChangesSince {
    revision: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ChangesResponse {
    changes: Vec<ChangedRow>,
    cols: u16,
    /// The revision is missing, unknown, or of another size; `changes` contains all non-blank rows.
    complete: bool,
    cursor: WireCursor,
    revision: u64,
    rows: u16,
}

#[derive(Debug, Serialize)]
struct ChangedRow {
    row: usize,
    text: String,
}

impl Perform for ChangesSince {
    type Response = ChangesResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ChangesResponse, RpcError> {
        let revision = self.revision.map(|number| number.non_negative("revision"));
        let revision = revision.transpose()?;
        let program = context.session()?.program_or_error("viewport sync")?;
        let frame = program.session.frame();
        let before = revision.and_then(|revision| program.frame_at(revision));
        let shown = &frame.screen;
        let rows: Vec<usize> = match &before {
            Some(before) if before.screen.size == shown.size => {
                let diff = Diff::between(&before.screen, shown);
                diff.rows.iter().map(|row| row.row).collect()
            }
            // If all rows are returned, blank ones are omitted.
            _ => (0..shown.rows.len())
                .filter(|row| !shown.rows[*row].text().is_empty())
                .collect(),
        };
        let change = |row: usize| ChangedRow {
            row: row + 1,
            text: shown.rows[row].text().to_owned(),
        };
        Ok(ChangesResponse {
            changes: rows.into_iter().map(change).collect(),
            cols: shown.size.cols,
            complete: before.is_none_or(|before| before.screen.size != shown.size),
            cursor: (&shown.cursor).into(),
            revision: program.revision(&frame),
            rows: shown.size.rows,
        })
    }
}

/// Returns the mark of a revision, or of the program's start.
fn mark(program: &CurrentProgram, since: Option<WholeNumber>) -> Result<Mark, RpcError> {
    let Some(since) = since else {
        return Ok(Mark::START);
    };
    let since = since.non_negative("since")?;
    match program.frame_at(since) {
        Some(frame) => Ok(frame.mark()),
        None => Err(RpcError::failed(format!(
            "revision {since} is unknown: it is no longer in the history, or does not exist yet; `cursor` returns the current one"
        ))),
    }
}

/// Asserts that something was shown, however briefly.
#[derive(Debug, Deserialize)]
pub(crate) struct Saw {
    selector: WireSelector,
    since: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SawResponse {
    ok: bool,
    revision: u64,
}

impl Perform for Saw {
    type Response = SawResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<SawResponse, RpcError> {
        let session = context.session()?;
        let selector = self.selector.read()?;
        let program = session.program_or_error("saw")?;
        let mark = mark(&program, self.since)?;
        let condition = Condition::visible(selector);
        let seen = session.tui().saw_in(&program.session, condition, mark);
        let frame = seen.map_err(|error| {
            let failure = RpcError::from_tui("saw", &error);
            let TuiError::NotSeen { condition, .. } = &error else {
                return failure;
            };
            let since = match self.since {
                Some(WholeNumber(revision)) => format!("revision {revision}"),
                None => "the program's start".to_owned(),
            };
            failure.with_details(format!("saw: {condition} was not shown since {since}"))
        })?;
        Ok(SawResponse {
            ok: true,
            revision: program.revision(&frame),
        })
    }
}

/// Asserts that something was never shown.
#[derive(Debug, Deserialize)]
pub(crate) struct Never {
    selector: WireSelector,
    since: Option<WholeNumber>,
}

impl Perform for Never {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let selector = self.selector.read()?;
        let mark = mark(&session.program_or_error("never")?, self.since)?;
        let never = session.tui().never(Condition::visible(selector), mark);
        never.map_err(|error| RpcError::from_tui("never", &error))?;
        Ok(OkResponse::OK)
    }
}
