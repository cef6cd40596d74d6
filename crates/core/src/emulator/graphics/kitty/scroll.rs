//! Where placements are, and how scrolling and clearing change that.

use std::ops::Range;
use std::sync::Arc;

use super::super::store::ImageStore;
use super::placement::{Anchor, KittyPlacement};
use super::{KittyScreen, placeholder};
use crate::screen::geometry::{Rect, Size};
use crate::screen::image::{ImageKind, ImagePlacement};
use crate::screen::row::Row;

/// The cells of a placement, relative to the first cell of the screen.
#[derive(Debug, Clone)]
pub(super) struct Area {
    pub(super) number: u64,
    /// Without rows that are hidden by margins.
    pub(super) rows: Range<i64>,
    pub(super) cols: Range<i64>,
    /// The first row, hidden or not.
    pub(super) first_row: i64,
}

impl KittyScreen {
    /// Returns the cells of all placements that are not shown by placeholders. `origins` are the
    /// first cells of those that are: number, row and column.
    pub(super) fn areas(&self, origins: &[(u64, i64, i64)]) -> Vec<Area> {
        let placements = self.placements.iter();
        let areas = placements.filter(|placed| !placed.is_virtual());
        let areas = areas.filter_map(|placed| {
            let (row, col) = self.origin(placed, origins, 0)?;
            let geometry = placed.geometry;
            let end = row + i64::from(geometry.rows);
            Some(Area {
                number: placed.number,
                rows: row + i64::from(placed.hidden_top)..end - i64::from(placed.hidden_bottom),
                cols: col..col + i64::from(geometry.cols),
                first_row: row,
            })
        });
        areas.collect()
    }

    fn origin(
        &self,
        placed: &KittyPlacement,
        origins: &[(u64, i64, i64)],
        depth: usize,
    ) -> Option<(i64, i64)> {
        match placed.anchor {
            Anchor::Cell { row, col } => Some((row - self.scrolled, col)),
            Anchor::Placeholders => {
                let known = origins.iter().find(|(number, ..)| *number == placed.number);
                known.map(|(_, row, col)| (*row, *col))
            }
            Anchor::Relative { to, rows, cols } => {
                let parent = self.numbered(to)?;
                // Cycles are refused when a placement is made.
                if depth > 16 {
                    return None;
                }
                let (row, col) = self.origin(parent, origins, depth + 1)?;
                Some((row + i64::from(rows), col + i64::from(cols)))
            }
        }
    }

    /// Returns whether there is nothing to move.
    pub(crate) fn is_empty(&self) -> bool {
        self.placements.is_empty()
    }

    /// Moves all placements up with the lines of the whole screen; down by a negative number of
    /// rows. Placements that are more than `scrollback` rows above the screen are removed.
    pub(crate) fn scroll(&mut self, rows: i64, scrollback: usize) {
        if self.placements.is_empty() {
            return;
        }
        self.scrolled += rows;
        if self.scrolled >= self.prune_at {
            self.prune_at = self.scrolled + KittyScreen::PRUNE;
            let oldest = self.scrolled - i64::try_from(scrollback).unwrap_or(i64::MAX);
            self.remove_placements(|placed| placed.end().is_some_and(|end| end <= oldest));
        }
    }

    /// Number of rows after which placements are visited to remove those above the scrollback.
    const PRUNE: i64 = 64;

    /// Moves placements up with the lines of a part of the screen; down by a negative number of
    /// rows. Only those that are entirely inside move. Rows that they move out of the part are not
    /// shown any more.
    pub(crate) fn scroll_part(&mut self, part: Range<usize>, rows: i64) {
        if self.placements.is_empty() {
            return;
        }
        let (top, bottom) = (
            part.start as i64 + self.scrolled,
            part.end as i64 + self.scrolled,
        );
        for placed in &mut self.placements {
            let height = i64::from(placed.geometry.rows);
            let Anchor::Cell { row, .. } = &mut placed.anchor else {
                continue;
            };
            let first = *row + i64::from(placed.hidden_top);
            let end = *row + height - i64::from(placed.hidden_bottom);
            if first < top || end > bottom {
                continue;
            }
            *row -= rows;
            // Limited by the height of the placement.
            let over = |rows: i64| rows.clamp(0, height) as u32;
            placed.hidden_top += over(top - (first - rows));
            placed.hidden_bottom += over(end - rows - bottom);
        }
        self.remove_placements(|placed| {
            placed.hidden_top + placed.hidden_bottom >= placed.geometry.rows
        });
    }

