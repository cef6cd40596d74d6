//! Waiting until a program waits for input.
//!
//! No event tells of it, so it is looked at: at once, for most programs answer a key right away, and then ever more rarely, so that one
//! that works for long is not held up by who looks. What is shown meanwhile is read.
//!
//! Elsewhere: one look (`session/resting.rs`), what a tape makes of it (`tape/pace.rs`).

use std::time::Duration;

use super::Session;
use super::resting::{Lapse, Rest};
use crate::patience::Patience;

/// How soon it is looked a second time, and how rarely at last.
const FIRST_LOOK: Duration = Duration::from_micros(100);
const LAST_LOOK: Duration = Duration::from_millis(10);

/// How long nothing must have changed where the system does not tell what a program is doing.
const UNTOLD: Duration = Duration::from_millis(50);

/// What a program was given last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastInput {
    /// When.
    pub(crate) time: Duration,
    /// Where it was an Escape alone, the revision of what was shown then.
    pub(crate) escaped: Option<u64>,
}

/// How a wait for a program to wait for input ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// It waits, or nothing will be shown any more.
    AtRest,
    /// There was no more time.
    NotYet,
    /// Somebody interrupted it.
    Interrupted,
}

impl Session {
    /// Waits until the program waits for input and all that it wrote is shown, or has ended, for at most so long; whether it came to
    /// that. So a script types when a person would.
    pub fn wait_rest(&self, most: Duration) -> bool {
        let now = LastInput {
            time: self.clock().now(),
            escaped: None,
        };
        self.settle(now, &most.into()) == Settled::AtRest
    }

    /// The same, for who knows what the program was given last.
    pub(crate) fn settle(&self, last: LastInput, patience: &Patience) -> Settled {
        let clock = self.clock();
        let until = clock.now().saturating_add(patience.timeout);
        let mut look = FIRST_LOOK;
        loop {
            if self.has_settled(last) {
                return Settled::AtRest;
            }
            let left = until.saturating_sub(clock.now());
            if left.is_zero() {
                return Settled::NotYet;
            }
            match self.let_pass(&patience.of(look.min(left))) {
                Lapse::Over => {}
                Lapse::Ended => return Settled::AtRest,
                Lapse::Interrupted => return Settled::Interrupted,
            }
            look = LAST_LOOK.min(look * 2);
        }
    }

    /// Whether the program waits for input, as far as anybody can tell, or has ended.
    pub(crate) fn has_settled(&self, last: LastInput) -> bool {
        if self.outcome().is_some() {
            return true;
        }
        // A program tells a lone Escape from the beginning of a key by time alone: until it shows that it has, it waits for the
        // rest of a key as for any other input.
        let undecided = |revision| self.frame().revision == revision;
        if last.escaped.is_some_and(undecided) {
            return false;
        }
        match self.rests() {
            Rest::Yes => true,
            Rest::NotYet => false,
            Rest::Unknown => {
                let changed = self.frame().time.max(last.time);
                self.clock().now() >= changed.saturating_add(UNTOLD)
            }
        }
    }
}
