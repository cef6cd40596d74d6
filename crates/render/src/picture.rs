//! A screen as pixels.
//!
//! Every row of a screen owns a band of the picture from edge to edge, and nothing that a row draws leaves its band. So a
//! row can be drawn again without its neighbours, and a film costs what changed, not the whole screen.
//!
//! Elsewhere: what surrounds the cells (`window.rs`), one band (`picture/band.rs`), a style's colours
//! (`picture/paint.rs`).

use std::ops::Range;
use std::sync::Arc;

use screentest_core::{Cursor, Row, Screen, Size, Theme};

use crate::font::Fonts;
use crate::glyph::Grid;
use crate::window::{Frame, Window};
use crate::{Pixel, Pixels};

mod band;
mod ink;
mod paint;

pub(crate) use band::Painter;
pub(crate) use ink::mix;

/// The most pixels a picture may have, which take 256 MiB of memory. A screen of 500 columns and 150 rows, larger than
/// any monitor shows, has 57 million at twice the usual size.
pub const MOST_PIXELS: usize = 1 << 26;

/// Draws a screen.
pub fn draw(
    screen: &Screen,
    theme: &Theme,
    fonts: &Fonts,
    options: &Options,
) -> Result<Pixels, PictureError> {
    let mut picture = Picture::new(screen.size, theme, fonts, options)?;
    picture.show(screen);
    Ok(picture.into_pixels())
}

/// How a picture is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The size of the letters, in pixels.
    pub font_size: f32,
    /// Extra space between letters, in pixels.
    pub letter_spacing: f32,
    /// How high a row is, in parts of what the font asks for.
    pub line_height: f32,
    /// How many pixels stand for one: everything grows, letters stay sharp.
    pub scale: Scale,
    /// Whether the cursor is drawn, where the program shows it.
    pub caret: Caret,
    /// What surrounds the cells.
    pub window: Window,
}

impl Options {
    /// Sizes of letters that can be drawn.
    pub const FONT_SIZES: std::ops::RangeInclusive<f32> = 4.0..=256.0;
}

impl Default for Options {
    fn default() -> Options {
        Options {
            font_size: 16.0,
            letter_spacing: 0.0,
            line_height: 1.0,
            scale: Scale::One,
            caret: Caret::Shown,
            window: Window::default(),
        }
    }
}

/// How many pixels stand for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Scale {
    /// One.
    #[default]
    One,
    /// Two each way, for screens that have as many.
    Two,
}

impl Scale {
    pub(crate) fn times(self, length: usize) -> usize {
        match self {
            Scale::One => length,
            Scale::Two => length.saturating_mul(2),
        }
    }

    fn factor(self) -> f32 {
        self.times(1) as f32
    }
}

/// Whether the cursor is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Caret {
    /// Where the program shows it.
    #[default]
    Shown,
    /// Never.
    Hidden,
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It would have more than [`MOST_PIXELS`].
    #[error("a picture of {width}×{height} pixels is too large: the most are {MOST_PIXELS} in all")]
    TooLarge {
        /// How wide it would be.
        width: usize,
        /// How high it would be.
        height: usize,
    },
    /// The letters are too small or too large to draw, or no number.
    #[error("letters of {0} pixels cannot be drawn: they have 4 to 256")]
    FontSize(f32),
    /// Letters or rows would lie on each other, or far apart.
    #[error("`{name}` of {value} is out of range: {least} to {most}")]
    Spacing {
        /// Which distance.
        name: &'static str,
        /// What was asked.
        value: f32,
        /// The least there is.
        least: f32,
        /// The most.
        most: f32,
    },
}

/// A picture that remembers which screen it shows, and draws only what differs in the next.
#[derive(Debug)]
pub struct Picture {
    pixels: Pixels,
    painter: Painter,
    frame: Frame,
    /// The cells it has room for.
    size: Size,
    caret: Caret,
    rows: Vec<Option<Arc<Row>>>,
    cursor: Option<Cursor>,
}

