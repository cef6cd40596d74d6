//! Blocks until the screen satisfies a condition.
//!
//! A wait evaluates its condition on every new screen until it holds, the program exits, the
//! session closes, or the timeout expires. The waiting thread reads the PTY itself and never polls,
//! so no thread hand-over adds latency and no brief screen is missed. Effects that are not in the
//! cells (notes) are waited for in the same way.
//!
//! See also: `screentest_core::Condition` (conditions), `clock.rs` (time), `report.rs` (the report
//! of a failed wait).

use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use screentest_core::emulator::Notes;
use screentest_core::{Appeared, Condition, Diff, Paint, Screen};

use crate::format_duration::Elapsed;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{Frame, Mark};
use crate::session::reader::Intake;
use crate::session::state::{Board, Reader};
use crate::session::wait::limits::{Interrupt, WaitLimits};
use crate::session::wait::report::Report;

pub(crate) mod diagnosis;
pub(crate) mod enter_baseline;
pub(crate) mod limits;
pub(crate) mod report;
pub(crate) mod resolving;

/// Why a wait ended without success. The [`Report`] describes the state at that moment.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum WaitError {
    /// The timeout expired.
    #[error("{condition} did not appear within {}{}", Elapsed(*waited), before_enter(report))]
    TimedOut {
        /// The condition.
        condition: String,
        /// The timeout.
        waited: Duration,
        /// The state at that moment.
        report: Box<Report>,
    },
    /// The program exited first.
    #[error(
        "the program ended ({outcome}) before {condition} appeared{}",
        before_enter(report)
    )]
    Ended {
        /// The condition.
        condition: String,
        /// The program's exit status.
        outcome: ExitStatus,
        /// The state at that moment.
        report: Box<Report>,
    },
    /// The screen changed although it should not have.
    #[error("the screen changed after {}, but {condition} was expected", Elapsed(*after))]
    Changed {
        /// The condition.
        condition: String,
        /// How long nothing changed.
        after: Duration,
        /// The difference.
        diff: Box<Diff>,
        /// The current state.
        report: Box<Report>,
    },
    /// Another thread ended the wait; see [`Interrupt`](crate::Interrupt).
    #[error("the wait for {condition} was interrupted")]
    Interrupted {
        /// The condition.
        condition: String,
    },
    /// The session was closed meanwhile.
    #[error("the session was closed before {condition} appeared")]
    Closed {
        /// The condition.
        condition: String,
    },
    /// The terminal could not be read.
    #[error("could not read from the terminal")]
    Read(#[source] Arc<io::Error>),
}

impl WaitError {
    /// The name of the option that accepts text from before Enter, as messages print it. Other
    /// interfaces replace it with their own.
    pub const ANYTIME: &str = "`WaitOptions::anytime()`";

    /// Returns the report, for variants that have one.
    pub fn report(&self) -> Option<&Report> {
        match self {
            WaitError::TimedOut { report, .. }
            | WaitError::Ended { report, .. }
            | WaitError::Changed { report, .. } => Some(report),
            WaitError::Interrupted { .. } | WaitError::Closed { .. } | WaitError::Read(_) => None,
        }
    }
}

impl WaitError {
    /// Formats the error for people: the message, the difference if the screen changed, and the
    /// report with the last screen.
    pub(crate) fn told(&self, paint: Paint) -> String {
        let mut told = match self {
            WaitError::Read(error) => format!("{self}: {error}\n"),
            WaitError::Changed { diff, .. } => format!("{self}\n{diff}"),
            _ => format!("{self}\n"),
        };
        if let Some(report) = self.report() {
            told.push_str(&report.told(paint));
        }
        told.truncate(told.trim_end().len());
        told
    }
}

/// Written for people, because `unwrap` prints it in a failed test.
impl fmt::Debug for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told(Paint::Plain))
    }
}

/// Completes the message if the expected text was on the screen before Enter.
fn before_enter(report: &Report) -> String {
    match report.before_enter() {
        Some(found) => format!(
            " after Enter: it was already on the screen before Enter (row {}) and did not appear again; accept it with {}",
            found.position().to_wire().row,
            WaitError::ANYTIME
        ),
        None => String::new(),
    }
}

