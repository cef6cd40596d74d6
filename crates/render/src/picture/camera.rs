//! Screens as the pictures of a film.

use std::ops::Range;

use screentest_core::{Screen, Size, Theme};

use super::grid;
use super::stage::{Stage, layout};
use crate::film::{Extent, Painter};
use crate::font::Fonts;
use crate::{Grid, Options, OptionsError, Pixels};

/// Draws the shots of a film with fonts. Clones share the fonts' glyphs.
#[derive(Debug, Clone)]
pub struct Camera {
    grid: Grid,
    /// Made for the size that is painted: before, somebody has found that its extent is in range.
    stage: Option<Stage>,
    fonts: Fonts,
    theme: Theme,
    options: Options,
}

impl Camera {
    /// A camera that draws as [`draw`](super::draw) does.
    pub fn new(theme: &Theme, fonts: &Fonts, options: &Options) -> Result<Camera, OptionsError> {
        Ok(Camera {
            grid: grid(fonts, options)?,
            stage: None,
            fonts: fonts.clone(),
            theme: theme.clone(),
            options: options.clone(),
        })
    }
}

impl Painter for Camera {
    fn extent(&self, size: Size) -> Extent {
        let layout = layout(size, self.grid, &self.options);
        Extent {
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
        let Camera {
            grid,
            stage,
            fonts,
            theme,
            options,
        } = self;
        let stage = match stage.take() {
            Some(fitting) if fitting.size() == screen.size => stage.insert(fitting),
            _ => stage.insert(Stage::new(screen.size, *grid, theme, fonts, options).opaque()),
        };
        if before.is_none() {
            let ground = stage.ground();
            for y in 0..pixels.height() {
                pixels.row_mut(y).fill(ground);
            }
            stage.draw_window(pixels);
        }
        let drawn = stage.draw_rows(screen, before, pixels);
        match (before, &drawn[..]) {
            (None, _) => 0..pixels.height(),
            (_, [first, .., last]) => first.start..last.end,
            (_, [only]) => only.clone(),
            (_, []) => 0..0,
        }
    }
}
