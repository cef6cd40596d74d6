//! Comparison of a screen with the one shown when Enter was pressed: which part of it is new.
//!
//! A shell echoes the command line, so the text that a test waits for is often on the screen before
//! the command has printed anything. A [`Baseline`] keeps the screen before Enter; [`Changes`]
//! compares a later screen with it, so that a selector can ignore matches that were there already.
//!
//! - On the primary screen a match is old if every row that it touches has the same text as the row
//!   with the same number in the baseline. Rows are numbered from the first row of the scrollback,
//!   so that scrolling does not make a row new.
//! - After the primary screen was cleared, only the line in which Enter was pressed is old, as long
//!   as its text is unchanged.
//! - On the alternate screen everything counts: a full-screen program has no command line that it
//!   echoes, and in an editor the typed line is the text that a test waits for. A shell inside tmux
//!   cannot be distinguished from an editor there.
//! - The line in which Enter was pressed also stays old when the rest of the typed text is echoed,
//!   or when a suggestion after the cursor disappears.
//! - If the baseline is of the other screen (primary or alternate), everything is new.
//!
//! Styles do not count: a row of which only the colours change is not new. An image is old if it
//! was in the same cells in the baseline.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::{ImagePlacement, Match, Row, Screen};

#[cfg(test)]
mod tests;

/// Which matches satisfy a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Appeared {
    /// If Enter was the last input, only text that appeared after it. After any other input, all
    /// text on the screen.
    #[default]
    AfterEnter,
    /// All text on the screen.
    Anytime,
}

/// The screen that was shown when Enter was pressed.
#[derive(Clone)]
pub struct Baseline {
    screen: Screen,
    /// Text typed in this line before Enter; the program may not have echoed all of it yet.
    typed: String,
    /// Number of rows that the terminal keeps above its screen.
    scrollback_limit: usize,
}

/// Whether a screen was cleared since the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClearState {
    /// Not cleared: rows that were on the screen are still there, or scrolled off.
    NotCleared,
    /// Cleared: a row that looks the same as before was drawn again.
    Cleared,
}

impl fmt::Debug for Baseline {
    /// Omits the typed text, which may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Baseline")
            .field("screen", &self.screen)
            .finish_non_exhaustive()
    }
}

impl Baseline {
    /// Creates a baseline for a terminal that never drops rows from its scrollback.
    pub fn new(screen: Screen) -> Baseline {
        Baseline {
            screen,
            typed: String::new(),
            scrollback_limit: usize::MAX,
        }
    }

    /// Sets the text that was typed in the line before Enter, as far as it is known.
    #[must_use]
    pub fn typed(mut self, text: impl Into<String>) -> Baseline {
        self.typed = text.into();
        self
    }

    /// Sets the number of rows that the terminal keeps above its screen. When the scrollback is
    /// full, its row count no longer shows how far the screen has scrolled, and rows are aligned by
    /// their text.
    #[must_use]
    pub fn scrollback_limit(mut self, rows: usize) -> Baseline {
        self.scrollback_limit = rows;
        self
    }

    /// Compares a later screen with the baseline.
    pub fn changes<'a>(&'a self, now: &'a Screen, cleared: ClearState) -> Changes<'a> {
        let is_alternate = self.screen.modes.alternate_screen || now.modes.alternate_screen;
        let old = if is_alternate {
            OldText::Nothing
        } else {
            self.old_rows(now, cleared)
        };
        Changes {
            screen: now,
            before: Some(&self.screen),
            old,
        }
    }

    fn old_rows<'a>(&'a self, now: &'a Screen, cleared: ClearState) -> OldText<'a> {
        let before = &self.screen;
        if before.size.cols != now.size.cols {
            // The text was reflowed: only whole lines can be compared.
            let mut lines: Vec<String> = lines(before).map(|rows| text(before, rows)).collect();
            lines.extend(self.entered());
            return OldText::Lines(lines);
        }
        let Some(scrolled) = self.scrolled(now) else {
            return OldText::Nothing;
        };
        let entered = self.entered_rows(now, scrolled);
        match cleared {
            ClearState::Cleared => entered.map_or(OldText::Nothing, OldText::Entered),
            ClearState::NotCleared => OldText::Rows {
                before,
                scrolled,
                entered: entered.unwrap_or_default(),
            },
        }
    }

