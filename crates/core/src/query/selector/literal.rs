//! Search for an exact text.
//!
//! A line end in the text matches the end of a row, whatever blank cells are before it. Spaces at
//! the end of a line of the text also match cells that were never written, so a prompt such as `$ `
//! can be used as it is. Where a row's text is wrapped into the next row, the row end may also
//! match nothing: the text is found as it was printed. Matches do not overlap, so `aa` is found
//! once in `aaa`.
//!
//! Waits run this on every new screen, so nothing is allocated until something is found. Only rows
//! where the text could end in another row, or in blank cells, are searched twice.

use std::ops::Range;

use memchr::memmem::Finder;

use super::area::{Area, Spot};
use crate::Match;

/// Returns every match of `text`. The empty text is found once, in the first cell, and covers no
/// cell.
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

/// Returns the start of every match of `text`.
pub(super) fn starts<'a>(area: Area<'a>, text: &'a str) -> impl Iterator<Item = Spot> {
    let mut from = (!text.is_empty()).then(|| area.start());
    std::iter::from_fn(move || {
        let found = find(area, text, from?);
        from = found.as_ref().map(|found| area.next_cell(found.end));
        found.map(|found| found.start)
    })
}

/// Returns the first place at or after `from` where `text`, which must not be empty, occurs.
pub(super) fn find(area: Area<'_>, text: &str, from: Spot) -> Option<Range<Spot>> {
    let finder = Finder::new(text);
    let has_line_end = text.contains('\n');
    let ends_blank = text.ends_with(' ');
    let first_line = text.split('\n').next().unwrap_or_default();
    (from.row..area.rows().end).find_map(|row| {
        let strip = area.strip(row);
        let first = if row == from.row { from.byte } else { 0 };
        let spot = |byte| Spot { row, byte };
        let rest = strip.text.get(first..).unwrap_or_default();
        if let Some(at) = finder.find(rest.as_bytes()) {
            let start = first + at;
            return Some(spot(start)..spot(start + text.len()));
        }
        if !strip.goes_on && !has_line_end && !ends_blank {
            return None;
        }
        // A match that begins here and ends in another row, or in blank cells, begins too late to
        // fit into this row's text. At the very end only a line end or a space can begin: anything
        // else would begin in the next row.
        let earliest = strip.trimmed().len().saturating_sub(text.len()).max(first);
        let at_end = !strip.goes_on && first_line.trim_end_matches(' ').is_empty();
        let latest = strip.len() + usize::from(at_end || text.starts_with('\n'));
        (earliest..latest)
            .filter(|start| strip.is_boundary(*start))
            .find_map(|start| Some(spot(start)..end(area, text, spot(start))?))
    })
}

/// Returns whether `text` occurs anywhere.
pub(super) fn any(area: Area<'_>, text: &str) -> bool {
    text.is_empty() || find(area, text, area.start()).is_some()
}

/// Returns the first match of `text`.
pub(super) fn first(area: Area<'_>, text: &str) -> Option<Match> {
    if text.is_empty() {
        return Some(area.stretch(area.corner(), area.corner()));
    }
    find(area, text, area.start()).map(|found| area.between(&found))
}

/// Returns where `text` ends if it occurs at `start`.
fn end(area: Area<'_>, text: &str, start: Spot) -> Option<Spot> {
    let mut at = start;
    let mut strip = area.strip(at.row);
    for (index, wanted) in text.bytes().enumerate() {
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
            let blank_line_end = || {
                let behind = text.bytes().skip(index).take_while(|byte| *byte != b'\n');
                strip.is_room(at.byte) && behind.into_iter().all(|byte| byte == b' ')
            };
            if strip.byte(at.byte) != Some(wanted) && !blank_line_end() {
                return None;
            }
            at.byte += 1;
        }
    }
    Some(at)
}