/// The subject of a condition, which decides when it is evaluated again.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    /// The current screen and all later ones.
    Screens,
    /// The screens since a mark, and all later ones.
    ScreensSince(Mark),
    /// Effects that are not in the cells.
    Notes,
}

/// The state that a condition is evaluated on.
pub(crate) struct Now<'a> {
    /// Frames since the last evaluation; at first the current frame, or those since the mark.
    pub(crate) frames: &'a [Arc<Frame>],
    /// The current frame.
    pub(crate) last: &'a Frame,
    pub(crate) time: Duration,
    pub(crate) outcome: Option<ExitStatus>,
}

/// The result of one evaluation.
pub(crate) enum Answer<T> {
    Yes(T),
    /// Evaluate again after a change.
    No,
    /// Evaluate again after a change, or at this time.
    NotBefore(Duration),
}

/// How a wait ended without success.
#[derive(Debug)]
pub enum Unanswered {
    TimedOut,
    Ended(ExitStatus),
    Interrupted,
    Closed,
    Failed(Arc<io::Error>),
}

/// Waits until `ask` returns [`Answer::Yes`].
pub(crate) fn wait<T>(
    intake: &Arc<Intake>,
    subject: Subject,
    patience: &WaitLimits,
    mut ask: impl FnMut(&Now<'_>) -> Answer<T>,
) -> Result<T, Unanswered> {
    let deadline = intake.clock.now().saturating_add(limits.timeout);
    let interrupt = limits.interrupt.as_ref();
    let _watched = interrupt.map(|interrupt| interrupt.watch(intake));
    let board = &intake.board;
    let mut seat = Seat::take(board, subject);
    let mut known = board.lock();
    let mut frames: Vec<_> = match subject {
        Subject::ScreensSince(mark) => known.history.from(mark).cloned().collect(),
        Subject::Screens | Subject::Notes => vec![Arc::clone(known.history.last())],
    };
    let mut looked = false;
    loop {
        let last = Arc::clone(known.history.last());
        let (outcome, closing, ticks) = (known.outcome, known.closing, known.ticks);
        let counts = known.counts;
        let failed = known.failed.clone();
        drop(known);
        let time = intake.clock.now();
        let answer = ask(&Now {
            frames: &frames,
            last: &last,
            time,
            outcome,
        });
        let moment = match answer {
            Answer::Yes(answer) => return Ok(answer),
            Answer::No => deadline,
            Answer::NotBefore(moment) => moment.min(deadline),
        };
        if let Some(error) = failed {
            return Err(Unanswered::Failed(error));
        } else if interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Unanswered::Interrupted);
        } else if closing {
            return Err(Unanswered::Closed);
        } else if let Some(outcome) = outcome {
            return Err(Unanswered::Ended(outcome));
        } else if time >= deadline && looked {
            return Err(Unanswered::TimedOut);
        }

        let timeout = intake.clock.until(moment);
        if time >= deadline {
            // Output written by now was in time, even if it was not read yet: read once more, then
            // evaluate a last time.
            looked = true;
            let written = intake.take_written();
            written.map_err(|error| Unanswered::Failed(Arc::new(error)))?;
            known = board.lock();
        } else if seat.reads {
            let turn = intake.turn(timeout);
            turn.map_err(|error| Unanswered::Failed(Arc::new(error)))?;
            known = board.lock();
        } else {
            known = board.lock();
            // Changes between evaluation and locking are evaluated before sleeping.
            if known.history.last().revision == last.revision
                && known.outcome == outcome
                && known.closing == closing
                && known.failed.is_none()
                && known.ticks == ticks
                && (known.counts == counts || !seat.noting)
            {
                match known.reader {
                    Reader::Nobody => {
                        known.reader = Reader::Waiter;
                        seat.reads = true;
                    }
                    Reader::Waiter => known = board.wait(known, timeout),
                    Reader::Pump => {
                        intake.pty.wake();
                        known = board.wait(known, timeout);
                    }
                }
            }
        }
        frames.clear();
        frames.extend(known.history.since(last.revision).cloned());
    }
}

