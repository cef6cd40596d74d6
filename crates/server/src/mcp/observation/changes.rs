//! Which rows of a screen an agent has to read again.
//!
//! When a list or a shell scrolls, nearly every row differs from before, although little is new.
//! Then the rows are compared after shifting all of them, and the report contains the distance.

use std::sync::Arc;

use screentest::core::{Diff, Row, Screen};

/// The difference between two screens.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ObservedChanges {
    /// By how many rows the screen scrolled up before `rows` changed; negative: down.
    pub(super) scrolled: isize,
    /// The rows that still differ after the scroll, counted from 0.
    pub(super) rows: Vec<usize>,
}

/// Minimum number of changed rows for which scrolling is considered, and of rows with text that it
/// must leave unchanged. For fewer rows, reading them again is simpler for the agent than shifting
/// the rows that it knows.
const MIN_ROWS: usize = 4;

/// Above this number of rows, scrolling is not considered: the search compares each row with each.
const MAX_HEIGHT: usize = 200;

impl ObservedChanges {
    /// Compares two screens of the same size.
    pub(super) fn between(before: &Screen, after: &Screen) -> ObservedChanges {
        let rows = Diff::between(before, after).rows;
        let in_place = ObservedChanges {
            scrolled: 0,
            rows: rows.iter().map(|row| row.row).collect(),
        };
        let height = after.rows.len();
        if in_place.rows.len() < MIN_ROWS || height > MAX_HEIGHT {
            return in_place;
        }
        let max_shift = height as isize - 1;
        let scrolled = (-max_shift..=max_shift)
            .filter(|by| *by != 0)
            .map(|by| ObservedChanges {
                scrolled: by,
                rows: (0..height)
                    .filter(|row| differs(before, after, *row, by))
                    .collect(),
            })
            .min_by_key(|changes| (changes.rows.len(), changes.scrolled.abs()));
        match scrolled {
            // Scrolling must save more than half of the rows, and text must have moved: on a
            // cleared screen, blank rows match everywhere.
            Some(scrolled)
                if scrolled.rows.len() * 2 < in_place.rows.len()
                    && scrolled.unchanged_text_rows(after) >= MIN_ROWS =>
            {
                scrolled
            }
            _ => in_place,
        }
    }

    /// Returns the number of rows with text that did not change.
    fn unchanged_text_rows(&self, after: &Screen) -> usize {
        let rows = after.rows.iter().enumerate();
        rows.filter(|(row, text)| !text.text().is_empty() && !self.rows.contains(row))
            .count()
    }
}

/// Returns whether a row differs from the one that was shifted there, or from a blank row if none
/// was.
fn differs(before: &Screen, after: &Screen, row: usize, by: isize) -> bool {
    let blank = Arc::<Row>::default();
    let shifted = row
        .checked_add_signed(by)
        .and_then(|row| before.rows.get(row));
    let shifted = shifted.unwrap_or(&blank);
    let now = &after.rows[row];
    !Arc::ptr_eq(shifted, now) && shifted != now
}

#[cfg(test)]
mod tests {
    use screentest::core::Size;
    use screentest::core::formats::ansi;

    use super::*;

    fn screen(lines: &[&str]) -> Screen {
        let size = Size { cols: 12, rows: 8 };
        ansi::read(lines.join("\n").as_bytes(), size)
    }

    #[track_caller]
    fn check(before: &[&str], after: &[&str], scrolled: isize, rows: &[usize]) {
        let changes = ObservedChanges::between(&screen(before), &screen(after));
        let rows = rows.to_vec();
        assert_eq!(changes, ObservedChanges { scrolled, rows });
    }

    const LIST: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "status"];

    #[test]
    fn changed_row_is_reported_alone() {
        check(
            &LIST,
            &["a", "b", "x", "d", "e", "f", "g", "status"],
            0,
            &[2],
        );
    }

    #[test]
    fn scrolled_list_is_reported_as_scrolled() {
        let down = ["b", "c", "d", "e", "f", "g", "h", "status"];
        check(&LIST, &down, 1, &[6, 7]);
        check(&down, &LIST, -1, &[0, 7]);
    }

    #[test]
    fn cleared_screen_is_not_reported_as_scrolled() {
        check(&LIST, &[], 0, &[0, 1, 2, 3, 4, 5, 6, 7]);
        check(&LIST, &["$"], 0, &[0, 1, 2, 3, 4, 5, 6, 7]);
        check(
            &LIST,
            &["", "", "", "", "", "", "", "a"],
            0,
            &[0, 1, 2, 3, 4, 5, 6, 7],
        );
    }

    #[test]
    fn different_screen_is_reported_row_by_row() {
        let other = ["1", "2", "3", "4", "5", "6", "7", "8"];
        check(&LIST, &other, 0, &[0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
