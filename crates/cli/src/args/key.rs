//! Keys, as values of options.

use anyhow::anyhow;
use screentest::core::{Chord, KeyError};

use crate::failure::Failure;

/// Parses a key; `typing` is the option or command that types text, for the hint.
pub(crate) fn chord(name: &str, typing: &str) -> Result<Chord, Failure> {
    name.parse()
        .map_err(|error| unknown_key(name, error, typing))
}

const KEYS: &str = "keys are Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, \
    Delete, F1 to F35, KP0 to KP9, and any single character";

fn unknown_key(text: &str, error: KeyError, typing: &str) -> Failure {
    if text.is_empty() {
        return Failure::usage(anyhow!("the key is empty")).hint(KEYS);
    }
    if let Some(chord) = parse_other_notation(text) {
        return Failure::usage(anyhow!("unknown key `{text}`, did you mean `{chord}`?"));
    }
    let hint = match &error {
        // The error message contains a suggestion.
        KeyError::UnknownKey {
            nearest: Some(_), ..
        }
        | KeyError::UnknownModifier {
            nearest: Some(_), ..
        } => None,
        KeyError::UnknownModifier { .. } | KeyError::NoModifier { .. } => Some(
            "modifiers are Ctrl, Alt, Shift and Super, as in `Ctrl+C`; `+` alone is a key"
                .to_owned(),
        ),
        KeyError::NoKey { .. } => Some("a modifier needs a key, as in `Ctrl+C`".to_owned()),
        KeyError::UnknownKey { name, .. } if name == text => {
            Some(format!("`{typing} {text:?}` types text; {KEYS}"))
        }
        _ => Some(KEYS.to_owned()),
    };
    let failure = Failure::usage(error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Parses the notations `^C`, `C-c`, `M-x` and `Ctrl-C` of other tools.
fn parse_other_notation(text: &str) -> Option<Chord> {
    if let Some(key) = text.strip_prefix('^') {
        return format!("Ctrl+{key}").parse().ok();
    }
    let (modifiers, key) = text.rsplit_once('-')?;
    let modifiers = modifiers.split('-').map(|modifier| match modifier {
        "C" | "c" => "Ctrl",
        "M" | "m" | "A" | "a" => "Alt",
        "S" | "s" => "Shift",
        name => name,
    });
    let names: Vec<&str> = modifiers.chain([key]).collect();
    names.join("+").parse().ok()
}
