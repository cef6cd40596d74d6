//! Whether a cell's text is shown as text or as an emoji.

use swash::text::Codepoint as _;

use crate::font::Presentation;

/// Selects the text presentation of the character before it.
const TEXT_SELECTOR: char = '\u{fe0e}';
/// Selects the emoji presentation of the character before it.
const EMOJI_SELECTOR: char = '\u{fe0f}';
/// A key around the character before it.
const KEYCAP: char = '\u{20e3}';

/// Returns the presentation of a text that takes this many cells. A selector decides; without one,
/// flags and pictographs are emoji if the terminal gives them two cells, as it does for those that
/// are emoji by default.
pub(super) fn of(text: &str, cells: u8) -> Presentation {
    let mut chars = text.chars();
    let (first, second) = (chars.next().unwrap_or(' '), chars.next());
    let flag = matches!(first, '\u{1f1e6}'..='\u{1f1ff}');
    let pictograph = first.is_emoji() || first.is_extended_pictographic() || flag;
    match second {
        Some(TEXT_SELECTOR) => Presentation::Text,
        Some(EMOJI_SELECTOR) if pictograph => Presentation::Emoji,
        // A letter in a key is text; only digits, `#` and `*` have emoji of keys.
        Some(KEYCAP) if !pictograph => Presentation::Text,
        _ if pictograph && cells == 2 => Presentation::Emoji,
        // Of several characters that are joined, or a skin tone: no text has these.
        Some('\u{200d}' | '\u{1f3fb}'..='\u{1f3ff}') if pictograph => Presentation::Emoji,
        _ => Presentation::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, cells: u8, expected: Presentation) {
        assert_eq!(of(text, cells), expected, "{text:?} in {cells}");
    }

    #[test]
    fn a_selector_decides_and_then_the_width() {
        use Presentation::{Emoji, Text};
        check("😀", 2, Emoji);
        check("😀\u{fe0e}", 2, Text);
        check("❤", 1, Text);
        check("❤\u{fe0f}", 1, Emoji);
        check("❤\u{fe0f}", 2, Emoji);
        check("❤\u{fe0e}", 1, Text);
        check("❤\u{fe0f}\u{200d}🔥", 2, Emoji);
        check("🇩🇪", 2, Emoji);
        check("👍🏽", 2, Emoji);
        check("👩\u{200d}🚀", 1, Emoji);
        check("1\u{fe0f}\u{20e3}", 2, Emoji);
        check("1\u{20e3}", 1, Text);
        check("a\u{20e3}", 1, Text);
        check("a\u{fe0f}", 1, Text);
        check("1", 1, Text);
        check("©", 1, Text);
        check("漢", 2, Text);
        check("", 1, Text);
    }
}
