//! Search for an exact text.
//!
//! A line end in the text matches the end of a row, including the blank cells before it. Spaces at
//! the end of a line of the text also match cells that were never written, so a prompt such as `$ `
//! can be used as it is. If a row's text continues in the next row, the text also matches across
//! the row end, as it was printed. Matches do not overlap, so `aa` is found once in `aaa`.
//!
//! Waits run this on every new screen, so it allocates only for a match. A row is searched a second
//! time only if a match could end in another row or in blank cells.

use std::ops::Range;

use memchr::memmem::Finder;

use super::region::{Region, TextPosition};
use crate::Match;

/// Returns every match of `text`. The empty text is found once, in the first cell, and covers no
/// cell.
pub(super) fn all(region: Region<'_>, text: &str) -> Vec<Match> {
    if text.is_empty() {
        return vec![region.match_between(region.corner(), region.corner())];
    }
    let mut matches = Vec::new();
    let mut from = region.start();
    while let Some(found) = find(region, text, from) {
        matches.push(region.match_of(&found));
        from = region.next_cell(found.end);
    }
    matches
}

/// Returns the start of every match of `text`.
pub(super) fn starts<'a>(region: Region<'a>, text: &'a str) -> impl Iterator<Item = TextPosition> {
    let mut from = (!text.is_empty()).then(|| region.start());
    std::iter::from_fn(move || {
        let found = find(region, text, from?);
        from = found.as_ref().map(|found| region.next_cell(found.end));
        found.map(|found| found.start)
    })
}

/// Returns the first match of `text` that starts at or after `from`. `text` must not be empty.
pub(super) fn find(
    region: Region<'_>,
    text: &str,
    from: TextPosition,
) -> Option<Range<TextPosition>> {
    let finder = Finder::new(text);
    let has_line_end = text.contains('\n');
    let ends_blank = text.ends_with(' ');
    let first_line = text.split('\n').next().unwrap_or_default();
    (from.row..region.rows().end).find_map(|row| {
        let region_row = region.region_row(row);
        let first = if row == from.row { from.byte } else { 0 };
        let spot = |byte| TextPosition { row, byte };
        let rest = region_row.text.get(first..).unwrap_or_default();
        if let Some(at) = finder.find(rest.as_bytes()) {
            let start = first + at;
            return Some(spot(start)..spot(start + text.len()));
        }
        if !region_row.wraps && !has_line_end && !ends_blank {
            return None;
        }
        // A match that starts in this row and ends in another row, or in blank cells, starts so
        // late that it does not fit into this row's text. At the end of the row, only a line end or
        // a space can match; other text would start in the next row.
        let earliest = region_row
            .trimmed()
            .len()
            .saturating_sub(text.len())
            .max(first);
        let at_end = !region_row.wraps && first_line.trim_end_matches(' ').is_empty();
        let latest = region_row.len() + usize::from(at_end || text.starts_with('\n'));
        (earliest..latest)
            .filter(|start| region_row.is_boundary(*start))
            .find_map(|start| Some(spot(start)..end(region, text, spot(start))?))
    })
}

/// Returns whether `text` occurs anywhere.
pub(super) fn any(region: Region<'_>, text: &str) -> bool {
    text.is_empty() || find(region, text, region.start()).is_some()
}

/// Returns the first match of `text`.
pub(super) fn first(region: Region<'_>, text: &str) -> Option<Match> {
    if text.is_empty() {
        return Some(region.match_between(region.corner(), region.corner()));
    }
    find(region, text, region.start()).map(|found| region.match_of(&found))
}

/// Returns the end of the match of `text` that starts at `start`, if there is one.
fn end(region: Region<'_>, text: &str, start: TextPosition) -> Option<TextPosition> {
    let mut at = start;
    let mut region_row = region.region_row(at.row);
    for (index, wanted) in text.bytes().enumerate() {
        let only_blanks_follow = || at.byte >= region_row.trimmed().len();
        let ends_row = wanted == b'\n' && only_blanks_follow();
        let wraps = wanted != b'\n' && region_row.wraps && at.byte == region_row.len();
        if ends_row || wraps {
            at = TextPosition {
                row: at.row + 1,
                byte: 0,
            };
            if !region.rows().contains(&at.row) {
                return None;
            }
            region_row = region.region_row(at.row);
        }
        if !ends_row {
            let blank_line_end = || {
                let mut rest = text.bytes().skip(index).take_while(|byte| *byte != b'\n');
                region_row.is_room(at.byte) && rest.all(|byte| byte == b' ')
            };
            if region_row.byte(at.byte) != Some(wanted) && !blank_line_end() {
                return None;
            }
            at.byte += 1;
        }
    }
    Some(at)
}