    /// Returns by how many rows the primary screen has scrolled up; `None` if the scrollback is
    /// full and the rows of the baseline are not found on the screen.
    fn scrolled(&self, now: &Screen) -> Option<isize> {
        let before = &self.screen;
        let counted = now.scrollback_rows as isize - before.scrollback_rows as isize;
        if now.scrollback_rows < self.scrollback_limit {
            return Some(counted);
        }
        let last = self.entered_line().start;
        let shown = |row: usize| now.row(row).map(Row::text);
        let starts = self.before_cursor();
        let starts = starts.trim_end();
        let aligned = |scrolled: usize| {
            let above = (scrolled..last).all(|row| {
                let before = before.row(row).map(Row::text);
                before == shown(row - scrolled)
            });
            // The line may have wrapped into further rows; only its first row is compared.
            above && shown(last - scrolled).is_some_and(|text| is_start(text, starts))
        };
        let least = usize::try_from(counted).unwrap_or(0);
        (least..=last)
            .find(|scrolled| aligned(*scrolled))
            .map(|scrolled| scrolled as isize)
    }

    /// Returns the rows of the line in which Enter was pressed, in the baseline.
    fn entered_line(&self) -> Range<usize> {
        self.screen.line(self.screen.cursor.position.row)
    }

    /// Returns the current rows of that line, if its text is unchanged or differs only by the echo.
    fn entered_rows(&self, now: &Screen, scrolled: isize) -> Option<Range<usize>> {
        let first = self
            .entered_line()
            .start
            .checked_add_signed(scrolled.checked_neg()?)?;
        if first >= now.rows.len() {
            return None;
        }
        let rows = now.line(first);
        let shown = text(now, rows.clone());
        let same = rows.start == first && self.entered().contains(&shown);
        same.then_some(rows)
    }

    /// Returns the texts that the line in which Enter was pressed can have if only the echo changes
    /// it: its text, its text up to the cursor, or the latter with the rest of the typed text.
    fn entered(&self) -> [String; 3] {
        let whole = text(&self.screen, self.entered_line());
        let before = self.before_cursor();
        let rest = self.not_echoed(&before);
        let echoed = format!("{before}{rest}");
        let trimmed = |text: String| text.trim_end().to_owned();
        [whole, trimmed(before), trimmed(echoed)]
    }

    /// Returns the typed text that is not yet before the cursor.
    fn not_echoed(&self, before: &str) -> &str {
        let typed = self.typed.as_str();
        let starts = typed.char_indices().map(|(at, _)| at).rev();
        let mut parts = std::iter::once(typed.len())
            .chain(starts)
            .filter_map(|at| typed.split_at_checked(at));
        let split = parts.find(|(echoed, _)| before.ends_with(echoed));
        split.map_or(typed, |(_, rest)| rest)
    }

    /// Returns the text of the line in which Enter was pressed, up to the cursor, including spaces.
    fn before_cursor(&self) -> String {
        let cursor = self.screen.cursor;
        let mut before = joined(
            &self.screen,
            self.entered_line().start..cursor.position.row,
            true,
        );
        if let Some(row) = self.screen.row(cursor.position.row) {
            // With a pending wrap, the cursor is on the last character, not after it.
            let end = cursor.position.col + usize::from(cursor.pending_wrap);
            (0..end).for_each(|col| row.cell(col).push_to(&mut before));
        }
        before
    }
}

/// Returns whether a row's text starts with `line`, or is the part of `line` that fits.
fn is_start(text: &str, line: &str) -> bool {
    text.starts_with(line) || (!text.is_empty() && line.starts_with(text))
}

/// The parts of a screen that are new since a [`Baseline`].
#[derive(Debug)]
pub struct Changes<'a> {
    screen: &'a Screen,
    before: Option<&'a Screen>,
    old: OldText<'a>,
}

#[derive(Debug)]
enum OldText<'a> {
    Nothing,
    /// Only these rows are old.
    Entered(Range<usize>),
    /// A row is old if its text equals that of the row that was `scrolled` rows below it before
    /// Enter. The line in which Enter was pressed is old too.
    Rows {
        before: &'a Screen,
        scrolled: isize,
        entered: Range<usize>,
    },
    /// Lines with one of these texts are old.
    Lines(Vec<String>),
}

