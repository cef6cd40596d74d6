//! Keys, by value and by name.
//!
//! A [`Key`] is one key; a [`Chord`] is a key with the modifiers held while it is pressed.
//! `Key::Up.ctrl()` and `"Ctrl+Up".parse()` are the same chord. Chords are normalised: `Shift+a`
//! and `A` are equal. [`Display`](fmt::Display) writes a name that parses to the same chord.
//!
//! See also: `input/encode_key.rs` (the bytes that a terminal sends for a chord).

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use bitflags::bitflags;

use crate::query::suggest::nearest;

pub(crate) mod layout;

/// A key of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// Enter, also called Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Backspace: deletes to the left.
    Backspace,
    /// The up arrow.
    Up,
    /// The down arrow.
    Down,
    /// The left arrow.
    Left,
    /// The right arrow.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page Up.
    PageUp,
    /// Page Down.
    PageDown,
    /// Insert.
    Insert,
    /// Delete: deletes to the right.
    Delete,
    /// The space bar.
    Space,
    /// A function key, 1 to 35. Other numbers are not keys and send nothing.
    F(u8),
    /// The key that types this character, with Shift if a US keyboard needs it.
    Char(char),
    /// A key of the numeric keypad.
    Keypad(Keypad),
}

/// A key of the numeric keypad, with Num Lock on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keypad {
    /// A digit, 0 to 9. Other numbers are not keys and send nothing.
    Digit(u8),
    /// The decimal point.
    Decimal,
    /// The division sign (slash).
    Divide,
    /// The multiplication sign (asterisk).
    Multiply,
    /// Minus.
    Subtract,
    /// Plus.
    Add,
    /// Enter.
    Enter,
    /// The equals sign.
    Equal,
}

impl Keypad {
    /// Returns the character that the key types, if it types one.
    pub fn text(self) -> Option<char> {
        Some(match self {
            Keypad::Digit(digit @ 0..=9) => char::from(b'0' + digit),
            Keypad::Digit(_) | Keypad::Enter => return None,
            Keypad::Decimal => '.',
            Keypad::Divide => '/',
            Keypad::Multiply => '*',
            Keypad::Subtract => '-',
            Keypad::Add => '+',
            Keypad::Equal => '=',
        })
    }
}

impl Key {
    /// The highest function key.
    pub const LAST_F: u8 = 35;

    /// Returns this key with Ctrl held.
    pub fn ctrl(self) -> Chord {
        self.with(Modifiers::CTRL)
    }

    /// Returns this key with Alt held.
    pub fn alt(self) -> Chord {
        self.with(Modifiers::ALT)
    }

    /// Returns this key with Shift held.
    pub fn shift(self) -> Chord {
        self.with(Modifiers::SHIFT)
    }

    /// Returns this key with `modifiers` held.
    pub fn with(self, modifiers: Modifiers) -> Chord {
        Chord::new(self, modifiers)
    }
}

impl From<char> for Key {
    fn from(c: char) -> Key {
        Key::Char(c)
    }
}

bitflags! {
    /// Modifier keys. The bits are those of xterm's and kitty's sequences.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Modifiers: u8 {
        /// Shift.
        const SHIFT = 1;
        /// Alt, or Option.
        const ALT = 2;
        /// Ctrl.
        const CTRL = 4;
        /// Super: the Windows key, or Command. For keys that type text, only the kitty keyboard
        /// protocol reports it.
        const SUPER = 8;
    }
}

/// A key with the modifiers held while it is pressed.
///
/// ```
/// use screentest_core::{Chord, Key};
///
/// assert_eq!("Ctrl+Alt+Up".parse(), Ok(Key::Up.ctrl().alt()));
/// assert_eq!(Chord::from('c').ctrl().to_string(), "Ctrl+C");
/// assert_eq!(
///     "Crtl+C".parse::<Chord>().unwrap_err().to_string(),
///     "unknown modifier `Crtl`, did you mean `Ctrl`?"
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chord {
    key: Key,
    modifiers: Modifiers,
}

