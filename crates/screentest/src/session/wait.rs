//! Blocks until the screen satisfies a condition.
//!
//! A wait evaluates its condition on every new screen until it holds, the program exits, the
//! session closes, or the timeout expires. The waiting thread reads the PTY itself and never polls,
//! so no thread hand-over adds latency and no brief screen is missed. Effects that are not in the
//! cells (notes) are waited for in the same way.
//!
//! See also: `screentest_core::Condition` (conditions), `clock.rs` (time), `wait/error.rs` (failed
//! waits), `wait/report.rs` (their report), `state/reader_role.rs` (which thread reads).

use std::io;
use std::sync::Arc;
use std::time::Duration;

use screentest_core::emulator::Notes;
use screentest_core::{Appeared, Condition, Diff, Screen};

use crate::session::exit_status::ExitStatus;
use crate::session::history::{Mark, SessionFrame};
use crate::session::reader::PtyReader;
use crate::session::state::reader_role::WakeOn;
use crate::session::wait::limits::{Interrupt, WaitLimits};
use crate::session::wait::report::WaitReport;

pub(crate) mod diagnosis;
pub(crate) mod enter_baseline;
pub(crate) mod error;
pub(crate) mod limits;
pub(crate) mod report;
pub(crate) mod resolving;

pub use error::WaitError;
use error::{wait_error, wait_error_with};

/// The source that a wait evaluates. The wait is woken when the source changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WaitSubject {
    /// The current screen and all later ones.
    Screens,
    /// The screens since a mark, and all later ones.
    ScreensSince(Mark),
    /// Effects that are not in the cells.
    Notes,
}

impl WaitSubject {
    fn wake_on(self) -> WakeOn {
        match self {
            WaitSubject::Screens | WaitSubject::ScreensSince(_) => WakeOn::Screens,
            WaitSubject::Notes => WakeOn::ScreensAndNotes,
        }
    }
}

/// The state that a condition is evaluated on.
pub(crate) struct WaitContext<'a> {
    /// Frames since the last evaluation; at first the current frame, or those since the mark.
    pub(crate) frames: &'a [Arc<SessionFrame>],
    /// The current frame.
    pub(crate) last: &'a SessionFrame,
    pub(crate) time: Duration,
    pub(crate) exit_status: Option<ExitStatus>,
}

/// The result of one evaluation.
pub(crate) enum Evaluation<T> {
    /// The condition holds.
    Ready(T),
    /// Evaluate again after a change.
    Pending,
    /// Evaluate again after a change, or at this time.
    PendingUntil(Duration),
}

/// How a wait ended without success.
#[derive(Debug)]
pub enum WaitEnd {
    TimedOut,
    Ended(ExitStatus),
    Interrupted,
    Closed,
    Failed(Arc<io::Error>),
}

