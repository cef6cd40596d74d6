//! The queue of events from the session to the recorder, in order.
//!
//! A sender blocks only if the recorder is far behind, so that memory stays bounded.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::formats::cassette::input::{Bytes, InputKind as Given};
use screentest_core::input::focus::Focus;
use screentest_core::{Screen, Size};

use crate::clock::Clock;
use crate::pty::{LineFlags, Pty};
use crate::session::exit_status::ExitStatus;
use crate::session::input::log::InputKind;
use screentest_core::input::token;

/// The number of bytes that may be queued: about one second of bulk output.
const MOST_BEHIND: usize = 16 << 20;

/// The approximate size of a screen's list of rows, counted for events without bytes so that their
/// number is bounded too.
const SMALL: usize = 1024;

/// An event and its time.
#[derive(Debug)]
pub(super) struct Happening {
    pub(super) time: Duration,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// The program wrote output.
    Output(Vec<u8>),
    /// The screen changed.
    Shown {
        screen: Screen,
        unfinished: bool,
    },
    Input(Given),
    Resized(Size),
    Event {
        mark: Option<String>,
        data: serde_json::Value,
    },
    Ended(ExitStatus),
}

/// The sending side of a recording.
#[derive(Debug)]
pub(crate) struct Tap {
    queue: Mutex<Queue>,
    /// Signalled when there is an event to write, or the clock has advanced.
    work: Condvar,
    /// Signalled when events were taken from the queue.
    room: Condvar,
    pub(super) clock: Clock,
    started: Duration,
    keep_keys: bool,
}

#[derive(Debug, Default)]
struct Queue {
    happened: VecDeque<Happening>,
    bytes: usize,
    /// No more events will come.
    over: bool,
    /// The recorder has stopped.
    closed: bool,
    /// The recorder should look at the clock.
    woken: bool,
}

impl Tap {
    pub(super) fn new(clock: Clock, keep_keys: bool) -> Tap {
        Tap {
            queue: Mutex::default(),
            work: Condvar::new(),
            room: Condvar::new(),
            started: clock.now(),
            clock,
            keep_keys,
        }
    }

    /// Records output of the program.
    pub(crate) fn output(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.push(What::Output(bytes.to_vec()));
        }
    }

    /// Records a screen.
    pub(crate) fn shown(&self, screen: &Screen, unfinished: bool) {
        let mut screen = screen.clone();
        // A synchronized update in progress does not change what is shown.
        screen.modes.synchronized = false;
        self.push(What::Shown { screen, unfinished });
    }

    /// Records an answer of the terminal.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        let bytes = Bytes(bytes.to_vec());
        self.push(What::Input(Given::Reply { bytes }));
    }

    /// Records user input that is about to be sent.
    pub(crate) fn input(&self, kind: &InputKind, bytes: &[u8], pty: &dyn Pty) {
        let stored = self.is_stored(pty);
        let given = |bytes: &[u8]| {
            self.push(What::Input(if stored {
                given(kind, bytes)
            } else {
                Given::Withheld
            }));
        };
        match kind {
            // If the caller is itself a terminal, its answers are mixed with what the user types.
            InputKind::Bytes(_) => {
                for (piece, who) in answers_apart(bytes) {
                    match who {
                        token::Kind::Answer => self.reply(piece),
                        _ => given(piece),
                    }
                }
            }
            _ => given(bytes),
        }
    }

    /// Records a size change.
    pub(crate) fn resized(&self, size: Size) {
        self.push(What::Resized(size));
    }

    /// Records a signal.
    pub(crate) fn signal(&self, signal: crate::Signal) {
        let name = signal.to_string();
        self.push(What::Input(Given::Signal { name }));
    }

    /// Records an event of the caller.
    pub(crate) fn event(&self, mark: Option<String>, data: serde_json::Value) {
        self.push(What::Event { mark, data });
    }

    /// Records the exit of the program.
    pub(crate) fn ended(&self, outcome: ExitStatus) {
        self.push(What::Ended(outcome));
    }

    /// Announces that no more events will come.
    pub(super) fn finish(&self) {
        self.lock().over = true;
        self.work.notify_all();
    }

    /// Wakes the recorder after the clock has advanced.
    pub(super) fn wake(&self) {
        self.lock().woken = true;
        self.work.notify_all();
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

    fn push(&self, what: What) {
        let bytes = match &what {
            What::Output(bytes) => bytes.len(),
            What::Input(given) => given.bytes().map_or(0, <[u8]>::len) + SMALL,
            What::Event { data, .. } => data.to_string().len() + SMALL,
            _ => SMALL,
        };
        let mut queue = self.lock();
        while queue.bytes > MOST_BEHIND && !queue.closed {
            queue = self
                .room
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if queue.closed {
            return;
        }
        queue.bytes += bytes;
        // Read the clock under the lock, so that times never decrease.
        let time = self.clock.now().saturating_sub(self.started);
        let sleeps = queue.happened.is_empty();
        queue.happened.push_back(Happening { time, what });
        drop(queue);
        if sleeps {
            self.work.notify_all();
        }
    }

    /// Waits for events, at most until `until` (counted from the start). Returns all of them, and
    /// whether more may come.
    pub(super) fn take(&self, until: Option<Duration>) -> (VecDeque<Happening>, bool) {
        let mut queue = self.lock();
        while queue.happened.is_empty() && !queue.over && !queue.woken {
            let timeout = until.and_then(|until| self.clock.until(self.started + until));
            queue = match timeout {
                Some(Duration::ZERO) => break,
                Some(timeout) => {
                    let waited = self.work.wait_timeout(queue, timeout);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self
                    .work
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner),
            };
        }
        queue.woken = false;
        queue.bytes = 0;
        let happened = std::mem::take(&mut queue.happened);
        let over = queue.over;
        drop(queue);
        self.room.notify_all();
        (happened, !over)
    }

    /// The time since the start.
    pub(super) fn now(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Guard of the recorder thread: however the thread ends, senders no longer wait for it.
pub(super) struct Closing<'a>(pub(super) &'a Tap);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.room.notify_all();
    }
}