impl Chord {
    /// Returns a key with modifiers, in normalised form:
    ///
    /// - Shift and a character become the character that they type: Shift+a is `A`, Shift+4 is `$`.
    /// - With Ctrl or Super, a letter becomes lower case, since shortcuts are written with
    ///   capitals: Ctrl+C does not hold Shift.
    /// - A control character becomes the key that sends it: `'\n'` is Enter, `'\x03'` is Ctrl+C.
    pub fn new(key: Key, modifiers: Modifiers) -> Chord {
        let (key, modifiers) = match key {
            Key::Char(c) if c.is_ascii_control() || c == ' ' => {
                let (key, held) = control(c);
                (key, modifiers | held)
            }
            key => (key, modifiers),
        };
        let Key::Char(c) = key else {
            return Chord { key, modifiers };
        };
        if modifiers.intersects(Modifiers::CTRL | Modifiers::SUPER) {
            let key = Key::Char(layout::small(c).unwrap_or(c));
            return Chord { key, modifiers };
        }
        let typed = layout::shifted(c).or_else(|| layout::unshifted(c).map(|_| c));
        match typed {
            Some(typed) if modifiers.contains(Modifiers::SHIFT) => Chord {
                key: Key::Char(typed),
                modifiers: modifiers - Modifiers::SHIFT,
            },
            _ => Chord { key, modifiers },
        }
    }

    /// Returns the key.
    pub fn key(self) -> Key {
        self.key
    }

    /// Returns the modifiers. Shift is not among them if the key's character already implies it.
    pub fn modifiers(self) -> Modifiers {
        self.modifiers
    }

    /// Returns this chord with Ctrl added.
    pub fn ctrl(self) -> Chord {
        self.with(Modifiers::CTRL)
    }

    /// Returns this chord with Alt added.
    pub fn alt(self) -> Chord {
        self.with(Modifiers::ALT)
    }

    /// Returns this chord with Shift added.
    pub fn shift(self) -> Chord {
        self.with(Modifiers::SHIFT)
    }

    /// Returns this chord with `modifiers` added.
    pub fn with(self, modifiers: Modifiers) -> Chord {
        Chord::new(self.key, self.modifiers | modifiers)
    }
}

/// Returns the key and the modifiers that send a control character or a space.
fn control(c: char) -> (Key, Modifiers) {
    match c {
        ' ' => (Key::Space, Modifiers::empty()),
        '\0' => (Key::Space, Modifiers::CTRL),
        '\r' | '\n' => (Key::Enter, Modifiers::empty()),
        '\t' => (Key::Tab, Modifiers::empty()),
        '\x1b' => (Key::Esc, Modifiers::empty()),
        '\x08' | '\x7f' => (Key::Backspace, Modifiers::empty()),
        // Ctrl subtracts 64 from the codes of `@` to `_`. Letters among them are named in lower
        // case.
        c => {
            let plain = char::from(c as u8 + 64).to_ascii_lowercase();
            (Key::Char(plain), Modifiers::CTRL)
        }
    }
}

impl From<Key> for Chord {
    fn from(key: Key) -> Chord {
        Chord::new(key, Modifiers::empty())
    }
}

impl From<char> for Chord {
    fn from(c: char) -> Chord {
        Key::Char(c).into()
    }
}

