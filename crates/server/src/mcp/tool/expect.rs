//! `tui_expect`: asserts that something is visible, gone, or was shown, and returns its position.
//! A failed assertion is an error with the current screen.

use std::fmt::Write;

use rmcp::schemars::JsonSchema;
use screentest::core::{Condition, Screen, Selector};
use screentest::{Mark, TuiError, WaitOptions};
use serde::{Deserialize, Serialize};

use super::target::{self, TargetArgs};
use super::{Call, Perform, Reply};
use crate::mcp::agent_sessions::SessionGuard;
use crate::mcp::error::ToolError;
use crate::mcp::observation::spans::Span;
use crate::mcp::observation::truncate;
use crate::mcp::wait::Deadline;

/// Maximum number of matches in a result.
const MAX_MATCHES: usize = 50;
/// Maximum number of characters of a match.
const MAX_MATCH_CHARS: usize = 200;

/// The arguments of `tui_expect`.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ExpectArgs {
    session: Option<String>,
    #[serde(flatten)]
    target: TargetArgs,
    /// visible (default), gone; for the past: saw (however briefly), never
    is: Option<ExpectedState>,
    /// Revision for saw and never; default: the start
    since: Option<u64>,
    /// 0: at once
    timeout_ms: Option<u64>,
    anytime: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum ExpectedState {
    #[default]
    Visible,
    Gone,
    Saw,
    Never,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ExpectOutput {
    count: usize,
    matches: Vec<Span>,
    /// For saw
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
}

impl Perform for ExpectArgs {
    type Output = ExpectOutput;

    fn perform(self, call: &Call<'_>) -> Result<Reply, ToolError> {
        let guard = call.sessions.find(self.session.as_deref())?;
        let service = call.sessions.service();
        let selector = self.target.parse()?;
        let deadline = Deadline::new(&service.clock, self.timeout_ms, service.settings.timeout)?;
        let mut waits = WaitOptions::timeout(deadline.left()).interrupt(call.interrupt.clone());
        waits.appeared = target::appeared(self.anytime);
        let tui = guard.session.tui().with(waits);
        let since = self.mark(&guard)?;
        let visible = Condition::visible(&selector);
        let failed = |error| ToolError::from_tui(&deadline.of(error));
        match self.is.unwrap_or_default() {
            ExpectedState::Visible => {
                let screen = tui.wait_for(visible).map_err(failed)?;
                Ok(with_matches(&selector, &screen, None))
            }
            ExpectedState::Gone => {
                tui.wait_for(!visible).map_err(failed)?;
                Ok(without_match(format!("{selector} is not visible")))
            }
            ExpectedState::Saw => {
                let program = guard.session.program();
                let seen = match &program {
                    Some(program) => tui.saw_in(&program.session, visible, since),
                    None => tui.saw(visible, since),
                };
                let frame = seen.map_err(|error| {
                    let tool_error = ToolError::from_tui(&error);
                    match error {
                        TuiError::NotSeen { condition, .. } => {
                            tool_error.with_message(match self.since {
                                Some(since) => format!("{condition} was not shown since r{since}"),
                                None => format!("{condition} was never shown"),
                            })
                        }
                        _ => tool_error,
                    }
                })?;
                let revision = program.map(|program| guard.revision(&program, &frame));
                Ok(with_matches(&selector, &frame.screen, revision))
            }
            ExpectedState::Never => {
                tui.never(visible, since).map_err(failed)?;
                Ok(without_match(format!("{selector} was never shown")))
            }
        }
    }
}

impl ExpectArgs {
    /// Returns the moment from which the past is searched.
    fn mark(&self, guard: &SessionGuard<'_>) -> Result<Mark, ToolError> {
        let Some(since) = self.since else {
            return Ok(Mark::START);
        };
        let program = guard.session.program();
        match program.and_then(|program| guard.frame_at(&program, since)) {
            Some(frame) => Ok(frame.mark()),
            None => Err(ToolError::new(
                format!(
                    "unknown revision {since}: it is no longer in the history, or has not been reported"
                ),
                "omit `since` to search from the program's start, or give a recent revision",
            )),
        }
    }
}

fn without_match(text: String) -> Reply {
    let expected = ExpectOutput {
        count: 0,
        matches: Vec::new(),
        revision: None,
    };
    Reply::new(text, &expected)
}

fn with_matches(selector: &Selector, screen: &Screen, revision: Option<u64>) -> Reply {
    let all = selector.matches(screen);
    let matches = all.iter().take(MAX_MATCHES).map(|found| {
        let at = found.position().to_wire();
        Span {
            row: at.row as isize,
            col: at.col,
            text: truncate(found.text(), MAX_MATCH_CHARS),
            style: None,
        }
    });
    let expected = ExpectOutput {
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
        text: matched,
        ..
    } in &expected.matches
    {
        let _ = write!(text, "\n{row}:{col} {matched}");
    }
    if expected.count > MAX_MATCHES {
        let more = expected.count - MAX_MATCHES;
        let _ = write!(
            text,
            "\n{more} more left out: find fewer with `rect` or a longer text"
        );
    }
    Reply::new(text, &expected)
}
