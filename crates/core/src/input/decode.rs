//! Converts the bytes that a terminal sends into keys, mouse events and pastes. The inverse of the
//! encoders in this folder.
//!
//! Input may be split anywhere. The decoder holds back an incomplete sequence and a lone Escape,
//! which may begin a sequence. A caller that knows that no more input follows for now calls
//! [`InputDecoder::pause`].
//!
//! Several keys may send the same bytes. The decoder returns the simplest one: Tab and not Ctrl+I.
//! Encoding the returned key in the same modes gives the received bytes, unless the terminal sent a
//! form that the encoder does not use, such as `\e[1~` for Home, or CR alone in newline mode.
//!
//! See also: `token.rs` (finds the end of a key), `decode/sequence.rs` (sequences),
//! `decode/mouse.rs` (the mouse).

use super::encode_key::KeyPhase;
use super::focus::Focus;
use super::mouse::{Button, MouseEvent, MouseKind};
use super::token::{self, TokenKind};
use crate::{Chord, Key, Modes, MouseEncoding};

mod mouse;
mod sequence;
#[cfg(test)]
mod tests;

/// An input event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodedInput {
    /// A key, including keys that type text. Phases other than presses are sent only to programs
    /// that asked for them.
    Key(Chord, KeyPhase),
    /// A mouse event.
    Mouse(MouseEvent),
    /// A bracketed paste.
    Paste(String),
    /// The terminal gained or lost focus.
    Focus(Focus),
    /// A reply from the terminal.
    Answer(Vec<u8>),
    /// Bytes that are not recognised.
    Unknown(Vec<u8>),
}

/// Maximum number of bytes added to the held bytes at once, which bounds their number.
const PIECE: usize = 4096;

const ESC: u8 = 0x1b;
const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Decoder for the bytes that a terminal sends.
#[derive(Debug, Default)]
pub struct InputDecoder {
    /// The beginning of a sequence that is not complete yet.
    held: Vec<u8>,
    /// The text of a paste in progress.
    pasting: Option<Vec<u8>>,
    /// The button pressed last: the oldest encodings do not report which button is released.
    button: Option<Button>,
    /// Whether the last byte was the first of the two that Enter sends in newline mode.
    returned: bool,
}

impl InputDecoder {
    /// Returns a decoder without pending input.
    pub fn new() -> InputDecoder {
        InputDecoder::default()
    }

    /// Returns the events that are complete after these bytes. `modes` are the program's current
    /// modes.
    pub fn push(&mut self, bytes: &[u8], modes: &Modes) -> Vec<DecodedInput> {
        let mut typed = Vec::new();
        for piece in bytes.chunks(PIECE) {
            self.held.extend_from_slice(piece);
            self.take(modes, &mut typed);
        }
        typed
    }

    /// Declares that no more input follows for now. A pending Escape, alone or before one ASCII
    /// character, is returned as a key. The beginning of a longer sequence, of a character or of a
    /// paste keeps waiting for its end.
    pub fn pause(&mut self) -> Vec<DecodedInput> {
        let mut typed = Vec::new();
        match self.held.as_slice() {
            _ if self.pasting.is_some() => {}
            [ESC] => self.give_up(&mut typed),
            [ESC, byte] if byte.is_ascii() => self.give_up(&mut typed),
            _ => {}
        }
        typed
    }

    /// Declares the end of the input. Returns pending input as it is.
    pub fn finish(&mut self) -> Vec<DecodedInput> {
        let mut typed = Vec::new();
        if let Some(text) = self.pasting.take() {
            typed.push(DecodedInput::Paste(
                String::from_utf8_lossy(&text).into_owned(),
            ));
        }
        self.give_up(&mut typed);
        typed
    }

    fn give_up(&mut self, typed: &mut Vec<DecodedInput>) {
        let held = std::mem::take(&mut self.held);
        match held.as_slice() {
            [] => {}
            [ESC] => typed.push(press(Key::Esc)),
            [ESC, byte] if byte.is_ascii() => {
                typed.push(DecodedInput::Key(
                    character(char::from(*byte)).alt(),
                    KeyPhase::Press,
                ));
            }
            _ => typed.push(DecodedInput::Unknown(held)),
        }
    }

    /// Takes the complete events from the held bytes.
    fn take(&mut self, modes: &Modes, typed: &mut Vec<DecodedInput>) {
        let held = std::mem::take(&mut self.held);
        let mut at = 0;
        while at < held.len() {
            let rest = &held[at..];
            let taken = match &mut self.pasting {
                Some(text) => {
                    let (taken, ended) = paste(rest, text);
                    if ended && let Some(text) = self.pasting.take() {
                        typed.push(DecodedInput::Paste(
                            String::from_utf8_lossy(&text).into_owned(),
                        ));
                    }
                    taken
                }
                None => self.first(rest, modes, typed),
            };
            match taken {
                0 => break,
                taken => at += taken,
            }
        }
        self.held = held[at..].to_vec();
    }

