//! Grapheme clusters: which characters share a cell, and how many columns they take.
//!
//! Clusters are those of UAX #29. A cluster takes as many columns as its widest character, at most
//! two. As in kitty and ghostty, U+FE0F widens the emoji before it to two columns if it is shown as
//! text without, and U+FE0E narrows one to one column if it is shown as an emoji without. A pair of
//! regional indicators, a flag, takes two columns.
//!
//! `unicode-segmentation` decides the boundaries and `unicode-width` the columns. A character that
//! is newer than the tables of one of them begins its own cluster, or takes one column.
//!
//! See also: `text_width.rs` (cells as measured by a reader of their text).

use unicode_segmentation::GraphemeCursor;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::screen::row::MAX_MARKS;

const TEXT_PRESENTATION: char = '\u{fe0e}';
const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// Returns the number of columns of a character on its own, at most two; `None` for a control.
pub(crate) fn columns(c: char) -> Option<usize> {
    match c {
        // Invisible only where a text is laid out in lines. Terminals and `wcwidth` give it a column.
        '\u{ad}' => Some(1),
        _ => c.width().map(|columns| columns.min(2)),
    }
}

/// Returns whether a character that takes columns neither continues a cluster of ordinary
/// characters nor is continued by them. Only whole blocks are known here, for speed; the others take
/// the slow path.
#[inline]
pub(crate) fn stands_alone(c: char) -> bool {
    matches!(c,
        ' '..='~'
        | '\u{a0}'..='\u{5ff}'
        | '\u{1e00}'..='\u{2d7e}'
        | '\u{2d80}'..='\u{a7ff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{e000}'..='\u{fdff}'
        | '\u{fe30}'..='\u{ff9d}'
        | '\u{ffa0}'..='\u{ffff}'
        | '\u{1f000}'..='\u{1f1e5}'
        | '\u{1f200}'..='\u{1f3fa}'
        | '\u{1f400}'..='\u{1faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Returns whether the character at byte `at`, the last one of `text`, continues the cluster before
/// it.
pub(crate) fn continues(text: &str, at: usize) -> bool {
    let boundary = GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0);
    at > 0 && !boundary.unwrap_or(true)
}

/// Returns whether any character after this one continues its cluster (the class Prepend).
pub(crate) fn is_prepended(c: char) -> bool {
    !c.is_ascii() && {
        let mut text = String::from(c);
        text.push('a');
        continues(&text, c.len_utf8())
    }
}

/// Returns the columns of a cluster of `columns` columns after the character at byte `at`, the last
/// one of `text`, was added to it.
pub(crate) fn columns_with(text: &str, at: usize, columns: usize) -> usize {
    let (before, added) = text.split_at(at);
    let last = before.char_indices().next_back();
    let is_variant = |width| {
        last.is_some_and(|(start, _)| text.get(start..).is_some_and(|pair| pair.width() == width))
    };
    match (last, added.chars().next()) {
        (_, Some(EMOJI_PRESENTATION)) if is_variant(2) => 2,
        (Some((0, _)), Some(TEXT_PRESENTATION)) if is_variant(1) => 1,
        (_, Some('\u{1f1e6}'..='\u{1f1ff}')) => 2,
        (_, Some(c)) => columns.max(self::columns(c).unwrap_or(0)),
        _ => columns,
    }
}

/// A cluster that is read character by character.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cluster {
    pub(crate) text: String,
    /// 0 if there is none yet.
    pub(crate) columns: usize,
    len: usize,
}

impl Cluster {
    /// Adds a character if it belongs to this cluster. Controls never do.
    pub(crate) fn add(&mut self, c: char) -> bool {
        let (Some(own), false) = (columns(c), self.text.is_empty()) else {
            return false;
        };
        // Two characters of most scripts need no look at the tables.
        if self.len == 1 && own > 0 && stands_alone(c) && self.text.chars().all(stands_alone) {
            return false;
        }
        let at = self.text.len();
        self.text.push(c);
        let continues = continues(&self.text, at);
        let is_full = self.len > MAX_MARKS;
        if (own > 0 && (is_full || !continues)) || (own == 0 && !continues && is_prepended(c)) {
            self.text.truncate(at);
            return false;
        }
        if is_full {
            self.text.truncate(at);
        } else {
            if continues {
                self.columns = columns_with(&self.text, at, self.columns);
            }
            self.len += 1;
        }
        true
    }

