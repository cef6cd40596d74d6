//! Text that would be found if case and blanks did not count.
//!
//! The area is written down once more, in small letters and with one blank for however many, the end of a row included;
//! so is the text, and what is found has its place on the screen looked up again. A row without text is never stepped
//! over.

use std::ops::Range;

use memchr::memmem;

use super::super::area::{Area, Spot};
use crate::{Match, NearMiss};

/// How many places are compared: the best is usually the first, and a text of one letter may stand everywhere.
const MOST: usize = 64;

/// The place that differs least.
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

/// In what a text differs, from the least on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Case,
    Spacing,
    Rows,
}

/// In what it differs, and whether its letters do too.
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

/// What stands between two characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    Nothing,
    Blank,
    /// A row without text.
    Row,
}

/// An area in small letters and with single blanks.
struct Folded<'a> {
    area: Area<'a>,
    text: String,
    /// Where each row starts in it, and the gap before.
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

    /// The place of a part of the text, which neither starts nor ends with a gap.
    fn spots(&self, part: Range<usize>) -> Range<Spot> {
        let (start, _) = self.place(part.start);
        let (_, end) = self.place(part.end - 1);
        start..end
    }

    /// Where the character starts and ends that a byte of the text comes from.
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

/// Gives each character to `push` with the bytes that it comes from. `gap` is what stands before the text, and then what
/// stands behind its last character.
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
