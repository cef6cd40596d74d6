//! `tui_expect`: where something is; or that it is gone, or was there. If not so, the call is an error that says what is there instead.

use std::fmt::Write;

use rmcp::schemars::JsonSchema;
use screentest::core::{Condition, Screen, Selector};
use screentest::{Mark, TuiError, WaitOptions};
use serde::{Deserialize, Serialize};

use super::desk::Held;
use super::observation::cut;
use super::spans::Span;
use super::target::{self, Target};
use super::tool::{Call, Perform, Reply};
use super::trouble::Trouble;
use super::until::Deadline;

/// How many matches are told, and how long each.
const MOST: usize = 50;
const LONGEST: usize = 200;

/// Finds and asserts.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Expect {
    session: Option<String>,
    #[serde(flatten)]
    target: Target,
    /// visible (default), gone; of the past: saw (however briefly), never
    is: Option<Claim>,
    /// Revision for saw and never; default: the start
    since: Option<u64>,
    /// 0: at once
    timeout_ms: Option<u64>,
    anytime: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum Claim {
    #[default]
    Visible,
    Gone,
    Saw,
    Never,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Expected {
    count: usize,
    matches: Vec<Span>,
    /// Of what was seen in the past
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
}

impl Perform for Expect {
    type Answer = Expected;

    fn perform(self, call: &Call<'_>) -> Result<Reply, Trouble> {
        let held = call.desk.hold(self.session.as_deref())?;
        let service = call.desk.service();
        let selector = self.target.read()?;
        let deadline = Deadline::new(&service.clock, self.timeout_ms, service.settings.timeout)?;
        let mut waits = WaitOptions::timeout(deadline.left()).interrupt(call.interrupt.clone());
        waits.appeared = target::appeared(self.anytime);
        let tui = held.stage.tui().with(waits);
        let since = self.mark(&held)?;
        let visible = Condition::visible(&selector);
        let wrong = |error| Trouble::of(&deadline.of(error));
        match self.is.unwrap_or_default() {
            Claim::Visible => {
                let screen = tui.wait_for(visible).map_err(wrong)?;
                Ok(found(&selector, &screen, None))
            }
            Claim::Gone => {
                tui.wait_for(!visible).map_err(wrong)?;
                Ok(none(format!("{selector} is not visible")))
            }
            Claim::Saw => {
                let frame = tui.saw(visible, since).map_err(|error| {
                    let trouble = Trouble::of(&error);
                    match error {
                        TuiError::NotSeen { condition, .. } => trouble.saying(match self.since {
                            Some(since) => format!("{condition} was not shown since r{since}"),
                            None => format!("{condition} was never shown"),
                        }),
                        _ => trouble,
                    }
                })?;
                let revision = held.revision(&frame);
                Ok(found(&selector, &frame.screen, Some(revision)))
            }
            Claim::Never => {
                tui.never(visible, since).map_err(wrong)?;
                Ok(none(format!("{selector} was never shown")))
            }
        }
    }
}

impl Expect {
    /// From when on the past is looked at.
    fn mark(&self, held: &Held<'_>) -> Result<Mark, Trouble> {
        let Some(since) = self.since else {
            return Ok(Mark::START);
        };
        match held.frame_at(since) {
            Some(frame) => Ok(frame.mark()),
            None => Err(Trouble::new(
                format!("revision {since} is not known any more, or not yet"),
                "leave `since` out to look back to the program's start, or give a revision that you were told lately",
            )),
        }
    }
}

fn none(text: String) -> Reply {
    let expected = Expected {
        count: 0,
        matches: Vec::new(),
        revision: None,
    };
    Reply::new(text, &expected)
}

fn found(selector: &Selector, screen: &Screen, revision: Option<u64>) -> Reply {
    let all = selector.matches(screen);
    let matches = all.iter().take(MOST).map(|found| {
        let at = found.position().to_wire();
        Span {
            row: at.row as isize,
            col: at.col,
            text: cut(found.text(), LONGEST),
            style: None,
        }
    });
    let expected = Expected {
        count: all.len(),
        matches: matches.collect(),
        revision,
    };
    let mut text = match (expected.count, revision) {
        (_, Some(revision)) => format!("{selector} was shown at r{revision}"),
        (1, None) => "1 match".to_owned(),
        (count, None) => format!("{count} matches"),
    };
    for Span {
        row,
        col,
        text: words,
        ..
    } in &expected.matches
    {
        let _ = write!(text, "\n{row}:{col} {words}");
    }
    if expected.count > MOST {
        let more = expected.count - MOST;
        let _ = write!(
            text,
            "\n{more} more are left out: `rect` or a longer text finds fewer"
        );
    }
    Reply::new(text, &expected)
}
