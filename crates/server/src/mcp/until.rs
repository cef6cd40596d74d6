//! What a call waits for before it answers.
//!
//! What is asked for must be shown after the actions: a text that was there before them says nothing of what they did, so then the
//! call also waits until the screen has changed and stands still. After Enter it must appear again, unless `anytime` is given. A text that was shown and taken back between the actions and the
//! answer counts as well, and the answer says so.

use std::time::Duration;

use rmcp::schemars::JsonSchema;
use screentest::core::{Condition, Selector};
use screentest::{Appeared, Clock, Frame, Interrupt, Mark, Session, TuiError, WaitError};
use serde::Deserialize;

use super::target;
use super::trouble::Trouble;

/// How long a call may take at most: longer than clients wait for one.
const LONGEST: Duration = Duration::from_secs(300);

/// How long the first change may take where nothing else was asked for: a program that reacts does so sooner.
const FIRST: Duration = Duration::from_secs(1);
/// How long a program may take to show anything: one that clears the screen and then reads its settings is not ready yet.
const SHOWN: Duration = Duration::from_secs(3);
/// How long nothing may change for a screen to stand still: two pictures of a slow animation.
const STILL: Duration = Duration::from_millis(100);
/// How long one waits for that at most: a clock or a spinner never stands still.
const RESTLESS: Duration = Duration::from_secs(2);

/// How long nothing may change for a screen to be drawn to its end, once it says what was asked for, and how long one waits for that
/// at most: a program draws in pieces, and an agent that is told the first of them has to ask again.
const DRAWN: Duration = Duration::from_millis(30);
const DRAWING: Duration = Duration::from_millis(300);

/// What is waited for; all of it.
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

/// When a call must be over.
#[derive(Debug)]
pub(super) struct Deadline<'a> {
    clock: &'a Clock,
    at: Duration,
    /// How long the whole call may take.
    time: Duration,
}

impl Deadline<'_> {
    /// So many milliseconds from now, or what is usual.
    pub(super) fn new(
        clock: &Clock,
        asked: Option<u64>,
        usual: Duration,
    ) -> Result<Deadline<'_>, Trouble> {
        let time = asked.map_or(usual, Duration::from_millis);
        if time > LONGEST {
            return Err(Trouble::new(
                format!("timeout_ms is {}", time.as_millis()),
                format!(
                    "give at most {}, and wait again after that",
                    LONGEST.as_millis()
                ),
            ));
        }
        let at = clock.now().saturating_add(time);
        Ok(Deadline { clock, at, time })
    }

    /// How much time is left.
    pub(super) fn left(&self) -> Duration {
        self.at.saturating_sub(self.clock.now())
    }

    /// So much time, or what is left; and how it is called, as nobody asked for what is left by chance.
    fn at_most(&self, most: Duration) -> (Duration, Duration) {
        let left = self.left();
        match left < most {
            true => (left, self.time),
            false => (most, most),
        }
    }

    /// A wait that took all the time was given the time of the whole call.
    pub(super) fn of_wait(&self, error: WaitError) -> WaitError {
        match error {
            WaitError::TimedOut {
                condition, report, ..
            } => WaitError::TimedOut {
                condition,
                waited: self.time,
                report,
            },
            error => error,
        }
    }

    /// The same of what was done in a terminal.
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
pub(super) enum Before<'a> {
    /// Actions were done on what was shown.
    Acted(&'a Frame),
    /// The program was started.
    Launched,
    /// Nothing.
    Nothing,
}

/// A wait, whose words have been read.
#[derive(Debug)]
pub(super) struct Wait {
    condition: Option<Condition>,
    exit: bool,
    still: Option<Duration>,
    appeared: Appeared,
}

impl Until {
    /// Reads what is waited for.
    pub(super) fn read(&self) -> Result<Wait, Trouble> {
        let mut all = Vec::new();
        if let Some(text) = &self.text {
            all.push(Condition::text(target::filled("until.text", text)?));
        }
        if let Some(regex) = &self.regex {
            all.push(Condition::visible(target::regex("until.regex", regex)?));
        }
        if let Some(gone) = &self.gone {
            let gone = Selector::exact(target::filled("until.gone", gone)?);
            all.push(!Condition::visible(gone));
        }
        let condition = match all.len() {
            0 => None,
            // One alone is named in errors as it is.
            1 => all.pop(),
            _ => Some(Condition::all(all)),
        };
        Ok(Wait {
            condition,
            exit: self.exit == Some(true),
            still: self.still_ms.map(Duration::from_millis),
            appeared: target::appeared(self.anytime),
        })
    }
}

