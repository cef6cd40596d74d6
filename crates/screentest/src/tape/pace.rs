//! When the steps of a tape happen.
//!
//! Every pause ends at a moment of the tape's own clock, counted from the pause before and not from whenever its step was done:
//! what a step takes is part of the pause behind it, and nothing adds up. A pause that is not lived through ends as soon as the
//! program waits for input and all that it wrote is shown; then the clock is moved to where the pause would have ended. So a
//! pause is never longer than the tape says, and the recording has the same times either way.
//!
//! Elsewhere: waiting until a program waits for input (`session/settling.rs`), the clock (`clock.rs`).

use std::time::Duration;

use super::options::Tempo;
use crate::clock::Clock;
use crate::patience::{Interrupt, Patience};
use crate::session::{Lapse, LastInput, Session, Settled};

/// How far behind its time a tape may fall and still catch up, by shorter pauses. What is further behind, as on a machine that
/// was asleep, would be a burst of keys.
const MOST_BEHIND: Duration = Duration::from_millis(250);

/// When the steps of a tape happen.
#[derive(Debug)]
pub(super) struct Pace<'a> {
    session: &'a Session,
    clock: Clock,
    tempo: Tempo,
    interrupt: Option<Interrupt>,
    /// The moment at which the next step happens.
    due: Duration,
    /// What the program was given last.
    last: LastInput,
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
            last: LastInput {
                time: clock.now(),
                escaped: None,
            },
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

    /// Something is about to be given to the program.
    pub(super) fn giving(&mut self, stroke: Stroke) {
        self.last = LastInput {
            time: self.clock.now(),
            escaped: match stroke {
                Stroke::Escape => Some(self.session.frame().revision),
                Stroke::Other => None,
            },
        };
    }

    /// What the program was given last.
    pub(super) fn last(&self) -> LastInput {
        self.last
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

    /// Waits until the program waits for input, but no longer than this: for steps that look at the screen at once.
    pub(super) fn settle(&mut self, most: Duration) -> Result<(), Stopped> {
        self.rest(self.clock.now().saturating_add(most))
    }

    /// Waits until the program waits for input, or for a moment.
    fn rest(&self, until: Duration) -> Result<(), Stopped> {
        let left = until.saturating_sub(self.clock.now());
        match self.session.settle(self.last, &self.patience(left)) {
            Settled::AtRest | Settled::NotYet => Ok(()),
            Settled::Interrupted => Err(Stopped),
        }
    }

    /// Lets time pass until a moment.
    fn live(&self, until: Duration) -> Result<(), Stopped> {
        loop {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return Ok(());
            }
            match self.session.let_pass(&self.patience(left)) {
                Lapse::Over => return Ok(()),
                Lapse::Interrupted => return Err(Stopped),
                Lapse::Ended => {}
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

    /// A wait of so long that the run's own end ends too.
    pub(super) fn patience(&self, timeout: Duration) -> Patience {
        match &self.interrupt {
            Some(interrupt) => interrupt.within(timeout),
            None => timeout.into(),
        }
    }
}

/// What a program is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stroke {
    /// Escape alone, which may be the beginning of a key.
    Escape,
    /// Anything else.
    Other,
}
