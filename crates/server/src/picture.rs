//! A screen as a PNG file.

use std::path::PathBuf;

use screentest::core::{Screen, Theme};
use screentest::render::png::encode;
use screentest::render::{Fonts, RenderOptions, SystemFonts, draw};

use crate::wire::Failure;

/// How a picture is drawn.
#[derive(Debug)]
pub(crate) struct Look {
    pub(crate) theme: Theme,
    /// A file, in place of the fonts that come with us.
    pub(crate) font: Option<PathBuf>,
}

/// Draws a screen.
pub(crate) fn draw_png(screen: &Screen, look: &Look, bundled: &Fonts) -> Result<Vec<u8>, Failure> {
    let own;
    let fonts = match &look.font {
        None => bundled,
        Some(path) => {
            own = Fonts::from_files(std::slice::from_ref(path), SystemFonts::Allowed)
                .map_err(|error| Failure::caused("font", &error))?;
            &own
        }
    };
    let pixels = draw(screen, &look.theme, fonts, &RenderOptions::default())
        .map_err(|error| Failure::caused("could not draw the view", &error))?;
    encode(&pixels).map_err(|error| Failure::caused("could not write the picture", &error))
}
