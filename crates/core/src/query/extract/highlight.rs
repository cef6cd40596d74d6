//! Detection of highlighted text.
//!
//! Inverse text is highlighted, unless most of the screen is inverse. Text on a background colour
//! is highlighted if that colour is one line high: neither the line above nor the line below has
//! it, as in a list whose selected line has its own colour. So neither a dialog on a coloured
//! background nor a table with alternating shades counts as highlighted.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::line::Line;
use crate::{Attributes, Color, Match, Position, Rect, Screen, Style};

/// The properties that make a cell look highlighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Ground {
    inverse: bool,
    bg: Color,
}

impl Ground {
    pub(super) fn of(style: &Style) -> Ground {
        Ground {
            inverse: style.is(Attributes::INVERSE),
            bg: style.bg,
        }
    }
}

/// Number of cells of a rectangle for each background (`Ground`).
#[derive(Debug)]
pub(super) struct Grounds(BTreeMap<Ground, usize>);

impl Grounds {
    pub(super) fn of(screen: &Screen, rect: Rect) -> Grounds {
        let rect = rect.clipped(screen.size.rect());
        let mut counts = BTreeMap::new();
        for row in screen.rows.iter().skip(rect.row).take(rect.rows) {
            let kept = row.cells().skip(rect.col).take(rect.cols);
            let blank = rect.cols - kept.len();
            *counts.entry(Ground::default()).or_default() += blank;
            for cell in kept {
                *counts.entry(Ground::of(cell.style)).or_default() += 1;
            }
        }
        Grounds(counts)
    }

    pub(super) fn count(&self, ground: Ground) -> usize {
        self.0.get(&ground).copied().unwrap_or_default()
    }

    /// Returns the background of most cells.
    pub(super) fn usual(&self) -> Ground {
        let most = self
            .0
            .iter()
            .max_by_key(|(ground, n)| (**n, Reverse(**ground)));
        most.map(|(ground, _)| *ground).unwrap_or_default()
    }
}

/// Returns everything highlighted in a rectangle.
pub(super) fn all(screen: &Screen, rect: Rect) -> Vec<Match> {
    let lines = Line::all(screen, rect);
    runs(screen, rect, &lines)
        .into_iter()
        .map(|run| run.found)
        .collect()
}

/// Returns the one highlighted line, from its first highlighted cell to its last; `None` if there
/// are several.
pub(super) fn row(screen: &Screen, rect: Rect) -> Option<Match> {
    let lines = Line::all(screen, rect);
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

struct Run {
    line: usize,
    cells: Range<usize>,
    found: Match,
}

fn runs(screen: &Screen, rect: Rect, lines: &[Line<'_>]) -> Vec<Run> {
    let usual = Grounds::of(screen, rect).usual();
    let mut runs = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut start = 0;
        while start < line.len() {
            let ground = Ground::of(line.cell(start).style);
            let cells = start..line.skip(start, line.len(), |index| {
                Ground::of(line.cell(index).style) == ground
            });
            start = cells.end;
            let stands_out = ground.inverse != usual.inverse
                || (ground.bg != Color::Default
                    && is_alone(
                        &Around {
                            screen,
                            rect,
                            line,
                            usual,
                        },
                        &cells,
                        ground,
                    ));
            if let Some(found) = stands_out.then(|| line.found(cells.clone())).flatten() {
                runs.push(Run {
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
struct Around<'a> {
    screen: &'a Screen,
    rect: Rect,
    line: &'a Line<'a>,
    usual: Ground,
}

impl Around<'_> {
    /// Returns whether most of the given cells have this background `rows` rows above (negative) or
    /// below the line.
    fn has(&self, cells: &Range<usize>, rows: isize, ground: Ground) -> bool {
        let row = if rows < 0 {
            self.line.rows.start.checked_add_signed(rows)
        } else {
            (self.line.rows.end - 1).checked_add_signed(rows)
        };
        let there = |col| {
            let at = row.map(|row| Position { row, col });
            match at.filter(|at| self.rect.contains(*at) && at.row < self.screen.rows.len()) {
                Some(at) => Ground::of(self.screen.cell(at).style),
                None => self.usual,
            }
        };
        let cols = cells.clone().filter_map(|cell| self.line.position(cell));
        let same = cols.filter(|at| there(at.col) == ground).count();
        same * 2 > cells.len()
    }
}

fn is_alone(around: &Around<'_>, cells: &Range<usize>, ground: Ground) -> bool {
    let has = |rows| around.has(cells, rows, ground);
    // One colour in every other line is zebra striping; three lines make a pattern.
    let striped = (has(-2) && (has(2) || has(-4))) || (has(2) && has(4));
    !has(-1) && !has(1) && !striped
}
