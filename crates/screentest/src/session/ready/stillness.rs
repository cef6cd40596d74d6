//! How long a program must be still before it counts as ready.

use std::time::Duration;

use super::check::ReadinessWait;
use crate::pty::{Relay, Waiting};

/// The longest timer that is waited for. Measured: Textual draws after 2 to 23 ms, Ink after up to
/// 32 ms; timers that mean nothing here begin with 100 ms (polls for input, blinking cursors).
const SHORT_TIMER: Duration = Duration::from_millis(50);
/// The kernel wakes a thread a little after its timer.
const TIMER_SLACK: Duration = Duration::from_millis(1);
/// The longest time that programs wait for the rest of a key after an Escape: curses waits 1000 ms,
/// readline and prompt_toolkit 500 ms, vim 100 ms.
pub(super) const LONGEST_ESCAPE: Duration = Duration::from_millis(1100);
/// The longest timer that counts as one for an Escape if the program had no such timer before.
const LONGEST_NEW_TIMER: Duration = Duration::from_millis(2500);
/// How much later than its timer a program may react to a lone Escape. Timers are late on virtual
/// machines that lose their processor.
const ESCAPE_SLACK: Duration = Duration::from_millis(20);
/// How long the screen must be still behind a relay, half of it once it shows an effect of the last
/// input. Every program there was seen waiting for input, and only bytes between them may still be
/// in transit.
const RELAY_STILL: Duration = Duration::from_millis(20);
/// How long the screen must be still if it is the only evidence: once it shows an effect of the
/// last input, and if it shows none.
pub(super) const STILL: Duration = Duration::from_millis(60);
const STILL_WITHOUT_EFFECT: Duration = Duration::from_millis(250);
/// How long it must be still if every program in tmux or screen works. The multiplexer itself reads
/// keys, and its programs may discard keys until they are ready for input.
pub(super) const STILL_AND_BUSY: Duration = Duration::from_secs(1);

impl ReadinessWait<'_> {
    /// Returns how long the program must have waited in this state without writing.
    pub(super) fn needed_stillness(&self, waiting: &Waiting) -> Duration {
        let short = waiting.timers.iter().filter(|timer| **timer <= SHORT_TIMER);
        let timer = short
            .chain(&self.nap)
            .max()
            .map_or(Duration::ZERO, |timer| {
                *timer + TIMER_SLACK + self.wake_latency
            });
        let relayed = match waiting.relay {
            None => Duration::ZERO,
            // On a busy machine, the kernel moves bytes between terminals as late as it wakes
            // threads.
            Some(Relay::Waiting) => {
                if self.has_effect() {
                    RELAY_STILL / 2 + self.wake_latency
                } else {
                    RELAY_STILL + 2 * self.wake_latency
                }
            }
            Some(Relay::Working | Relay::Starting | Relay::Hidden) => self.still_enough(),
            Some(Relay::Busy) => STILL_AND_BUSY,
        };
        timer.max(relayed)
    }

    /// Returns whether a short timer has not woken its thread yet.
    pub(super) fn short_timer_is_pending(&self, waiting: &Waiting) -> bool {
        let has_short_timer = waiting.timers.iter().any(|timer| *timer <= SHORT_TIMER);
        has_short_timer && self.has_not_run(waiting)
    }

    /// Returns how long the screen must be still if there is no other evidence.
    pub(super) fn still_enough(&self) -> Duration {
        if self.has_effect() {
            STILL + 2 * self.wake_latency
        } else {
            STILL_WITHOUT_EFFECT
        }
    }

    /// Returns whether the screen has changed since the last input; true if there was none.
    pub(super) fn has_effect(&self) -> bool {
        let revision = self.session.shown().revision;
        self.last.is_none_or(|last| last.revision != revision)
    }

    /// Returns whether the program may still wait for the rest of a key that begins with the last
    /// Escape.
    pub(super) fn escape_is_open(&mut self, waiting: &Waiting, now: Duration) -> bool {
        let Some(last) = self.last.filter(|last| last.escape) else {
            return false;
        };
        let counts = |timer: &&Duration| {
            let is_new = !self.timers_before.contains(timer);
            **timer <= LONGEST_ESCAPE || is_new && **timer <= LONGEST_NEW_TIMER
        };
        let timers: Vec<Duration> = waiting.timers.iter().filter(counts).copied().collect();
        let (Some(longest), Some(shortest)) = (timers.iter().max(), timers.iter().min()) else {
            // No timer runs, so waiting longer decides nothing.
            return false;
        };
        let timer = if self.session.shown().revision == last.revision {
            *longest
        } else {
            *shortest
        };
        // Counted from the time when the program was first seen waiting in its current state: on a
        // busy machine, that may be long after the Escape was sent. A program with many timers
        // never stays in one state for that long.
        let slack = ESCAPE_SLACK + self.wake_latency;
        let waits =
            now.saturating_sub(self.still_since) < timer + slack || self.has_not_run(waiting);
        let most = LONGEST_ESCAPE.max(timer) + slack;
        waits && now.saturating_sub(last.time) < most
    }
}
