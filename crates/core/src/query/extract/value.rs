//! The value next to a label.

use super::cell_line::CellLine;
use crate::{Match, Screen, Selector};

/// Returns the first value next to a match of `label`.
pub(super) fn beside(screen: &Screen, label: &Selector) -> Option<Match> {
    let matches = label.matches(screen);
    if matches.is_empty() {
        return None;
    }
    let lines = CellLine::all(screen, screen.size.rect());
    matches.iter().find_map(|label| {
        let (first, last) = (label.cells().next()?, label.cells().last()?);
        let line = lines.get(lines.partition_point(|line| line.rows.end <= last.row))?;
        // A label of several lines begins in another line, so its start needs no check here.
        let start = line.index_of(first).unwrap_or(0);
        let end = line.index_of(last)? + 1;
        is_word(line, start, end).then(|| value(line, end, label.text()))?
    })
}

/// Returns whether the label is not part of a longer word: `Port` in `Ports` or in `Export`.
fn is_word(line: &CellLine<'_>, start: usize, end: usize) -> bool {
    let inside_word = |before: usize| {
        line.char(before).is_alphanumeric() && line.char(before + 1).is_alphanumeric()
    };
    !(start.checked_sub(1).is_some_and(inside_word) || inside_word(end - 1))
}

fn value(line: &CellLine<'_>, label_end: usize, label: &str) -> Option<Match> {
    let is_sign = |c| matches!(c, ':' | '=');
    let mut start = line.skip_blanks(label_end, line.len());
    // The first signs separate label and value. Signs after a further space belong to the value, as
    // in `Listen: :8080`.
    if !label.trim_end().ends_with(is_sign) {
        start = line.skip(start, line.len(), |index| is_sign(line.char(index)));
        start = line.skip_blanks(start, line.len());
    }
    let end = line.skip(start, line.len(), |index| {
        let gap = line.is_blank(index) && line.is_blank(index + 1);
        !gap && !line.is_border(index)
    });
    line.found(start..end)
}
