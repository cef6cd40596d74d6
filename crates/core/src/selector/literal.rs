//! Finding a text as it stands.
//!
//! A line end in the text stands for the end of a row, whatever blanks are before it. Where a row's text went on in the
//! next row because it did not fit, the end of the row may also be nothing at all: the text is found as it was printed.
//! What was found is not searched again, so `aa` is found once in `aaa`.
//!
//! A wait asks this of every new screen, so nothing is allocated until something is found.

use std::ops::Range;

use super::area::{Area, Spot};
use crate::Match;

/// Every place where `text` stands. The empty text stands once, in the first cell, and takes no cell.
pub(super) fn all(area: Area<'_>, text: &str) -> Vec<Match> {
    if text.is_empty() {
        return vec![area.stretch(area.corner(), area.corner())];
    }
    let mut matches = Vec::new();
    let mut from = area.start();
    while let Some(found) = find(area, text, from) {
        matches.push(area.between(&found));
        from = area.next_cell(found.end);
    }
    matches
}

/// The first place at or behind `from` where `text`, which is not empty, stands.
pub(super) fn find(area: Area<'_>, text: &str, from: Spot) -> Option<Range<Spot>> {
    let has_line_end = text.contains('\n');
    (from.row..area.rows().end).find_map(|row| {
        let strip = area.strip(row);
        let first = if row == from.row { from.byte } else { 0 };
        let spot = |byte| Spot { row, byte };
        let inside = strip.text.get(first..).and_then(|rest| rest.find(text));
        if let Some(at) = inside {
            let start = first + at;
            return Some(spot(start)..spot(start + text.len()));
        }
        if !strip.goes_on && !has_line_end {
            return None;
        }
        // What begins here and ends in another row begins so late that it does not fit in this one. At the very end
        // only a line end can begin: anything else would begin in the next row.
        let earliest = strip.trimmed().len().saturating_sub(text.len()).max(first);
        let latest = strip.len() + usize::from(text.starts_with('\n'));
        (earliest..latest)
            .filter(|start| strip.is_boundary(*start))
            .find_map(|start| Some(spot(start)..end(area, text, spot(start))?))
    })
}

/// Where `text` ends if it stands at a place.
fn end(area: Area<'_>, text: &str, start: Spot) -> Option<Spot> {
    let mut at = start;
    let mut strip = area.strip(at.row);
    for wanted in text.bytes() {
        let blank_behind = || at.byte >= strip.trimmed().len();
        let ends_row = wanted == b'\n' && blank_behind();
        let goes_on = wanted != b'\n' && strip.goes_on && at.byte == strip.len();
        if ends_row || goes_on {
            at = Spot {
                row: at.row + 1,
                byte: 0,
            };
            if !area.rows().contains(&at.row) {
                return None;
            }
            strip = area.strip(at.row);
        }
        if !ends_row {
            if strip.byte(at.byte) != Some(wanted) {
                return None;
            }
            at.byte += 1;
        }
    }
    Some(at)
}