/// Key names, parsed in any case. `Display` writes the first name of each key, and a character as
/// itself.
const NAMES: [(&str, Key); 44] = [
    ("Enter", Key::Enter),
    ("Return", Key::Enter),
    ("Esc", Key::Esc),
    ("Escape", Key::Esc),
    ("Tab", Key::Tab),
    ("Backspace", Key::Backspace),
    ("Up", Key::Up),
    ("ArrowUp", Key::Up),
    ("Down", Key::Down),
    ("ArrowDown", Key::Down),
    ("Left", Key::Left),
    ("ArrowLeft", Key::Left),
    ("Right", Key::Right),
    ("ArrowRight", Key::Right),
    ("Home", Key::Home),
    ("End", Key::End),
    ("PageUp", Key::PageUp),
    ("PgUp", Key::PageUp),
    ("PageDown", Key::PageDown),
    ("PgDown", Key::PageDown),
    ("PgDn", Key::PageDown),
    ("Insert", Key::Insert),
    ("Ins", Key::Insert),
    ("Delete", Key::Delete),
    ("Del", Key::Delete),
    ("Space", Key::Space),
    ("Plus", Key::Char('+')),
    ("KP0", Key::Keypad(Keypad::Digit(0))),
    ("KP1", Key::Keypad(Keypad::Digit(1))),
    ("KP2", Key::Keypad(Keypad::Digit(2))),
    ("KP3", Key::Keypad(Keypad::Digit(3))),
    ("KP4", Key::Keypad(Keypad::Digit(4))),
    ("KP5", Key::Keypad(Keypad::Digit(5))),
    ("KP6", Key::Keypad(Keypad::Digit(6))),
    ("KP7", Key::Keypad(Keypad::Digit(7))),
    ("KP8", Key::Keypad(Keypad::Digit(8))),
    ("KP9", Key::Keypad(Keypad::Digit(9))),
    ("KPDecimal", Key::Keypad(Keypad::Decimal)),
    ("KPDivide", Key::Keypad(Keypad::Divide)),
    ("KPMultiply", Key::Keypad(Keypad::Multiply)),
    ("KPSubtract", Key::Keypad(Keypad::Subtract)),
    ("KPAdd", Key::Keypad(Keypad::Add)),
    ("KPEnter", Key::Keypad(Keypad::Enter)),
    ("KPEqual", Key::Keypad(Keypad::Equal)),
];

/// Modifier names, parsed in any case. `Display` writes the first name of each modifier, in this
/// order.
const MODIFIER_NAMES: [(&str, Modifiers); 8] = [
    ("Ctrl", Modifiers::CTRL),
    ("Control", Modifiers::CTRL),
    ("Alt", Modifiers::ALT),
    ("Option", Modifiers::ALT),
    ("Shift", Modifiers::SHIFT),
    ("Super", Modifiers::SUPER),
    ("Cmd", Modifiers::SUPER),
    ("Win", Modifiers::SUPER),
];

/// The reason why a text is not a chord.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// No key has this name.
    #[error("unknown key `{name}`{}", hint(*nearest))]
    UnknownKey {
        /// The unknown name.
        name: String,
        /// The most similar known name.
        nearest: Option<&'static str>,
    },
    /// No modifier has this name.
    #[error("unknown modifier `{name}`{}", hint(*nearest))]
    UnknownModifier {
        /// The unknown name.
        name: String,
        /// The most similar known name.
        nearest: Option<&'static str>,
    },
    /// A `+` has no modifier before it.
    #[error("`{text}` has no modifier before a `+`")]
    NoModifier {
        /// The whole text.
        text: String,
    },
    /// The text is empty or has only modifiers.
    #[error("`{text}` does not name a key")]
    NoKey {
        /// The whole text.
        text: String,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(", did you mean `{name}`?"))
}

/// Converting a [`Key`] or a `char` to a chord cannot fail. With this conversion, a function can
/// accept keys and names alike:
///
/// ```
/// use screentest_core::{Chord, Key, KeyError};
///
/// fn press<C: TryInto<Chord>>(chord: C) -> Result<Chord, KeyError>
/// where
///     KeyError: From<C::Error>,
/// {
///     Ok(chord.try_into()?)
/// }
///
/// assert_eq!(press("Enter"), press(Key::Enter));
/// assert_eq!(press(Key::F(5).shift()), press("Shift+F5"));
/// assert!(press("Entre").is_err());
/// ```
impl From<Infallible> for KeyError {
    fn from(never: Infallible) -> KeyError {
        match never {}
    }
}

