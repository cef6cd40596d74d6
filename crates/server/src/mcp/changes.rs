//! Which rows of a screen an agent has to read again.
//!
//! Where a list or a shell has scrolled, nearly every row differs from what it was, and yet little is new. Then the rows are compared
//! as they stand after all of them have moved, and the agent is told by how much.

use std::sync::Arc;

use screentest::core::{Diff, Row, Screen};

/// What an agent has to read again.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Changes {
    /// How far the rows moved before the others changed: up, or down where it is negative.
    pub(super) scrolled: isize,
    /// The rows that are other than before, counted from 0.
    pub(super) rows: Vec<usize>,
}

/// Fewer rows than this are told as they are: a movement would have to be understood as well.
const FEW: usize = 4;

/// Screens with more rows are compared as they stand: each row would have to be compared with each.
const TALL: usize = 200;

impl Changes {
    /// What is other in `after` than in `before`, which has the same size.
    pub(super) fn between(before: &Screen, after: &Screen) -> Changes {
        let rows = Diff::between(before, after).rows;
        let still = Changes {
            scrolled: 0,
            rows: rows.iter().map(|row| row.row).collect(),
        };
        let height = after.rows.len();
        if still.rows.len() < FEW || height > TALL {
            return still;
        }
        let reach = height as isize - 1;
        let moved = (-reach..=reach)
            .filter(|by| *by != 0)
            .map(|by| Changes {
                scrolled: by,
                rows: (0..height)
                    .filter(|row| differs(before, after, *row, by))
                    .collect(),
            })
            .min_by_key(|changes| (changes.rows.len(), changes.scrolled.abs()));
        match moved {
            // It must be worth the thought, and be text that moved: on a screen that was cleared, blank rows are found anywhere.
            Some(moved) if moved.rows.len() * 2 < still.rows.len() && moved.kept(after) >= FEW => {
                moved
            }
            _ => still,
        }
    }

    /// How many rows with text need not be read again.
    fn kept(&self, after: &Screen) -> usize {
        let rows = after.rows.iter().enumerate();
        rows.filter(|(row, text)| !text.text().is_empty() && !self.rows.contains(row))
            .count()
    }
}

/// Whether a row is other than the one that moved there, or than a blank one where none did.
fn differs(before: &Screen, after: &Screen, row: usize, by: isize) -> bool {
    let blank = Arc::<Row>::default();
    let came = row
        .checked_add_signed(by)
        .and_then(|row| before.rows.get(row));
    let came = came.unwrap_or(&blank);
    let now = &after.rows[row];
    !Arc::ptr_eq(came, now) && came != now
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
        let changes = Changes::between(&screen(before), &screen(after));
        let rows = rows.to_vec();
        assert_eq!(changes, Changes { scrolled, rows });
    }

    const LIST: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "status"];

    #[test]
    fn a_row_that_changed_is_told_alone() {
        check(
            &LIST,
            &["a", "b", "x", "d", "e", "f", "g", "status"],
            0,
            &[2],
        );
    }

    #[test]
    fn a_list_that_scrolled_is_told_as_moved() {
        let down = ["b", "c", "d", "e", "f", "g", "h", "status"];
        check(&LIST, &down, 1, &[6, 7]);
        check(&down, &LIST, -1, &[0, 7]);
    }

    #[test]
    fn a_screen_that_was_cleared_has_not_moved() {
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
    fn another_screen_is_told_row_by_row() {
        let other = ["1", "2", "3", "4", "5", "6", "7", "8"];
        check(&LIST, &other, 0, &[0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
