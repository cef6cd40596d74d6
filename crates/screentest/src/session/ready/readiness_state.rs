//! State about the program's readiness that a session keeps between waits.

use std::time::Duration;

use crate::pty::Waiting;
use crate::session::Session;
use crate::session::history::Mark;
use crate::session::input::log::AutoWaitTimeout;

/// State that a session keeps between waits.
#[derive(Debug, Default)]
pub(in crate::session) struct ReadinessState {
    pub(super) last: Option<LastInput>,
    /// How the program waited when it was last ready.
    pub(super) waiting: Waiting,
    /// A line was begun in a terminal in canonical mode, and its program waits for nothing but the
    /// line.
    pub(super) line_open: bool,
    /// How many waits in a row have reached their bound.
    pub(super) unready: u32,
    /// How many waits in a row have found a program that kept drawing.
    pub(super) restless: u32,
    /// Whether the program was a relay, which hands input on to others, at the last check.
    pub(super) is_relay: bool,
    /// The first input that was sent too early, for [`Session::take_auto_wait_timeout`].
    pub(super) auto_wait_timeout: Option<AutoWaitTimeout>,
    /// The state in which the last wait found the program still; `None` after an input.
    pub(super) still: Option<StillProgram>,
    /// The screen that was shown when the last input call began to send.
    pub(super) acted_on: Option<Mark>,
}

impl ReadinessState {
    /// Returns whether a text may be sent all at once, according to the last check.
    pub(in crate::session) fn takes_text_at_once(&self) -> bool {
        self.waiting.text_at_once
    }

    /// Returns whether there is another terminal behind this one, which turns keys such as Ctrl+C
    /// into signals.
    pub(in crate::session) fn is_relay(&self) -> bool {
        self.is_relay
    }
}

impl Waiting {
    /// Returns whether only a complete line makes the program continue.
    fn blocks_until_line_ends(&self) -> bool {
        self.text_at_once && self.relay.is_none() && self.timers.is_empty() && self.nap.is_none()
    }
}

/// A program that waits and writes nothing. A wait that finds the same state continues from there:
/// a tape waits after each key, and again before the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StillProgram {
    /// How it waits.
    pub(super) state: u64,
    /// How many bytes it has written.
    pub(super) output: u64,
    pub(super) since: Duration,
    /// How often its threads had run then.
    pub(super) runs: Option<u64>,
}

/// The last input.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastInput {
    pub(super) time: Duration,
    /// The same by the system's clock. The clock of a fast tape skips pauses.
    pub(super) real_time: Duration,
    /// The revision of the screen that was shown then.
    pub(super) revision: u64,
    /// It ended with an Escape, which may be the beginning of a key.
    pub(super) escape: bool,
}

impl Session {
    /// Stores the screen on which an input call begins to send.
    pub(in crate::session) fn note_input_begins(&self) {
        let mark = self.shown().mark();
        self.readiness().acted_on = Some(mark);
    }

    /// Returns a mark of the screen that was shown when the last key, text, paste or mouse event
    /// began to be sent. Every later screen may be its effect.
    pub fn mark_before_input(&self) -> Mark {
        self.readiness().acted_on.unwrap_or(Mark::START)
    }

    /// Stores the last input. `timeout` is set if the program was not ready for it.
    pub(in crate::session) fn note_sent(&self, bytes: &[u8], timeout: Option<AutoWaitTimeout>) {
        let last = LastInput {
            time: self.ready_clock().now(),
            real_time: self.real_time.now(),
            revision: self.shown().revision,
            escape: bytes.last() == Some(&0x1b),
        };
        let mut readiness = self.readiness();
        // A terminal in canonical mode delivers characters only when the line ends.
        let is_part_of_line =
            timeout.is_none() && bytes.iter().all(|byte| *byte >= 0x20 && *byte != 0x7f);
        readiness.line_open = is_part_of_line && readiness.waiting.blocks_until_line_ends();
        readiness.last = Some(last);
        readiness.still = None;
        readiness.auto_wait_timeout = readiness.auto_wait_timeout.or(timeout);
    }

    /// Returns the first input since the last call that was sent to a program that was not ready,
    /// and resets it.
    pub fn take_auto_wait_timeout(&self) -> Option<AutoWaitTimeout> {
        self.readiness().auto_wait_timeout.take()
    }
}