impl Wait {
    /// Waits, and says what an agent should know of it.
    pub(super) fn wait(
        &self,
        session: &Session,
        before: &Before<'_>,
        deadline: &Deadline<'_>,
        interrupt: &Interrupt,
    ) -> Result<Option<String>, WaitError> {
        let within = || {
            let mut patience = interrupt.within(deadline.left());
            patience.appeared = self.appeared;
            patience
        };
        // After Enter, a session itself tells new text from old.
        let counts_only_new = |condition: &Condition| {
            self.appeared == Appeared::AfterEnter && session.counts_only_new(condition)
        };
        let mut note = None;
        match (&self.condition, before) {
            (None, _) if self.exit || self.still.is_some() => {}
            (None, Before::Nothing) => note = settle(session, None, deadline, interrupt)?,
            (None, Before::Acted(frame)) => {
                note = settle(session, Some(frame.mark()), deadline, interrupt)?;
            }
            (None, Before::Launched) => {
                note = match first_words(session, deadline, interrupt)? {
                    Some(note) => Some(note),
                    None => settle(session, None, deadline, interrupt)?,
                };
            }
            (Some(condition), Before::Acted(frame))
                if condition.holds(&frame.screen) && !counts_only_new(condition) =>
            {
                let settled = settle(session, Some(frame.mark()), deadline, interrupt)?;
                session.wait_for(condition, within())?;
                let settled = settled.map(|note| format!("; {note}")).unwrap_or_default();
                note = Some(format!(
                    "{condition} was there before the actions already{settled}"
                ));
            }
            (Some(condition), Before::Nothing) => {
                session.wait_for(condition, within())?;
                drawn(session, deadline, interrupt)?;
            }
            (Some(condition), Before::Acted(_) | Before::Launched) => {
                let mark = match before {
                    Before::Acted(frame) => frame.mark(),
                    _ => Mark::START,
                };
                session.wait_since(condition, mark, within())?;
                drawn(session, deadline, interrupt)?;
                if !condition.holds(&session.screen()) {
                    note = Some(format!("{condition} was shown, and is not there any more"));
                }
            }
        }
        if let Some(still) = self.still {
            match session.wait_for_stable(still, within()) {
                // Who has ended stands still.
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

/// Waits until a program shows anything, or says that it did not.
fn first_words(
    session: &Session,
    deadline: &Deadline<'_>,
    interrupt: &Interrupt,
) -> Result<Option<String>, WaitError> {
    let (time, called) = deadline.at_most(SHOWN);
    let words = Condition::new("any text", |screen| {
        screen.rows.iter().any(|row| !row.text().is_empty())
    });
    match session.wait_since(words, Mark::START, interrupt.within(time)) {
        Ok(_) | Err(WaitError::Ended { .. }) => Ok(None),
        Err(WaitError::TimedOut { .. }) => Ok(Some(format!("nothing was shown within {called:?}"))),
        Err(error) => Err(error),
    }
}

/// Waits until what has begun to be drawn is there.
fn drawn(
    session: &Session,
    deadline: &Deadline<'_>,
    interrupt: &Interrupt,
) -> Result<(), WaitError> {
    let time = deadline.left().min(DRAWING);
    match session.wait_for_stable(DRAWN.min(time), interrupt.within(time)) {
        Ok(_) | Err(WaitError::Ended { .. } | WaitError::TimedOut { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Waits for a change since a mark, then until the screen stands still; for neither longer than is sensible.
fn settle(
    session: &Session,
    since: Option<Mark>,
    deadline: &Deadline<'_>,
    interrupt: &Interrupt,
) -> Result<Option<String>, WaitError> {
    if let Some(since) = since {
        let (time, called) = deadline.at_most(FIRST);
        match session.wait_for_frame(since, interrupt.within(time)) {
            Ok(_) | Err(WaitError::Ended { .. }) => {}
            Err(WaitError::TimedOut { .. }) => {
                return Ok(Some(format!("nothing changed within {called:?}")));
            }
            Err(error) => return Err(error),
        }
    }
    let (time, called) = deadline.at_most(RESTLESS);
    match session.wait_for_stable(STILL.min(time), interrupt.within(time)) {
        Ok(_) | Err(WaitError::Ended { .. }) => Ok(None),
        Err(WaitError::TimedOut { .. }) => Ok(Some(format!(
            "the screen was still changing after {called:?}: `until` waits for something that you name"
        ))),
        Err(error) => Err(error),
    }
}
