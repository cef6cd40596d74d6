//! Notations of actions that several interfaces share: key lists, mouse buttons, wheel directions.

use crate::input::mouse::{Button, Wheel};
use crate::{Chord, KeyError};

/// Why a notation is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseActionError {
    /// A word of the list is not a key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A list of keys is empty.
    #[error("no key is named")]
    NoKey,
    /// No mouse button has this name.
    #[error("unknown mouse button: {0} (one of: left, middle, right)")]
    Button(String),
    /// The wheel has no such direction.
    #[error("wheel must be one of: up, down, left, right; not {0}")]
    Wheel(String),
}

/// Parses keys that are separated by spaces, such as `Escape g g` or `Ctrl+S`.
pub fn parse_keys(text: &str) -> Result<Vec<Chord>, ParseActionError> {
    let chords = text.split_whitespace().map(str::parse::<Chord>);
    let chords = chords.collect::<Result<Vec<Chord>, KeyError>>()?;
    if chords.is_empty() {
        return Err(ParseActionError::NoKey);
    }
    Ok(chords)
}

/// Parses a mouse button; the default is the left one.
pub fn parse_button(name: Option<&str>) -> Result<Button, ParseActionError> {
    match name.map(str::to_lowercase).as_deref() {
        None | Some("left") => Ok(Button::Left),
        Some("middle") => Ok(Button::Middle),
        Some("right") => Ok(Button::Right),
        Some(other) => Err(ParseActionError::Button(other.to_owned())),
    }
}

/// Parses a wheel direction; the default is down.
pub fn parse_wheel(name: Option<&str>) -> Result<Wheel, ParseActionError> {
    match name.map(str::to_lowercase).as_deref() {
        None | Some("down") => Ok(Wheel::Down),
        Some("up") => Ok(Wheel::Up),
        Some("left") => Ok(Wheel::Left),
        Some("right") => Ok(Wheel::Right),
        Some(other) => Err(ParseActionError::Wheel(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, Modifiers};

    #[test]
    fn keys_are_separated_by_spaces() {
        let parsed = parse_keys(" Escape  g Ctrl+S ").unwrap();
        let expected: [Chord; 3] = [
            Key::Esc.into(),
            'g'.into(),
            Chord::new(Key::Char('S'), Modifiers::CTRL),
        ];
        assert_eq!(parsed, expected);
        assert_eq!(parse_keys("  "), Err(ParseActionError::NoKey));
        assert!(matches!(parse_keys("Entre"), Err(ParseActionError::Key(_))));
    }

    #[test]
    fn buttons_and_directions_are_case_insensitive_and_have_defaults() {
        assert_eq!(parse_button(None), Ok(Button::Left));
        assert_eq!(parse_button(Some("Right")), Ok(Button::Right));
        assert_eq!(parse_wheel(None), Ok(Wheel::Down));
        assert_eq!(parse_wheel(Some("UP")), Ok(Wheel::Up));
        assert_eq!(
            parse_button(Some("fourth")).unwrap_err().to_string(),
            "unknown mouse button: fourth (one of: left, middle, right)"
        );
    }
}
