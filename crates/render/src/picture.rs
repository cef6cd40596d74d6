//! A screen as pixels.
//!
//! Every row of a screen owns a band of the picture from edge to edge, and nothing that a row draws leaves its band. So a
//! row can be drawn again without its neighbours, and a film costs what changed, not the whole screen.
//!
//! Elsewhere: what surrounds the cells (`picture/window.rs`), one band (`picture/row_painter.rs`), a style's colours (`paint.rs`),
//! films (`picture/painter.rs`).

use std::ops::Range;

use screentest_core::{Rgb, Screen, Size, Theme};

use crate::font::Fonts;
use crate::glyph::Grid;
use crate::{Options, OptionsError, Pixel, Pixels};
use canvas::{Canvas, layout};

mod blend;
mod canvas;
mod row_painter;
mod screen_painter;
mod window;

pub use screen_painter::ScreenPainter;

/// The most pixels a picture may have, which take 256 MiB of memory; the shots of a film have a limit of their own
/// ([`animation::MAX_FRAME_PIXELS`](crate::animation::MAX_SHOT_PIXELS)). A screen of 500 columns and 150 rows, larger than
/// any monitor shows, has 57 million at twice the usual size.
pub const MAX_PIXELS: usize = 1 << 26;

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

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It would have more than [`MAX_PIXELS`].
    #[error("a picture of {width}x{height} pixels is too large: the most are {MAX_PIXELS} in all")]
    TooLarge {
        /// How wide it would be.
        width: usize,
        /// How high it would be.
        height: usize,
    },
    /// An option is out of range.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

/// A picture that remembers which screen it shows, and draws only what differs in the next.
#[derive(Debug)]
pub struct Picture {
    pixels: Pixels,
    canvas: Canvas,
    shown: Option<Screen>,
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
        let layout = layout(size, grid, options);
        let (width, height) = (layout.width(), layout.height());
        // Before anything of that size is kept: the brush has marks as large as a cell.
        if width.saturating_mul(height) > MAX_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        let mut canvas = Canvas::new(size, grid, theme, fonts, options);
        let mut pixels = Pixels::filled(width, height, canvas.ground());
        canvas.draw_window(&mut pixels);
        Ok(Picture {
            pixels,
            canvas,
            shown: None,
        })
    }

    /// Draws what differs from the screen shown before. Returns the lines of pixels that were drawn again, from the
    /// top. What of the screen lies outside of the picture's size is not drawn; where it is smaller, the rest is blank.
    pub fn show(&mut self, screen: &Screen) -> Vec<Range<usize>> {
        let shown = self.shown.as_ref();
        let drawn = self.canvas.draw_rows(screen, shown, &mut self.pixels);
        self.shown = Some(screen.clone());
        drawn
    }

    /// The lines of pixels that belong to a row of the screen.
    pub fn band(&self, row: usize) -> Range<usize> {
        self.canvas.band(row)
    }

    /// How large its cells are.
    pub fn grid(&self) -> Grid {
        self.canvas.grid()
    }

    /// What it shows.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// What it shows, for good.
    pub fn into_pixels(self) -> Pixels {
        self.pixels
    }
}

/// The cells that these fonts and options make.
pub fn grid(fonts: &Fonts, options: &Options) -> Result<Grid, OptionsError> {
    options.check()?;
    Ok(Grid::new(fonts, options))
}

/// A colour without opacity of its own.
fn opaque(color: Rgb) -> Pixel {
    [color.r, color.g, color.b, 255]
}

#[cfg(test)]
mod tests;
