//! Images on a screen.
//!
//! A screen has a list of placements. A placement shows an image, or a rectangle of it, in a
//! rectangle of cells, above or below the text. An image is stored once, however often it is placed
//! and however many screens show it.
//!
//! See also: `image/content.rs` (pixels, files and their hash), `image/format.rs` (headers of image
//! files), `emulator/graphics.rs` (the protocols).

use std::fmt;
use std::sync::Arc;

use crate::screen::geometry::{Position, Rect};

pub mod content;
pub(crate) mod format;

pub use content::{HashPrefix, HashPrefixError, ImageContent, ImageData, ImageHash};
pub use format::{ImageFormat, Tiff};

/// Width of a cell in pixels, as reported to programs. Images are drawn at this size; a picture
/// with another cell size scales them.
pub const CELL_WIDTH: u32 = 8;
/// Height of a cell in pixels, as reported to programs.
pub const CELL_HEIGHT: u32 = 16;

/// Maximum width and height of an image.
pub const MAX_SIDE: u32 = 10_000;
/// Maximum number of pixels of an image, which take 32 MiB: one more than a screen of 3840×2160.
pub const MAX_PIXELS: u64 = 1 << 23;

/// The character that stands for a cell of an image in text: see the kitty graphics protocol,
/// "Unicode placeholders". It is not drawn itself.
pub const PLACEHOLDER: char = '\u{10eeee}';

/// Image protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ImageKind {
    /// Sixels (DCS q).
    Sixel,
    /// The kitty graphics protocol (APC G).
    Kitty,
    /// Inline files of iTerm2 (OSC 1337;File).
    Iterm,
}

impl ImageKind {
    /// Every protocol.
    pub const ALL: [ImageKind; 3] = [ImageKind::Sixel, ImageKind::Kitty, ImageKind::Iterm];

    /// Returns the name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            ImageKind::Sixel => "sixel",
            ImageKind::Kitty => "kitty",
            ImageKind::Iterm => "iterm",
        }
    }

    /// Returns the protocol of this name.
    pub fn named(name: &str) -> Option<ImageKind> {
        ImageKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A width and a height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ImageSize {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

impl ImageSize {
    /// Returns the size with this width and height.
    pub const fn new(width: u32, height: u32) -> ImageSize {
        ImageSize { width, height }
    }

    /// Returns the number of pixels.
    pub const fn pixels(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Returns whether an image may have this size: not empty, at most [`MAX_SIDE`] pixels per side
    /// and [`MAX_PIXELS`] in total.
    pub const fn is_allowed(self) -> bool {
        self.width > 0
            && self.height > 0
            && self.width <= MAX_SIDE
            && self.height <= MAX_SIDE
            && self.pixels() <= MAX_PIXELS
    }
}

/// `48x32`.
impl fmt::Display for ImageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ImageRect {
    /// The first column.
    pub x: u32,
    /// The first line.
    pub y: u32,
    /// Number of columns.
    pub width: u32,
    /// Number of lines.
    pub height: u32,
}

impl ImageRect {
    /// Returns the rectangle of a whole image.
    pub const fn of(size: ImageSize) -> ImageRect {
        ImageRect {
            x: 0,
            y: 0,
            width: size.width,
            height: size.height,
        }
    }
}

/// An image that is shown on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImagePlacement {
    /// The image.
    pub image: Arc<ImageContent>,
    /// The protocol that placed it.
    pub kind: ImageKind,
    /// The row of its first cell, from 0; negative if it has scrolled out in part.
    pub row: i32,
    /// The column of its first cell, from 0; may be outside the screen.
    pub col: i32,
    /// Number of columns.
    pub cols: u32,
    /// Number of rows.
    pub rows: u32,
    /// The part of the image that is shown, in pixels of the image.
    pub source: ImageRect,
    /// Where that part is drawn, in pixels of [`CELL_WIDTH`] by [`CELL_HEIGHT`] cells, from the
    /// upper left corner of the first cell. The part is scaled to this size.
    pub drawn: ImageRect,
    /// Drawing order. Images of negative z are below the text, and those below
    /// [`ImagePlacement::BELOW_BACKGROUNDS`] also below backgrounds other than the default one.
    pub z: i32,
    /// The cells in which it is visible, as rectangles that do not overlap. Usually there is one:
    /// all its cells that are on the screen. There are more if text has replaced some of them.
    pub visible: Arc<[Rect]>,
}

impl ImagePlacement {
    /// Images with a smaller z are drawn below cell backgrounds that the program has set.
    pub const BELOW_BACKGROUNDS: i32 = i32::MIN / 2;

    /// Returns the position of the first cell, or `None` if that cell is above or to the left of
    /// the screen.
    pub fn position(&self) -> Option<Position> {
        Some(Position {
            row: usize::try_from(self.row).ok()?,
            col: usize::try_from(self.col).ok()?,
        })
    }

    /// Returns the cells that it occupies on a screen of any size: without those above and to the
    /// left of the screen.
    pub fn area(&self) -> Rect {
        let (row, rows) = from_zero(self.row, self.rows);
        let (col, cols) = from_zero(self.col, self.cols);
        Rect {
            row,
            col,
            rows,
            cols,
        }
    }

    /// Returns whether the cell at `position` shows it.
    pub fn covers(&self, position: Position) -> bool {
        self.visible.iter().any(|rect| rect.contains(position))
    }

    /// Returns whether it is drawn below the text.
    pub fn is_below_text(&self) -> bool {
        self.z < 0
    }
}

/// Returns the part of a range of rows or columns from 0 on, as start and length.
fn from_zero(start: i32, length: u32) -> (usize, usize) {
    let end = (i64::from(start) + i64::from(length)).max(0);
    let start = i64::from(start.max(0));
    (start as usize, (end - start).max(0) as usize)
}

/// The form in messages: `kitty image 3fa4c2d19b07 of 48x32 pixels, 6x2 cells at row 2, column 5`.
impl fmt::Display for ImagePlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} image {} of {} pixels, {}x{} cells at row {}, column {}",
            self.kind.name(),
            self.image.hash(),
            self.image.size(),
            self.cols,
            self.rows,
            i64::from(self.row) + 1,
            i64::from(self.col) + 1,
        )?;
        let area: usize = self.area().cols * self.area().rows;
        let visible: usize = self.visible.iter().map(|rect| rect.cols * rect.rows).sum();
        if area != visible || self.row < 0 || self.col < 0 {
            f.write_str(", partly visible")?;
        }
        Ok(())
    }
}

