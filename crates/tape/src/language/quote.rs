//! Quoting of texts in tapes, and the commands that type a text.

use super::Dialect;
use screentest_core::Chord;

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
    let mut lines = Vec::new();
    let mut part = String::new();
    let mut flush = |part: &mut String, line: Option<String>| {
        if let Some(quoted) = quote(part, dialect).filter(|_| !part.is_empty()) {
            lines.push(format!("Type {quoted}"));
        }
        part.clear();
        lines.extend(line);
    };
    for c in text.chars() {
        if c.is_control() && c.is_ascii() {
            flush(&mut part, Some(Chord::from(c).to_string()));
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
    lines
}
