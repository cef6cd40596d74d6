//! Waiting before a call returns.
//!
//! A condition must hold after the actions. If it already held before them, it does not show
//! their effect, so the call also waits until the screen has changed and is stable. After Enter,
//! the text must appear again unless `anytime` is given. Text that appeared and vanished between
//! the actions and the report also counts; the report then contains a note.

use std::time::Duration;

use rmcp::schemars::JsonSchema;
use screentest::clock::Clock;
use screentest::core::{Condition, Selector};
use screentest::session::{Interrupt, WaitError};
use screentest::{Appeared, Mark, Session, SessionFrame, TuiError};
use serde::Deserialize;

use super::error::ToolError;
use super::tool::target;

/// Maximum timeout of a call: longer than clients wait for one.
const MAX_TIMEOUT: Duration = Duration::from_secs(300);

/// How long to wait for the first change without a condition. A program that reacts is faster.
const FIRST_CHANGE: Duration = Duration::from_secs(1);
/// How long a new program may take to show any text. A program that clears the screen and then
/// reads its settings is not ready yet.
const FIRST_TEXT: Duration = Duration::from_secs(3);
/// How long a screen must be unchanged to be stable: two frames of a slow animation.
const STABLE: Duration = Duration::from_millis(100);
/// How long to wait for a stable screen: a clock or a spinner never stops.
const STABLE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long the screen must be unchanged after a condition holds. Programs draw in pieces, and an
/// agent that gets only the first piece needs another call.
const DRAWN: Duration = Duration::from_millis(30);
/// Maximum time to wait until the screen has been unchanged for [`DRAWN`].
const DRAWN_TIMEOUT: Duration = Duration::from_millis(300);

/// The conditions of a wait. All of them must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct Until {
    text: Option<String>,
    regex: Option<String>,
    gone: Option<String>,
    exit: Option<bool>,
    still_ms: Option<u64>,
    anytime: Option<bool>,
}

/// The time at which a call must return.
#[derive(Debug)]
pub(super) struct Deadline<'a> {
    clock: &'a Clock,
    at: Duration,
    /// The timeout of the whole call.
    timeout: Duration,
}

impl Deadline<'_> {
    /// Returns the deadline for a timeout in milliseconds, or for the default timeout.
    pub(super) fn new(
        clock: &Clock,
        timeout_ms: Option<u64>,
        default: Duration,
    ) -> Result<Deadline<'_>, ToolError> {
        let timeout = timeout_ms.map_or(default, Duration::from_millis);
        if timeout > MAX_TIMEOUT {
            return Err(ToolError::new(
                format!("timeout_ms is {}", timeout.as_millis()),
                format!(
                    "give at most {}, and wait again after that",
                    MAX_TIMEOUT.as_millis()
                ),
            ));
        }
        let at = clock.now().saturating_add(timeout);
        Ok(Deadline { clock, at, timeout })
    }

    /// Returns the remaining time.
    pub(super) fn left(&self) -> Duration {
        self.at.saturating_sub(self.clock.now())
    }

    /// Returns `limit` or the remaining time if that is less, and the duration to show in messages:
    /// the remaining time is arbitrary, so the call's timeout is shown instead.
    fn at_most(&self, limit: Duration) -> (Duration, Duration) {
        let left = self.left();
        if left < limit {
            (left, self.timeout)
        } else {
            (limit, limit)
        }
    }

    /// Replaces the duration of a timed-out wait by the timeout of the whole call.
    pub(super) fn of_wait(&self, error: WaitError) -> WaitError {
        match error {
            WaitError::TimedOut {
                condition, report, ..
            } => WaitError::TimedOut {
                condition,
                waited: self.timeout,
                report,
            },
            error => error,
        }
    }

    /// Like [`Deadline::of_wait`], for an error of a terminal.
    pub(super) fn of(&self, error: TuiError) -> TuiError {
        match error {
            TuiError::Wait { error, cut_short } => TuiError::Wait {
                error: self.of_wait(error),
                cut_short,
            },
            error => error,
        }
    }
}

/// What happened before a wait.
#[derive(Debug)]
pub(super) enum BeforeWait<'a> {
    /// Actions, with the frame before them.
    Acted(&'a SessionFrame),
    /// The start of the program.
    Launched,
    Nothing,
}

/// A wait with parsed conditions.
#[derive(Debug)]
pub(super) struct PreparedWait {
    condition: Option<Condition>,
    exit: bool,
    still: Option<Duration>,
    appeared: Appeared,
}

impl Until {
    /// Parses the conditions.
    pub(super) fn parse(&self) -> Result<PreparedWait, ToolError> {
        let mut all = Vec::new();
        if let Some(text) = &self.text {
            all.push(Condition::text(target::non_empty("until.text", text)?));
        }
        if let Some(regex) = &self.regex {
            all.push(Condition::visible(target::regex("until.regex", regex)?));
        }
        if let Some(gone) = &self.gone {
            let gone = Selector::exact(target::non_empty("until.gone", gone)?);
            all.push(!Condition::visible(gone));
        }
        let condition = match all.len() {
            0 => None,
            // A single condition is not wrapped, so that errors name it as it is.
            1 => all.pop(),
            _ => Some(Condition::all(all)),
        };
        Ok(PreparedWait {
            condition,
            exit: self.exit == Some(true),
            still: self.still_ms.map(Duration::from_millis),
            appeared: target::appeared(self.anytime),
        })
    }
}

