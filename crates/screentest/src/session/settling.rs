//! Waiting until a program waits for input.

use std::time::Duration;

use super::Session;
use super::resting::{Passed, Rest};
use crate::patience::Patience;

/// How soon it is looked whether a program waits for input, and how rarely at last.
const FIRST_LOOK: Duration = Duration::from_micros(100);
const LAST_LOOK: Duration = Duration::from_millis(10);

/// How long nothing must have changed where the system does not tell what a program is doing.
const STILL: Duration = Duration::from_millis(50);

impl Session {
    /// Waits until the program waits for input and all that it wrote is shown, or has ended, for at most so long; whether it came to
    /// that. So a script types when a person would.
    pub fn wait_rest(&self, most: Duration) -> bool {
        let clock = self.clock();
        let began = clock.now();
        let until = began.saturating_add(most);
        let mut look = FIRST_LOOK;
        loop {
            let now = clock.now();
            let rests = match self.rests() {
                _ if self.outcome().is_some() => true,
                Rest::Yes => true,
                Rest::NotYet => false,
                Rest::Unknown => now >= self.frame().time.max(began).saturating_add(STILL),
            };
            if rests || now >= until {
                return rests;
            }
            let pause = look.min(until.saturating_sub(now));
            if self.let_pass(&Patience::from(pause)) != Passed::Over {
                return true;
            }
            look = LAST_LOOK.min(look * 2);
        }
    }
}
