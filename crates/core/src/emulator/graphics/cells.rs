//! Images that belong to cells: sixels and inline files.
//!
//! Each cell that shows a part of such an image refers to it, and to its own place in it. So
//! everything that moves, replaces or erases cells does the same with the image, as in terminals
//! that have these protocols.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::store::{ImageKey, ImageStore};
use crate::screen::geometry::Rect;
use crate::screen::image::{
    CELL_HEIGHT, CELL_WIDTH, ImageKind, ImagePlacement, ImageRect, ImageSize, cells_for,
};

/// The cells and pixels of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellGeometry {
    pub(crate) cols: u32,
    pub(crate) rows: u32,
    /// The part of the image.
    pub(crate) source: ImageRect,
    /// Where it is drawn, from the corner of the first cell.
    pub(crate) drawn: ImageRect,
}

impl CellGeometry {
    /// Returns the geometry of an image in its own size.
    pub(crate) fn natural(image: ImageSize) -> CellGeometry {
        CellGeometry {
            cols: cells_for(image.width, CELL_WIDTH),
            rows: cells_for(image.height, CELL_HEIGHT),
            source: ImageRect::of(image),
            drawn: ImageRect::of(image),
        }
    }
}

/// An image in cells.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CellImage {
    /// Unique, and larger than that of images placed earlier.
    pub(crate) number: u64,
    pub(crate) key: ImageKey,
    pub(crate) kind: ImageKind,
    pub(crate) geometry: CellGeometry,
}

/// What a cell shows of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellImagePart {
    pub(crate) image: Arc<CellImage>,
    /// The cell's row and column within the image.
    pub(crate) row: u16,
    pub(crate) col: u16,
}

/// Collects the images in the cells of a screen.
#[derive(Debug, Default)]
pub(crate) struct CellImages<'a> {
    /// By number and by the position that the image's first cell would have.
    found: BTreeMap<(u64, i32, i32), (&'a CellImage, Vec<Rect>)>,
}

impl<'a> CellImages<'a> {
    /// Maximum number of placements: copied cells of an image are placements of their own.
    const MAX_PLACEMENTS: usize = 4096;

    /// Adds a cell. Cells must be added in reading order.
    pub(crate) fn add(&mut self, row: usize, col: usize, part: &'a CellImagePart) {
        // Screens have at most 2000 rows and columns.
        let origin_row = row as i32 - i32::from(part.row);
        let origin_col = col as i32 - i32::from(part.col);
        let key = (part.image.number, origin_row, origin_col);
        if self.found.len() >= CellImages::MAX_PLACEMENTS && !self.found.contains_key(&key) {
            return;
        }
        let (_, visible) = self
            .found
            .entry(key)
            .or_insert_with(|| (&part.image, Vec::new()));
        match visible.last_mut() {
            Some(last) if last.row == row && last.col + last.cols == col => last.cols += 1,
            _ => visible.push(Rect {
                row,
                col,
                rows: 1,
                cols: 1,
            }),
        }
    }

    /// Returns the placements, in the order in which the program made them.
    pub(crate) fn finish(self, store: &ImageStore) -> Vec<ImagePlacement> {
        let placements = self
            .found
            .into_iter()
            .filter_map(|((_, row, col), (image, spans))| {
                Some(ImagePlacement {
                    image: Arc::clone(store.get(image.key)?),
                    kind: image.kind,
                    row,
                    col,
                    cols: image.geometry.cols,
                    rows: image.geometry.rows,
                    source: image.geometry.source,
                    drawn: image.geometry.drawn,
                    z: 0,
                    visible: joined(spans).into(),
                })
            });
        placements.collect()
    }
}

/// Joins spans of the same columns in consecutive rows.
fn joined(spans: Vec<Rect>) -> Vec<Rect> {
    let mut rects: Vec<Rect> = Vec::new();
    // The rectangles that end in the row above the current one, or in the current one.
    let mut open = 0;
    for span in spans {
        while rects
            .get(open)
            .is_some_and(|rect| rect.row + rect.rows < span.row)
        {
            open += 1;
        }
        let above = rects[open..].iter_mut().find(|rect| {
            (rect.col, rect.cols) == (span.col, span.cols) && rect.row + rect.rows == span.row
        });
        match above {
            Some(above) => above.rows += 1,
            None => rects.push(span),
        }
    }
    rects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::image::ImageContent;

    /// Draws an image of 4x3 cells, without the cells that `hole` names, and returns the visible
    /// rectangles as `row,col rowsxcols`.
    fn visible(at: (usize, usize), hole: &[(u16, u16)]) -> Vec<String> {
        let size = ImageSize::new(32, 48);
        let content = ImageContent::rgba(size, vec![9; 32 * 48 * 4]).expect("it fits");
        let mut store = ImageStore::default();
        let image = Arc::new(CellImage {
            number: 1,
            key: store.add(Arc::new(content)),
            kind: ImageKind::Sixel,
            geometry: CellGeometry::natural(size),
        });
        let cells = (0..3).flat_map(|row| (0..4).map(move |col| (row, col)));
        let parts: Vec<CellImagePart> = cells
            .filter(|cell| !hole.contains(cell))
            .map(|(row, col)| CellImagePart {
                image: Arc::clone(&image),
                row,
                col,
            })
            .collect();
        let mut images = CellImages::default();
        for part in &parts {
            images.add(
                at.0 + usize::from(part.row),
                at.1 + usize::from(part.col),
                part,
            );
        }
        let placements = images.finish(&store);
        assert_eq!(placements.len(), 1);
        assert_eq!(
            placements[0].position().map(|at| (at.row, at.col)),
            Some(at)
        );
        assert_eq!((placements[0].cols, placements[0].rows), (4, 3));
        let rects = placements[0].visible.iter();
        rects
            .map(|r| format!("{},{} {}x{}", r.row, r.col, r.rows, r.cols))
            .collect()
    }

    #[test]
    fn a_whole_image_is_one_rectangle() {
        assert_eq!(visible((2, 5), &[]), ["2,5 3x4"]);
    }

    #[test]
    fn replaced_cells_split_an_image() {
        assert_eq!(
            visible((0, 0), &[(1, 1), (1, 2)]),
            ["0,0 1x4", "1,0 1x1", "1,3 1x1", "2,0 1x4"]
        );
        assert_eq!(visible((0, 0), &[(0, 3), (1, 3), (2, 3)]), ["0,0 3x3"]);
        assert_eq!(
            visible((1, 0), &[(1, 0), (1, 1), (1, 2), (1, 3)]),
            ["1,0 1x4", "3,0 1x4"]
        );
    }
}
