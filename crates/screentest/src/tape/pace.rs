//! When the steps of a tape happen.
//!
//! Every pause ends at a moment of the tape's own clock, counted from the pause before and not from whenever its step was done:
//! what a step takes is part of the pause behind it, and nothing adds up. A pause that is not lived through ends as soon as the
//! program waits for input and all that it wrote is shown; then the clock is moved to where the pause would have ended. So a
//! pause is never longer than the tape says, and the recording has the same times either way.
//!
//! Elsewhere: waiting until a program waits for input (`session/ready.rs`), the clock (`clock.rs`).

use std::time::Duration;

use super::options::Tempo;
use crate::clock::Clock;
use crate::session::wait::limits::{Interrupt, Patience};
use crate::session::{InputSender, PauseEnd, Ready, Session};

/// How far behind its time a tape may fall and still catch up, by shorter pauses. What is further behind, as on a machine that
/// was asleep, would be a burst of keys.
const MOST_BEHIND: Duration = Duration::from_millis(250);

/// How long a program may draw before its screen is looked at.
const DRAWING: Duration = Duration::from_secs(1);

/// When the steps of a tape happen.
#[derive(Debug)]
pub(super) struct Pace<'a> {
    session: &'a Session,
    clock: Clock,
    tempo: Tempo,
    interrupt: Option<Interrupt>,
    /// The moment at which the next step happens.
    due: Duration,
}

/// Somebody ended the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

impl<'a> Pace<'a> {
    /// Begins now.
    pub(super) fn new(
        session: &'a Session,
        tempo: Tempo,
        interrupt: Option<Interrupt>,
    ) -> Pace<'a> {
        let clock = session.clock().clone();
        Pace {
            session,
            tempo,
            interrupt,
            due: clock.now(),
            clock,
        }
    }

    /// A step took a time of its own, which is not made up for.
    pub(super) fn waited(&mut self) {
        self.due = self.due.max(self.clock.now());
    }

    /// The program is ready, and what it shows is seen for so long before the first step. Counted from when it was shown, and not from
    /// when that was noticed: how long somebody looked whether it is ready differs from run to run.
    pub(super) fn begin(&mut self, seen: Duration) -> Result<(), Stopped> {
        self.due = self.session.frame().time;
        self.pause(seen)?;
        // One that was ready only later is not typed to in a burst.
        self.waited();
        Ok(())
    }

    /// Lets a pause pass.
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

    /// Waits until the program waits for input and its screen is still, for steps that look at the
    /// screen. A program that works is not waited for longer than this; one that only draws, or whose
    /// output is on its way through a relay such as tmux, for up to a second.
    pub(super) fn settle(&mut self, most: Duration) -> Result<(), Stopped> {
        let patience = self.patience(most);
        match self.session.wait_ready_drawing(&patience, DRAWING) {
            Ready::Yes | Ready::No(_) | Ready::Ended => Ok(()),
            Ready::Interrupted => Err(Stopped),
        }
    }

    /// Waits until the program waits for input, or for a moment.
    fn rest(&self, until: Duration) -> Result<(), Stopped> {
        let left = until.saturating_sub(self.clock.now());
        match self.session.wait_ready(&self.patience(left)) {
            Ready::Yes | Ready::No(_) | Ready::Ended => Ok(()),
            Ready::Interrupted => Err(Stopped),
        }
    }

    /// Lets time pass until a moment.
    fn live(&self, until: Duration) -> Result<(), Stopped> {
        loop {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Ok(());
            }
            match self.session.pause(&self.patience(left)) {
                PauseEnd::Over | PauseEnd::Shown => return Ok(()),
                PauseEnd::Interrupted => return Err(Stopped),
                PauseEnd::Ended => {}
            }
            // Nothing more comes from the program, but the tape goes on.
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

    /// Sends input, which the end of the run ends too.
    pub(super) fn input(&self) -> InputSender<'a> {
        let input = self.session.input();
        input.interrupted_by(self.interrupt.clone())
    }

    /// A wait of so long that the run's own end ends too.
    pub(super) fn patience(&self, timeout: Duration) -> Patience {
        match &self.interrupt {
            Some(interrupt) => interrupt.within(timeout),
            None => timeout.into(),
        }
    }
}