impl Picture {
    /// A picture with room for a screen of this size, and nothing on it yet.
    pub fn new(
        size: Size,
        theme: &Theme,
        fonts: &Fonts,
        options: &Options,
    ) -> Result<Picture, PictureError> {
        let grid = grid(fonts, options)?;
        // At least one cell, which is drawn in any case to measure lines by.
        let width = grid.cell_width.saturating_mul(size.cols.max(1).into());
        let height = grid.cell_height.saturating_mul(size.rows.max(1).into());
        let frame = Frame::around(width, height, &options.window, options.scale, theme);
        let (width, height) = (frame.width(), frame.height());
        if width.saturating_mul(height) > MOST_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        let painter = Painter::new(fonts, grid, theme);
        Ok(Picture {
            pixels: frame.draw(&painter),
            painter,
            frame,
            size,
            caret: options.caret,
            rows: vec![None; size.rows.into()],
            cursor: None,
        })
    }

    /// Draws what differs from the screen shown before. Returns the lines of pixels that were drawn again, from the
    /// top. What of the screen lies outside of the picture's size is not drawn; where it is smaller, the rest is blank.
    pub fn show(&mut self, screen: &Screen) -> Vec<Range<usize>> {
        let cursor = self.cursor_of(screen);
        let mut drawn: Vec<Range<usize>> = Vec::new();
        let blank = Arc::<Row>::default();
        for index in 0..usize::from(self.size.rows) {
            let row = screen.rows.get(index).unwrap_or(&blank);
            let here = |cursor: Option<Cursor>| cursor.filter(|c| c.position.row == index);
            let same = self.rows[index]
                .as_ref()
                .is_some_and(|shown| Arc::ptr_eq(shown, row) || shown == row)
                && here(self.cursor) == here(cursor);
            if same {
                continue;
            }
            let lines = self.band(index);
            self.painter.draw(
                &mut self.pixels,
                &self.frame,
                lines.start,
                row,
                here(cursor),
                self.size,
            );
            self.frame.trim(&mut self.pixels, lines.clone());
            self.rows[index] = Some(Arc::clone(row));
            match drawn.last_mut().filter(|last| last.end == lines.start) {
                Some(last) => last.end = lines.end,
                None => drawn.push(lines),
            }
        }
        self.cursor = cursor;
        drawn
    }

    /// The lines of pixels that belong to a row of the screen.
    pub fn band(&self, row: usize) -> Range<usize> {
        let height = self.painter.grid().cell_height;
        let top = self.frame.cells_top() + row * height;
        top..top + height
    }

    /// How large its cells are.
    pub fn grid(&self) -> Grid {
        self.painter.grid()
    }

    /// What it shows.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// What it shows, for good.
    pub fn into_pixels(self) -> Pixels {
        self.pixels
    }

    /// The cursor as it is drawn: what does not change the picture is evened out.
    fn cursor_of(&self, screen: &Screen) -> Option<Cursor> {
        let cursor = screen.cursor;
        let position = cursor.position;
        let inside = position.row < usize::from(self.size.rows.min(screen.size.rows))
            && position.col < usize::from(self.size.cols.min(screen.size.cols));
        let shown = self.caret == Caret::Shown && cursor.visible && inside;
        shown.then_some(Cursor {
            position,
            shape: cursor.shape,
            ..Cursor::default()
        })
    }
}

/// The cells that these fonts and options make.
pub fn grid(fonts: &Fonts, options: &Options) -> Result<Grid, PictureError> {
    if !Options::FONT_SIZES.contains(&options.font_size) {
        return Err(PictureError::FontSize(options.font_size));
    }
    let within = |name, value: f32, least, most| match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(PictureError::Spacing {
            name,
            value,
            least,
            most,
        }),
    };
    let size = options.font_size;
    within(
        "letter spacing",
        options.letter_spacing,
        -size / 4.0,
        4.0 * size,
    )?;
    within("line height", options.line_height, 0.5, 4.0)?;
    let factor = options.scale.factor();
    Ok(Grid::new(
        fonts,
        size * factor,
        options.letter_spacing * factor,
        options.line_height,
    ))
}

/// A colour without opacity of its own.
pub(crate) fn opaque(color: screentest_core::Rgb) -> Pixel {
    [color.r, color.g, color.b, 255]
}

#[cfg(test)]
mod tests;
