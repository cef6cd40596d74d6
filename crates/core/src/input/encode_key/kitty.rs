//! Keys in the kitty keyboard protocol.
//!
//! `CSI number:shifted ; modifiers:phase ; text u`, where the number is the key's character without
//! Shift or one of the protocol's own numbers. Cursor keys, editing keys and F1 to F12, except F3,
//! keep the final byte of their xterm sequences. Fields that the program did not ask for are left
//! out. See <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.

use crate::input::key::{Chord, Key, Keypad, Modifiers, layout};
use crate::{KittyKeyboard, Modes};

use super::KeyPhase;

/// Returns the bytes sent to a program that turned on the protocol.
pub(super) fn bytes(chord: Chord, phase: KeyPhase, modes: &Modes) -> Vec<u8> {
    let flags = modes.kitty_keyboard;
    // The protocol uses these code points as key numbers, so a sequence with such a character would
    // be another key. The character is typed as without the protocol.
    if let Key::Char('\u{e000}'..='\u{f8ff}') = chord.key() {
        return match phase {
            KeyPhase::Press | KeyPhase::Repeat => super::xterm(chord, modes),
            KeyPhase::Release => Vec::new(),
        };
    }
    let Some(report) = KeyReport::of(chord) else {
        return Vec::new();
    };
    if !flags.contains(KittyKeyboard::ALL_KEYS) {
        let disambiguate = flags.contains(KittyKeyboard::DISAMBIGUATE);
        match (chord.key(), phase) {
            // Without modifiers these three keys stay unchanged, so that a shell remains usable
            // after a program that did not turn the protocol off. Their releases are not reported.
            (Key::Enter | Key::Tab | Key::Backspace, KeyPhase::Release) => return Vec::new(),
            (Key::Enter | Key::Tab | Key::Backspace, _) if chord.modifiers().is_empty() => {
                return super::xterm(chord, modes);
            }
            // Keypad keys also type text, but the program asked to distinguish them.
            (Key::Keypad(_), _) if disambiguate => {}
            (_, KeyPhase::Press | KeyPhase::Repeat) => {
                if let Some(text) = report.text {
                    return text.to_string().into_bytes();
                }
            }
            (_, KeyPhase::Release) => {}
        }
    }
    report.sequence(phase, flags).into_bytes()
}

/// The fields of a chord that the protocol can report.
struct KeyReport {
    number: u32,
    end: char,
    shifted: Option<char>,
    modifiers: Modifiers,
    text: Option<char>,
}

impl KeyReport {
    fn of(chord: Chord) -> Option<KeyReport> {
        let (number, end) = number(chord.key())?;
        let mut report = KeyReport {
            number,
            end,
            shifted: None,
            modifiers: chord.modifiers(),
            text: None,
        };
        match chord.key() {
            Key::Char(c) => {
                // The number is that of the unshifted key; Shift is reported as a modifier.
                let plain = layout::unshifted(c);
                if plain.is_some() {
                    report.modifiers |= Modifiers::SHIFT;
                }
                report.number = plain.unwrap_or(c).into();
                if report.modifiers.contains(Modifiers::SHIFT) {
                    report.shifted = layout::shifted(plain.unwrap_or(c));
                }
                report.text = Some(report.shifted.unwrap_or(c));
            }
            Key::Space => report.text = Some(' '),
            Key::Keypad(key) => report.text = key.text(),
            _ => {}
        }
        // With any modifier other than Shift, a key types no text.
        if !Modifiers::SHIFT.contains(report.modifiers) {
            report.text = None;
        }
        Some(report)
    }

    fn sequence(&self, phase: KeyPhase, flags: KittyKeyboard) -> String {
        let shifted = self
            .shifted
            .filter(|_| flags.contains(KittyKeyboard::ALTERNATE_KEYS))
            .map_or_else(String::new, |c| format!(":{}", u32::from(c)));
        let event = match phase {
            KeyPhase::Press => "",
            KeyPhase::Repeat => ":2",
            KeyPhase::Release => ":3",
        };
        let held = if self.modifiers.is_empty() && event.is_empty() {
            String::new()
        } else {
            format!("{}{event}", self.modifiers.bits() + 1)
        };
        // The protocol defines associated text only if every key is a sequence.
        let text = self
            .text
            .filter(|_| phase != KeyPhase::Release)
            .filter(|_| flags.contains(KittyKeyboard::ALL_KEYS | KittyKeyboard::ASSOCIATED_TEXT))
            .map_or_else(String::new, |c| format!(";{}", u32::from(c)));
        let rest = match (held.as_str(), text.as_str()) {
            ("", "") => String::new(),
            (held, text) => format!(";{held}{text}"),
        };
        // A number of 1 alone is the default and is left out.
        let number = match self.number {
            1 if rest.is_empty() => String::new(),
            number => number.to_string(),
        };
        format!("\x1b[{number}{shifted}{rest}{}", self.end)
    }
}

/// Returns the protocol's number of a key and the final byte of its sequence. The number of a
/// character depends on the layout.
fn number(key: Key) -> Option<(u32, char)> {
    Some(match key {
        Key::Char(c) => (c.into(), 'u'),
        Key::Space => (32, 'u'),
        Key::Esc => (27, 'u'),
        Key::Enter => (13, 'u'),
        Key::Tab => (9, 'u'),
        Key::Backspace => (127, 'u'),
        Key::Insert => (2, '~'),
        Key::Delete => (3, '~'),
        Key::PageUp => (5, '~'),
        Key::PageDown => (6, '~'),
        Key::Up => (1, 'A'),
        Key::Down => (1, 'B'),
        Key::Right => (1, 'C'),
        Key::Left => (1, 'D'),
        Key::End => (1, 'F'),
        Key::Home => (1, 'H'),
        Key::F(1) => (1, 'P'),
        Key::F(2) => (1, 'Q'),
        // `CSI 1;2R` would be a cursor report.
        Key::F(3) => (13, '~'),
        Key::F(4) => (1, 'S'),
        Key::F(5) => (15, '~'),
        Key::F(number @ 6..=10) => (u32::from(number) + 11, '~'),
        Key::F(number @ 11..=12) => (u32::from(number) + 12, '~'),
        Key::F(number @ 13..=Key::LAST_F) => (u32::from(number) - 13 + 57376, 'u'),
        Key::F(_) => return None,
        Key::Keypad(key) => {
            let offset = match key {
                Keypad::Digit(digit @ 0..=9) => digit.into(),
                Keypad::Digit(_) => return None,
                Keypad::Decimal => 10,
                Keypad::Divide => 11,
                Keypad::Multiply => 12,
                Keypad::Subtract => 13,
                Keypad::Add => 14,
                Keypad::Enter => 15,
                Keypad::Equal => 16,
            };
            (57399 + offset, 'u')
        }
    })
}