impl PreparedWait {
    /// Waits. Returns a note for the agent, if there is one.
    pub(super) fn wait(
        &self,
        session: &Session,
        before: &BeforeWait<'_>,
        deadline: &Deadline<'_>,
        interrupt: &Interrupt,
    ) -> Result<Option<String>, WaitError> {
        let within = || {
            let mut limits = interrupt.within(deadline.left());
            limits.appeared = self.appeared;
            limits
        };
        // After Enter, the session itself distinguishes new text from old text.
        let counts_only_new = |condition: &Condition| {
            self.appeared == Appeared::AfterEnter && session.counts_only_new(condition)
        };
        let mut note = None;
        match (&self.condition, before) {
            (None, _) if self.exit || self.still.is_some() => {}
            (None, BeforeWait::Nothing) => {
                note = wait_change_and_stable(session, None, deadline, interrupt)?;
            }
            (None, BeforeWait::Acted(frame)) => {
                note = wait_change_and_stable(session, Some(frame.mark()), deadline, interrupt)?;
            }
            (None, BeforeWait::Launched) => {
                note = match wait_first_text(session, deadline, interrupt)? {
                    Some(note) => Some(note),
                    None => wait_change_and_stable(session, None, deadline, interrupt)?,
                };
            }
            (Some(condition), BeforeWait::Acted(frame))
                if condition.holds(&frame.screen) && !counts_only_new(condition) =>
            {
                let stable =
                    wait_change_and_stable(session, Some(frame.mark()), deadline, interrupt)?;
                session.wait_for(condition, within())?;
                let stable = stable.map(|note| format!("; {note}")).unwrap_or_default();
                note = Some(format!(
                    "{condition} was already there before the actions{stable}"
                ));
            }
            (Some(condition), BeforeWait::Nothing) => {
                session.wait_for(condition, within())?;
                wait_drawn(session, deadline, interrupt)?;
            }
            (Some(condition), BeforeWait::Acted(_) | BeforeWait::Launched) => {
                let mark = match before {
                    BeforeWait::Acted(frame) => frame.mark(),
                    _ => Mark::START,
                };
                session.wait_since(condition, mark, within())?;
                wait_drawn(session, deadline, interrupt)?;
                if !condition.holds(&session.screen()) {
                    note = Some(format!("{condition} was shown, but is no longer there"));
                }
            }
        }
        if let Some(still) = self.still {
            match session.wait_for_stable(still, within()) {
                // The screen of an exited program does not change.
                Ok(_) | Err(WaitError::Ended { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        if self.exit {
            session.wait_for_exit(within())?;
        }
        Ok(note)
    }
}

/// Waits until a program shows any text. Returns a note if it does not.
fn wait_first_text(
    session: &Session,
    deadline: &Deadline<'_>,
    interrupt: &Interrupt,
) -> Result<Option<String>, WaitError> {
    let (time, shown_time) = deadline.at_most(FIRST_TEXT);
    let any_text = Condition::new("any text", |screen| {
        screen.rows.iter().any(|row| !row.text().is_empty())
    });
    match session.wait_since(any_text, Mark::START, interrupt.within(time)) {
        Ok(_) | Err(WaitError::Ended { .. }) => Ok(None),
        Err(WaitError::TimedOut { .. }) => {
            Ok(Some(format!("nothing was shown within {shown_time:?}")))
        }
        Err(error) => Err(error),
    }
}

/// Waits until the program has finished drawing, for a short time.
fn wait_drawn(
    session: &Session,
    deadline: &Deadline<'_>,
    interrupt: &Interrupt,
) -> Result<(), WaitError> {
    let time = deadline.left().min(DRAWN_TIMEOUT);
    match session.wait_for_stable(DRAWN.min(time), interrupt.within(time)) {
        Ok(_) | Err(WaitError::Ended { .. } | WaitError::TimedOut { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Waits for a change since a mark, then for a stable screen, each with its own limit. Returns a
/// note if a limit was reached.
fn wait_change_and_stable(
    session: &Session,
    since: Option<Mark>,
    deadline: &Deadline<'_>,
    interrupt: &Interrupt,
) -> Result<Option<String>, WaitError> {
    if let Some(since) = since {
        let (time, shown_time) = deadline.at_most(FIRST_CHANGE);
        match session.wait_for_frame(since, interrupt.within(time)) {
            Ok(_) | Err(WaitError::Ended { .. }) => {}
            Err(WaitError::TimedOut { .. }) => {
                return Ok(Some(format!("nothing changed within {shown_time:?}")));
            }
            Err(error) => return Err(error),
        }
    }
    let (time, shown_time) = deadline.at_most(STABLE_TIMEOUT);
    match session.wait_for_stable(STABLE.min(time), interrupt.within(time)) {
        Ok(_) | Err(WaitError::Ended { .. }) => Ok(None),
        Err(WaitError::TimedOut { .. }) => Ok(Some(format!(
            "the screen was still changing after {shown_time:?}: wait for something specific with `until`"
        ))),
        Err(error) => Err(error),
    }
}
