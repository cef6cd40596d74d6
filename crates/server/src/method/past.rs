//! What was shown, and what has changed since.
//!
//! A revision is a number that counts up with every change; `cursor` and `changesSince` tell it.

use screentest::core::{Condition, Diff};
use screentest::{Mark, TuiError};
use serde::{Deserialize, Serialize};

use super::{Done, Perform};
use crate::service::Job;
use crate::wire::Failure;
use crate::wire::number::Whole;
use crate::wire::place::WireCursor;
use crate::wire::selector::WireSelector;

/// Returns the rows that differ from those of a revision.
#[derive(Debug, Deserialize)]
pub(crate) struct ChangesSince {
    revision: Option<Whole>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Changes {
    changes: Vec<Change>,
    cols: u16,
    /// Nothing is known of that revision any more: these are all rows.
    complete: bool,
    cursor: WireCursor,
    revision: u64,
    rows: u16,
}

#[derive(Debug, Serialize)]
struct Change {
    row: usize,
    text: String,
}

impl Perform for ChangesSince {
    type Answer = Changes;

    fn perform(self, job: &Job<'_>) -> Result<Changes, Failure> {
        let stage = job.stage()?;
        let revision = self.revision.map(|number| number.count("revision"));
        let revision = revision.transpose()?;
        let frame = stage.session("viewport sync")?.frame();
        let before = revision.and_then(|revision| stage.frame_at(revision));
        let shown = &frame.screen;
        let rows: Vec<usize> = match &before {
            Some(before) if before.screen.size == shown.size => {
                let diff = Diff::between(&before.screen, shown);
                diff.rows.iter().map(|row| row.row).collect()
            }
            // Of all rows, those that are blank need not be told.
            _ => (0..shown.rows.len())
                .filter(|row| !shown.rows[*row].text().is_empty())
                .collect(),
        };
        let change = |row: usize| Change {
            row: row + 1,
            text: shown.rows[row].text().to_owned(),
        };
        Ok(Changes {
            changes: rows.into_iter().map(change).collect(),
            cols: shown.size.cols,
            complete: before.is_none_or(|before| before.screen.size != shown.size),
            cursor: (&shown.cursor).into(),
            revision: stage.revision(&frame),
            rows: shown.size.rows,
        })
    }
}

/// The moment since when is asked: a revision, or the program's start.
fn mark(job: &Job<'_>, since: Option<Whole>) -> Result<Mark, Failure> {
    let Some(since) = since else {
        return Ok(Mark::START);
    };
    let since = since.count("since")?;
    match job.stage()?.frame_at(since) {
        Some(frame) => Ok(frame.mark()),
        None => Err(Failure::failed(format!(
            "revision {since} is not known any more, or not yet: `cursor` tells the one that is shown now"
        ))),
    }
}

/// Makes sure that something was shown, however briefly.
#[derive(Debug, Deserialize)]
pub(crate) struct Saw {
    selector: WireSelector,
    since: Option<Whole>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Seen {
    ok: bool,
    revision: u64,
}

impl Perform for Saw {
    type Answer = Seen;

    fn perform(self, job: &Job<'_>) -> Result<Seen, Failure> {
        let stage = job.stage()?;
        let selector = self.selector.read()?;
        let mark = mark(job, self.since)?;
        let seen = stage.tui().saw(Condition::visible(selector), mark);
        let frame = seen.map_err(|error| {
            let failure = Failure::of("saw", &error);
            let TuiError::NotSeen { condition, .. } = &error else {
                return failure;
            };
            let since = match self.since {
                Some(Whole(revision)) => format!("revision {revision}"),
                None => "the program's start".to_owned(),
            };
            failure.with_details(format!("saw: {condition} was not shown since {since}"))
        })?;
        Ok(Seen {
            ok: true,
            revision: stage.revision(&frame),
        })
    }
}

/// Makes sure that something was never shown.
#[derive(Debug, Deserialize)]
pub(crate) struct Never {
    selector: WireSelector,
    since: Option<Whole>,
}

impl Perform for Never {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let selector = self.selector.read()?;
        let mark = mark(job, self.since)?;
        let never = stage.tui().never(Condition::visible(selector), mark);
        never.map_err(|error| Failure::of("never", &error))?;
        Ok(Done::OK)
    }
}
