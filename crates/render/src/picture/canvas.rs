//! Draws screens of one size, with the window around the cells, on pixels.

use std::ops::Range;
use std::sync::Arc;

use screentest_core::{Palette, Row, Screen, ScreenColors, Size, Theme};

use super::image_painter::{self, RowImages};
use super::row_painter::RowPainter;
use super::{opaque, window};
use crate::font::Fonts;
use crate::glyph::Grid;
use crate::image::ImageCache;
use crate::layout::window::WindowLayout;
use crate::{Fill, Pixel, Pixels, RenderOptions};

/// Draws screens of one size on pixels that the caller owns.
#[derive(Debug, Clone)]
pub(super) struct Canvas {
    row_painter: RowPainter,
    layout: WindowLayout,
    size: Size,
    options: RenderOptions,
    theme: Theme,
    /// The colours that the program of the last screen has changed.
    palette: Palette,
    /// The colours of the theme with these changes.
    colors: ScreenColors,
}

/// Returns the positions of all parts for a screen of this size. Nothing is drawn, so that a too
/// large extent can be refused first.
pub(super) fn layout(size: Size, grid: Grid, options: &RenderOptions) -> WindowLayout {
    // At least one cell, so that there is always a picture.
    let width = grid.cell_width.saturating_mul(size.cols.max(1).into());
    let height = grid.cell_height.saturating_mul(size.rows.max(1).into());
    WindowLayout::around(width, height, &options.window, options.scale)
}

impl Canvas {
    /// Creates a canvas. The options and the extent must be in range.
    pub(super) fn new(
        size: Size,
        grid: Grid,
        theme: &Theme,
        fonts: &Fonts,
        options: &RenderOptions,
        images: ImageCache,
    ) -> Canvas {
        let colors = ScreenColors::from(theme);
        Canvas {
            row_painter: RowPainter::new(fonts, grid, &colors, options.bold, images),
            layout: layout(size, grid, options),
            size,
            options: options.clone(),
            theme: theme.clone(),
            palette: Palette::default(),
            colors,
        }
    }

    /// Uses the colours of a screen from now on. Returns whether any of them is different from
    /// before: everything must be drawn again then.
    pub(super) fn set_palette(&mut self, palette: &Palette) -> bool {
        if self.palette == *palette {
            return false;
        }
        self.palette.clone_from(palette);
        let colors = ScreenColors::new(&self.theme, palette);
        if self.colors == colors {
            return false;
        }
        self.row_painter.set_colors(&colors);
        self.colors = colors;
        true
    }

    /// Draws everything, whatever the pixels show.
    pub(super) fn draw_all(&mut self, screen: &Screen, pixels: &mut Pixels) {
        let ground = self.ground();
        for y in 0..pixels.height() {
            pixels.row_mut(y).fill(ground);
        }
        self.draw_window(pixels);
        self.draw_rows(screen, None, pixels);
    }

    /// Converts the canvas for animations, in which every pixel is opaque.
    pub(super) fn opaque(mut self) -> Canvas {
        if self.options.window.margin_fill == Fill::Clear {
            self.options.window.margin_fill = Fill::Theme;
        }
        self
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn grid(&self) -> Grid {
        self.row_painter.grid()
    }

    /// Returns the colour that fills the picture before the window is drawn.
    pub(super) fn ground(&self) -> Pixel {
        if self.layout.has_margin() {
            self.outside()
        } else {
            opaque(self.colors.bg)
        }
    }

    /// Returns the colour of the margin, which is also visible outside round corners.
    fn outside(&self) -> Pixel {
        let fill = self.options.window.margin_fill;
        fill.color(&self.colors).map_or([0; 4], opaque)
    }

    /// Returns the lines of pixels that belong to a row.
    pub(super) fn band(&self, row: usize) -> Range<usize> {
        let height = self.grid().cell_height;
        let top = self.layout.cells_top + row * height;
        top..top + height
    }

    /// Draws everything but the rows, on pixels that are filled with `ground`.
    pub(super) fn draw_window(&mut self, pixels: &mut Pixels) {
        let outside = self.outside();
        let (options, colors) = (&self.options.window, &self.colors);
        window::draw(
            pixels,
            &self.layout,
            options,
            colors,
            &mut self.row_painter,
            outside,
        );
    }

    /// Draws the rows of `screen` that differ from `shown`, the screen that the pixels show, or all
    /// rows if `shown` is `None`. Returns the lines of pixels that were drawn.
    pub(super) fn draw_rows(
        &mut self,
        screen: &Screen,
        shown: Option<&Screen>,
        pixels: &mut Pixels,
    ) -> Vec<Range<usize>> {
        let mut drawn: Vec<Range<usize>> = Vec::new();
        let blank = Arc::<Row>::default();
        let outside = self.outside();
        for index in 0..usize::from(self.size.rows) {
            let row = screen.rows.get(index).unwrap_or(&blank);
            let cursor = self.options.cursor.in_row(screen, index);
            let same = shown.is_some_and(|shown| {
                let before = shown.rows.get(index).unwrap_or(&blank);
                (Arc::ptr_eq(before, row) || before == row)
                    && self.options.cursor.in_row(shown, index) == cursor
                    && image_painter::same_in_row(screen, shown, index)
            });
            if same {
                continue;
            }
            let lines = self.band(index);
            let cols = self.size.cols.into();
            let row_painter = &mut self.row_painter;
            row_painter.draw(
                pixels,
                &self.layout,
                lines.clone(),
                row,
                &RowImages::of(screen, index),
                cursor.as_ref(),
                cols,
            );
            window::trim(pixels, &self.layout, lines.clone(), outside);
            match drawn.last_mut().filter(|last| last.end == lines.start) {
                Some(last) => last.end = lines.end,
                None => drawn.push(lines),
            }
        }
        drawn
    }
}