    /// Begins a cluster. A character without columns is added to a space, except a prepended one,
    /// which takes a column.
    pub(crate) fn begin(&mut self, c: char) {
        self.text.clear();
        self.columns = columns(c).unwrap_or(1);
        self.len = 1;
        if self.columns == 0 {
            self.columns = 1;
            if !is_prepended(c) {
                self.text.push(' ');
                self.len = 2;
            }
        }
        self.text.push(c);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::emulator::EmulatorOptions;
    use crate::{Backend, Screen, Size};

    /// Strings that are one cluster, with their columns.
    pub(crate) const CLUSTERS: &[(&str, usize)] = &[
        // Flags, and one regional indicator.
        ("🇩🇪", 2),
        ("🇺🇳", 2),
        ("🇩", 1),
        // Flags with tags.
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2),
        ("🏴\u{200d}☠\u{fe0f}", 2),
        ("🏳\u{fe0f}\u{200d}🌈", 2),
        ("🏳\u{200d}🌈", 2),
        // Skin tones, on emoji and on text.
        ("👍🏽", 2),
        ("☝🏽", 2),
        ("☝\u{fe0f}", 2),
        ("👋🏿", 2),
        ("🕵🏻\u{200d}♀\u{fe0f}", 2),
        // Families and other sequences with ZWJ.
        ("👨\u{200d}👩\u{200d}👧\u{200d}👦", 2),
        ("👨🏽\u{200d}👩🏽\u{200d}👧🏽\u{200d}👦🏽", 2),
        ("👩\u{200d}💻", 2),
        ("❤\u{fe0f}\u{200d}🔥", 2),
        ("❤\u{200d}🔥", 2),
        ("🧑\u{200d}🤝\u{200d}🧑", 2),
        ("👁\u{fe0f}\u{200d}🗨\u{fe0f}", 2),
        ("🐻\u{200d}❄\u{fe0f}", 2),
        // Keycaps.
        ("1\u{fe0f}\u{20e3}", 2),
        ("1\u{20e3}", 1),
        ("#\u{fe0f}\u{20e3}", 2),
        ("*\u{fe0f}", 2),
        // Emoji and text presentation.
        ("❤", 1),
        ("❤\u{fe0f}", 2),
        ("❤\u{fe0e}", 1),
        ("☺\u{fe0f}", 2),
        ("⌚", 2),
        ("⌚\u{fe0e}", 1),
        ("⌚\u{fe0f}", 2),
        ("👍\u{fe0e}", 1),
        ("🈂\u{fe0e}", 2),
        ("〰\u{fe0f}", 2),
        ("©\u{fe0f}", 2),
        ("a\u{fe0f}", 1),
        ("界\u{fe00}", 2),
        // Hangul: syllables, jamo, and both.
        ("한", 2),
        ("\u{1112}\u{1161}\u{11ab}", 2),
        ("\u{1100}\u{1100}\u{1161}", 2),
        ("\u{1100}가\u{11a8}", 2),
        ("가\u{11a8}", 2),
        // Indic conjuncts and spacing marks.
        ("क्ष", 1),
        ("क्\u{200d}ष", 1),
        ("क्षि", 1),
        ("स्त्री", 1),
        ("का", 1),
        ("কো", 1),
        ("க்", 1),
        ("நி", 1),
        ("കൃ", 1),
        ("\u{d4e}ക", 1),
        ("ཀྲ", 1),
        ("ကျ", 1),
        ("กำ", 1),
        ("ก\u{e49}", 1),
        ("ខ្មែ", 1),
        // Marks.
        ("e\u{301}", 1),
        ("q\u{307}\u{323}", 1),
        ("Z\u{335}\u{321}\u{353}\u{31c}", 1),
        ("\u{600}1", 1),
        ("\u{600}", 1),
        ("\u{605}1", 1),
        ("ש\u{5c1}\u{5bc}", 1),
        ("ﷺ", 1),
        ("\u{ad}", 1),
        ("か\u{3099}", 2),
        ("ｶﾞ", 1),
        ("☺\u{301}", 1),
    ];

    /// Returns a screen for each of the clusters, with letters around it.
    pub(crate) fn screens() -> impl Iterator<Item = Screen> {
        CLUSTERS.iter().map(|(text, _)| {
            let size = Size { cols: 9, rows: 1 };
            let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
            emulator.feed(format!("ab{text}xy").as_bytes());
            emulator.screen()
        })
    }

    /// Whole blocks are claimed to stand alone; the tables of the crate must agree.
    #[test]
    fn characters_that_stand_alone_join_no_other() {
        let alone = (' '..=char::MAX).filter(|c| stands_alone(*c) && columns(*c) > Some(0));
        for c in alone {
            let ends = |before: &str| {
                let text = format!("{before}{c}");
                !continues(&text, before.len())
            };
            assert!(ends("a") && ends("한") && ends("\u{1f600}"), "{c:?}");
            assert!(ends("\u{915}") && ends("\u{1f1e6}"), "{c:?}");
            for after in ["a", "한", "\u{915}", "\u{1f600}", "\u{1f1e6}", "\u{1100}"] {
                let text = format!("{c}{after}");
                assert!(!continues(&text, c.len_utf8()), "{c:?} {after:?}");
            }
        }
    }
}
