//! Search for text that would match if case and spacing were ignored.
//!
//! The area's text is copied in lower case, with every run of spaces, row ends included, as one
//! space. The searched text is converted in the same way, and the match is mapped back to its place
//! on the screen. A match never spans an empty row.

use std::ops::Range;

use memchr::memmem;

use super::super::area::{Area, Spot};
use crate::{Match, NearMiss};

/// Largest number of places that are compared: the best is usually the first, and a text of one
/// letter may be everywhere.
const MOST: usize = 64;

/// Returns the place that differs least.
pub(super) fn nearest(area: Area<'_>, text: &str) -> Option<NearMiss> {
    let wanted = fold(text);
    let wanted = wanted.trim_ascii();
    if wanted.is_empty() {
        return None;
    }
    let folded = Folded::new(area);
    let places = memmem::find_iter(folded.text.as_bytes(), wanted.as_bytes());
    let matches = places
        .take(MOST)
        .map(|start| area.between(&folded.spots(start..start + wanted.len())));
    matches
        .map(|found| classed(found, text))
        .min_by_key(|(class, _)| *class)
        .map(|(class, found)| match class.0 {
            Class::Case => NearMiss::OtherCase(found),
            Class::Spacing => NearMiss::OtherSpacing(found),
            Class::Rows => NearMiss::OverRows(found),
        })
}

/// Kind of difference to the searched text, smallest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Case,
    Spacing,
    Rows,
}

/// Returns the kind of difference, and whether the letters differ in case too.
fn classed(found: Match, text: &str) -> ((Class, bool), Match) {
    let broken = found.text().contains('\n') && !text.contains('\n');
    let class = if broken {
        Class::Rows
    } else if found.text().to_lowercase() == text.to_lowercase() {
        Class::Case
    } else {
        Class::Spacing
    };
    let same_letters = found.text().split_whitespace().eq(text.split_whitespace());
    ((class, !same_letters), found)
}

/// The gap between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Blank,
    /// A row without text.
    Row,
}

/// An area's text in lower case and with single spaces.
struct Folded<'a> {
    area: Area<'a>,
    text: String,
    /// Start of each row in `text`, and the gap before it.
    rows: Vec<(usize, Gap)>,
}

impl<'a> Folded<'a> {
    fn new(area: Area<'a>) -> Folded<'a> {
        let mut text = String::new();
        let mut rows = Vec::with_capacity(area.rows().len());
        let mut gap = Gap::Nothing;
        for row in area.rows() {
            rows.push((text.len(), gap));
            let strip = area.strip(row);
            let line = strip.trimmed();
            fold_into(line, &mut gap, |_, c| text.push(c));
            let goes_on = strip.goes_on && strip.len() == line.len();
            if line.is_empty() {
                gap = Gap::Row;
            } else if !goes_on {
                gap = gap.max(Gap::Blank);
            }
        }
        Folded { area, text, rows }
    }

    /// Returns the place of a part of the text that neither starts nor ends with a gap.
    fn spots(&self, part: Range<usize>) -> Range<Spot> {
        let (start, _) = self.place(part.start);
        let (_, end) = self.place(part.end - 1);
        start..end
    }

    /// Returns the start and end of the character that a byte of `text` comes from.
    fn place(&self, byte: usize) -> (Spot, Spot) {
        let index = self.rows.partition_point(|(start, _)| *start <= byte) - 1;
        let (mut at, mut gap) = self.rows[index];
        let row = self.area.rows().start + index;
        let line = self.area.strip(row).trimmed();
        let mut source = 0..line.len();
        fold_into(line, &mut gap, |from, c| {
            if (at..at + c.len_utf8()).contains(&byte) {
                source = from;
            }
            at += c.len_utf8();
        });
        let spot = |byte| Spot { row, byte };
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
