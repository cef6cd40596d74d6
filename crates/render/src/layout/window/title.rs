//! The title of a window, in terminal cells.
//!
//! A wide character takes two cells and a combining mark none, as on the screen below the title.
//! The emulator computes the cells, so that title and screen never differ.

use std::sync::Arc;

use screentest_core::emulator::EmulatorOptions;
use screentest_core::{Backend, Row, Size, Width};

/// A title that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WindowTitle {
    pub(crate) text: String,
    /// The title as a terminal shows it.
    pub(crate) row: Arc<Row>,
}

impl WindowTitle {
    /// Minimum number of cells for a title.
    const MIN_CELLS: usize = 2;

    /// Shortens a title to a number of cells; `None` if there is no title or no room.
    pub(crate) fn within(title: &str, cells: usize) -> Option<WindowTitle> {
        let whole = WindowTitle::of(title)?;
        if cells < WindowTitle::MIN_CELLS {
            return None;
        }
        if whole.cells() <= cells {
            return Some(whole);
        }
        let mut text = String::new();
        let kept = whole.row.cells().take(cells - 1).enumerate();
        for (col, cell) in kept.filter(|(_, cell)| cell.width != Width::Spacer) {
            // A wide character of which only one half would fit is left out.
            if cell.width == Width::Narrow || col + 2 < cells {
                cell.push_to(&mut text);
            }
        }
        text.push('…');
        WindowTitle::of(&text)
    }

    /// Returns a title; `None` if nothing of it is visible.
    fn of(title: &str) -> Option<WindowTitle> {
        let most = *Size::COLS.end();
        // Combining marks take no cells, so a title may have more characters than cells.
        let text: String = title.trim().chars().filter(|c| !c.is_control()).collect();
        let size = Size {
            cols: most,
            rows: 1,
        };
        let mut terminal = Backend::default().emulator(size, EmulatorOptions::default());
        // Text beyond the last column stays in the last cell instead of scrolling the rest away
        // (DECAWM).
        terminal.feed(b"\x1b[?7l");
        terminal.feed(text.as_bytes());
        let row = terminal.screen().rows.into_iter().next()?;
        (!row.is_empty()).then_some(WindowTitle { text, row })
    }

    /// Returns the number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.row.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(title: &str, cells: usize, shown: Option<(&str, usize)>) {
        let title = WindowTitle::within(title, cells);
        let found = title.as_ref().map(|title| (&*title.text, title.cells()));
        assert_eq!(found, shown);
    }

    #[test]
    fn a_title_is_shortened_by_cells() {
        check("title", 5, Some(("title", 5)));
        check("title", 4, Some(("tit…", 4)));
        check(" 漢字 ", 4, Some(("漢字", 4)));
        check("漢字", 3, Some(("漢…", 3)));
        check("漢字", 2, Some(("…", 1)));
        check(
            "e\u{301}e\u{301}e\u{301}",
            3,
            Some(("e\u{301}e\u{301}e\u{301}", 3)),
        );
        check("e\u{301}e\u{301}e\u{301}", 2, Some(("e\u{301}…", 2)));
        check("title", 1, None);
        check(" \x1b\t ", 9, None);
    }
}
