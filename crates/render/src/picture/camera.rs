//! Screens as the pictures of a film.

use std::ops::Range;

use screentest_core::{Screen, Size, Theme};

use super::stage::Stage;
use crate::film::{Extent, Painter};
use crate::font::Fonts;
use crate::{Options, OptionsError, Pixels};

/// Draws the shots of a film with fonts. Clones share the fonts' glyphs.
#[derive(Debug, Clone)]
pub struct Camera {
    stage: Stage,
    fonts: Fonts,
    theme: Theme,
    options: Options,
}

impl Camera {
    /// A camera that draws as [`draw`](super::draw) does.
    pub fn new(theme: &Theme, fonts: &Fonts, options: &Options) -> Result<Camera, OptionsError> {
        let size = Size { cols: 1, rows: 1 };
        Ok(Camera {
            stage: Stage::new(size, theme, fonts, options)?.opaque(),
            fonts: fonts.clone(),
            theme: theme.clone(),
            options: options.clone(),
        })
    }

    fn stage(&self, size: Size) -> Stage {
        let stage = Stage::new(size, &self.theme, &self.fonts, &self.options);
        stage.expect("the options were checked").opaque()
    }
}

impl Painter for Camera {
    fn extent(&self, size: Size) -> Extent {
        let stage = self.stage(size);
        Extent {
            width: stage.frame().width(),
            height: stage.frame().height(),
        }
    }

    fn paint(
        &mut self,
        screen: &Screen,
        before: Option<&Screen>,
        pixels: &mut Pixels,
    ) -> Range<usize> {
        if self.stage.size() != screen.size {
            self.stage = self.stage(screen.size);
        }
        if before.is_none() {
            let outside = self.stage.outside();
            for y in 0..pixels.height() {
                pixels.row_mut(y).fill(outside);
            }
            self.stage.draw_window(pixels);
        }
        let drawn = self.stage.draw_rows(screen, before, pixels);
        match (before, &drawn[..]) {
            (None, _) => 0..pixels.height(),
            (_, [first, .., last]) => first.start..last.end,
            (_, [only]) => only.clone(),
            (_, []) => 0..0,
        }
    }
}
