//! The report of input that differs from the recording.

use std::fmt;
use std::time::Duration;

use screentest_core::formats::cassette::InputLineKind;
use screentest_core::input::encode_key;
use screentest_core::query::truncate;
use screentest_core::{Chord, Key, Modes, Modifiers, Size};

use crate::pty::signal::Signal;
use screentest_core::input::token;

/// Input that differs from the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputMismatch {
    /// The name of the cassette.
    pub cassette: String,
    /// The number of the expected input, from 1.
    pub number: usize,
    /// The number of inputs.
    pub inputs: usize,
    /// The time of the expected input in the recording.
    pub time: Duration,
    /// The expected input, in words.
    pub expected: String,
    /// The received input, in words.
    pub received: String,
    /// A likely reason, if one is known.
    pub hint: Option<String>,
}

impl fmt::Display for InputMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InputMismatch {
            cassette,
            number,
            inputs,
            ..
        } = self;
        let time = self.time.as_secs_f64();
        // The lines are short because they are read in terminals of any size.
        writeln!(f, "the input differs from the recording")?;
        if number <= inputs {
            writeln!(f, "{cassette}, input {number} of {inputs}, at {time:.3} s:")?;
        } else {
            writeln!(f, "{cassette}, after the last of {inputs} inputs:")?;
        }
        writeln!(f, "  expected  {}", self.expected)?;
        write!(f, "  received  {}", self.received)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint      {hint}"),
            None => Ok(()),
        }
    }
}

/// Escape sequences that reset a terminal in any state: they cancel an incomplete sequence, end a
/// synchronized update, leave the alternate screen, and reset the modes that a program may have
/// set.
const RESTORE: &str = "\x18\x1b[?2026l\x1b[m\x0f\x1b(B\x1b[?1049l\x1b7\x1b[r\x1b[?6l\x1b8\x1b[4l\x1b[20l\x1b[?7h\x1b[?25h\x1b[?1l\x1b>\
                       \x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[=0u";

impl InputMismatch {
    /// The report as bytes for the terminal, starting with [`RESTORE`].
    pub(super) fn report_bytes(&self) -> Vec<u8> {
        report_bytes(&format!("screentest: {self}"))
    }
}

/// A text as bytes for the terminal: [`RESTORE`], then the text on lines of its own.
pub(crate) fn report_bytes(text: &str) -> Vec<u8> {
    let text = text.replace('\n', "\r\n");
    format!("{RESTORE}\r\n{text}\r\n").into_bytes()
}

/// The received event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReceivedInput {
    Bytes(Vec<u8>),
    /// The end of the input, after these bytes.
    End(Vec<u8>),
    Resize(Size),
    Signal(Signal),
}

impl ReceivedInput {
    /// A hint if the received input differs only in its line ends: Enter sends `\r`, but a line of
    /// a file ends with `\n`.
    pub(super) fn hint(&self, expected: &[u8]) -> Option<String> {
        let (ReceivedInput::Bytes(received) | ReceivedInput::End(received)) = self else {
            return None;
        };
        let mut hint = None;
        for pair in expected.iter().zip(received) {
            let explanation = match pair {
                (one, other) if one == other => continue,
                (b'\r', b'\n') => r"Enter sends \r, but \n was received: end lines with \r",
                (b'\n', b'\r') => r"\n was recorded, but \r was received: end lines with \n",
                _ => return None,
            };
            hint.get_or_insert(explanation);
        }
        hint.map(str::to_owned)
    }
}

impl fmt::Display for ReceivedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReceivedInput::Bytes(bytes) => f.write_str(&describe_bytes(bytes)),
            ReceivedInput::End(bytes) if bytes.is_empty() => f.write_str("the end of the input"),
            ReceivedInput::End(bytes) => {
                write!(f, "{} and the end of the input", describe_bytes(bytes))
            }
            ReceivedInput::Resize(size) => write!(f, "a resize to {size}"),
            ReceivedInput::Signal(signal) => write!(f, "{signal}"),
        }
    }
}

