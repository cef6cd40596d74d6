//! The queue of events from the session to the recorder, in order.
//!
//! A sender blocks only if the recorder is far behind, so that memory stays bounded.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::formats::cassette::input::{InputBytes, InputKind as RecordedInput};
use screentest_core::input::focus::Focus;
use screentest_core::{Screen, Size};

use crate::clock::Clock;
use crate::pty::{LineFlags, Pty};
use crate::session::exit_status::ExitStatus;
use crate::session::input::log::InputKind;
use screentest_core::input::token;

/// The number of bytes that may be queued: about one second of bulk output.
const MAX_QUEUED_BYTES: usize = 16 << 20;

/// The approximate size of a screen's list of rows, counted for events without bytes so that their
/// number is bounded too.
const EVENT_OVERHEAD: usize = 1024;

/// An event and its time.
#[derive(Debug)]
pub(super) struct QueuedEvent {
    pub(super) time: Duration,
    pub(super) event: SessionEvent,
}

#[derive(Debug)]
pub(super) enum SessionEvent {
    /// The program wrote output.
    Output(Vec<u8>),
    /// The screen changed.
    FrameTime {
        screen: Screen,
        unfinished: bool,
    },
    Input(RecordedInput),
    Resized(Size),
    Event {
        mark: Option<String>,
        data: serde_json::Value,
    },
    Ended(ExitStatus),
}

/// The sending side of a recording.
#[derive(Debug)]
pub(crate) struct EventQueue {
    queue: Mutex<QueueState>,
    /// Signalled when there is an event to write, or the clock has advanced.
    new_events: Condvar,
    /// Signalled when events were taken from the queue.
    room: Condvar,
    pub(super) clock: Clock,
    started: Duration,
    keep_keys: bool,
}

#[derive(Debug, Default)]
struct QueueState {
    events: VecDeque<QueuedEvent>,
    bytes: usize,
    /// No more events will come.
    is_finished: bool,
    /// The recorder has stopped.
    is_closed: bool,
    /// The recorder should check the clock.
    is_woken: bool,
}

impl EventQueue {
    pub(super) fn new(clock: Clock, keep_keys: bool) -> EventQueue {
        EventQueue {
            queue: Mutex::default(),
            new_events: Condvar::new(),
            room: Condvar::new(),
            started: clock.now(),
            clock,
            keep_keys,
        }
    }

    /// Records output of the program.
    pub(crate) fn output(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.push(SessionEvent::Output(bytes.to_vec()));
        }
    }

    /// Records a screen.
    pub(crate) fn shown(&self, screen: &Screen, unfinished: bool) {
        let mut screen = screen.clone();
        // A synchronized update in progress does not change what is shown.
        screen.modes.synchronized = false;
        self.push(SessionEvent::FrameTime { screen, unfinished });
    }

    /// Records an answer of the terminal.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        let bytes = InputBytes(bytes.to_vec());
        self.push(SessionEvent::Input(RecordedInput::Reply { bytes }));
    }

    /// Records user input that is about to be sent.
    pub(crate) fn input(&self, kind: &InputKind, bytes: &[u8], pty: &dyn Pty) {
        let stored = self.is_stored(pty);
        let push_input = |bytes: &[u8]| {
            self.push(SessionEvent::Input(if stored {
                recorded_input(kind, bytes)
            } else {
                RecordedInput::Withheld
            }));
        };
        match kind {
            // If the caller is itself a terminal, its answers are mixed with what the user types.
            InputKind::Bytes(_) => {
                for (part, kind) in split_answers(bytes) {
                    match kind {
                        token::TokenKind::Answer => self.reply(part),
                        _ => push_input(part),
                    }
                }
            }
            _ => push_input(bytes),
        }
    }

    /// Records a size change.
    pub(crate) fn resized(&self, size: Size) {
        self.push(SessionEvent::Resized(size));
    }

    /// Records a signal.
    pub(crate) fn signal(&self, signal: crate::Signal) {
        let name = signal.to_string();
        self.push(SessionEvent::Input(RecordedInput::Signal { name }));
    }

    /// Records an event of the caller.
    pub(crate) fn event(&self, mark: Option<String>, data: serde_json::Value) {
        self.push(SessionEvent::Event { mark, data });
    }

    /// Records the exit of the program.
    pub(crate) fn ended(&self, outcome: ExitStatus) {
        self.push(SessionEvent::Ended(outcome));
    }

    /// Announces that no more events will come.
    pub(super) fn finish(&self) {
        self.lock().is_finished = true;
        self.new_events.notify_all();
    }

    /// Wakes the recorder after the clock has advanced.
    pub(super) fn wake(&self) {
        self.lock().is_woken = true;
        self.new_events.notify_all();
    }

    /// Returns whether input may be stored now. Without echo, it may be a password.
    fn is_stored(&self, pty: &dyn Pty) -> bool {
        let Some(line) = pty.line() else {
            // A scripted PTY has no password prompt. If a real terminal does not report its
            // modes, they are unknown.
            return !pty.has_line();
        };
        let flags = line.now.flags;
        flags.contains(LineFlags::ECHO) || (self.keep_keys && !flags.contains(LineFlags::ICANON))
    }

    fn push(&self, event: SessionEvent) {
        let bytes = match &event {
            SessionEvent::Output(bytes) => bytes.len(),
            SessionEvent::Input(input) => input.bytes().map_or(0, <[u8]>::len) + EVENT_OVERHEAD,
            SessionEvent::Event { data, .. } => data.to_string().len() + EVENT_OVERHEAD,
            _ => EVENT_OVERHEAD,
        };
        let mut queue = self.lock();
        while queue.bytes > MAX_QUEUED_BYTES && !queue.is_closed {
            queue = self
                .room
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if queue.is_closed {
            return;
        }
        queue.bytes += bytes;
        // Read the clock under the lock, so that times never decrease.
        let time = self.clock.now().saturating_sub(self.started);
        let was_empty = queue.events.is_empty();
        queue.events.push_back(QueuedEvent { time, event });
        drop(queue);
        if was_empty {
            self.new_events.notify_all();
        }
    }

    /// Waits for events, at most until `until` (counted from the start). Returns all of them, and
    /// whether more may come.
    pub(super) fn take(&self, until: Option<Duration>) -> (VecDeque<QueuedEvent>, bool) {
        let mut queue = self.lock();
        while queue.events.is_empty() && !queue.is_finished && !queue.is_woken {
            let timeout = until.and_then(|until| self.clock.until(self.started + until));
            queue = match timeout {
                Some(Duration::ZERO) => break,
                Some(timeout) => {
                    let waited = self.new_events.wait_timeout(queue, timeout);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self
                    .new_events
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner),
            };
        }
        queue.is_woken = false;
        queue.bytes = 0;
        let events = std::mem::take(&mut queue.events);
        let is_finished = queue.is_finished;
        drop(queue);
        self.room.notify_all();
        (events, !is_finished)
    }

    /// The time since the start.
    pub(super) fn now(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard of the recorder thread: however the thread ends, senders no longer wait for it.
pub(super) struct CloseOnDrop<'a>(pub(super) &'a EventQueue);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.room.notify_all();
    }
}