/// Number of cells that some pixels need.
pub fn cells_for(pixels: u32, cell: u32) -> u32 {
    pixels.div_ceil(cell.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(row: i32, col: i32, visible: &[Rect]) -> ImagePlacement {
        let image = ImageContent::rgba(ImageSize::new(20, 20), vec![0; 1600]).expect("it fits");
        ImagePlacement {
            image: Arc::new(image),
            kind: ImageKind::Sixel,
            row,
            col,
            cols: 3,
            rows: 2,
            source: ImageRect::of(ImageSize::new(20, 20)),
            drawn: ImageRect::of(ImageSize::new(20, 20)),
            z: 0,
            visible: visible.into(),
        }
    }

    #[test]
    fn a_placement_is_described_with_its_hash_size_and_place() {
        let whole = Rect {
            row: 1,
            col: 4,
            rows: 2,
            cols: 3,
        };
        let hash = placement(0, 0, &[]).image.hash().to_string();
        assert_eq!(
            placement(1, 4, &[whole]).to_string(),
            format!("sixel image {hash} of 20x20 pixels, 3x2 cells at row 2, column 5")
        );
        let rest = Rect {
            row: 0,
            rows: 1,
            ..whole
        };
        assert_eq!(
            placement(-1, 4, &[rest]).to_string(),
            format!(
                "sixel image {hash} of 20x20 pixels, 3x2 cells at row 0, column 5, partly visible"
            )
        );
    }

    #[test]
    fn the_area_excludes_cells_above_and_left_of_the_screen() {
        let area = |row, col| {
            let Rect {
                row,
                col,
                rows,
                cols,
            } = placement(row, col, &[]).area();
            (row, col, rows, cols)
        };
        assert_eq!(area(1, 4), (1, 4, 2, 3));
        assert_eq!(area(-1, -2), (0, 0, 1, 1));
        assert_eq!(area(-5, 0), (0, 0, 0, 3));
        assert_eq!(area(i32::MIN, i32::MAX), (0, i32::MAX as usize, 0, 3));
    }
}
