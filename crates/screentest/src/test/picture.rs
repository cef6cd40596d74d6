//! Pictures of what a program shows, with the feature `render`.
//!
//! Here is what touches the outside: the font that the environment names. The drawing is `screentest_render`'s, which
//! stands as [`render`](crate::render).

use std::sync::OnceLock;

use screentest_core::{Screen, Theme};
use screentest_render::png::{PngError, encode};
use screentest_render::{FontError, Fonts, Options, SystemFonts, draw};

use crate::test::run_options::{Variables, environment};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// A variable of the environment names a font that cannot be used.
    #[error("`{name}`")]
    Font {
        /// The variable.
        name: String,
        /// What is wrong with the font.
        source: FontError,
    },
    /// The screen cannot be drawn.
    #[error("could not draw the screen")]
    Draw(#[from] screentest_render::PictureError),
    /// It cannot be written.
    #[error("could not write the picture")]
    Png(#[from] PngError),
}

/// The fonts to draw with: what `SCREENTEST_FONT_PATH` names, else what `TUISPEC_FONT_PATH` names, else those that are built
/// in. What they lack is drawn with fonts of this system, where that is allowed.
pub fn fonts(system: SystemFonts) -> Result<Fonts, PictureError> {
    fonts_of(&environment, system)
}

fn fonts_of(variables: &impl Variables, system: SystemFonts) -> Result<Fonts, PictureError> {
    match variables.told("FONT_PATH") {
        Some((name, path)) => Fonts::from_files(&[path.into()], system)
            .map_err(|source| PictureError::Font { name, source }),
        None => Ok(Fonts::bundled(system)),
    }
}

/// A screen as PNG.
pub fn png(
    screen: &Screen,
    theme: &Theme,
    options: &Options,
    fonts: &Fonts,
) -> Result<Vec<u8>, PictureError> {
    let pixels = draw(screen, theme, fonts, options)?;
    Ok(encode(&pixels)?)
}

/// The fonts that a test's pictures are drawn with unless it brings its own: read once, since a suite draws many.
pub(crate) fn usual_fonts() -> Result<&'static Fonts, PictureError> {
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

    fn said(variables: &[(&str, &str)]) -> String {
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
    fn our_variable_wins_over_the_seeds() {
        let nowhere = "/nowhere/font.ttf";
        assert_eq!(said(&[]), "drawn");
        assert_eq!(said(&[("SCREENTEST_FONT_PATH", "")]), "drawn");
        assert_eq!(
            said(&[("TUISPEC_FONT_PATH", nowhere)]),
            "`TUISPEC_FONT_PATH`"
        );
        let both = [
            ("TUISPEC_FONT_PATH", nowhere),
            ("SCREENTEST_FONT_PATH", nowhere),
        ];
        assert_eq!(said(&both), "`SCREENTEST_FONT_PATH`");
    }
}
