//! A script that types as a person would.
//!
//! What comes of a key is known only if the next one waits for it. A script that gives all its keys at once would leave a tape without
//! a single wait, so each is given when the program waits for input, with all shown that came of the one before. A program that never
//! does, such as a clock, is found out once; then a key waits until the screen stands still, or for a moment.
//!
//! The waits are not those of [`Session::input`], which have one bound for all keys. A script may begin with a program that shows
//! nothing for ten seconds, and type on behind a command that takes as long; but a program that shows something and never waits
//! must hold up its first key for two seconds only, and no later one.

use std::io::{self, Read};
use std::time::Duration;

use screentest::core::input::token::{self, Kind};
use screentest::{InputError, Session, WaitError};

use crate::failure;

/// How long a key may take: what works for longer is typed ahead of.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a program that shows something may take to wait for its first key.
const FIRST_KEY: Duration = Duration::from_secs(2);

/// How long the screen of a program that never waits must stand still for what came of a key to be there, and how long that may take.
const STANDING: Duration = Duration::from_millis(150);
const SHOWING: Duration = Duration::from_millis(500);

/// How much is given key by key: what is longer is no script of a person.
const MOST: usize = 64 << 10;

const ESC: u8 = 0x1b;

/// Ctrl+D, by which a terminal ends the input of who reads lines.
const END: u8 = 0x04;

/// How long a program may take to leave once its input has ended, before somebody is told that it goes on.
const LEAVING: Duration = Duration::from_secs(2);

/// Types what comes from stdin, to its end; and says what came last.
pub(super) fn type_in(session: &Session) -> Option<u8> {
    let mut typist = Typist {
        session,
        temper: Temper::Unknown,
    };
    let mut stdin = io::stdin().lock();
    let mut buffer = [0; 4096];
    let mut held: Vec<u8> = Vec::new();
    let mut given = 0;
    let mut last = None;
    while let Ok(count @ 1..) = stdin.read(&mut buffer) {
        held.extend_from_slice(&buffer[..count]);
        last = buffer[..count].last().copied();
        let Ok(taken) = typist.give(&held, given >= MOST) else {
            return last;
        };
        held.drain(..taken);
        given += taken;
    }
    // What was begun and does not go on is given as it is.
    if !held.is_empty() {
        // A program that has ended hears of nothing any more.
        let _ = typist.press(&held);
    }
    last
}

/// Tells a program that reads lines that no more come, where `last` is what came last. To one that reads keys it would be a key.
pub(super) fn end_input(session: &Session, last: Option<u8>) {
    session.wait_until_idle(PATIENCE);
    if session.reads_lines() {
        // In the middle of a line it only ends the line's wait for more.
        let is_begun = last.is_some_and(|last| !matches!(last, b'\n' | b'\r'));
        let ends: &[u8] = if is_begun { &[END, END] } else { &[END] };
        // A program that has ended needs no end of its input.
        let _ = session.send(ends);
    }
    if let Err(WaitError::TimedOut { .. }) = session.wait_for_exit(LEAVING) {
        failure::note("stdin has ended, and the program goes on: Ctrl+C ends the recording");
    }
}

/// Whether a program waits for input between what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Temper {
    /// It has had no time to show it.
    Unknown,
    /// It does.
    Calm,
    /// It was not seen to.
    Restless,
}

/// Who gives a program its keys.
struct Typist<'a> {
    session: &'a Session,
    temper: Temper,
}

impl Typist<'_> {
    /// Gives all keys that are whole, and says how many bytes they were.
    fn give(&mut self, bytes: &[u8], at_once: bool) -> Result<usize, InputError> {
        if at_once {
            self.session.send(bytes)?;
            return Ok(bytes.len());
        }
        let mut at = 0;
        while let Some(token) = token::first(&bytes[at..]) {
            let key = &bytes[at..at + token.length];
            let key = match (token.kind, key) {
                (Kind::Part, [ESC, ..]) if key.len() <= MOST => break,
                // Escape, and then a character. A terminal's answers are no part of a script, so only keys count here; in a text of a
                // caller, `text::split_escapes` knows other sequences too.
                (_, [ESC, next, ..]) if *next != b'[' && *next != b'O' => &key[..1],
                _ => key,
            };
            self.press(key)?;
            at += key.len();
        }
        Ok(at)
    }

    /// Gives a key once the program waits for one.
    fn press(&mut self, key: &[u8]) -> Result<(), InputError> {
        self.wait_turn();
        self.session.send(key)
    }

    /// Waits until the program waits for a key; after an Escape, also until it has told that from the beginning of a key.
    fn wait_turn(&mut self) {
        let session = self.session;
        let waits = match self.temper {
            Temper::Unknown => {
                // What shows nothing is still on its way.
                session.wait_until_idle(FIRST_KEY)
                    || session.screen().text().trim().is_empty()
                        && session.wait_until_idle(PATIENCE)
            }
            Temper::Calm => session.wait_until_idle(PATIENCE),
            Temper::Restless => {
                // One that never stands still has had its time too.
                let _ = session.wait_for_stable(STANDING, SHOWING);
                session.wait_until_idle(Duration::ZERO)
            }
        };
        self.temper = match waits {
            true => Temper::Calm,
            false => Temper::Restless,
        };
    }
}
