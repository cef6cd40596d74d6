//! Images of a screen in `frames.jsonl`: where they are, and the hash of their content. The content
//! itself is in `output.raw`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::screen::image::{
    ImageContent, ImageHash, ImageKind, ImagePlacement, ImageRect, ImageSize,
};
use crate::{Rect, Size};

/// Maximum number of images of a screen, and of rectangles of an image.
const MAX_ITEMS: usize = 1 << 16;
/// Maximum of columns, rows and pixels of a placement.
const MAX_LENGTH: u32 = 1 << 20;

/// An image. Rows and columns count from 0 and may be negative.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FrameImageJson {
    kind: String,
    hash: String,
    pixels: (u32, u32),
    row: i32,
    col: i32,
    /// Columns and rows.
    cells: (u32, u32),
    /// The part of the image: x, y, width, height. Absent for the whole image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<[u32; 4]>,
    /// Where the part is drawn: x, y, width, height. Absent if it is drawn unscaled from the corner
    /// of the first cell on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    drawn: Option<[u32; 4]>,
    #[serde(default, skip_serializing_if = "is_zero")]
    z: i32,
    /// The rectangles in which it is visible: row, column, rows, columns. Absent if that is all of
    /// it that is on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visible: Option<Vec<[usize; 4]>>,
}

impl FrameImageJson {
    pub(super) fn of(placed: &ImagePlacement, size: Size) -> FrameImageJson {
        let pixels = placed.image.size();
        let array = |rect: ImageRect| [rect.x, rect.y, rect.width, rect.height];
        let unscaled = ImageRect {
            x: 0,
            y: 0,
            ..placed.source
        };
        let whole = [placed.area().clipped(size.rect())];
        FrameImageJson {
            kind: placed.kind.name().to_owned(),
            hash: placed.image.hash().to_hex(),
            pixels: (pixels.width, pixels.height),
            row: placed.row,
            col: placed.col,
            cells: (placed.cols, placed.rows),
            source: (placed.source != ImageRect::of(pixels)).then(|| array(placed.source)),
            drawn: (placed.drawn != unscaled).then(|| array(placed.drawn)),
            z: placed.z,
            visible: (*placed.visible != whole).then(|| {
                let rects = placed.visible.iter();
                rects
                    .map(|rect| [rect.row, rect.col, rect.rows, rect.cols])
                    .collect()
            }),
        }
    }

    /// Converts the image to a placement on a screen of this size, without its content.
    fn placement(&self, size: Size) -> Result<ImagePlacement, String> {
        let wrong = |what: &str| format!("`images` has a wrong `{what}`");
        let kind = ImageKind::named(&self.kind).ok_or_else(|| wrong("kind"))?;
        let hash = ImageHash::from_hex(&self.hash).ok_or_else(|| wrong("hash"))?;
        let pixels = ImageSize::new(self.pixels.0, self.pixels.1);
        if !pixels.is_allowed() {
            return Err(wrong("pixels"));
        }
        let (cols, rows) = self.cells;
        if !(1..=MAX_LENGTH).contains(&cols) || !(1..=MAX_LENGTH).contains(&rows) {
            return Err(wrong("cells"));
        }
        let rect = |[x, y, width, height]: [u32; 4], most: ImageSize| {
            let inside = |from: u32, length: u32, most: u32| {
                length > 0 && from.checked_add(length).is_some_and(|end| end <= most)
            };
            let inside = inside(x, width, most.width) && inside(y, height, most.height);
            inside.then_some(ImageRect {
                x,
                y,
                width,
                height,
            })
        };
        let source = match self.source {
            None => ImageRect::of(pixels),
            Some(source) => rect(source, pixels).ok_or_else(|| wrong("source"))?,
        };
        let most = ImageSize::new(MAX_LENGTH, MAX_LENGTH);
        let drawn = match self.drawn {
            None => ImageRect {
                x: 0,
                y: 0,
                ..source
            },
            Some(drawn) => rect(drawn, most).ok_or_else(|| wrong("drawn"))?,
        };
        let mut placed = ImagePlacement {
            image: Arc::new(ImageContent::missing(hash, pixels)),
            kind,
            row: self.row,
            col: self.col,
            cols,
            rows,
            source,
            drawn,
            z: self.z,
            visible: Arc::default(),
        };
        let screen = size.rect();
        let area = placed.area().clipped(screen);
        placed.visible = match &self.visible {
            None => Arc::new([area]),
            Some(rects) if rects.len() <= MAX_ITEMS => {
                let rects = rects.iter().map(|[row, col, rows, cols]| Rect {
                    row: *row,
                    col: *col,
                    rows: *rows,
                    cols: *cols,
                });
                rects.collect()
            }
            Some(_) => return Err(wrong("visible")),
        };
        let inside = |rect: &Rect| !rect.is_empty() && rect.clipped(area) == *rect;
        if placed.visible.is_empty() || !placed.visible.iter().all(inside) {
            return Err(wrong("visible"));
        }
        Ok(placed)
    }
}

/// Converts the images of a line, for a screen of this size.
pub(super) fn placements(
    images: &[FrameImageJson],
    size: Size,
) -> Result<Arc<[ImagePlacement]>, String> {
    if images.len() > MAX_ITEMS {
        return Err("there are too many `images`".to_owned());
    }
    let placements = images.iter().map(|image| image.placement(size));
    placements.collect()
}

// Serde passes a reference.
fn is_zero(value: &i32) -> bool {
    *value == 0
}
