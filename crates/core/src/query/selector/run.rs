//! Search for runs of neighbouring cells with a common property.
//!
//! A run continues as long as the cells have the property, also into a wrapped continuation row. It
//! starts and ends with a character: a highlighted line that is blank up to the screen's edge is
//! found as its words, and blank cells alone are not found.

use super::region::{Region, is_blank};
use crate::{CellView, Match, Position};

/// Returns every run of cells for which `common` returns the same value.
pub(super) fn all<'a, C: PartialEq>(
    region: Region<'a>,
    common: impl Fn(CellView<'a>) -> Option<C>,
) -> Vec<Match> {
    let mut matches = Vec::new();
    let mut run: Option<CellRun<C>> = None;
    for row in region.rows() {
        let region_row = region.region_row(row);
        let cols = region.cols();
        // Cells that were never written have no text; they count only if more text follows.
        let kept = region.screen.rows[row].len().min(cols.end);
        let end = if region_row.wraps {
            region_row.end()
        } else {
            kept
        };
        for col in cols.start..end {
            let at = Position { row, col };
            let cell = region.cell(at);
            let here = cell.and_then(&common);
            if run
                .as_ref()
                .is_some_and(|run| here.as_ref() != Some(&run.common))
            {
                matches.extend(run.take().map(|run| run.finish(region)));
            }
            if let (Some(common), Some(cell)) = (here, cell)
                && !is_blank(cell)
            {
                let start = run.take().map_or(at, |run| run.start);
                run = Some(CellRun {
                    common,
                    start,
                    end: Position { row, col: col + 1 },
                });
            }
        }
        if !region_row.wraps {
            matches.extend(run.take().map(|run| run.finish(region)));
        }
    }
    matches
}

struct CellRun<C> {
    common: C,
    start: Position,
    /// The position after its last character so far.
    end: Position,
}

impl<C> CellRun<C> {
    fn finish(self, region: Region<'_>) -> Match {
        region.match_between(self.start, self.end)
    }
}
