//! Draws the frames of an animation with fonts.

use std::ops::Range;

use screentest_core::{Screen, Size, Theme};

use super::canvas::{Canvas, layout};
use super::grid;
use crate::animation::{Painter, PixelSize};
use crate::font::Fonts;
use crate::image::ImageCache;
use crate::{Grid, Pixels, RenderOptions, RenderOptionsError};

/// Draws the frames of an animation with fonts. Clones share the fonts' glyphs and the images.
#[derive(Debug, Clone)]
pub struct ScreenPainter {
    grid: Grid,
    /// Created for the size of the last painted screen; the caller has checked that its extent is
    /// in range.
    canvas: Option<Canvas>,
    fonts: Fonts,
    theme: Theme,
    options: RenderOptions,
    images: ImageCache,
}

impl ScreenPainter {
    /// Creates a painter that draws like [`draw`](super::draw), but without transparent pixels.
    pub fn new(
        theme: &Theme,
        fonts: &Fonts,
        options: &RenderOptions,
    ) -> Result<ScreenPainter, RenderOptionsError> {
        Ok(ScreenPainter {
            grid: grid(fonts, options)?,
            canvas: None,
            fonts: fonts.clone(),
            theme: theme.clone(),
            options: options.clone(),
            images: ImageCache::default(),
        })
    }
}

impl Painter for ScreenPainter {
    fn extent(&self, size: Size) -> PixelSize {
        let layout = layout(size, self.grid, &self.options);
        PixelSize {
            width: layout.width(),
            height: layout.height(),
        }
    }

    fn paint(
        &mut self,
        screen: &Screen,
        before: Option<&Screen>,
        pixels: &mut Pixels,
    ) -> Range<usize> {
        let ScreenPainter {
            grid,
            canvas,
            fonts,
            theme,
            options,
            images,
        } = self;
        let canvas = match canvas.take() {
            Some(fitting) if fitting.size() == screen.size => canvas.insert(fitting),
            _ => {
                let images = images.clone();
                let new = Canvas::new(screen.size, *grid, theme, fonts, options, images);
                canvas.insert(new.opaque())
            }
        };
        canvas.set_palette(&screen.palette);
        let Some(before) = before.filter(|before| before.palette == screen.palette) else {
            canvas.draw_all(screen, pixels);
            return 0..pixels.height();
        };
        match &canvas.draw_rows(screen, Some(before), pixels)[..] {
            [first, .., last] => first.start..last.end,
            [only] => only.clone(),
            [] => 0..0,
        }
    }
}
