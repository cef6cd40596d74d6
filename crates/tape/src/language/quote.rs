//! Quoting of texts in tapes, and the commands that type a text.

use super::Dialect;
use super::action_lines::key_name;
use screentest_core::{Action, Chord};

/// The quotes that VHS supports, the usual one first.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Quotes a text as one argument of a command; `None` if the dialect cannot express it: a text with
/// a line end or, in VHS, with all three kinds of quotes.
pub fn quote(text: &str, dialect: Dialect) -> Option<String> {
    if text.contains(['\n', '\r']) {
        return None;
    }
    match dialect {
        Dialect::Vhs => QUOTES
            .into_iter()
            .find(|quote| !text.contains(*quote))
            .map(|quote| format!("{quote}{text}{quote}")),
        Dialect::Betamax if !text.contains('\'') => Some(format!("'{text}'")),
        Dialect::Betamax => {
            let mut quoted = String::from('"');
            for c in text.chars() {
                if matches!(c, '$' | '`' | '"' | '\\') {
                    quoted.push('\\');
                }
                quoted.push(c);
            }
            quoted.push('"');
            Some(quoted)
        }
    }
}

/// Returns the commands that type a text, one per line: `Type` for printable text, keys for Enter,
/// Tab and other control characters.
///
/// ```
/// use screentest_tape::language::{self, Dialect};
///
/// let lines = language::type_commands("say \"hi\"\r", Dialect::Vhs);
/// assert_eq!(lines, ["Type 'say \"hi\"'", "Enter"]);
/// ```
pub fn type_commands(text: &str, dialect: Dialect) -> Vec<String> {
    let actions = typing_actions(text, dialect).into_iter();
    let lines = actions.filter_map(|action| match action {
        Action::Type(part) => Some(format!("Type {}", quote(&part, dialect)?)),
        Action::Press(chord) => Some(key_name(chord)),
        _ => None,
    });
    lines.collect()
}

/// Splits a text into the actions that type it, each of them one line of a tape: `Type` of a text
/// that can be quoted, `Press` for control characters.
pub(crate) fn typing_actions(text: &str, dialect: Dialect) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut part = String::new();
    let mut flush = |part: &mut String, key: Option<Chord>| {
        if !part.is_empty() {
            actions.push(Action::Type(std::mem::take(part)));
        }
        actions.extend(key.map(Action::Press));
    };
    for c in text.chars() {
        if c.is_control() && c.is_ascii() {
            flush(&mut part, Some(Chord::from(c)));
            continue;
        }
        // A third kind of quote would leave none to quote the text with.
        let third = |quote: &char| *quote != c && !part.contains(*quote);
        if dialect == Dialect::Vhs && QUOTES.contains(&c) && !QUOTES.iter().any(third) {
            flush(&mut part, None);
        }
        part.push(c);
    }
    flush(&mut part, None);
    actions
}
