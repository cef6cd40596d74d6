//! A script that types as a person would.
//!
//! What comes of a key is known only if the next one waits for it. A script that gives all its keys at once would leave a tape without
//! a single wait, so each is given when the program waits for input, with all shown that came of the one before.

use std::io::{self, Read};
use std::time::Duration;

use screentest::core::input::token::{self, Kind};
use screentest::core::{Condition, Screen};
use screentest::{InputError, Session};

/// How long a key may take: what works for longer is typed ahead of.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a program may take to tell a lone Escape from the beginning of a key.
const UNDECIDED: Duration = Duration::from_millis(300);

/// How much is given key by key: what is longer is no script of a person.
const MOST: usize = 64 << 10;

const ESC: u8 = 0x1b;

/// Types what comes from stdin, to its end.
pub(super) fn type_in(session: &Session) {
    let mut stdin = io::stdin().lock();
    let mut buffer = [0; 4096];
    let mut held: Vec<u8> = Vec::new();
    let mut given = 0;
    while let Ok(count @ 1..) = stdin.read(&mut buffer) {
        held.extend_from_slice(&buffer[..count]);
        let Ok(taken) = give(session, &held, given >= MOST) else {
            return;
        };
        held.drain(..taken);
        given += taken;
    }
    // What was begun and does not go on is given as it is.
    if !held.is_empty() {
        // A program that has ended hears of nothing any more.
        let _ = press(session, &held);
    }
}

/// Gives all keys that are whole, and says how many bytes they were.
fn give(session: &Session, bytes: &[u8], at_once: bool) -> Result<usize, InputError> {
    if at_once {
        session.send(bytes)?;
        return Ok(bytes.len());
    }
    let mut at = 0;
    while let Some(token) = token::first(&bytes[at..]) {
        let key = &bytes[at..at + token.length];
        let key = match (token.kind, key) {
            (Kind::Part, [ESC, ..]) if key.len() <= MOST => break,
            // Escape, and then a character.
            (_, [ESC, next, ..]) if *next != b'[' && *next != b'O' => &key[..1],
            _ => key,
        };
        press(session, key)?;
        at += key.len();
    }
    Ok(at)
}

/// Gives a key once the program waits for one.
fn press(session: &Session, key: &[u8]) -> Result<(), InputError> {
    session.wait_rest(PATIENCE);
    let old = session.screen();
    session.send(key)?;
    if key == [ESC] {
        let another = Condition::new("another screen", move |screen: &Screen| *screen != old);
        // One that shows nothing of it has had the time that others take.
        let _ = session.wait_for(another, UNDECIDED);
    }
    Ok(())
}
