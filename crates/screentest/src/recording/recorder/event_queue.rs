//! From the session to the recorder: what happened, in the order in which it did.
//!
//! Whoever tells something waits only while the recorder is far behind, so that memory is bounded.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::formats::cassette::input::{Bytes, InputKind as Given};
use screentest_core::input::focus::Focus;
use screentest_core::{Screen, Size};

use crate::clock::Clock;
use crate::pty::{LineFlags, Pty};
use crate::session::exit_status::Outcome;
use crate::session::input::log::InputKind;
use screentest_core::input::token;

/// How much output may wait to be written: a second of a flood.
const MOST_BEHIND: usize = 16 << 20;

/// About what a screen's own list of rows takes, so that what has no bytes is bounded too.
const SMALL: usize = 1024;

/// What happened, and when.
#[derive(Debug)]
pub(super) struct Happening {
    pub(super) time: Duration,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// The program wrote.
    Output(Vec<u8>),
    /// This is shown now.
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
    Ended(Outcome),
}

/// Where a session tells what happens.
#[derive(Debug)]
pub(crate) struct Tap {
    queue: Mutex<Queue>,
    /// There is something to write, or time has passed.
    work: Condvar,
    /// Something was taken from the queue.
    room: Condvar,
    pub(super) clock: Clock,
    started: Duration,
    keep_keys: bool,
}

#[derive(Debug, Default)]
struct Queue {
    happened: VecDeque<Happening>,
    bytes: usize,
    /// Nothing more comes.
    over: bool,
    /// Nobody takes anything any more.
    closed: bool,
    /// Somebody should look at the time.
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

    /// The program wrote.
    pub(crate) fn output(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.push(What::Output(bytes.to_vec()));
        }
    }

    /// A screen is shown.
    pub(crate) fn shown(&self, screen: &Screen, unfinished: bool) {
        let mut screen = screen.clone();
        // An update that begins or goes on changes nothing that is shown.
        screen.modes.synchronized = false;
        self.push(What::Shown { screen, unfinished });
    }

    /// The terminal answered.
    pub(crate) fn reply(&self, bytes: &[u8]) {
        let bytes = Bytes(bytes.to_vec());
        self.push(What::Input(Given::Reply { bytes }));
    }

    /// Somebody gave input, which is about to be sent.
    pub(crate) fn input(&self, kind: &InputKind, bytes: &[u8], pty: &dyn Pty) {
        let stored = self.is_stored(pty);
        let given = |bytes: &[u8]| {
            self.push(What::Input(match stored {
                true => given(kind, bytes),
                false => Given::Withheld,
            }));
        };
        match kind {
            // A terminal that stands behind a caller answers among what is typed there; nobody typed that.
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

    /// The terminal got another size.
    pub(crate) fn resized(&self, size: Size) {
        self.push(What::Resized(size));
    }

    /// A signal was sent.
    pub(crate) fn signal(&self, signal: crate::Signal) {
        let name = signal.to_string();
        self.push(What::Input(Given::Signal { name }));
    }

    /// The caller said something.
    pub(crate) fn event(&self, mark: Option<String>, data: serde_json::Value) {
        self.push(What::Event { mark, data });
    }

    /// The program ended.
    pub(crate) fn ended(&self, outcome: Outcome) {
        self.push(What::Ended(outcome));
    }

    /// Nothing more comes.
    pub(super) fn finish(&self) {
        self.lock().over = true;
        self.work.notify_all();
    }

    /// Time has passed.
    pub(super) fn wake(&self) {
        self.lock().woken = true;
        self.work.notify_all();
    }

    /// Whether what is typed now may be stored. Without echo it may be a password.
    fn is_stored(&self, pty: &dyn Pty) -> bool {
        let Some(line) = pty.line() else {
            // A script has no password prompt; of a terminal that does not say, nothing is known.
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
        // Taken under the lock, so that times do not go back.
        let time = self.clock.now().saturating_sub(self.started);
        let sleeps = queue.happened.is_empty();
        queue.happened.push_back(Happening { time, what });
        drop(queue);
        if sleeps {
            self.work.notify_all();
        }
    }

    /// Waits for what happened, at most until a moment since the start: all of it, and whether there will be more.
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

/// The recorder at work. However it ends, nobody waits for it any more.
pub(super) struct Closing<'a>(pub(super) &'a Tap);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.room.notify_all();
    }
}

/// What a terminal answered, apart from what was typed, in their order.
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
    fn what_a_terminal_answers_is_told_from_what_is_typed() {
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
        // A sequence that goes on in the next read may still be a key.
        assert_eq!(pieces(b"\x1b[?6"), [(&b"\x1b[?6"[..], false)]);
    }
}
