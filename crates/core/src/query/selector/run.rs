//! Neighbouring cells that have something in common.
//!
//! A run goes on as long as the cells do, also where text went on in the next row because it did not fit. It starts and
//! ends with a character: a highlighted line that is blank to the screen's edge is found as its words, and blank cells
//! alone are not found at all.

use super::area::{Area, is_blank};
use crate::{CellView, Match, Position};

/// Every run of cells for which `common` gives the same.
pub(super) fn all<'a, C: PartialEq>(
    area: Area<'a>,
    common: impl Fn(CellView<'a>) -> Option<C>,
) -> Vec<Match> {
    let mut matches = Vec::new();
    let mut run: Option<Run<C>> = None;
    for row in area.rows() {
        let strip = area.strip(row);
        let cols = area.cols();
        // Cells that were never written have no text; they count only where more text follows.
        let kept = area.screen.rows[row].len().min(cols.end);
        let end = if strip.goes_on { strip.end() } else { kept };
        for col in cols.start..end {
            let at = Position { row, col };
            let cell = area.cell(at);
            let here = cell.and_then(&common);
            if run
                .as_ref()
                .is_some_and(|run| here.as_ref() != Some(&run.common))
            {
                matches.extend(run.take().map(|run| run.finish(area)));
            }
            if let (Some(common), Some(cell)) = (here, cell)
                && !is_blank(cell)
            {
                let start = run.take().map_or(at, |run| run.start);
                run = Some(Run {
                    common,
                    start,
                    end: Position { row, col: col + 1 },
                });
            }
        }
        if !strip.goes_on {
            matches.extend(run.take().map(|run| run.finish(area)));
        }
    }
    matches
}

struct Run<C> {
    common: C,
    start: Position,
    /// Behind its last character so far.
    end: Position,
}

impl<C> Run<C> {
    fn finish(self, area: Area<'_>) -> Match {
        area.stretch(self.start, self.end)
    }
}
