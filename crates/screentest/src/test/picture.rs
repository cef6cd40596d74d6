//! Pictures of screens, with the feature `render`.
//!
//! This file selects the fonts, which environment variables may name. The drawing is done by
//! `screentest_render`, which is available as [`render`](crate::render).

use std::sync::OnceLock;

use screentest_core::{Screen, Theme};
use screentest_render::png::{PngError, encode};
use screentest_render::{FontError, Fonts, RenderOptions, SystemFonts, draw};

use crate::environment::{Variables, environment};

/// Reason why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// An environment variable names an unusable font.
    #[error("could not use the font that `{name}` names")]
    Font {
        /// The variable.
        name: String,
        /// The reason.
        source: FontError,
    },
    /// The screen cannot be drawn.
    #[error("could not draw the screen")]
    Draw(#[from] screentest_render::PictureError),
    /// The picture cannot be encoded.
    #[error("could not write the picture")]
    Png(#[from] PngError),
}

/// Loads the fonts to draw with: from `SCREENTEST_FONT_PATH`, else from `TUISPEC_FONT_PATH`, else
/// the built-in ones. Characters that they lack are drawn with system fonts, if `system` allows it.
pub fn fonts(system: SystemFonts) -> Result<Fonts, PictureError> {
    fonts_of(&environment, system)
}

fn fonts_of(variables: &impl Variables, system: SystemFonts) -> Result<Fonts, PictureError> {
    match variables.library_variable("FONT_PATH") {
        Some((name, path)) => Fonts::from_files(&[path.into()], system)
            .map_err(|source| PictureError::Font { name, source }),
        None => Ok(Fonts::bundled(system)),
    }
}

/// Draws a screen and encodes the picture as PNG.
pub fn png(
    screen: &Screen,
    theme: &Theme,
    options: &RenderOptions,
    fonts: &Fonts,
) -> Result<Vec<u8>, PictureError> {
    let pixels = draw(screen, theme, fonts, options)?;
    Ok(encode(&pixels)?)
}

/// Returns the fonts for tests that do not specify any. They are loaded once, because a test suite
/// draws many pictures.
#[doc(hidden)]
pub fn usual_fonts() -> Result<&'static Fonts, PictureError> {
    static FONTS: OnceLock<Fonts> = OnceLock::new();
    if let Some(fonts) = FONTS.get() {
        return Ok(fonts);
    }
    let fonts = fonts(SystemFonts::Allowed)?;
    Ok(FONTS.get_or_init(|| fonts))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn outcome(variables: &[(&str, &str)]) -> String {
        let get = |name: &str| -> Option<OsString> {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).into())
        };
        match fonts_of(&get, SystemFonts::Forbidden) {
            Ok(_) => "drawn".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn screentest_font_path_takes_precedence() {
        let nowhere = "/nowhere/font.ttf";
        assert_eq!(outcome(&[]), "drawn");
        assert_eq!(outcome(&[("SCREENTEST_FONT_PATH", "")]), "drawn");
        assert_eq!(
            outcome(&[("TUISPEC_FONT_PATH", nowhere)]),
            "could not use the font that `TUISPEC_FONT_PATH` names"
        );
        let both = [
            ("TUISPEC_FONT_PATH", nowhere),
            ("SCREENTEST_FONT_PATH", nowhere),
        ];
        assert_eq!(
            outcome(&both),
            "could not use the font that `SCREENTEST_FONT_PATH` names"
        );
    }
}