/// Splits answers of a terminal from typed input, in order.
fn answers_apart(bytes: &[u8]) -> Vec<(&[u8], token::Kind)> {
    let mut pieces: Vec<(&[u8], token::Kind)> = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(token) = token::first(&bytes[at..]) {
        let end = at + token.length;
        if token.kind == token::Kind::Answer {
            pieces.extend((from < at).then(|| (&bytes[from..at], token::Kind::Key)));
            pieces.push((&bytes[at..end], token::Kind::Answer));
            from = end;
        }
        at = end;
    }
    pieces.extend((from < bytes.len()).then(|| (&bytes[from..], token::Kind::Key)));
    pieces
}

fn given(kind: &InputKind, bytes: &[u8]) -> Given {
    let bytes = Bytes(bytes.to_vec());
    match kind {
        InputKind::Key(chord) => Given::Key {
            name: chord.to_string(),
            bytes,
        },
        InputKind::Text(_) => Given::Text { bytes },
        InputKind::Paste(_) => Given::Paste { bytes },
        InputKind::Click { .. } | InputKind::Mouse(_) => Given::Mouse {
            name: kind.to_string(),
            bytes,
        },
        InputKind::Focus(focus) => Given::Focus {
            gained: *focus == Focus::Gained,
            bytes,
        },
        _ => Given::Bytes { bytes },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_answers_are_split_from_typed_input() {
        let pieces = |bytes: &'static [u8]| {
            answers_apart(bytes)
                .into_iter()
                .map(|(piece, who)| (piece, who == token::Kind::Answer))
                .collect::<Vec<_>>()
        };
        assert_eq!(pieces(b""), []);
        assert_eq!(pieces(b"ab\x1b[A"), [(&b"ab\x1b[A"[..], false)]);
        assert_eq!(
            pieces(b"a\x1b[?62;1c\x1b[Ab\x1b]11;rgb:0/0/0\x07"),
            [
                (&b"a"[..], false),
                (b"\x1b[?62;1c", true),
                (b"\x1b[Ab", false),
                (b"\x1b]11;rgb:0/0/0\x07", true)
            ]
        );
        // An incomplete sequence may still turn out to be a key.
        assert_eq!(pieces(b"\x1b[?6"), [(&b"\x1b[?6"[..], false)]);
    }
}
