//! Text from a program, as XML and HTML can hold it.

/// Appends text for between tags or within double quotes.
///
/// A control character becomes a blank: XML has no way to write most of them. What turns the direction of text is left out:
/// it would reach beyond its cell.
pub(crate) fn push(out: &mut String, text: &str) {
    text.chars().for_each(|c| push_char(out, c));
}

fn push_char(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        // Needed only in `]]>`, and clearer everywhere.
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        // XML knows neither these two nor, but for three, the controls.
        '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
        c if c.is_control() => out.push(' '),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, escaped: &str) {
        let mut out = String::new();
        push(&mut out, text);
        assert_eq!(out, escaped);
    }

    #[test]
    fn what_would_end_a_text_is_escaped() {
        check(
            "<a href=\"x\">&]]>",
            "&lt;a href=&quot;x&quot;&gt;&amp;]]&gt;",
        );
    }

    #[test]
    fn what_xml_cannot_hold_is_replaced() {
        check("a\0b\x1bc\nd\u{85}e\u{fffe}", "a b c d e\u{fffd}");
        check("a\u{202e}b\u{2067}c", "abc");
    }
}
