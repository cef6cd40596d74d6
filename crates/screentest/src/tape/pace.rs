//! When the steps of a tape happen.
//!
//! Every pause ends at a moment of the tape's own clock, counted from the pause before and not from whenever its step was done:
//! what a step takes is part of the pause behind it, and nothing adds up. A pause that is not lived through ends as soon as the
//! program waits for input and all that it wrote is shown; then the clock is moved to where the pause would have ended. So a
//! pause is never longer than the tape says, and the recording has the same times either way.
//!
//! Elsewhere: whether a program waits for input (`pty/rest.rs`), the clock (`clock.rs`).

use std::time::Duration;

use super::options::Tempo;
use crate::clock::Clock;
use crate::patience::{Interrupt, Patience};
use crate::session::{Rest, Session, TimePassed};

/// How soon it is looked whether a program waits for input, and how rarely at last. Most answer a key within the first; one that
/// works for long is not held up by who looks.
const FIRST_LOOK: Duration = Duration::from_micros(100);
const LAST_LOOK: Duration = Duration::from_millis(10);

/// How long nothing must have changed where the system does not tell what a program is doing.
const STILL: Duration = Duration::from_millis(50);

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
    /// What was shown when an Escape was pressed that nothing has followed yet.
    escaped: Option<u64>,
    /// When the program was given something last.
    given: Duration,
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
            given: clock.now(),
            clock,
            escaped: None,
        }
    }

    /// A step took a time of its own, which is not made up for.
    pub(super) fn waited(&mut self) {
        self.due = self.due.max(self.clock.now());
    }

    /// Something is about to be given to the program.
    pub(super) fn giving(&mut self, given: Given) {
        self.escaped = match given {
            Given::Escape => Some(self.session.frame().revision),
            Given::Other => None,
        };
        self.given = self.clock.now();
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
        let mut look = FIRST_LOOK;
        while self.clock.now() < until {
            if self.rests() {
                return Ok(());
            }
            self.live(until.min(self.clock.now() + look))?;
            look = LAST_LOOK.min(look * 2);
        }
        Ok(())
    }

    fn rests(&self) -> bool {
        // A program tells a lone Escape from the beginning of a key by time alone: until it shows that it has, it waits for the
        // rest of a key as for any other input.
        let undecided = |revision| self.session.frame().revision == revision;
        if self.escaped.is_some_and(undecided) {
            return false;
        }
        if self.session.outcome().is_some() {
            return true;
        }
        match self.session.rests() {
            Rest::Yes => true,
            Rest::NotYet => false,
            Rest::Unknown => {
                let shown = self.session.frame().time;
                self.clock.now() >= shown.max(self.given) + STILL
            }
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
                TimePassed::Over => return Ok(()),
                TimePassed::Interrupted => return Err(Stopped),
                TimePassed::Ended => {}
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
pub(super) enum Given {
    /// Escape alone, which may be the beginning of a key.
    Escape,
    /// Anything else.
    Other,
}