    /// Removes the placements on the screen, as ED 2 does.
    pub(crate) fn clear_visible(&mut self, size: Size) {
        let (top, bottom) = (self.scrolled, self.scrolled + i64::from(size.rows));
        self.remove_placements(|placed| match placed.anchor {
            Anchor::Cell { row, .. } => row < bottom && placed.end().is_some_and(|end| end > top),
            _ => false,
        });
    }

    /// Removes the placements above the screen, as ED 3 does.
    pub(crate) fn clear_scrollback(&mut self) {
        let top = self.scrolled;
        self.remove_placements(|placed| placed.end().is_some_and(|end| end <= top));
    }

    /// Calls a function with the row and column of the first cell of each placement, for a resize
    /// to change. Rows above the screen are negative.
    pub(crate) fn move_each(&mut self, mut change: impl FnMut(&mut i64, &mut i64)) {
        let scrolled = self.scrolled;
        for placed in &mut self.placements {
            if let Anchor::Cell { row, col } = &mut placed.anchor {
                *row -= scrolled;
                change(row, col);
                *row += scrolled;
            }
        }
    }

    /// Returns what is visible, in drawing order.
    pub(crate) fn visible(
        &self,
        size: Size,
        rows: &[Arc<Row>],
        store: &ImageStore,
    ) -> Vec<ImagePlacement> {
        if self.placements.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(i32, u32, u64, ImagePlacement)> = Vec::new();
        let mut origins = Vec::new();
        if self.placements.iter().any(KittyPlacement::is_virtual) {
            for (placed, shown) in placeholder::find(self, rows, size, store) {
                origins.push((placed.number, i64::from(shown.row), i64::from(shown.col)));
                found.push((shown.z, placed.image_id, placed.number, shown));
            }
        }
        // The first cell is the uppermost and the leftmost one of all places.
        origins.sort_unstable();
        origins.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.2 = first.2.min(later.2);
            }
            same
        });
        for area in self.areas(&origins) {
            let Some(placed) = self.numbered(area.number) else {
                continue;
            };
            let Some(image) = store.get(placed.image) else {
                continue;
            };
            let clip = |range: &Range<i64>, most: u16| {
                let start = range.start.max(0);
                let end = range.end.min(most.into());
                (start as usize, (end - start).max(0) as usize)
            };
            let (row, visible_rows) = clip(&area.rows, size.rows);
            let (col, visible_cols) = clip(&area.cols, size.cols);
            let (Ok(first_row), Ok(first_col)) = (
                i32::try_from(area.first_row),
                i32::try_from(area.cols.start),
            ) else {
                continue;
            };
            if visible_rows == 0 || visible_cols == 0 {
                continue;
            }
            let shown = ImagePlacement {
                image: Arc::clone(image),
                kind: ImageKind::Kitty,
                row: first_row,
                col: first_col,
                cols: placed.geometry.cols,
                rows: placed.geometry.rows,
                source: placed.geometry.source,
                drawn: placed.geometry.drawn,
                z: placed.z,
                visible: Arc::new([Rect {
                    row,
                    col,
                    rows: visible_rows,
                    cols: visible_cols,
                }]),
            };
            found.push((placed.z, placed.image_id, placed.number, shown));
        }
        found.sort_by_key(|(z, id, number, _)| (*z, *id, *number));
        found.into_iter().map(|(.., shown)| shown).collect()
    }
}