/// Waits until `evaluate` returns [`Evaluation::Ready`].
pub(crate) fn wait<T>(
    reader: &Arc<PtyReader>,
    subject: WaitSubject,
    limits: &WaitLimits,
    mut evaluate: impl FnMut(&WaitContext<'_>) -> Evaluation<T>,
) -> Result<T, WaitEnd> {
    let deadline = reader.clock.now().saturating_add(limits.timeout);
    let interrupt = limits.interrupt.as_ref();
    let _interrupt_registration = interrupt.map(|interrupt| interrupt.register(reader));
    let state = &reader.state;
    let mut registration = state.register_wait(subject.wake_on());
    let mut shared = state.lock();
    let mut frames: Vec<_> = match subject {
        WaitSubject::ScreensSince(mark) => shared.history().from(mark).cloned().collect(),
        WaitSubject::Screens | WaitSubject::Notes => vec![Arc::clone(shared.history().last())],
    };
    let mut has_read_at_deadline = false;
    loop {
        let seen = shared.snapshot();
        drop(shared);
        let time = reader.clock.now();
        let evaluation = evaluate(&WaitContext {
            frames: &frames,
            last: &seen.last,
            time,
            exit_status: seen.exit_status,
        });
        let next = match evaluation {
            Evaluation::Ready(value) => return Ok(value),
            Evaluation::Pending => deadline,
            Evaluation::PendingUntil(time) => time.min(deadline),
        };
        if let Some(error) = &seen.failure {
            return Err(WaitEnd::Failed(Arc::clone(error)));
        } else if interrupt.is_some_and(Interrupt::is_raised) {
            return Err(WaitEnd::Interrupted);
        } else if seen.closing {
            return Err(WaitEnd::Closed);
        } else if let Some(exit_status) = seen.exit_status {
            return Err(WaitEnd::Ended(exit_status));
        } else if time >= deadline && has_read_at_deadline {
            return Err(WaitEnd::TimedOut);
        }

        let timeout = reader.clock.until(next);
        shared = if time >= deadline {
            // Output written by now was in time, even if it was not read yet: read once more, then
            // evaluate a last time.
            has_read_at_deadline = true;
            let read = reader.read_written();
            read.map_err(|error| WaitEnd::Failed(Arc::new(error)))?;
            state.lock()
        } else if registration.is_reader() {
            let read = reader.read_once(timeout);
            read.map_err(|error| WaitEnd::Failed(Arc::new(error)))?;
            state.lock()
        } else {
            registration.sleep_or_become_reader(&seen, timeout, || reader.pty.wake())
        };
        frames.clear();
        frames.extend(shared.history().since(seen.last.revision).cloned());
    }
}

/// Waits for a condition and returns the frame on which it held.
pub(crate) fn wait_for(
    reader: &Arc<PtyReader>,
    condition: &Condition,
    subject: WaitSubject,
    limits: &WaitLimits,
) -> Result<Arc<SessionFrame>, WaitError> {
    let baseline = match limits.appeared {
        Appeared::AfterEnter => reader.enters.last(),
        Appeared::Anytime => None,
    };
    let holds = |frame: &SessionFrame| match &baseline {
        None => condition.holds(&frame.screen),
        Some(baseline) if !baseline.follows(frame) => baseline.holds(condition, frame),
        Some(baseline) => match subject {
            // With a mark, output of any Enter since the mark counts; text shown while a line was
            // being typed does not.
            WaitSubject::ScreensSince(mark) if condition.requires_new_text() => {
                let from = reader.state.lock().history().revision_at(mark);
                let earlier = reader.enters.before(frame, from);
                earlier.is_some_and(|earlier| earlier.holds(condition, frame))
                    || baseline.is_at(frame) && baseline.holds(condition, frame)
            }
            _ => baseline.holds(condition, frame),
        },
    };
    let ended = wait(reader, subject, limits, |now| {
        let mut frames = now.frames.iter();
        match frames.find(|frame| holds(frame)) {
            Some(frame) => Evaluation::Ready(Arc::clone(frame)),
            None => Evaluation::Pending,
        }
    });
    ended.map_err(|end| {
        let report = || Box::new(WaitReport::since(reader, condition, baseline.as_deref()));
        wait_error_with(end, condition, limits.timeout, report)
    })
}

/// Waits until `is_change` has returned false for all frames of the last `debounce`, and returns
/// the current frame. `is_change` is called once for each frame, in order; the first call is for
/// the frame that is shown now, and its result is ignored. A program that has exited changes
/// nothing any more.
pub(crate) fn wait_until_settled(
    reader: &Arc<PtyReader>,
    debounce: Duration,
    limits: &WaitLimits,
    mut is_change: impl FnMut(&SessionFrame) -> bool,
) -> Result<Arc<SessionFrame>, WaitError> {
    let mut changed = reader.clock.now();
    let mut current = None;
    let ended = wait(reader, WaitSubject::Screens, limits, |now| {
        for frame in now.frames {
            if is_change(frame) && current.is_some() {
                changed = frame.time;
            }
            current = Some(Arc::clone(frame));
        }
        let settled = changed.saturating_add(debounce);
        match &current {
            Some(frame) if now.exit_status.is_some() || now.time >= settled => {
                Evaluation::Ready(Arc::clone(frame))
            }
            _ => Evaluation::PendingUntil(settled),
        }
    });
    let condition = Condition::new(format!("a screen unchanged for {debounce:?}"), |_| false);
    ended.map_err(|end| wait_error(reader, end, &condition, limits.timeout))
}

/// Waits `duration` from now and fails at the first visible change. A program that has exited
/// changes nothing any more.
pub(crate) fn unchanged_for(
    reader: &Arc<PtyReader>,
    duration: Duration,
) -> Result<Screen, WaitError> {
    let start = reader.clock.now();
    // Output written by now precedes the wait, even if it was not read yet.
    let written = reader.read_written();
    written.map_err(|error| WaitError::Read(Arc::new(error)))?;
    let first = reader.state.last_frame();
    let subject = WaitSubject::ScreensSince(first.mark());
    let changed = wait(reader, subject, &duration.into(), |now| {
        let frames = now.frames.iter();
        let mut diffs = frames.map(|frame| (frame, Diff::between(&first.screen, &frame.screen)));
        match diffs.find(|(_, diff)| !diff.is_empty()) {
            Some((frame, diff)) => Evaluation::Ready((frame.time, diff)),
            None => Evaluation::Pending,
        }
    });
    let condition = Condition::new(format!("a screen unchanged for {duration:?}"), |_| false);
    match changed {
        Ok((time, diff)) => Err(WaitError::Changed {
            condition: condition.to_string(),
            after: time.saturating_sub(start),
            diff: Box::new(diff),
            report: Box::new(WaitReport::new(reader, &condition)),
        }),
        Err(WaitEnd::TimedOut | WaitEnd::Ended(_)) => Ok(first.screen.clone()),
        Err(end) => Err(wait_error(reader, end, &condition, duration)),
    }
}

/// Waits until `noted` returns true for the program's notes.
pub(crate) fn wait_for_notes(
    reader: &Arc<PtyReader>,
    what: String,
    noted: impl Fn(&Notes) -> bool,
    limits: &WaitLimits,
) -> Result<Notes, WaitError> {
    let mut evaluated = None;
    let ended = wait(reader, WaitSubject::Notes, limits, |_| {
        let emulator = reader.emulator();
        let counts = emulator.notes().counts;
        // Every note comes with bytes, which are counted: with equal counts the result is the same.
        if evaluated == Some(counts) {
            return Evaluation::Pending;
        }
        evaluated = Some(counts);
        let notes = emulator.notes().clone();
        // Evaluated without the lock: a condition may be slow, or use the session itself.
        drop(emulator);
        if noted(&notes) {
            Evaluation::Ready(notes)
        } else {
            Evaluation::Pending
        }
    });
    let condition = Condition::new(what, |_| false);
    ended.map_err(|end| wait_error(reader, end, &condition, limits.timeout))
}

/// Waits for the next change after a mark.
pub(crate) fn wait_for_frame(
    reader: &Arc<PtyReader>,
    mark: Mark,
    limits: &WaitLimits,
) -> Result<Arc<SessionFrame>, WaitError> {
    let ended = wait(reader, WaitSubject::Screens, limits, |_| {
        // Searches the history, since the next screen may have been shown before this wait began.
        let shared = reader.state.lock();
        let history = shared.history();
        match history.since(history.revision_at(mark)).next() {
            Some(frame) => Evaluation::Ready(Arc::clone(frame)),
            None => Evaluation::Pending,
        }
    });
    let condition = Condition::new("another screen", |_| false);
    ended.map_err(|end| wait_error(reader, end, &condition, limits.timeout))
}

/// Waits until the program has exited and all its output has been processed.
pub(crate) fn wait_for_exit(
    reader: &Arc<PtyReader>,
    limits: &WaitLimits,
) -> Result<ExitStatus, WaitError> {
    let ended = wait(reader, WaitSubject::Screens, limits, |now| {
        match now.exit_status {
            Some(exit_status) => Evaluation::Ready(exit_status),
            None => Evaluation::Pending,
        }
    });
    let condition = Condition::new("the program's end", |_| false);
    ended.map_err(|end| wait_error(reader, end, &condition, limits.timeout))
}
