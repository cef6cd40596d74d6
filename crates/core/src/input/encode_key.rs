//! Bytes sent for a key.
//!
//! A program receives what xterm would send: text as itself, Ctrl with a letter as a control
//! character, Alt as an escape before the key, other keys as sequences that carry the modifiers. If
//! a program turned on the kitty keyboard protocol, it receives that instead, to the extent it
//! asked for (`kitty.rs`).
//!
//! Only the key itself is reported. With a real keyboard, a program that requested all keys also
//! receives the press and release of modifiers, which it does not need to recognise the key.

use crate::input::key::{Chord, Key, Keypad, Modifiers, layout};
use crate::{KittyKeyboard, Modes};

mod kitty;

/// A phase of a key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyPhase {
    /// The key goes down.
    Press,
    /// The key is held down.
    Repeat,
    /// The key goes up.
    Release,
}

/// Returns the bytes sent when a chord is pressed.
pub fn bytes(chord: Chord, modes: &Modes) -> Vec<u8> {
    phase_bytes(chord, KeyPhase::Press, modes)
}

/// Returns the bytes sent for a phase of a chord. Empty for releases, unless the program asked for
/// them.
pub fn phase_bytes(chord: Chord, phase: KeyPhase, modes: &Modes) -> Vec<u8> {
    let flags = modes.kitty_keyboard;
    let phase = match phase {
        KeyPhase::Repeat | KeyPhase::Release if flags.contains(KittyKeyboard::EVENT_TYPES) => phase,
        // Without event types, a repeat is sent as another press.
        KeyPhase::Press | KeyPhase::Repeat => KeyPhase::Press,
        KeyPhase::Release => return Vec::new(),
    };
    let asked = KittyKeyboard::DISAMBIGUATE | KittyKeyboard::ALL_KEYS;
    if flags.intersects(asked) || phase != KeyPhase::Press {
        kitty::bytes(chord, phase, modes)
    } else {
        xterm(chord, modes)
    }
}

/// Returns the bytes that xterm sends.
fn xterm(chord: Chord, modes: &Modes) -> Vec<u8> {
    let modifiers = chord.modifiers();
    let ctrl = modifiers.contains(Modifiers::CTRL);
    let shift = modifiers.contains(Modifiers::SHIFT);
    let text = match chord.key() {
        // In newline mode (LNM) Enter sends both characters.
        Key::Enter if modes.newline => "\r\n".to_owned(),
        Key::Enter => "\r".to_owned(),
        Key::Esc => "\x1b".to_owned(),
        Key::Tab if shift => "\x1b[Z".to_owned(),
        Key::Tab => "\t".to_owned(),
        Key::Backspace if ctrl => "\x08".to_owned(),
        Key::Backspace => "\x7f".to_owned(),
        Key::Space if ctrl => "\0".to_owned(),
        Key::Space => " ".to_owned(),
        Key::Char(c) => character(c, modifiers).to_string(),
        Key::Keypad(key) if modes.application_keypad && modifiers.is_empty() => {
            return keypad(key).map_or_else(Vec::new, |end| format!("\x1bO{end}").into_bytes());
        }
        Key::Keypad(Keypad::Enter) => {
            return xterm(Chord::new(Key::Enter, modifiers), modes);
        }
        Key::Keypad(key) => match key.text() {
            Some(c) => character(c, modifiers).to_string(),
            None => return Vec::new(),
        },
        key => {
            return function(key).map_or_else(Vec::new, |function| {
                let function = function.sequence(modifiers, modes.application_cursor);
                function.into_bytes()
            });
        }
    };
    let escape = if modifiers.contains(Modifiers::ALT) {
        "\x1b"
    } else {
        ""
    };
    [escape, &text].concat().into_bytes()
}

/// Returns the character that a character key types with these modifiers. For xterm, Super has no
/// effect.
fn character(c: char, modifiers: Modifiers) -> char {
    let typed = if modifiers.contains(Modifiers::SHIFT) {
        layout::shifted(c).unwrap_or(c)
    } else {
        c
    };
    if modifiers.contains(Modifiers::CTRL) {
        control(typed).unwrap_or(typed)
    } else {
        typed
    }
}

