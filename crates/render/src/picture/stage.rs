//! The cells of one size and what surrounds them, ready to be drawn on pixels.

use std::ops::Range;
use std::sync::Arc;

use screentest_core::{Row, Screen, Size, Theme};

use super::brush::Brush;
use super::{grid, opaque, window};
use crate::font::Fonts;
use crate::glyph::Grid;
use crate::window::Frame;
use crate::{Fill, Options, OptionsError, Pixel, Pixels};

/// Draws screens of one size on pixels that somebody else keeps.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    brush: Brush,
    frame: Frame,
    size: Size,
    options: Options,
    theme: Theme,
}

impl Stage {
    pub(super) fn new(
        size: Size,
        theme: &Theme,
        fonts: &Fonts,
        options: &Options,
    ) -> Result<Stage, OptionsError> {
        let grid = grid(fonts, options)?;
        // At least one cell, so that there is always a picture.
        let width = grid.cell_width.saturating_mul(size.cols.max(1).into());
        let height = grid.cell_height.saturating_mul(size.rows.max(1).into());
        Ok(Stage {
            brush: Brush::new(fonts, grid, theme, options.bold),
            frame: Frame::around(width, height, &options.window, options.scale),
            size,
            options: options.clone(),
            theme: theme.clone(),
        })
    }

    /// The same for films, in which every pixel has a colour.
    pub(super) fn opaque(mut self) -> Stage {
        if self.options.window.margin_fill == Fill::Clear {
            self.options.window.margin_fill = Fill::Theme;
        }
        self
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(super) fn grid(&self) -> Grid {
        self.brush.grid()
    }

    /// What the margin is filled with.
    pub(super) fn outside(&self) -> Pixel {
        let fill = self.options.window.margin_fill;
        fill.color(&self.theme).map_or([0; 4], opaque)
    }

    /// The lines of pixels that belong to a row.
    pub(super) fn band(&self, row: usize) -> Range<usize> {
        let height = self.grid().cell_height;
        let top = self.frame.cells_top + row * height;
        top..top + height
    }

    /// Draws everything but the rows, on pixels that are of the colour outside of the window.
    pub(super) fn draw_window(&mut self, pixels: &mut Pixels) {
        let outside = self.outside();
        let (options, theme) = (&self.options.window, &self.theme);
        window::draw(
            pixels,
            &self.frame,
            options,
            theme,
            &mut self.brush,
            outside,
        );
    }

    /// Draws the rows that differ from the screen that the pixels show; all of them if they show none. Returns the lines
    /// of pixels that were drawn.
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
            let caret = self.options.caret.in_row(screen, index);
            let same = shown.is_some_and(|shown| {
                let before = shown.rows.get(index).unwrap_or(&blank);
                (Arc::ptr_eq(before, row) || before == row)
                    && self.options.caret.in_row(shown, index) == caret
            });
            if same {
                continue;
            }
            let lines = self.band(index);
            let cols = self.size.cols.into();
            let brush = &mut self.brush;
            brush.draw(
                pixels,
                &self.frame,
                lines.clone(),
                row,
                caret.as_ref(),
                cols,
            );
            window::trim(pixels, &self.frame, lines.clone(), outside);
            match drawn.last_mut().filter(|last| last.end == lines.start) {
                Some(last) => last.end = lines.end,
                None => drawn.push(lines),
            }
        }
        drawn
    }
}
