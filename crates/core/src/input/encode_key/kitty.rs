//! Keys in the kitty keyboard protocol.
//!
//! `CSI number:shifted ; modifiers:phase ; text u`, where the number is the character of the key without Shift or one of
//! the protocol's own; keys that had a sequence keep its end. What is not asked for is left out: see
//! <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.

use crate::input::key::{Chord, Key, Keypad, Modifiers, layout};
use crate::{KittyKeyboard, Modes};

use super::Phase;

/// What a chord sends to a program that asked for the protocol.
pub(super) fn bytes(chord: Chord, phase: Phase, modes: &Modes) -> Vec<u8> {
    let flags = modes.kitty_keyboard;
    // The protocol keeps these numbers for keys of its own: as a sequence, such a character would be one of those. It is typed as
    // without the protocol.
    if let Key::Char('\u{e000}'..='\u{f8ff}') = chord.key() {
        return match phase {
            Phase::Press | Phase::Repeat => super::xterm(chord, modes),
            Phase::Release => Vec::new(),
        };
    }
    let Some(report) = Report::of(chord) else {
        return Vec::new();
    };
    if !flags.contains(KittyKeyboard::ALL_KEYS) {
        let disambiguate = flags.contains(KittyKeyboard::DISAMBIGUATE);
        match (chord.key(), phase) {
            // A shell whose last program forgot to switch the protocol off must stay usable, so these three remain what
            // they were; and as they have no sequence, they have no release.
            (Key::Enter | Key::Tab | Key::Backspace, Phase::Release) => return Vec::new(),
            (Key::Enter | Key::Tab | Key::Backspace, _) if chord.modifiers().is_empty() => {
                return super::xterm(chord, modes);
            }
            // Keypad keys type text too, but which key it was is what the program asked to tell apart.
            (Key::Keypad(_), _) if disambiguate => {}
            (_, Phase::Press | Phase::Repeat) => {
                if let Some(text) = report.text {
                    return text.to_string().into_bytes();
                }
            }
            (_, Phase::Release) => {}
        }
    }
    report.sequence(phase, flags).into_bytes()
}

/// What the protocol can say of a chord.
struct Report {
    number: u32,
    end: char,
    shifted: Option<char>,
    modifiers: Modifiers,
    text: Option<char>,
}

impl Report {
    fn of(chord: Chord) -> Option<Report> {
        let (number, end) = number(chord.key())?;
        let mut report = Report {
            number,
            end,
            shifted: None,
            modifiers: chord.modifiers(),
            text: None,
        };
        match chord.key() {
            Key::Char(c) => {
                // The number is that of the key; that Shift made the character is said beside it.
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
        // With anything but Shift held, a key is a command and types nothing.
        if !Modifiers::SHIFT.contains(report.modifiers) {
            report.text = None;
        }
        Some(report)
    }

    fn sequence(&self, phase: Phase, flags: KittyKeyboard) -> String {
        let shifted = self
            .shifted
            .filter(|_| flags.contains(KittyKeyboard::ALTERNATE_KEYS))
            .map_or_else(String::new, |c| format!(":{}", u32::from(c)));
        let event = match phase {
            Phase::Press => "",
            Phase::Repeat => ":2",
            Phase::Release => ":3",
        };
        let held = if self.modifiers.is_empty() && event.is_empty() {
            String::new()
        } else {
            format!("{}{event}", self.modifiers.bits() + 1)
        };
        // The protocol gives text a meaning only where every key is a sequence.
        let text = self
            .text
            .filter(|_| phase != Phase::Release)
            .filter(|_| flags.contains(KittyKeyboard::ALL_KEYS | KittyKeyboard::ASSOCIATED_TEXT))
            .map_or_else(String::new, |c| format!(";{}", u32::from(c)));
        let rest = match (held.as_str(), text.as_str()) {
            ("", "") => String::new(),
            (held, text) => format!(";{held}{text}"),
        };
        // A lone 1 is what a sequence without a number means anyway.
        let number = match self.number {
            1 if rest.is_empty() => String::new(),
            number => number.to_string(),
        };
        format!("\x1b[{number}{shifted}{rest}{}", self.end)
    }
}

/// The protocol's number of a key and the letter that ends its sequence. A character's number follows from the layout.
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