/// Splits answers of a terminal from typed input, in order.
fn split_answers(bytes: &[u8]) -> Vec<(&[u8], token::TokenKind)> {
    let mut parts: Vec<(&[u8], token::TokenKind)> = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(token) = token::first(&bytes[at..]) {
        let end = at + token.length;
        if token.kind == token::TokenKind::Answer {
            parts.extend((from < at).then(|| (&bytes[from..at], token::TokenKind::Key)));
            parts.push((&bytes[at..end], token::TokenKind::Answer));
            from = end;
        }
        at = end;
    }
    parts.extend((from < bytes.len()).then(|| (&bytes[from..], token::TokenKind::Key)));
    parts
}

fn recorded_input(kind: &InputKind, bytes: &[u8]) -> RecordedInput {
    let bytes = InputBytes(bytes.to_vec());
    match kind {
        InputKind::Key(chord) => RecordedInput::Key {
            name: chord.to_string(),
            bytes,
        },
        InputKind::Text(_) => RecordedInput::Text { bytes },
        InputKind::Paste(_) => RecordedInput::Paste { bytes },
        InputKind::Click { .. } | InputKind::Mouse(_) => RecordedInput::Mouse {
            name: kind.to_string(),
            bytes,
        },
        InputKind::Focus(focus) => RecordedInput::Focus {
            gained: *focus == Focus::Gained,
            bytes,
        },
        _ => RecordedInput::Bytes { bytes },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_answers_are_split_from_typed_input() {
        let parts = |bytes: &'static [u8]| {
            split_answers(bytes)
                .into_iter()
                .map(|(part, kind)| (part, kind == token::TokenKind::Answer))
                .collect::<Vec<_>>()
        };
        assert_eq!(parts(b""), []);
        assert_eq!(parts(b"ab\x1b[A"), [(&b"ab\x1b[A"[..], false)]);
        assert_eq!(
            parts(b"a\x1b[?62;1c\x1b[Ab\x1b]11;rgb:0/0/0\x07"),
            [
                (&b"a"[..], false),
                (b"\x1b[?62;1c", true),
                (b"\x1b[Ab", false),
                (b"\x1b]11;rgb:0/0/0\x07", true)
            ]
        );
        // An incomplete sequence may still turn out to be a key.
        assert_eq!(parts(b"\x1b[?6"), [(&b"\x1b[?6"[..], false)]);
    }
}
