//! Replaces control characters before text reaches a terminal.
//!
//! Names, paths, arguments and the content of files are not trusted: an escape sequence in them
//! could set the title, move the cursor or write to the clipboard. All messages pass through one of
//! these functions. If stdout is a terminal, its text does too, except our own styled text and
//! screens in the ANSI format (`print_exact`). A control character becomes U+FFFD, as does a
//! bidirectional control, which could show a name in another order.
//!
//! See also: `failure.rs` (messages on stderr), `output/target.rs` (stdout).

use std::borrow::Cow;

/// Shown instead of a control character.
const REPLACEMENT: char = '\u{fffd}';

/// Replaces all control characters, for text on one line.
pub(crate) fn replace_controls(text: &str) -> String {
    text.chars()
        .map(|c| if is_control(c) { REPLACEMENT } else { c })
        .collect()
}

/// Replaces control characters except line feeds and tabs, for text that may have several lines.
pub(crate) fn replace_controls_in_lines(text: &str) -> Cow<'_, str> {
    replace(text, |_| 0)
}

/// Replaces control characters except line feeds, tabs and the sequences that select colours
/// (SGR), for text that already has styles.
pub(crate) fn replace_controls_in_styled(text: &str) -> Cow<'_, str> {
    replace(text, style_len)
}

/// Replaces control characters; `kept` returns the length of a sequence to keep at the start of the
/// text, or 0.
fn replace(text: &str, kept: impl Fn(&str) -> usize) -> Cow<'_, str> {
    let is_replaced = |c: char| is_control(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_replaced) {
        return Cow::Borrowed(text);
    }
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, at)) = rest
        .find(is_replaced)
        .and_then(|at| rest.split_at_checked(at))
    {
        replaced.push_str(before);
        let len = kept(at);
        if let Some((sequence, after)) = at.split_at_checked(len)
            && len > 0
        {
            replaced.push_str(sequence);
            rest = after;
        } else {
            replaced.push(REPLACEMENT);
            let mut chars = at.chars();
            chars.next();
            rest = chars.as_str();
        }
    }
    replaced.push_str(rest);
    Cow::Owned(replaced)
}

/// Returns the length of the SGR sequence at the start of the text; 0 if there is none.
fn style_len(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\x1b[") else {
        return 0;
    };
    let is_parameter = |c: char| c.is_ascii_digit() || matches!(c, ';' | ':');
    let after = parameters.trim_start_matches(is_parameter);
    if after.starts_with('m') {
        text.len() - after.len() + 1
    } else {
        0
    }
}

fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_control_characters_are_replaced() {
        for c in [
            '\0', '\x07', '\x1b', '\r', '\x7f', '\u{9b}', '\u{202e}', '\u{2066}',
        ] {
            let text = format!("a{c}[2Jb");
            assert_eq!(replace_controls(&text), "a\u{fffd}[2Jb");
            assert_eq!(replace_controls_in_lines(&text), "a\u{fffd}[2Jb");
            assert_eq!(replace_controls_in_styled(&text), "a\u{fffd}[2Jb");
        }
    }

    #[test]
    fn only_one_line_loses_its_line_feeds() {
        assert_eq!(replace_controls("a\n\tb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(replace_controls_in_lines("a\n\tb"), "a\n\tb");
        assert_eq!(replace_controls_in_lines("é\x1b[31m"), "é\u{fffd}[31m");
    }

    #[test]
    fn styled_text_keeps_only_its_styles() {
        let styled = "\x1b[1;38:2::1:2:3merror\x1b[m: é\n";
        assert_eq!(replace_controls_in_styled(styled), styled);
        for (text, shown) in [
            ("\x1b", "\u{fffd}"),
            ("\x1b[", "\u{fffd}["),
            ("\x1b[1", "\u{fffd}[1"),
            ("\x1b[?1m", "\u{fffd}[?1m"),
            ("\x1b[>4;2m", "\u{fffd}[>4;2m"),
            ("\x1b[1\x1b[31mx", "\u{fffd}[1\x1b[31mx"),
            ("\x1b]0;t\x07\x1b[0m", "\u{fffd}]0;t\u{fffd}\x1b[0m"),
        ] {
            assert_eq!(replace_controls_in_styled(text), shown, "{text:?}");
        }
    }
}