/// A recorded input, in words.
pub(super) fn describe_recorded(kind: &InputLineKind) -> String {
    let named = |name: &str, bytes: &[u8]| format!("{name} {}", as_bytes(bytes));
    match kind {
        InputLineKind::Key { name, bytes } => {
            if is_text(&bytes.0) {
                describe_bytes(&bytes.0)
            } else {
                named(name, &bytes.0)
            }
        }
        InputLineKind::Mouse { name, bytes } => named(name, &bytes.0),
        InputLineKind::Focus { gained, bytes } => {
            let name = if *gained {
                "focus gained"
            } else {
                "focus lost"
            };
            named(name, &bytes.0)
        }
        InputLineKind::Paste { bytes } => format!("a paste of {}", describe_bytes(&bytes.0)),
        InputLineKind::Resize { cols, rows } => format!("a resize to {cols}x{rows}"),
        InputLineKind::Signal { name } => name.clone(),
        InputLineKind::Withheld => "input that was not stored".to_owned(),
        kind => describe_bytes(kind.bytes().unwrap_or_default()),
    }
}

/// Describes input for people: text in quotes, keys by name, followed by the bytes if there are
/// keys.
pub(super) fn describe_bytes(bytes: &[u8]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut text = String::new();
    let mut at = 0;
    while let Some(token) = token::first(&bytes[at..]) {
        let piece = &bytes[at..at + token.length];
        at += token.length;
        match str::from_utf8(piece) {
            Ok(piece) if is_text(piece.as_bytes()) => text.push_str(piece),
            _ => {
                if !text.is_empty() {
                    words.push(truncate::quoted(&text));
                    text.clear();
                }
                words.push(name(piece));
            }
        }
        if words.len() > MAX_WORDS {
            break;
        }
    }
    if !text.is_empty() {
        words.push(truncate::quoted(&text));
    }
    if words.len() > MAX_WORDS {
        words.truncate(MAX_WORDS);
        words.push("…".to_owned());
    }
    let words = words.join(" ");
    if is_text(bytes) {
        words
    } else {
        format!("{words} {}", as_bytes(bytes))
    }
}

/// If more keys and texts than this are listed, the rest is omitted: about one line of a terminal.
const MAX_WORDS: usize = 12;

fn is_text(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok_and(|text| !text.chars().any(char::is_control))
}

fn as_bytes(bytes: &[u8]) -> String {
    format!("({})", truncate::start(&bytes.escape_ascii().to_string()))
}

/// The name of the key that sends these bytes, or the bytes themselves.
fn name(bytes: &[u8]) -> String {
    let application = Modes {
        application_cursor: true,
        ..Modes::default()
    };
    let modes = [Modes::default(), application];
    let held = [
        Modifiers::empty(),
        Modifiers::CTRL,
        Modifiers::ALT,
        Modifiers::SHIFT,
        Modifiers::CTRL | Modifiers::SHIFT,
        Modifiers::CTRL | Modifiers::ALT,
    ];
    let keys = [
        Key::Enter,
        Key::Esc,
        Key::Tab,
        Key::Backspace,
        Key::Up,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::Insert,
        Key::Delete,
        Key::Space,
    ];
    let letters = (b' '..=b'~').map(|letter| Key::Char(letter.into()));
    let keys = keys.into_iter().chain((1..=12).map(Key::F)).chain(letters);
    let mut chords = keys.flat_map(|key| held.map(|held| Chord::new(key, held)));
    let sends = |chord: &Chord| {
        modes
            .iter()
            .any(|modes| encode_key::bytes(*chord, modes) == bytes)
    };
    match chords.find(sends) {
        Some(chord) => chord.to_string(),
        None => truncate::start(&bytes.escape_ascii().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_described_in_words() {
        assert_eq!(describe_bytes(b"ls -la"), "\"ls -la\"");
        assert_eq!(describe_bytes(b"ls\r"), "\"ls\" Enter (ls\\r)");
        assert_eq!(describe_bytes(b"\x03"), "Ctrl+C (\\x03)");
        assert_eq!(describe_bytes(b"\x1b[A"), "Up (\\x1b[A)");
        assert_eq!(describe_bytes(b"\x1bOA"), "Up (\\x1bOA)");
        assert_eq!(describe_bytes(b"\x1b"), "Esc (\\x1b)");
        assert_eq!(describe_bytes("é".as_bytes()), "\"é\"");
        assert_eq!(describe_bytes(b"\xff"), "\\xff (\\xff)");
        let long = describe_bytes(&[1; 1000]);
        assert!(long.len() < 300, "{long}");
        for (count, shown, rest) in [(12, 12, false), (13, 12, true), (1000, 12, true)] {
            let words = describe_bytes(&vec![1; count]);
            assert_eq!(words.matches("Ctrl+A").count(), shown, "{words}");
            assert_eq!(words.contains(" … ("), rest, "{words}");
        }
    }
}
