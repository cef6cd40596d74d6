//! Writing tapes: texts in quotes, and the commands that type a text.

use super::Dialect;
use crate::Chord;

/// The quotes that VHS knows, the usual one first.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// A text as one argument of a command, in quotes; `None` where the dialect cannot say it in one: a line end, or in VHS's all
/// three kinds of quote.
pub fn quoted(text: &str, dialect: Dialect) -> Option<String> {
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

/// The commands that type a text, one a line: `Type` for what is shown, keys for Enter, Tab and other controls.
///
/// ```
/// use screentest_core::tape::{self, Dialect};
///
/// let lines = tape::typed("say \"hi\"\r", Dialect::Vhs);
/// assert_eq!(lines, ["Type 'say \"hi\"'", "Enter"]);
/// ```
pub fn typed(text: &str, dialect: Dialect) -> Vec<String> {
    let mut lines = Vec::new();
    let mut part = String::new();
    let mut flush = |part: &mut String, line: Option<String>| {
        if let Some(quoted) = quoted(part, dialect).filter(|_| !part.is_empty()) {
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
        // A third kind of quote would leave none to put around the text.
        let third = |quote: &char| *quote != c && !part.contains(*quote);
        if dialect == Dialect::Vhs && QUOTES.contains(&c) && !QUOTES.iter().any(third) {
            flush(&mut part, None);
        }
        part.push(c);
    }
    flush(&mut part, None);
    lines
}