    /// Takes the first event from `bytes`, which must not be empty. Returns its length, or 0 if it
    /// is incomplete.
    fn first(&mut self, bytes: &[u8], modes: &Modes, typed: &mut Vec<DecodedInput>) -> usize {
        let returned = std::mem::take(&mut self.returned);
        match bytes {
            // Escape twice, or Escape before a sequence. Alt+Escape sends the same bytes.
            [ESC, ESC, ..] => {
                typed.push(press(Key::Esc));
                return 1;
            }
            [ESC, b'[', b'M', ..] if modes.mouse_encoding == MouseEncoding::Utf8 => {
                return self.wide_mouse(bytes, typed);
            }
            // In newline mode Enter sends both characters.
            [b'\n', ..] if returned => return 1,
            [b'\r', ..] | [ESC, b'\r', ..] => self.returned = modes.newline,
            _ => {}
        }
        let Some(token) = token::first(bytes) else {
            return 0;
        };
        let whole = &bytes[..token.length];
        match token.kind {
            TokenKind::Part if token.length >= token::LONGEST => {
                typed.push(DecodedInput::Unknown(whole[..token::LONGEST].to_vec()));
                return token::LONGEST;
            }
            TokenKind::Part => return 0,
            TokenKind::Answer => typed.push(DecodedInput::Answer(whole.to_vec())),
            TokenKind::Key => match whole {
                PASTE_START => self.pasting = Some(Vec::new()),
                [ESC, b'[', parameters @ .., _]
                    if parameters.first() != Some(&b'M')
                        && !parameters.iter().all(|byte| (0x20..0x40).contains(byte)) =>
                {
                    // No sequence contains such bytes: it was Alt with a bracket.
                    typed.push(DecodedInput::Key(character('[').alt(), KeyPhase::Press));
                    return 2;
                }
                [ESC, b'[', b'M', numbers @ ..] => {
                    let numbers = numbers.iter().map(|byte| u32::from(*byte));
                    self.mouse(mouse::old(numbers, self.button), whole, typed);
                }
                [ESC, b'[', b'<', rest @ ..] => self.mouse(mouse::sgr(rest), whole, typed),
                [ESC, b'[', parameters @ .., end] => {
                    typed.extend(sequence::csi(parameters, *end, whole));
                }
                [ESC, b'O', end] => typed.push(sequence::ss3(*end, whole)),
                [ESC, text @ ..] => return self.text(text, 1, bytes, typed),
                text => return self.text(text, 0, bytes, typed),
            },
        }
        token.length
    }

    /// Takes a character, preceded by `alt` bytes of Alt.
    fn text(
        &mut self,
        text: &[u8],
        alt: usize,
        bytes: &[u8],
        typed: &mut Vec<DecodedInput>,
    ) -> usize {
        let width = text.first().map_or(1, |first| token::width(*first));
        match str::from_utf8(text).map(|text| text.chars().next()) {
            Ok(Some(c)) => {
                let chord = match alt {
                    0 => character(c),
                    _ => character(c).alt(),
                };
                typed.push(DecodedInput::Key(chord, KeyPhase::Press));
                alt + c.len_utf8()
            }
            // The character is not complete yet.
            Err(error)
                if error.error_len().is_none()
                    && text.len() < width
                    && bytes.len() == alt + text.len() =>
            {
                0
            }
            _ => {
                // Only the first byte is invalid; the next may begin a character or sequence.
                let wrong = alt + 1;
                typed.push(DecodedInput::Unknown(bytes[..wrong].to_vec()));
                wrong
            }
        }
    }

    fn mouse(&mut self, event: Option<MouseEvent>, whole: &[u8], typed: &mut Vec<DecodedInput>) {
        match event.map(|event| event.kind) {
            Some(MouseKind::Press(button)) => self.button = Some(button),
            Some(MouseKind::Release(_)) => self.button = None,
            _ => {}
        }
        typed.push(event.map_or_else(
            || DecodedInput::Unknown(whole.to_vec()),
            DecodedInput::Mouse,
        ));
    }

    /// Takes a mouse event encoded as UTF-8 (?1005).
    fn wide_mouse(&mut self, bytes: &[u8], typed: &mut Vec<DecodedInput>) -> usize {
        let mut length = 3;
        let mut numbers = Vec::new();
        while numbers.len() < 3 {
            let rest = &bytes[length..];
            let Some(first) = rest.first() else {
                return 0;
            };
            let width = token::width(*first);
            if rest.len() < width {
                return 0;
            }
            let c = str::from_utf8(&rest[..width]).ok();
            let c = c.and_then(|text| text.chars().next());
            // Invalid UTF-8 is read as single bytes, as in the older encoding.
            numbers.push(c.map_or(u32::from(*first), u32::from));
            length += c.map_or(1, char::len_utf8);
        }
        let event = mouse::old(numbers.into_iter(), self.button);
        self.mouse(event, &bytes[..length], typed);
        length
    }
}

/// Takes the bytes that belong to a paste. Returns how many they were and whether the paste has
/// ended.
fn paste(bytes: &[u8], text: &mut Vec<u8>) -> (usize, bool) {
    let end = bytes
        .windows(PASTE_END.len())
        .position(|window| window == PASTE_END);
    if let Some(end) = end {
        text.extend_from_slice(&bytes[..end]);
        return (end + PASTE_END.len(), true);
    }
    // The last bytes may be the beginning of the end sequence.
    let begun = (1..PASTE_END.len())
        .rev()
        .find(|length| bytes.ends_with(&PASTE_END[..*length]));
    let taken = bytes.len() - begun.unwrap_or(0);
    text.extend_from_slice(&bytes[..taken]);
    (taken, false)
}

fn press(key: Key) -> DecodedInput {
    DecodedInput::Key(key.into(), KeyPhase::Press)
}

/// Returns the key that sends a character.
fn character(c: char) -> Chord {
    match c {
        // `Chord::from` would return Enter and Backspace, which send other characters.
        '\n' => Key::Char('j').ctrl(),
        '\x08' => Key::Char('h').ctrl(),
        c => c.into(),
    }
}