/// Returns the control character that Ctrl makes of a key. As on a VT220, digits reach the control
/// characters that no letter reaches.
fn control(c: char) -> Option<char> {
    let code = match c {
        'a'..='z' => c as u8 - b'a' + 1,
        'A'..='Z' => c as u8 - b'A' + 1,
        '@' | '2' => 0,
        '[' | '3' => 27,
        '\\' | '4' => 28,
        ']' | '5' => 29,
        '^' | '~' | '6' => 30,
        '_' | '/' | '7' => 31,
        '?' | '8' => 127,
        _ => return None,
    };
    Some(code.into())
}

/// The form of the sequence of a key that types no text.
#[derive(Debug, Clone, Copy)]
enum FunctionKeyForm {
    /// `CSI A`, or `CSI 1;5A` with modifiers; `SS3 A` in application mode.
    Cursor(char),
    /// `SS3 P`, or `CSI 1;5P` with modifiers.
    Top(char),
    /// `CSI 3~`, or `CSI 3;5~` with modifiers.
    Tilde(u8),
}

impl FunctionKeyForm {
    fn sequence(self, modifiers: Modifiers, application_cursor: bool) -> String {
        let held = modifiers.bits() + 1;
        match self {
            FunctionKeyForm::Cursor(end) if modifiers.is_empty() && application_cursor => {
                format!("\x1bO{end}")
            }
            FunctionKeyForm::Cursor(end) if modifiers.is_empty() => format!("\x1b[{end}"),
            FunctionKeyForm::Top(end) if modifiers.is_empty() => format!("\x1bO{end}"),
            FunctionKeyForm::Cursor(end) | FunctionKeyForm::Top(end) => {
                format!("\x1b[1;{held}{end}")
            }
            FunctionKeyForm::Tilde(number) if modifiers.is_empty() => format!("\x1b[{number}~"),
            FunctionKeyForm::Tilde(number) => format!("\x1b[{number};{held}~"),
        }
    }
}

fn function(key: Key) -> Option<FunctionKeyForm> {
    Some(match key {
        Key::Up => FunctionKeyForm::Cursor('A'),
        Key::Down => FunctionKeyForm::Cursor('B'),
        Key::Right => FunctionKeyForm::Cursor('C'),
        Key::Left => FunctionKeyForm::Cursor('D'),
        Key::End => FunctionKeyForm::Cursor('F'),
        Key::Home => FunctionKeyForm::Cursor('H'),
        Key::Insert => FunctionKeyForm::Tilde(2),
        Key::Delete => FunctionKeyForm::Tilde(3),
        Key::PageUp => FunctionKeyForm::Tilde(5),
        Key::PageDown => FunctionKeyForm::Tilde(6),
        Key::F(number @ 1..=4) => FunctionKeyForm::Top(char::from(b'O' + number)),
        // The numbers have gaps where the VT220 has gaps between groups of function keys.
        Key::F(5) => FunctionKeyForm::Tilde(15),
        Key::F(number @ 6..=10) => FunctionKeyForm::Tilde(number + 11),
        Key::F(number @ 11..=14) => FunctionKeyForm::Tilde(number + 12),
        Key::F(number @ 15..=16) => FunctionKeyForm::Tilde(number + 13),
        Key::F(number @ 17..=20) => FunctionKeyForm::Tilde(number + 14),
        Key::F(number @ 21..=Key::LAST_F) => FunctionKeyForm::Tilde(number + 21),
        _ => return None,
    })
}

/// Returns the last character of a keypad key's sequence in application mode (DECKPAM).
fn keypad(key: Keypad) -> Option<char> {
    Some(match key {
        Keypad::Digit(digit @ 0..=9) => char::from(b'p' + digit),
        Keypad::Digit(_) => return None,
        Keypad::Decimal => 'n',
        Keypad::Divide => 'o',
        Keypad::Multiply => 'j',
        Keypad::Subtract => 'm',
        Keypad::Add => 'k',
        Keypad::Enter => 'M',
        Keypad::Equal => 'X',
    })
}

#[cfg(test)]
mod tests;
