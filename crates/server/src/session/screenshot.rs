//! Renders a screen as a PNG file.

use std::path::PathBuf;

use screentest::core::{Screen, Theme};
use screentest::render::png::encode;
use screentest::render::{Fonts, RenderOptions, SystemFonts, draw};

use crate::wire::RpcError;

/// How a screen is drawn.
#[derive(Debug)]
pub(crate) struct ScreenshotOptions {
    pub(crate) theme: Theme,
    /// A font file that replaces the bundled fonts.
    pub(crate) font: Option<PathBuf>,
}

/// Draws a screen and returns the PNG file.
pub(crate) fn draw_png(
    screen: &Screen,
    options: &ScreenshotOptions,
    bundled: &Fonts,
) -> Result<Vec<u8>, RpcError> {
    let custom;
    let fonts = match &options.font {
        None => bundled,
        Some(path) => {
            custom = Fonts::from_files(std::slice::from_ref(path), SystemFonts::Allowed)
                .map_err(|error| RpcError::with_cause("font", &error))?;
            &custom
        }
    };
    let pixels = draw(screen, &options.theme, fonts, &RenderOptions::default())
        .map_err(|error| RpcError::with_cause("could not draw the view", &error))?;
    encode(&pixels).map_err(|error| RpcError::with_cause("could not write the picture", &error))
}
