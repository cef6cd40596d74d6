//! Schedules the steps of a tape.
//!
//! Each pause ends at a time computed from the end of the previous pause, not from the end of its
//! step. The time that a step takes is therefore part of the following pause, and delays do not add
//! up. In fast mode, a pause ends as soon as the program waits for input and all of its output is
//! shown; the clock is then moved to the end of the pause. So a pause is never longer than the tape
//! says, and the recording has the same times in both modes.
//!
//! See also: `crates/screentest/src/session/ready.rs` (detects that a program waits for input),
//! `crates/screentest/src/clock.rs` (the clock).

use std::time::Duration;

use super::options::Tempo;
use screentest::clock::Clock;
use screentest::internals::{PauseEnd, Ready};
use screentest::session::{InputSender, Session};
use screentest::session::{Interrupt, WaitLimits};

/// How far a tape may be late and still catch up by shorter pauses. Catching up on more, for
/// example after a suspend, would send a burst of keys.
const MAX_LATENESS: Duration = Duration::from_millis(250);

/// How much longer to wait, before the screen is used, for a program that waits for input but is
/// still drawing.
const MAX_DRAWING: Duration = Duration::from_secs(1);

/// The schedule of a run.
#[derive(Debug)]
pub(super) struct Scheduler<'a> {
    session: &'a Session,
    clock: Clock,
    tempo: Tempo,
    interrupt: Option<Interrupt>,
    /// The time of the next step.
    due: Duration,
}

/// The run was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interrupted;

impl<'a> Scheduler<'a> {
    /// Starts the schedule now.
    pub(super) fn new(
        session: &'a Session,
        tempo: Tempo,
        interrupt: Option<Interrupt>,
    ) -> Scheduler<'a> {
        let clock = session.clock().clone();
        Scheduler {
            session,
            tempo,
            interrupt,
            due: clock.now(),
            clock,
        }
    }

    /// Records that a step took time that later pauses do not make up for.
    pub(super) fn resync(&mut self) {
        self.due = self.due.max(self.clock.now());
    }

    /// Starts the schedule when the program is ready: its first screen is shown for `shown_for`
    /// before the first step. This time counts from when the screen appeared, not from when
    /// readiness was detected, which differs between runs.
    pub(super) fn begin(&mut self, shown_for: Duration) -> Result<(), Interrupted> {
        self.due = self.session.frame().time;
        self.pause(shown_for)?;
        // If the program became ready late, do not send a burst of keys.
        self.resync();
        Ok(())
    }

    /// Waits for the end of a pause.
    pub(super) fn pause(&mut self, time: Duration) -> Result<(), Interrupted> {
        let now = self.clock.now();
        if now > self.due + MAX_LATENESS {
            self.due = now;
        }
        self.due = self.due.saturating_add(time);
        match self.tempo {
            Tempo::RealTime => self.wait_until(self.due),
            Tempo::Fast => {
                self.wait_until_ready(self.due)?;
                let left = self.due.saturating_sub(self.clock.now());
                if !left.is_zero() {
                    self.clock.advance(left);
                }
                Ok(())
            }
        }
    }

    /// Waits until the program waits for input and its screen is still, before steps that look at
    /// the screen. Waits up to `limit` for a busy program, and up to a second for one that only
    /// draws or whose output passes a relay such as tmux.
    pub(super) fn settle(&mut self, limit: Duration) -> Result<(), Interrupted> {
        let limits = self.wait_limits(limit);
        match self.session.wait_ready_drawing(&limits, MAX_DRAWING) {
            Ready::Yes | Ready::No(_) | Ready::Ended => Ok(()),
            Ready::Interrupted => Err(Interrupted),
        }
    }

    /// Waits until the program waits for input, but not past this time.
    fn wait_until_ready(&self, until: Duration) -> Result<(), Interrupted> {
        let left = until.saturating_sub(self.clock.now());
        match self.session.wait_ready(&self.wait_limits(left)) {
            Ready::Yes | Ready::No(_) | Ready::Ended => Ok(()),
            Ready::Interrupted => Err(Interrupted),
        }
    }

    /// Waits until this time.
    fn wait_until(&self, until: Duration) -> Result<(), Interrupted> {
        loop {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Ok(());
            }
            match self.session.pause(&self.wait_limits(left)) {
                PauseEnd::Over | PauseEnd::Shown => return Ok(()),
                PauseEnd::Interrupted => return Err(Interrupted),
                PauseEnd::Ended => {}
            }
            // The program has ended, but the tape continues.
            let left = until.saturating_sub(self.clock.now());
            match &self.interrupt {
                Some(interrupt) => interrupt.pause(left),
                None => self.clock.pass(left),
            }
            if self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
                return Err(Interrupted);
            }
        }
    }

    /// Returns a sender of input that stops when the run is interrupted.
    pub(super) fn input(&self) -> InputSender<'a> {
        let input = self.session.input();
        input.interrupted_by(self.interrupt.clone())
    }

    /// Returns the limits of a wait: a timeout, and the interruption of the run.
    pub(super) fn wait_limits(&self, timeout: Duration) -> WaitLimits {
        match &self.interrupt {
            Some(interrupt) => interrupt.within(timeout),
            None => timeout.into(),
        }
    }
}