/// Parses `Ctrl+C`, `Shift+Tab`, `F5`, `a`, `+` or `Ctrl++`. Names may be in any case. A single
/// character names the key that types it.
impl FromStr for Chord {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Chord, KeyError> {
        let mut modifiers = Modifiers::empty();
        let mut rest = text;
        loop {
            // A single remaining character is always a key, even `+`.
            let mut chars = rest.chars();
            if let (Some(c), None) = (chars.next(), chars.next()) {
                return Ok(Chord::new(Key::Char(c), modifiers));
            }
            let Some((name, after)) = rest.split_once('+') else {
                let key = key_named(rest.trim_ascii(), text)?;
                return Ok(Chord::new(key, modifiers));
            };
            if name.trim_ascii().is_empty() {
                let text = text.to_owned();
                return Err(KeyError::NoModifier { text });
            }
            modifiers |= modifier_named(name.trim_ascii())?;
            rest = after;
        }
    }
}

fn key_named(name: &str, text: &str) -> Result<Key, KeyError> {
    if name.is_empty() || modifier_named(name).is_ok() {
        let text = text.to_owned();
        return Err(KeyError::NoKey { text });
    }
    let mut chars = name.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return Ok(Key::Char(c));
    }
    if let Some((_, key)) = NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
        return Ok(*key);
    }
    let number = name.strip_prefix(['F', 'f']).and_then(|n| n.parse().ok());
    match number {
        Some(number @ 1..=Key::LAST_F) => Ok(Key::F(number)),
        _ => Err(KeyError::UnknownKey {
            name: name.to_owned(),
            nearest: nearest(name, NAMES.iter().map(|(name, _)| *name)),
        }),
    }
}

fn modifier_named(name: &str) -> Result<Modifiers, KeyError> {
    MODIFIER_NAMES
        .iter()
        .find_map(|(n, modifier)| n.eq_ignore_ascii_case(name).then_some(*modifier))
        .ok_or_else(|| KeyError::UnknownModifier {
            name: name.to_owned(),
            nearest: nearest(name, MODIFIER_NAMES.iter().map(|(name, _)| *name)),
        })
}

impl TryFrom<&str> for Chord {
    type Error = KeyError;

    fn try_from(text: &str) -> Result<Chord, KeyError> {
        text.parse()
    }
}

