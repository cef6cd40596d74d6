//! The queue of events from the session to the recorder, in order.
//!
//! If the recorder is far behind, the session stops reading output, and senders of input, marks and
//! other events block, so that memory stays bounded. Sending output, screens, size changes and
//! answers of the terminal never blocks, because the emulator is locked meanwhile.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::formats::cassette::input::{InputBytes, InputLineKind};
use screentest_core::input::focus::Focus;
use screentest_core::{Screen, Size};

use crate::clock::Clock;
use crate::pty::{LineFlags, Pty};
use crate::session::exit_status::ExitStatus;
use crate::session::input::log::InputKind;
use screentest_core::input::token;

/// The number of queued bytes above which the session reads no more output: about one second of
/// bulk output. Output that was read already is still queued.
const MAX_QUEUED_BYTES: usize = 16 << 20;

/// The approximate size of a screen's list of rows. It is counted for every event other than
/// output, so that the number of events is bounded too.
const EVENT_OVERHEAD: usize = 1024;

/// An event and its time.
#[derive(Debug)]
pub(super) struct QueuedEvent {
    pub(super) time: Duration,
    pub(super) event: RecorderEvent,
}

#[derive(Debug)]
pub(super) enum RecorderEvent {
    /// The program wrote output.
    Output(Vec<u8>),
    /// The screen changed.
    Screen {
        screen: Screen,
        unfinished: bool,
    },
    Input(InputLineKind),
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

impl QueueState {
    fn has_room(&self) -> bool {
        self.bytes <= MAX_QUEUED_BYTES || self.is_closed
    }
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
            self.push(RecorderEvent::Output(bytes.to_vec()));
        }
    }

    /// Records a screen.
    pub(crate) fn shown(&self, screen: &Screen, unfinished: bool) {
        let mut screen = screen.clone();
        // A synchronized update in progress does not change what is shown.
        screen.modes.synchronized = false;
        self.push(RecorderEvent::Screen { screen, unfinished });
    }

    /// Records an answer of the terminal.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        let bytes = InputBytes(bytes.to_vec());
        self.push(RecorderEvent::Input(InputLineKind::Reply { bytes }));
    }

    /// Records user input that is about to be sent.
    pub(crate) fn input(&self, kind: &InputKind, bytes: &[u8], pty: &dyn Pty) {
        let stored = self.is_stored(pty);
        let push_input = |bytes: &[u8]| {
            self.push(RecorderEvent::Input(if stored {
                recorded_input(kind, bytes)
            } else {
                InputLineKind::Withheld
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
        self.push(RecorderEvent::Resized(size));
    }

    /// Records a signal.
    pub(crate) fn signal(&self, signal: crate::Signal) {
        let name = signal.to_string();
        self.push(RecorderEvent::Input(InputLineKind::Signal { name }));
    }

    /// Records an event of the caller.
    pub(crate) fn event(&self, mark: Option<String>, data: serde_json::Value) {
        self.push(RecorderEvent::Event { mark, data });
    }

    /// Records the exit of the program.
    pub(crate) fn ended(&self, exit_status: ExitStatus) {
        self.push(RecorderEvent::Ended(exit_status));
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
            // settings, echo may be off.
            return !pty.has_line();
        };
        let flags = line.now.flags;
        flags.contains(LineFlags::ECHO) || (self.keep_keys && !flags.contains(LineFlags::ICANON))
    }

    fn push(&self, event: RecorderEvent) {
        let bytes = match &event {
            RecorderEvent::Output(bytes) => bytes.len(),
            RecorderEvent::Input(input) => input.bytes().map_or(0, <[u8]>::len) + EVENT_OVERHEAD,
            RecorderEvent::Event { data, .. } => data.to_string().len() + EVENT_OVERHEAD,
            _ => EVENT_OVERHEAD,
        };
        let must_not_block = matches!(
            event,
            RecorderEvent::Output(_)
                | RecorderEvent::Screen { .. }
                | RecorderEvent::Resized(_)
                | RecorderEvent::Input(InputLineKind::Reply { .. })
        );
        let mut queue = self.lock();
        while !must_not_block && !queue.has_room() {
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

    /// Waits while too much is queued, for at most `timeout`. Returns whether more may be sent.
    pub(crate) fn wait_for_room(&self, timeout: Duration) -> bool {
        let mut queue = self.lock();
        if !queue.has_room() {
            let waited = self.room.wait_timeout(queue, timeout);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        queue.has_room()
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

fn recorded_input(kind: &InputKind, bytes: &[u8]) -> InputLineKind {
    let bytes = InputBytes(bytes.to_vec());
    match kind {
        InputKind::Key(chord) => InputLineKind::Key {
            name: chord.to_string(),
            bytes,
        },
        InputKind::Text(_) => InputLineKind::Text { bytes },
        InputKind::Paste(_) => InputLineKind::Paste { bytes },
        InputKind::Click { .. } | InputKind::Mouse(_) => InputLineKind::Mouse {
            name: kind.to_string(),
            bytes,
        },
        InputKind::Focus(focus) => InputLineKind::Focus {
            gained: *focus == Focus::Gained,
            bytes,
        },
        _ => InputLineKind::Bytes { bytes },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output is sent with the emulator locked, so a slow disk must not block it.
    #[test]
    fn output_never_blocks_and_too_much_of_it_leaves_no_room() {
        let queue = EventQueue::new(Clock::system(), false);
        let chunk = vec![b'x'; MAX_QUEUED_BYTES / 4];
        for _ in 0..8 {
            queue.output(&chunk);
        }
        assert!(!queue.wait_for_room(Duration::ZERO));
        let (events, _) = queue.take(None);
        assert_eq!(events.len(), 8);
        assert!(queue.wait_for_room(Duration::ZERO));
    }

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
