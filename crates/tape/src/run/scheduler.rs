//! Schedules the steps of a tape.
//!
//! Each pause ends at a time computed from the end of the previous pause, not from the end of its
//! step. The time that a step takes is therefore part of the following pause, and delays do not add
//! up. In fast mode, a pause ends as soon as the program waits for input and all of its output is
//! shown; the clock is then moved to the end of the pause. So a pause is never longer than the tape
//! says, and the recording has the same times in both modes.
//!
//! See also: `session/ready.rs` (detects that a program waits for input), `clock.rs` (the clock).

use std::time::Duration;

use super::options::Tempo;
use screentest::clock::Clock;
use screentest::internals::{PauseEnd, Ready};
use screentest::session::{InputSender, Session};
use screentest::{Interrupt, WaitLimits};

/// How far a tape may be late and still catch up by shorter pauses. Catching up on more, for
/// example after a suspend, would send a burst of keys.
const MOST_BEHIND: Duration = Duration::from_millis(250);

/// How long to wait for a program that only draws before its screen is used.
const DRAWING: Duration = Duration::from_secs(1);

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
pub(super) struct Stopped;

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

    /// Records that a step took a time of its own, which later pauses do not make up for.
    pub(super) fn waited(&mut self) {
        self.due = self.due.max(self.clock.now());
    }

    /// Starts the schedule when the program is ready: its first screen is shown for `seen` before
    /// the first step. This time counts from when the screen appeared, not from when readiness was
    /// detected, which differs between runs.
    pub(super) fn begin(&mut self, seen: Duration) -> Result<(), Stopped> {
        self.due = self.session.frame().time;
        self.pause(seen)?;
        // If the program became ready late, do not send a burst of keys.
        self.waited();
        Ok(())
    }

    /// Waits for the end of a pause.
    pub(super) fn pause(&mut self, time: Duration) -> Result<(), Stopped> {
        let now = self.clock.now();
        if now > self.due + MOST_BEHIND {
            self.due = now;
        }
        self.due = self.due.saturating_add(time);
        match self.tempo {
            Tempo::Lived => self.live(self.due),
            Tempo::Fast => {
                self.rest(self.due)?;
                let left = self.due.saturating_sub(self.clock.now());
                if !left.is_zero() {
                    self.clock.advance(left);
                }
                Ok(())
            }
        }
    }

    /// Waits until the program waits for input and its screen is still, before steps that look at
    /// the screen. Waits up to `most` for a busy program, and up to a second for one that only
    /// draws or whose output passes a relay such as tmux.
    pub(super) fn settle(&mut self, most: Duration) -> Result<(), Stopped> {
        let limits = self.limits(most);
        match self.session.wait_ready_drawing(&limits, DRAWING) {
            Ready::Yes | Ready::No(_) | Ready::Ended => Ok(()),
            Ready::Interrupted => Err(Stopped),
        }
    }

    /// Waits until the program waits for input, but not past this time.
    fn rest(&self, until: Duration) -> Result<(), Stopped> {
        let left = until.saturating_sub(self.clock.now());
        match self.session.wait_ready(&self.limits(left)) {
            Ready::Yes | Ready::No(_) | Ready::Ended => Ok(()),
            Ready::Interrupted => Err(Stopped),
        }
    }

    /// Waits until this time.
    fn live(&self, until: Duration) -> Result<(), Stopped> {
        loop {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Ok(());
            }
            match self.session.pause(&self.limits(left)) {
                PauseEnd::Over | PauseEnd::Shown => return Ok(()),
                PauseEnd::Interrupted => return Err(Stopped),
                PauseEnd::Ended => {}
            }
            // The program has ended, but the tape continues.
            let left = until.saturating_sub(self.clock.now());
            match &self.interrupt {
                Some(interrupt) => interrupt.pause(left),
                None => self.clock.pass(left),
            }
            if self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
                return Err(Stopped);
            }
        }
    }

    /// Returns a sender of input that stops when the run is interrupted.
    pub(super) fn input(&self) -> InputSender<'a> {
        let input = self.session.input();
        input.interrupted_by(self.interrupt.clone())
    }

    /// Returns the limits of a wait: a timeout, and the interruption of the run.
    pub(super) fn limits(&self, timeout: Duration) -> WaitLimits {
        match &self.interrupt {
            Some(interrupt) => interrupt.within(timeout),
            None => timeout.into(),
        }
    }
}