/// Writes a name that parses to the same chord.
impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.modifiers;
        for (name, modifier) in MODIFIER_NAMES {
            if left.contains(modifier) {
                write!(f, "{name}+")?;
                left -= modifier;
            }
        }
        let shortcut = self
            .modifiers
            .intersects(Modifiers::CTRL | Modifiers::SUPER);
        match self.key {
            // The usual notation is Ctrl+C, although Shift is not held.
            Key::Char(c) if shortcut => write!(f, "{}", layout::capital(c).unwrap_or(c)),
            Key::Char(c) => write!(f, "{c}"),
            Key::F(number) => write!(f, "F{number}"),
            key => match NAMES.iter().find(|(_, named)| *named == key) {
                Some((name, _)) => f.write_str(name),
                // A keypad digit above 9 is not a key and has no name that could be parsed.
                None => write!(f, "{key:?}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, chord: impl Into<Chord>, canonical: &str) {
        let chord = chord.into();
        assert_eq!(text.parse(), Ok(chord));
        assert_eq!(chord.to_string(), canonical);
    }

    #[test]
    fn names_parse_in_any_case_and_display_in_one_form() {
        check("Enter", Key::Enter, "Enter");
        check("return", Key::Enter, "Enter");
        check("ESCAPE", Key::Esc, "Esc");
        check("arrowup", Key::Up, "Up");
        check("PgUp", Key::PageUp, "PageUp");
        check("f12", Key::F(12), "F12");
        check("F24", Key::F(24), "F24");
        check("kp7", Key::Keypad(Keypad::Digit(7)), "KP7");
        check("a", 'a', "a");
        check("界", '界', "界");
        check(" ", Key::Space, "Space");
    }

    #[test]
    fn modifiers_are_accepted_in_any_order() {
        check("Ctrl+C", Key::Char('c').ctrl(), "Ctrl+C");
        check("control+c", Key::Char('C').ctrl(), "Ctrl+C");
        check("Shift+Tab", Key::Tab.shift(), "Shift+Tab");
        check("Alt+Left", Key::Left.alt(), "Alt+Left");
        check(
            "shift+alt+ctrl+F5",
            Key::F(5).ctrl().alt().shift(),
            "Ctrl+Alt+Shift+F5",
        );
        check("Cmd+K", Key::Char('k').with(Modifiers::SUPER), "Super+K");
        check("Ctrl + Home", Key::Home.ctrl(), "Ctrl+Home");
        check(
            "Ctrl+Shift+C",
            Key::Char('c').ctrl().shift(),
            "Ctrl+Shift+C",
        );
    }

    #[test]
    fn plus_is_a_key() {
        check("+", '+', "+");
        check("Ctrl++", Key::Char('+').ctrl(), "Ctrl++");
        check("Alt+Plus", Key::Char('+').alt(), "Alt++");
    }

    #[test]
    fn chords_that_type_the_same_character_are_equal() {
        check("Shift+a", 'A', "A");
        check("Shift+A", 'A', "A");
        check("Shift+4", '$', "$");
        check("Shift+$", '$', "$");
        check("Alt+a", Key::Char('a').alt(), "Alt+a");
        check("Alt+A", Key::Char('a').alt().shift(), "Alt+A");
        check("\n", Key::Enter, "Enter");
        check("\x03", Key::Char('c').ctrl(), "Ctrl+C");
        check("\0", Key::Space.ctrl(), "Ctrl+Space");
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_nearest_name() {
        for (text, message) in [
            ("Entre", "unknown key `Entre`, did you mean `Enter`?"),
            (
                "Ctrl+Pageup2",
                "unknown key `Pageup2`, did you mean `PageUp`?",
            ),
            ("Crtl+C", "unknown modifier `Crtl`, did you mean `Ctrl`?"),
            ("xyzzy", "unknown key `xyzzy`"),
            ("F36", "unknown key `F36`"),
            ("F+5", "unknown modifier `F`"),
            ("C-x", "unknown key `C-x`"),
            ("Ctrl+", "`Ctrl+` does not name a key"),
            ("Ctrl", "`Ctrl` does not name a key"),
            ("++", "`++` has no modifier before a `+`"),
            ("+a", "`+a` has no modifier before a `+`"),
            ("", "`` does not name a key"),
        ] {
            let error = text.parse::<Chord>().unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }

    fn any_key() -> impl Strategy<Value = Key> {
        prop_oneof![
            any::<char>().prop_map(Key::Char),
            (0u8..128).prop_map(|c| Key::Char(c.into())),
            (1..=Key::LAST_F).prop_map(Key::F),
            (0..NAMES.len()).prop_map(|index| NAMES[index].1),
        ]
    }

    proptest! {
        #[test]
        fn chord_names_parse_to_the_same_chord(key in any_key(), modifiers in 0u8..16) {
            let chord = Chord::new(key, Modifiers::from_bits_truncate(modifiers));
            prop_assert_eq!(chord.to_string().parse(), Ok(chord));
            prop_assert_eq!(Chord::new(chord.key(), chord.modifiers()), chord);
        }

        #[test]
        fn parsing_never_panics(text in "\\PC*|[A-Za-z+ ]*") {
            let _ = text.parse::<Chord>();
        }
    }
}