impl<'a> Changes<'a> {
    /// Treats everything on a screen as new.
    pub fn all(screen: &'a Screen) -> Changes<'a> {
        Changes {
            screen,
            before: None,
            old: OldText::Nothing,
        }
    }

    /// Returns the compared screen.
    pub fn screen(&self) -> &'a Screen {
        self.screen
    }

    /// Returns whether any row may be old.
    pub(crate) fn excludes(&self) -> bool {
        !matches!(self.old, OldText::Nothing)
    }

    /// Returns whether a match has a row that is new. A match without cells always counts.
    pub(crate) fn has_new(&self, found: &Match) -> bool {
        if !self.excludes() {
            return true;
        }
        if let Some(image) = found.image() {
            return !self.is_old_image(image);
        }
        let mut cells = found.spans().iter().filter(|span| !span.cols.is_empty());
        let mut any = false;
        cells.any(|span| {
            any = true;
            !self.is_old(span.row)
        }) || !any
    }

    /// Returns whether an image was in the same cells before. In reflowed text, only the image and
    /// its size are compared.
    fn is_old_image(&self, image: &ImagePlacement) -> bool {
        let (before, moved) = match &self.old {
            OldText::Nothing | OldText::Entered(_) => return false,
            OldText::Rows {
                before, scrolled, ..
            } => (Some(*before), Some(*scrolled as i64)),
            OldText::Lines(_) => (self.before, None),
        };
        let mut images = before.into_iter().flat_map(|before| before.images.iter());
        images.any(|old| {
            let same = old.image == image.image
                && (old.kind, old.cols, old.rows) == (image.kind, image.cols, image.rows);
            let place = moved.is_none_or(|moved| {
                old.col == image.col && i64::from(old.row) == i64::from(image.row) + moved
            });
            same && place
        })
    }

    /// Returns whether any row of a line is new.
    #[doc(hidden)]
    pub fn has_new_row(&self, mut rows: Range<usize>) -> bool {
        rows.any(|row| !self.is_old(row))
    }

    fn is_old(&self, row: usize) -> bool {
        match &self.old {
            OldText::Nothing => false,
            OldText::Entered(rows) => rows.contains(&row),
            OldText::Rows {
                before,
                scrolled,
                entered,
            } => {
                if entered.contains(&row) {
                    return true;
                }
                match row.checked_add_signed(*scrolled) {
                    Some(there) => {
                        let same = |(a, b): (&Arc<Row>, &Arc<Row>)| {
                            Arc::ptr_eq(a, b) || a.text() == b.text()
                        };
                        let rows = before.rows.get(there).zip(self.screen.rows.get(row));
                        rows.is_some_and(same)
                    }
                    // A taller screen shows rows again that had scrolled off.
                    None => self.screen.size.rows > before.size.rows,
                }
            }
            OldText::Lines(lines) => {
                let line = text(self.screen, self.screen.line(row));
                lines.contains(&line)
            }
        }
    }
}

/// Returns the lines of a screen, from the top.
#[doc(hidden)]
pub fn lines(screen: &Screen) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let line = (next < screen.rows.len()).then(|| screen.line(next))?;
        next = line.end;
        Some(line)
    })
}

/// Returns the text of a line without trailing spaces.
#[doc(hidden)]
pub fn text(screen: &Screen, rows: Range<usize>) -> String {
    joined(screen, rows, false)
}

/// Returns the text of some rows of a line. With `continues`, the last row includes the spaces that
/// belong to the line.
fn joined(screen: &Screen, rows: Range<usize>, continues: bool) -> String {
    let mut line = String::new();
    for number in rows.clone() {
        let Some(row) = screen.row(number) else {
            continue;
        };
        match screen.wraps_at(number) {
            Some(end) if continues || number + 1 < rows.end => {
                (0..end).for_each(|col| row.cell(col).push_to(&mut line));
            }
            _ => line.push_str(row.text()),
        }
    }
    if !continues {
        line.truncate(line.trim_end_matches(' ').len());
    }
    line
}
