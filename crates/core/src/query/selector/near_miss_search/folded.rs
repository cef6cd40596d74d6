//! Search for text that would match if case and spacing were ignored.
//!
//! The region's text is copied in lower case, with every run of spaces, row ends included, as one
//! space. The searched text is converted in the same way, and the match is mapped back to its place
//! on the screen. A match never spans an empty row.

use std::ops::Range;

use memchr::memmem;

use super::super::region::{Region, TextPosition};
use crate::{Match, NearMiss};

/// Largest number of places that are compared: the best is usually the first, and a text of one
/// letter may be everywhere.
const MAX_PLACES: usize = 64;

/// Returns the place that differs least.
pub(super) fn nearest(region: Region<'_>, text: &str) -> Option<NearMiss> {
    let wanted = fold(text);
    let wanted = wanted.trim_ascii();
    if wanted.is_empty() {
        return None;
    }
    let folded = FoldedText::new(region);
    let places = memmem::find_iter(folded.text.as_bytes(), wanted.as_bytes());
    let matches = places
        .take(MAX_PLACES)
        .map(|start| region.match_of(&folded.spots(start..start + wanted.len())));
    matches
        .map(|found| classified(found, text))
        .min_by_key(|(difference, _)| *difference)
        .map(|(difference, found)| match difference.0 {
            Difference::Case => NearMiss::OtherCase(found),
            Difference::Spacing => NearMiss::OtherSpacing(found),
            Difference::Rows => NearMiss::OverRows(found),
        })
}

/// Kind of difference to the searched text, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    Case,
    Spacing,
    Rows,
}

/// Returns the kind of difference, and whether the letters differ in case too.
fn classified(found: Match, text: &str) -> ((Difference, bool), Match) {
    let broken = found.text().contains('\n') && !text.contains('\n');
    let difference = if broken {
        Difference::Rows
    } else if found.text().to_lowercase() == text.to_lowercase() {
        Difference::Case
    } else {
        Difference::Spacing
    };
    let same_letters = found.text().split_whitespace().eq(text.split_whitespace());
    ((difference, !same_letters), found)
}

/// The gap between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Blank,
    /// A row without text.
    Row,
}

/// A region's text in lower case and with single spaces.
struct FoldedText<'a> {
    region: Region<'a>,
    text: String,
    /// Start of each row in `text`, and the gap before it.
    rows: Vec<(usize, Gap)>,
}

impl<'a> FoldedText<'a> {
    fn new(region: Region<'a>) -> FoldedText<'a> {
        let mut text = String::new();
        let mut rows = Vec::with_capacity(region.rows().len());
        let mut gap = Gap::Nothing;
        for row in region.rows() {
            rows.push((text.len(), gap));
            let region_row = region.region_row(row);
            let line = region_row.trimmed();
            fold_into(line, &mut gap, |_, c| text.push(c));
            let wraps = region_row.wraps && region_row.len() == line.len();
            if line.is_empty() {
                gap = Gap::Row;
            } else if !wraps {
                gap = gap.max(Gap::Blank);
            }
        }
        FoldedText { region, text, rows }
    }

    /// Returns the place of a part of the text that neither starts nor ends with a gap.
    fn spots(&self, part: Range<usize>) -> Range<TextPosition> {
        let (start, _) = self.place(part.start);
        let (_, end) = self.place(part.end - 1);
        start..end
    }

    /// Returns the start and end of the character that a byte of `text` comes from.
    fn place(&self, byte: usize) -> (TextPosition, TextPosition) {
        let index = self.rows.partition_point(|(start, _)| *start <= byte) - 1;
        let (mut at, mut gap) = self.rows[index];
        let row = self.region.rows().start + index;
        let line = self.region.region_row(row).trimmed();
        let mut source = 0..line.len();
        fold_into(line, &mut gap, |from, c| {
            if (at..at + c.len_utf8()).contains(&byte) {
                source = from;
            }
            at += c.len_utf8();
        });
        let spot = |byte| TextPosition { row, byte };
        (spot(source.start), spot(source.end))
    }
}

fn fold(text: &str) -> String {
    let mut folded = String::new();
    let mut gap = Gap::Nothing;
    fold_into(text, &mut gap, |_, c| folded.push(c));
    folded
}

/// Passes each character to `push` with the bytes that it comes from. `gap` is the gap before the
/// text, and on return the gap after its last character.
fn fold_into(text: &str, gap: &mut Gap, mut push: impl FnMut(Range<usize>, char)) {
    for (start, c) in text.char_indices() {
        if c.is_whitespace() {
            *gap = (*gap).max(Gap::Blank);
            continue;
        }
        match std::mem::replace(gap, Gap::Nothing) {
            Gap::Nothing => {}
            Gap::Blank => push(start..start, ' '),
            Gap::Row => push(start..start, '\n'),
        }
        let source = start..start + c.len_utf8();
        if c.is_ascii() {
            push(source, c.to_ascii_lowercase());
        } else {
            c.to_lowercase().for_each(|c| push(source.clone(), c));
        }
    }
}
