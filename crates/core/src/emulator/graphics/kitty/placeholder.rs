//! Images that are shown by placeholder characters in the text.
//!
//! A program makes a placement for placeholders (`U=1`) and prints U+10EEEE in each of its cells.
//! The foreground colour is the image's id, the underline colour the placement's id. Combining
//! marks give row, column and the highest byte of the id; those that are missing follow from the
//! cell to the left.

use std::sync::Arc;

use super::super::store::ImageStore;
use super::diacritics;
use super::placement::KittyPlacement;
use super::{KittyImage, KittyScreen};
use crate::screen::geometry::{Rect, Size};
use crate::screen::image::{ImageKind, ImagePlacement, PLACEHOLDER};
use crate::screen::row::{CellView, Row, Text};
use crate::screen::style::Color;

/// Placeholder images are below the text, so that the cursor stays visible.
const Z: i32 = -1;

/// Maximum number of images found on a screen: text can name each image in many places.
const MAX_FOUND: usize = 1024;

/// A cell with a placeholder. Numbers are 0 if they are missing, otherwise one more than they say.
#[derive(Debug, Clone, Copy)]
struct Cell {
    id: u32,
    placement: u32,
    row: u32,
    col: u32,
    high: u32,
}

/// Neighbouring cells of one row of an image.
#[derive(Debug, Clone, Copy)]
struct Run {
    /// Of the last cell, complete.
    last: Cell,
    /// Place of the first cell.
    at: (usize, usize),
    cols: usize,
}

/// Returns the images that placeholders on the screen show, with their placements.
pub(super) fn find<'a>(
    screen: &'a KittyScreen,
    rows: &[Arc<Row>],
    size: Size,
    store: &ImageStore,
) -> Vec<(&'a KittyPlacement, ImagePlacement)> {
    let mut found: Vec<(&KittyPlacement, ImagePlacement, Vec<Rect>)> = Vec::new();
    for run in rows
        .iter()
        .enumerate()
        .flat_map(|(index, row)| runs(index, row, size))
    {
        let id = run.last.id | (run.last.high - 1) << 24;
        let Some(placed) = screen.placement_for(id, run.last.placement) else {
            continue;
        };
        let Some(image) = store.get(placed.image) else {
            continue;
        };
        let geometry = placed.geometry;
        let (row, first) = (run.last.row - 1, run.last.col - run.cols as u32);
        // Cells outside the placement show nothing.
        let cols = run.cols.min((geometry.cols.saturating_sub(first)) as usize);
        if row >= geometry.rows || cols == 0 {
            continue;
        }
        let shown = Rect {
            row: run.at.0,
            col: run.at.1,
            rows: 1,
            cols,
        };
        // Limited by the sizes of screens and of the table of marks.
        let origin = (run.at.0 as i32 - row as i32, run.at.1 as i32 - first as i32);
        let known = found.iter().rposition(|(known, at, _)| {
            known.number == placed.number && (at.row, at.col) == origin
        });
        let index = match known {
            Some(index) => index,
            None if found.len() == MAX_FOUND => break,
            None => {
                let placement = ImagePlacement {
                    image: Arc::clone(image),
                    kind: ImageKind::Kitty,
                    row: origin.0,
                    col: origin.1,
                    cols: geometry.cols,
                    rows: geometry.rows,
                    source: geometry.source,
                    drawn: geometry.drawn,
                    z: Z,
                    visible: Arc::default(),
                };
                found.push((placed, placement, Vec::new()));
                found.len() - 1
            }
        };
        let visible = &mut found[index].2;
        match visible.last_mut() {
            Some(last)
                if (last.col, last.cols) == (shown.col, shown.cols)
                    && last.row + last.rows == shown.row =>
            {
                last.rows += 1;
            }
            _ => visible.push(shown),
        }
    }
    let found = found.into_iter().map(|(placed, placement, visible)| {
        let visible = visible.into();
        (
            placed,
            ImagePlacement {
                visible,
                ..placement
            },
        )
    });
    found.collect()
}

impl KittyScreen {
    /// Returns the placement for placeholders of an image; with id 0, the image's first.
    fn placement_for(&self, image: u32, placement: u32) -> Option<&KittyPlacement> {
        let found = self
            .images
            .iter()
            .find(|known| known.id == image && image != 0);
        let KittyImage { key, .. } = found?;
        let mut placements = self.placements.iter();
        placements.find(|placed| {
            placed.is_virtual()
                && placed.image == *key
                && (placement == 0 || placed.id == placement)
        })
    }
}

fn runs(row: usize, cells: &Row, size: Size) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    if !cells.text().contains(PLACEHOLDER) {
        return runs;
    }
    let mut open = false;
    for (col, cell) in cells.cells().take(size.cols.into()).enumerate() {
        let Some(mut cell) = read(cell) else {
            open = false;
            continue;
        };
        if let Some(run) = runs.last_mut().filter(|_| open) {
            let last = run.last;
            let continues = (cell.id, cell.placement) == (last.id, last.placement)
                && (cell.row == 0 || cell.row == last.row)
                && (cell.col == 0 || cell.col == last.col + 1)
                && (cell.high == 0 || cell.high == last.high);
            if continues {
                run.last.col += 1;
                run.cols += 1;
                continue;
            }
        }
        for number in [&mut cell.row, &mut cell.col, &mut cell.high] {
            *number = (*number).max(1);
        }
        runs.push(Run {
            last: cell,
            at: (row, col),
            cols: 1,
        });
        open = true;
    }
    runs
}

/// Reads a cell; `None` if it has no placeholder.
fn read(cell: CellView<'_>) -> Option<Cell> {
    if cell.char() != PLACEHOLDER {
        return None;
    }
    let mut numbers = [0; 3];
    if let Text::Cluster(text) = cell.text {
        for (number, mark) in numbers.iter_mut().zip(text.chars().skip(1)) {
            *number = diacritics::number(mark).map_or(0, |number| number + 1);
        }
    }
    let [row, col, high] = numbers;
    Some(Cell {
        id: id_of(cell.style.fg),
        placement: id_of(cell.style.underline_color),
        row,
        col,
        // Only eight bits of an id are left for it.
        high: high.min(256),
    })
}

/// Returns the id that a colour stands for.
fn id_of(color: Color) -> u32 {
    match color {
        Color::Default => 0,
        Color::Indexed(index) => index.into(),
        Color::Rgb(rgb) => u32::from(rgb.r) << 16 | u32::from(rgb.g) << 8 | u32::from(rgb.b),
    }
}
