//! Canonically equivalent forms of a text (Unicode normalization forms C and D).
//!
//! A font may have `é` but no combining accent, a syllable of Hangul but not its letters, or the
//! other way round, so all forms are tried.

use swash::text::Codepoint as _;

/// Returns a text and its equivalents, each once, those that need the fewest glyphs first.
pub(super) fn forms(text: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for form in [composed(text), text.to_owned(), decomposed(text)] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// Decomposes a text, with marks in canonical order.
fn decomposed(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().flat_map(char::decompose).collect();
    let is_starter = |c: &char| c.combining_class() == 0;
    for marks in chars.split_mut(is_starter) {
        // Stable: marks of one class stack in the order of the text.
        marks.sort_by_key(|mark| mark.combining_class());
    }
    chars.into_iter().collect()
}

/// Composes a text: each mark with the last starter, unless a mark of the same class is between.
pub(crate) fn composed(text: &str) -> String {
    let mut chars: Vec<char> = Vec::new();
    let mut starter = None;
    for c in decomposed(text).chars() {
        let class = c.combining_class();
        let blocked = |starter: usize| {
            let between = &chars[starter + 1..];
            between
                .last()
                .is_some_and(|last| last.combining_class() >= class)
        };
        let joined = starter.filter(|at| !blocked(*at)).and_then(|at| {
            let joined = char::compose(chars[at], c)?;
            Some((at, joined))
        });
        match joined {
            Some((at, joined)) => chars[at] = joined,
            None => {
                if class == 0 {
                    starter = Some(chars.len());
                }
                chars.push(c);
            }
        }
    }
    chars.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(forms(text), expected, "{text:?}");
    }

    #[test]
    fn letters_and_marks_are_joined_and_taken_apart() {
        check("a", &["a"]);
        check("e\u{301}", &["\u{e9}", "e\u{301}"]);
        check("\u{e9}", &["\u{e9}", "e\u{301}"]);
        // Marks of different classes: their order does not matter.
        check(
            "e\u{302}\u{323}",
            &["\u{1ec7}", "e\u{302}\u{323}", "e\u{323}\u{302}"],
        );
        // A mark of the same class is in between.
        check("e\u{310}\u{301}", &["e\u{310}\u{301}"]);
        check("q\u{303}", &["q\u{303}"]);
    }

    #[test]
    fn letters_of_hangul_are_joined_to_syllables() {
        check(
            "\u{1112}\u{1161}\u{11ab}",
            &["\u{d55c}", "\u{1112}\u{1161}\u{11ab}"],
        );
        check("\u{1112}\u{1161}", &["\u{d558}", "\u{1112}\u{1161}"]);
        check(
            "\u{d558}\u{11ab}",
            &["\u{d55c}", "\u{d558}\u{11ab}", "\u{1112}\u{1161}\u{11ab}"],
        );
        check("\u{1112}", &["\u{1112}"]);
        // Letters of old Hangul have no syllables.
        check("\u{113c}\u{1161}", &["\u{113c}\u{1161}"]);
    }

    #[test]
    fn emoji_have_one_form() {
        for emoji in ["1\u{fe0f}\u{20e3}", "👩\u{200d}🚀", "🇩🇪", "👍🏽"] {
            check(emoji, &[emoji]);
        }
    }
}
