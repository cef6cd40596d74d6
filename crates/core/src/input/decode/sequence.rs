//! Decoder for key sequences: those of xterm and similar terminals, and of the kitty keyboard
//! protocol.

use super::DecodedInput;
use crate::input::encode_key::KeyPhase;
use crate::input::focus::Focus;
use crate::input::key::{Chord, Key, Keypad, Modifiers};

/// Decodes an SS3 sequence: cursor keys and keypad in their application modes, and the first
/// function keys.
pub(super) fn ss3(end: u8, whole: &[u8]) -> DecodedInput {
    let key = match end {
        b'j' => Key::Keypad(Keypad::Multiply),
        b'k' => Key::Keypad(Keypad::Add),
        b'm' => Key::Keypad(Keypad::Subtract),
        b'n' => Key::Keypad(Keypad::Decimal),
        b'o' => Key::Keypad(Keypad::Divide),
        b'p'..=b'y' => Key::Keypad(Keypad::Digit(end - b'p')),
        b'M' => Key::Keypad(Keypad::Enter),
        b'X' => Key::Keypad(Keypad::Equal),
        _ => match letter(end) {
            Some(key) => key,
            None => return DecodedInput::Unknown(whole.to_vec()),
        },
    };
    DecodedInput::Key(key.into(), KeyPhase::Press)
}

/// Decodes a CSI sequence. Returns `None` for a modifier pressed alone: it is reported with the key
/// for which it is held.
pub(super) fn csi(parameters: &[u8], end: u8, whole: &[u8]) -> Option<DecodedInput> {
    let focus = match (parameters, end) {
        ([], b'I') => Some(Focus::Gained),
        ([], b'O') => Some(Focus::Lost),
        _ => None,
    };
    if let Some(focus) = focus {
        return Some(DecodedInput::Focus(focus));
    }
    match read(parameters, end) {
        Some(ParsedKey::Key(key, modifiers, phase)) => {
            Some(DecodedInput::Key(Chord::new(key, modifiers), phase))
        }
        Some(ParsedKey::ModifierAlone) => None,
        None => Some(DecodedInput::Unknown(whole.to_vec())),
    }
}

enum ParsedKey {
    Key(Key, Modifiers, KeyPhase),
    ModifierAlone,
}

fn read(parameters: &[u8], end: u8) -> Option<ParsedKey> {
    let text = str::from_utf8(parameters).ok()?;
    let mut fields = text.split(';');
    let number = first_number(fields.next()?)?;
    let (held, phase) = match fields.next() {
        None | Some("") => (Modifiers::empty(), KeyPhase::Press),
        Some(field) => held(field)?,
    };
    // xterm's `modifyOtherKeys` form for keys without their own sequence.
    if (number, end) == (Some(27), b'~') {
        let key = protocol(first_number(fields.next()?)??)?;
        return Some(ParsedKey::Key(key, held, phase));
    }
    let key = match end {
        b'Z' if text.is_empty() => return Some(ParsedKey::Key(Key::Tab, Modifiers::SHIFT, phase)),
        b'Z' => return Some(ParsedKey::Key(Key::Tab, held | Modifiers::SHIFT, phase)),
        // `CSI 1;5A`, or `CSI A` without modifiers.
        b'A'..=b'S' if matches!(number, None | Some(1)) => letter(end)?,
        b'~' => tilde(number?)?,
        b'u' => match number? {
            57441..=57454 => return Some(ParsedKey::ModifierAlone),
            number => protocol(number)?,
        },
        _ => return None,
    };
    Some(ParsedKey::Key(key, held, phase))
}

/// Returns the number at the start of a field, if it has one. Alternatives after a colon are
/// ignored.
fn first_number(field: &str) -> Option<Option<u32>> {
    match field.split(':').next()? {
        "" => Some(None),
        number => number.parse().ok().map(Some),
    }
}

/// Returns the modifiers, sent as their bits plus one, and the phase of the key.
fn held(field: &str) -> Option<(Modifiers, KeyPhase)> {
    let mut parts = field.split(':');
    let bits = match parts.next()? {
        "" => 0,
        number => number.parse::<u16>().ok()?.checked_sub(1)?,
    };
    let phase = match parts.next() {
        None | Some("" | "1") => KeyPhase::Press,
        Some("2") => KeyPhase::Repeat,
        Some("3") => KeyPhase::Release,
        Some(_) => return None,
    };
    // Caps Lock, Num Lock and rare modifiers are ignored.
    Some((Modifiers::from_bits_truncate((bits & 0xf) as u8), phase))
}

fn letter(end: u8) -> Option<Key> {
    Some(match end {
        b'A' => Key::Up,
        b'B' => Key::Down,
        b'C' => Key::Right,
        b'D' => Key::Left,
        b'F' => Key::End,
        b'H' => Key::Home,
        b'P'..=b'S' => Key::F(end - b'O'),
        _ => return None,
    })
}

/// Returns the key with a number. Some keys have two: terminals do not agree on Home, End and the
/// first function keys.
fn tilde(number: u32) -> Option<Key> {
    let function = |number: u32| Some(Key::F(number as u8));
    match number {
        1 | 7 => Some(Key::Home),
        2 => Some(Key::Insert),
        3 => Some(Key::Delete),
        4 | 8 => Some(Key::End),
        5 => Some(Key::PageUp),
        6 => Some(Key::PageDown),
        // F3 has this number where `CSI R` could be a cursor position report.
        13 => function(3),
        11..=15 => function(number - 10),
        17..=21 => function(number - 11),
        23..=26 => function(number - 12),
        28..=29 => function(number - 13),
        31..=34 => function(number - 14),
        42..=56 => function(number - 21),
        _ => None,
    }
}

/// Returns the key with a number of the kitty keyboard protocol.
fn protocol(number: u32) -> Option<Key> {
    Some(match number {
        27 => Key::Esc,
        13 => Key::Enter,
        9 => Key::Tab,
        127 => Key::Backspace,
        32 => Key::Space,
        57376..=57398 => Key::F((number - 57376 + 13) as u8),
        57399..=57408 => Key::Keypad(Keypad::Digit((number - 57399) as u8)),
        57409 => Key::Keypad(Keypad::Decimal),
        57410 => Key::Keypad(Keypad::Divide),
        57411 => Key::Keypad(Keypad::Multiply),
        57412 => Key::Keypad(Keypad::Subtract),
        57413 => Key::Keypad(Keypad::Add),
        57414 => Key::Keypad(Keypad::Enter),
        57415 => Key::Keypad(Keypad::Equal),
        57417 => Key::Left,
        57418 => Key::Right,
        57419 => Key::Up,
        57420 => Key::Down,
        57421 => Key::PageUp,
        57422 => Key::PageDown,
        57423 => Key::Home,
        57424 => Key::End,
        57425 => Key::Insert,
        57426 => Key::Delete,
        // The protocol's own numbers, for keys that have no name here.
        57344..=63743 => return None,
        number => Key::Char(char::from_u32(number)?),
    })
}
