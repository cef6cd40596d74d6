//! Draws a screen as pixels.
//!
//! Every row of a screen has a band of the picture from edge to edge, and nothing that a row draws
//! leaves its band. So a row can be redrawn without its neighbours, and an animation costs only the
//! changes, not whole screens.
//!
//! See also: `picture/row_painter.rs` (one band), `picture/image_painter.rs` (the images in a
//! band), `picture/window.rs` (the window around the cells), `picture/screen_painter.rs`
//! (animations), `layout/resolved_style.rs` (colours of a style).

use std::ops::Range;

use screentest_core::{Rgb, Screen, Size, Theme};

use crate::font::Fonts;
use crate::glyph::Grid;
use crate::image::ImageCache;
use crate::{Pixel, Pixels, RenderOptions, RenderOptionsError};
use canvas::{Canvas, layout};

mod blend;
mod canvas;
pub(crate) mod image_painter;
mod row_painter;
mod screen_painter;
mod window;

pub use screen_painter::ScreenPainter;

/// Maximum number of pixels of a picture, which take 256 MiB of memory; frames of an animation have
/// their own limit ([`animation::MAX_FRAME_PIXELS`](crate::animation::MAX_FRAME_PIXELS)). A screen
/// of 500 columns and 150 rows, more than any monitor shows, has 57 million pixels at scale two.
pub const MAX_PIXELS: usize = 1 << 26;

/// Draws a screen.
pub fn draw(
    screen: &Screen,
    theme: &Theme,
    fonts: &Fonts,
    options: &RenderOptions,
) -> Result<Pixels, PictureError> {
    let mut picture = Picture::new(screen.size, theme, fonts, options)?;
    picture.show(screen);
    Ok(picture.into_pixels())
}

/// Reasons why a screen cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The picture would have more than [`MAX_PIXELS`] pixels.
    #[error(
        "a picture of {width}x{height} pixels is too large: the maximum is {MAX_PIXELS} in total"
    )]
    TooLarge {
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
    },
    /// An option is out of range.
    #[error(transparent)]
    Options(#[from] RenderOptionsError),
}

/// A picture that remembers the screen it shows and redraws only the differences to the next one.
#[derive(Debug)]
pub struct Picture {
    pixels: Pixels,
    canvas: Canvas,
    shown: Option<Screen>,
}

impl Picture {
    /// Creates an empty picture for a screen of this size.
    pub fn new(
        size: Size,
        theme: &Theme,
        fonts: &Fonts,
        options: &RenderOptions,
    ) -> Result<Picture, PictureError> {
        let grid = grid(fonts, options)?;
        let layout = layout(size, grid, options);
        let (width, height) = (layout.width(), layout.height());
        // Checked before memory is allocated for the pixels or for the text decorations, which are
        // as large as a cell.
        if width.saturating_mul(height) > MAX_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        let mut canvas = Canvas::new(size, grid, theme, fonts, options, ImageCache::default());
        let mut pixels = Pixels::filled(width, height, canvas.ground());
        canvas.draw_window(&mut pixels);
        Ok(Picture {
            pixels,
            canvas,
            shown: None,
        })
    }

    /// Draws the differences to the screen shown before. Returns the lines of pixels that were
    /// redrawn, from the top: all of them if a colour of the terminal changed. Parts of the screen
    /// outside the picture's size are not drawn; if the screen is smaller, the rest is blank.
    pub fn show(&mut self, screen: &Screen) -> Vec<Range<usize>> {
        let drawn = if self.canvas.set_palette(&screen.palette) {
            self.canvas.draw_all(screen, &mut self.pixels);
            let all = 0..self.pixels.height();
            vec![all]
        } else {
            let shown = self.shown.as_ref();
            self.canvas.draw_rows(screen, shown, &mut self.pixels)
        };
        self.shown = Some(screen.clone());
        drawn
    }

    /// Returns the lines of pixels that belong to a row of the screen.
    pub fn band(&self, row: usize) -> Range<usize> {
        self.canvas.band(row)
    }

    /// Returns the size of its cells.
    pub fn grid(&self) -> Grid {
        self.canvas.grid()
    }

    /// Returns the current pixels.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// Converts the picture to its pixels.
    pub fn into_pixels(self) -> Pixels {
        self.pixels
    }
}

/// Returns the cell sizes for fonts and options.
pub fn grid(fonts: &Fonts, options: &RenderOptions) -> Result<Grid, RenderOptionsError> {
    options.check()?;
    Ok(Grid::new(fonts, options))
}

/// Returns a fully opaque pixel.
fn opaque(color: Rgb) -> Pixel {
    [color.r, color.g, color.b, 255]
}

#[cfg(test)]
mod tests;