/// Registration of a wait with the shared state, undone on drop: a condition may panic.
struct Seat<'a> {
    board: &'a Board,
    /// Whether this wait is the reader.
    reads: bool,
    /// Whether it waits for notes.
    noting: bool,
}

impl Seat<'_> {
    fn take(board: &Board, subject: Subject) -> Seat<'_> {
        let noting = matches!(subject, Subject::Notes);
        let mut known = board.lock();
        known.waiters += 1;
        known.note_waiters += usize::from(noting);
        board.hold_pump(&mut known);
        Seat {
            board,
            reads: false,
            noting,
        }
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut known = self.board.lock();
        known.waiters -= 1;
        known.note_waiters -= usize::from(self.noting);
        if self.reads {
            self.board.leave_seat(known);
        } else {
            self.board.let_pump(known);
        }
    }
}

/// Waits for a condition and returns the frame on which it held.
pub(crate) fn wait_for(
    intake: &Arc<Intake>,
    condition: &Condition,
    subject: Subject,
    patience: &WaitLimits,
) -> Result<Arc<Frame>, WaitError> {
    let entered = match limits.appeared {
        Appeared::AfterEnter => intake.entry.last(),
        Appeared::Anytime => None,
    };
    let holds = |frame: &Frame| match &entered {
        None => condition.holds(&frame.screen),
        Some(entered) if !entered.follows(frame) => entered.holds(condition, frame),
        Some(entered) => match subject {
            // With a mark, the output of an earlier Enter after that mark counts; screens while a
            // line was typed do not.
            Subject::ScreensSince(mark) if condition.asks_for_new() => {
                let from = intake.board.lock().history.since_mark(mark);
                let earlier = intake.entry.before(frame, from);
                earlier.is_some_and(|earlier| earlier.holds(condition, frame))
                    || entered.is_at(frame) && entered.holds(condition, frame)
            }
            _ => entered.holds(condition, frame),
        },
    };
    let ended = wait(intake, subject, limits, |now| {
        let mut frames = now.frames.iter();
        match frames.find(|frame| holds(frame)) {
            Some(frame) => Answer::Yes(Arc::clone(frame)),
            None => Answer::No,
        }
    });
    ended.map_err(|ending| {
        let report = || Box::new(Report::since(intake, condition, entered.as_deref()));
        explained(ending, condition, limits.timeout, report)
    })
}

/// Waits until nothing visible has changed for `debounce`. A program that has exited changes
/// nothing any more.
pub(crate) fn wait_for_stable(
    intake: &Arc<Intake>,
    debounce: Duration,
    patience: &WaitLimits,
) -> Result<Screen, WaitError> {
    let start = intake.clock.now();
    let mut changed = start;
    let mut first = true;
    let ended = wait(intake, Subject::Screens, limits, |now| {
        if !std::mem::take(&mut first)
            && let Some(frame) = now.frames.last()
        {
            changed = frame.time;
        }
        if now.outcome.is_some() || now.time >= changed.saturating_add(debounce) {
            Answer::Yes(now.last.screen.clone())
        } else {
            Answer::NotBefore(changed.saturating_add(debounce))
        }
    });
    let condition = Condition::new(format!("a screen unchanged for {debounce:?}"), |_| false);
    ended.map_err(|ending| explain(intake, ending, &condition, limits.timeout))
}

