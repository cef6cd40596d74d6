//! Types the input of a script at the pace of a person.
//!
//! A tape that is made from the recording waits for the effect of each key. If all keys were sent
//! at once, the recording would not show these effects, and the tape would have no waits. So each
//! key is sent when the program waits for input and has shown the effect of the previous key. If a
//! program does not wait for input, such as a clock, the following keys wait until the screen is
//! unchanged for a short time, up to a limit.
//!
//! These waits differ from those of [`Session::input`], whose limit is halved each time it is
//! reached. Here, a key waits up to ten seconds (the first key up to twelve): a program may show
//! nothing for as long while it starts, and a command may run for as long before the next key is
//! read. But if a program shows something and never waits for input, its first key waits only two
//! seconds, and the others half a second.

use std::io::{self, Read};
use std::time::Duration;

use screentest::Session;
use screentest::core::input::token::{self, TokenKind};
use screentest::session::{InputError, WaitError};

use crate::failure;

/// Maximum wait for a key, after [`FIRST_KEY_TIMEOUT`] for the first one. Then it is typed ahead.
const KEY_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum wait for the first key, if the program has shown something.
const FIRST_KEY_TIMEOUT: Duration = Duration::from_secs(2);

/// For a program that never waits for input: the screen shows the effect of a key if it has not
/// changed for `STABLE_FOR`. A key waits at most `STABLE_TIMEOUT` for that.
const STABLE_FOR: Duration = Duration::from_millis(150);
const STABLE_TIMEOUT: Duration = Duration::from_millis(500);

/// Number of bytes that are typed key by key. The rest is sent at once: no person types that much.
const MAX_PACED_BYTES: usize = 64 << 10;

const ESC: u8 = 0x1b;

/// Ctrl+D, which means the end of the input.
const CTRL_D: u8 = 0x04;

/// How long a program may run after the end of its input before a note is printed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Types stdin to its end, and returns the last byte.
pub(super) fn type_stdin(session: &Session) -> Option<u8> {
    let mut typing = PacedTyping {
        session,
        waits_for_input: WaitsForInput::Unknown,
    };
    let mut stdin = io::stdin().lock();
    let mut buffer = [0; 4096];
    let mut pending: Vec<u8> = Vec::new();
    let mut sent_bytes = 0;
    let mut last = None;
    while let Ok(count @ 1..) = stdin.read(&mut buffer) {
        pending.extend_from_slice(&buffer[..count]);
        last = buffer[..count].last().copied();
        let Ok(taken) = typing.send_keys(&pending, sent_bytes >= MAX_PACED_BYTES) else {
            return last;
        };
        pending.drain(..taken);
        sent_bytes += taken;
    }
    // An incomplete sequence is sent as it is.
    if !pending.is_empty() {
        // A program that has exited gets no input.
        let _ = typing.press(&pending);
    }
    last
}

/// Presses Ctrl+D at the end of stdin, as a person does and as `script` of util-linux does; `last`
/// is the last byte of stdin. A program that reads lines gets the end of its input. A program that
/// reads keys gets the key: shells and interpreters exit.
pub(super) fn end_input(session: &Session, last: Option<u8>) {
    session.wait_until_idle(KEY_TIMEOUT);
    // In the middle of a line, the first Ctrl+D only sends the partial line.
    let is_partial_line = last.is_some_and(|last| !matches!(last, b'\n' | b'\r'));
    let end: &[u8] = if session.reads_lines() && is_partial_line {
        &[CTRL_D, CTRL_D]
    } else {
        &[CTRL_D]
    };
    // A program that has exited needs no end of input.
    let _ = session.send(end);
    if let Err(WaitError::TimedOut { .. }) = session.wait_for_exit(EXIT_TIMEOUT) {
        failure::note(
            "stdin has ended, but the program is still running: Ctrl+C ends the recording",
        );
    }
}

/// Whether a program waits for input between its actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WaitsForInput {
    /// Not known before the first key.
    Unknown,
    /// It does.
    Yes,
    /// It did not within the time limit.
    No,
}

/// Sends keys to a program.
struct PacedTyping<'a> {
    session: &'a Session,
    waits_for_input: WaitsForInput,
}

impl PacedTyping<'_> {
    /// Sends all complete keys, and returns the number of bytes they take.
    fn send_keys(&mut self, bytes: &[u8], at_once: bool) -> Result<usize, InputError> {
        if at_once {
            self.session.send(bytes)?;
            return Ok(bytes.len());
        }
        let mut at = 0;
        while let Some(token) = token::first(&bytes[at..]) {
            let key = &bytes[at..at + token.length];
            let key = match (token.kind, key) {
                (TokenKind::Part, [ESC, ..]) if key.len() <= MAX_PACED_BYTES => break,
                // Escape followed by a character other than `[` or `O` is two keys, so the Escape
                // is sent alone. Other sequences, such as replies of a terminal, do not occur in a
                // script.
                (_, [ESC, next, ..]) if *next != b'[' && *next != b'O' => &key[..1],
                _ => key,
            };
            self.press(key)?;
            at += key.len();
        }
        Ok(at)
    }

    /// Sends a key once the program waits for it.
    fn press(&mut self, key: &[u8]) -> Result<(), InputError> {
        self.wait_until_ready();
        self.session.send(key)
    }

    /// Waits until the program waits for a key. After an Escape, this includes the time in which
    /// the program distinguishes it from the start of a sequence.
    fn wait_until_ready(&mut self) {
        let session = self.session;
        let waits = match self.waits_for_input {
            WaitsForInput::Unknown => {
                // A program that shows nothing is still starting.
                session.wait_until_idle(FIRST_KEY_TIMEOUT)
                    || session.screen().text().trim().is_empty()
                        && session.wait_until_idle(KEY_TIMEOUT)
            }
            WaitsForInput::Yes => session.wait_until_idle(KEY_TIMEOUT),
            WaitsForInput::No => {
                // If the screen never becomes stable, the time limit ends the wait.
                let _ = session.wait_for_stable(STABLE_FOR, STABLE_TIMEOUT);
                session.wait_until_idle(Duration::ZERO)
            }
        };
        self.waits_for_input = if waits {
            WaitsForInput::Yes
        } else {
            WaitsForInput::No
        };
    }
}
