//! Detection of highlighted text.
//!
//! Inverse text is highlighted. If most of the screen is inverse, text that is not inverse is
//! highlighted instead. Text on a background colour is highlighted if that colour is one line high:
//! neither the line above nor the line below has it, as in a list whose selected line has its own
//! colour. So neither a dialog on a coloured background nor a table with alternating shades counts
//! as highlighted.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::cell_line::CellLine;
use crate::{Attributes, Color, Match, Position, Rect, Screen, Style};

/// The properties that make a cell look highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Background {
    inverse: bool,
    bg: Color,
}

impl Background {
    pub(super) fn of(style: &Style) -> Background {
        Background {
            inverse: style.is(Attributes::INVERSE),
            bg: style.bg,
        }
    }
}

/// Number of cells of a rectangle for each background (`Background`).
#[derive(Debug)]
pub(super) struct BackgroundCounts(BTreeMap<Background, usize>);

impl BackgroundCounts {
    pub(super) fn of(screen: &Screen, rect: Rect) -> BackgroundCounts {
        let rect = rect.clipped(screen.size.rect());
        let mut counts = BTreeMap::new();
        for row in screen.rows.iter().skip(rect.row).take(rect.rows) {
            let kept = row.cells().skip(rect.col).take(rect.cols);
            let blank = rect.cols - kept.len();
            *counts.entry(Background::default()).or_default() += blank;
            for cell in kept {
                *counts.entry(Background::of(cell.style)).or_default() += 1;
            }
        }
        BackgroundCounts(counts)
    }

    pub(super) fn count(&self, background: Background) -> usize {
        self.0.get(&background).copied().unwrap_or_default()
    }

    /// Returns the background of most cells.
    pub(super) fn usual(&self) -> Background {
        let most = self
            .0
            .iter()
            .max_by_key(|(background, n)| (**n, Reverse(**background)));
        most.map(|(background, _)| *background).unwrap_or_default()
    }
}

/// Returns everything highlighted in a rectangle.
pub(super) fn all(screen: &Screen, rect: Rect) -> Vec<Match> {
    let lines = CellLine::all(screen, rect);
    runs(screen, rect, &lines)
        .into_iter()
        .map(|run| run.found)
        .collect()
}

/// Returns the one highlighted line, from its first highlighted cell to its last; `None` if there
/// is none or more than one.
pub(super) fn row(screen: &Screen, rect: Rect) -> Option<Match> {
    let lines = CellLine::all(screen, rect);
    let rect = rect.clipped(screen.size.rect());
    let mut runs = runs(screen, rect, &lines);
    // A bar across the top or the bottom is a title or a status line, not a selection.
    runs.retain(|run| {
        let rows = &lines[run.line].rows;
        let outer = rows.start == rect.row || rows.end == rect.row + rect.rows;
        !(outer && run.cells.len() >= rect.cols)
    });
    let (first, last) = (runs.first()?, runs.last()?);
    if first.line != last.line {
        return None;
    }
    lines[first.line].found(first.cells.start..last.cells.end)
}

struct HighlightRun {
    line: usize,
    cells: Range<usize>,
    found: Match,
}

fn runs(screen: &Screen, rect: Rect, lines: &[CellLine<'_>]) -> Vec<HighlightRun> {
    let usual = BackgroundCounts::of(screen, rect).usual();
    let mut runs = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut start = 0;
        while start < line.len() {
            let background = Background::of(line.cell(start).style);
            let cells = start..line.skip(start, line.len(), |index| {
                Background::of(line.cell(index).style) == background
            });
            start = cells.end;
            let stands_out = background.inverse != usual.inverse
                || (background.bg != Color::Default
                    && is_alone(
                        &NeighbouringRows {
                            screen,
                            rect,
                            line,
                            usual,
                        },
                        &cells,
                        background,
                    ));
            if let Some(found) = stands_out.then(|| line.found(cells.clone())).flatten() {
                runs.push(HighlightRun {
                    line: number,
                    cells,
                    found,
                });
            }
        }
    }
    runs
}

/// The rows above and below a line. Outside the rectangle, all cells count as having the usual
/// background.
struct NeighbouringRows<'a> {
    screen: &'a Screen,
    rect: Rect,
    line: &'a CellLine<'a>,
    usual: Background,
}

impl NeighbouringRows<'_> {
    /// Returns whether most of the given cells have this background in the row at offset `rows`
    /// (negative: above).
    fn has(&self, cells: &Range<usize>, rows: isize, background: Background) -> bool {
        let row = if rows < 0 {
            self.line.rows.start.checked_add_signed(rows)
        } else {
            (self.line.rows.end - 1).checked_add_signed(rows)
        };
        let there = |col| {
            let at = row.map(|row| Position { row, col });
            match at.filter(|at| self.rect.contains(*at) && at.row < self.screen.rows.len()) {
                Some(at) => Background::of(self.screen.cell(at).style),
                None => self.usual,
            }
        };
        let cols = cells.clone().filter_map(|cell| self.line.position(cell));
        let same = cols.filter(|at| there(at.col) == background).count();
        same * 2 > cells.len()
    }
}

fn is_alone(around: &NeighbouringRows<'_>, cells: &Range<usize>, background: Background) -> bool {
    let has = |rows| around.has(cells, rows, background);
    // One colour in every other line is zebra striping; it needs at least three such lines.
    let striped = (has(-2) && (has(2) || has(-4))) || (has(2) && has(4));
    !has(-1) && !has(1) && !striped
}