/// Waits `duration` from now and fails at the first visible change. A program that has exited
/// changes nothing any more.
pub(crate) fn unchanged_for(intake: &Arc<Intake>, duration: Duration) -> Result<Screen, WaitError> {
    let start = intake.clock.now();
    // Output written by now precedes the wait, even if it was not read yet.
    let written = intake.take_written();
    written.map_err(|error| WaitError::Read(Arc::new(error)))?;
    let first = Arc::clone(intake.board.lock().history.last());
    let subject = Subject::ScreensSince(first.mark());
    let changed = wait(intake, subject, &duration.into(), |now| {
        let frames = now.frames.iter();
        let mut diffs = frames.map(|frame| (frame, Diff::between(&first.screen, &frame.screen)));
        match diffs.find(|(_, diff)| !diff.is_empty()) {
            Some((frame, diff)) => Answer::Yes((frame.time, diff)),
            None => Answer::No,
        }
    });
    let condition = Condition::new(format!("a screen unchanged for {duration:?}"), |_| false);
    match changed {
        Ok((time, diff)) => Err(WaitError::Changed {
            condition: condition.to_string(),
            after: time.saturating_sub(start),
            diff: Box::new(diff),
            report: Box::new(Report::new(intake, &condition)),
        }),
        Err(Unanswered::TimedOut | Unanswered::Ended(_)) => Ok(first.screen.clone()),
        Err(ending) => Err(explain(intake, ending, &condition, duration)),
    }
}

/// Waits until `noted` returns true for the program's notes.
pub(crate) fn wait_for_notes(
    intake: &Arc<Intake>,
    what: String,
    noted: impl Fn(&Notes) -> bool,
    patience: &WaitLimits,
) -> Result<Notes, WaitError> {
    let mut asked = None;
    let ended = wait(intake, Subject::Notes, limits, |_| {
        let emulator = intake.emulator();
        let counts = emulator.notes().counts;
        // Every note comes with bytes, which are counted: with equal counts the result is the same.
        if asked == Some(counts) {
            return Answer::No;
        }
        asked = Some(counts);
        let notes = emulator.notes().clone();
        // Evaluated without the lock: a condition may be slow, or use the session itself.
        drop(emulator);
        if noted(&notes) {
            Answer::Yes(notes)
        } else {
            Answer::No
        }
    });
    let condition = Condition::new(what, |_| false);
    ended.map_err(|ending| explain(intake, ending, &condition, limits.timeout))
}

/// Waits for the next change after a mark.
pub(crate) fn wait_for_frame(
    intake: &Arc<Intake>,
    mark: Mark,
    patience: &WaitLimits,
) -> Result<Arc<Frame>, WaitError> {
    let ended = wait(intake, Subject::Screens, limits, |_| {
        // Not only frames of this wait: the next screen may have been shown between the mark and
        // now.
        let history = &intake.board.lock().history;
        match history.since(history.since_mark(mark)).next() {
            Some(frame) => Answer::Yes(Arc::clone(frame)),
            None => Answer::No,
        }
    });
    let condition = Condition::new("another screen", |_| false);
    ended.map_err(|ending| explain(intake, ending, &condition, limits.timeout))
}

/// Waits until the program has exited and all its output has been processed.
pub(crate) fn wait_for_exit(
    intake: &Arc<Intake>,
    patience: &WaitLimits,
) -> Result<ExitStatus, WaitError> {
    let ended = wait(intake, Subject::Screens, patience, |now| {
        match now.outcome {
            Some(outcome) => Answer::Yes(outcome),
            None => Answer::No,
        }
    });
    let condition = Condition::new("the program's end", |_| false);
    ended.map_err(|ending| explain(intake, ending, &condition, limits.timeout))
}

pub(crate) fn explain(
    intake: &Arc<Intake>,
    ending: Unanswered,
    condition: &Condition,
    waited: Duration,
) -> WaitError {
    let report = || Box::new(Report::new(intake, condition));
    explained(ending, condition, waited, report)
}

fn explained(
    ending: Unanswered,
    condition: &Condition,
    waited: Duration,
    report: impl FnOnce() -> Box<Report>,
) -> WaitError {
    let text = match condition {
        // “not … did not appear” would be a double negation.
        Condition::Not(inner) => format!("a screen without {inner}"),
        condition => condition.to_string(),
    };
    match ending {
        Unanswered::TimedOut => WaitError::TimedOut {
            report: report(),
            condition: text,
            waited,
        },
        Unanswered::Ended(outcome) => WaitError::Ended {
            report: report(),
            condition: text,
            outcome,
        },
        Unanswered::Interrupted => WaitError::Interrupted { condition: text },
        Unanswered::Closed => WaitError::Closed { condition: text },
        Unanswered::Failed(error) => WaitError::Read(error),
    }
}
