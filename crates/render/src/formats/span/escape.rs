//! Escapes a program's text for XML and HTML.

/// Appends text between tags or within double quotes.
///
/// A control character becomes a space: XML 1.0 cannot express most C0 controls. Bidirectional
/// controls are dropped: their effect would extend beyond their cell.
pub(crate) fn push(out: &mut String, text: &str) {
    text.chars().for_each(|c| push_char(out, c));
}

fn push_char(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        // Required only in `]]>`, and clearer everywhere.
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        // XML 1.0 allows neither these two nor, with three exceptions, C0 controls.
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
    fn markup_characters_are_escaped() {
        check(
            "<a href=\"x\">&]]>",
            "&lt;a href=&quot;x&quot;&gt;&amp;]]&gt;",
        );
    }

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        check("a\0b\x1bc\nd\u{85}e\u{fffe}", "a b c d e\u{fffd}");
        check("a\u{202e}b\u{2067}c", "abc");
    }
}
