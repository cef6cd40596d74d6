//! Terminal colour themes.
//!
//! A theme is used only when a screen is shown or written. Palette indexes 16 to 255 are the same
//! in every theme: xterm's colour cube and grey ramp.
//!
//! See also: `colors.rs` (the colours of a screen, which a program can change),
//! `theme/built_in.rs` (our own themes), `theme/collection.rs` (those of VHS and Betamax),
//! `theme/catalogue.rs` (finding a theme by its name), `theme/json.rs` (themes as JSON).

use std::borrow::Cow;
use std::str::FromStr;

use crate::screen::style::Rgb;

mod built_in;
mod catalogue;
mod collection;
mod json;

pub use catalogue::{CatalogueEntry, UnknownTheme, catalogue};
pub use collection::ThemeCollection;
pub use json::ThemeJsonError;

/// The colours of a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The theme's name.
    pub name: Cow<'static, str>,
    /// Default text colour.
    pub fg: Rgb,
    /// Default background colour.
    pub bg: Rgb,
    /// Cursor colour.
    pub cursor: Rgb,
    /// Background colour of selected text.
    pub selection: Rgb,
    /// Black, red, green, yellow, blue, magenta, cyan, white, then their bright variants.
    pub ansi: [Rgb; 16],
}

impl Theme {
    /// Returns one of the 256 indexed colours. For the colour that a screen shows, see
    /// [`Screen::colors`](crate::Screen::colors): a program can change it.
    pub fn indexed(&self, index: u8) -> Rgb {
        match self.ansi.get(usize::from(index)) {
            Some(rgb) => *rgb,
            None => fixed(index),
        }
    }

    /// Returns whether the background is light.
    pub fn is_light(&self) -> bool {
        luminance(self.bg) >= 128
    }

    /// Parses a theme as the tool of this collection does: JSON as [`Theme::from_json_in`] if the
    /// text begins with `{`, otherwise a name as [`Theme::named_in`].
    pub fn parse_in(text: &str, collection: ThemeCollection) -> Result<Theme, ThemeError> {
        if text.trim_start().starts_with('{') {
            return Ok(Theme::from_json_in(text, collection)?);
        }
        Ok(Theme::named_in(text, collection)?)
    }

    /// Returns a theme of which some colours may be missing: `ground` has those of text,
    /// background, cursor and selection. The collection determines the missing colours.
    fn from_parts(
        name: Cow<'static, str>,
        ground: [Option<Rgb>; 4],
        ansi: [Option<Rgb>; 16],
        collection: ThemeCollection,
    ) -> Theme {
        let [fg, bg, cursor, selection] = ground;
        let base = collection.missing_colors(fg, bg);
        let mut theme = Theme {
            name,
            fg: fg.unwrap_or(base.fg),
            bg: bg.unwrap_or(base.bg),
            cursor: cursor.unwrap_or(base.cursor),
            selection: selection.unwrap_or(base.selection),
            ansi: base.ansi,
        };
        for (color, given) in theme.ansi.iter_mut().zip(ansi) {
            *color = given.unwrap_or(*color);
        }
        theme
    }
}

/// [`Theme::SCREENTEST`].
impl Default for Theme {
    fn default() -> Theme {
        Theme::SCREENTEST
    }
}

/// The reason why a text is not a theme.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThemeError {
    /// No theme has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownTheme),
    /// The JSON is not a theme.
    #[error(transparent)]
    Json(#[from] ThemeJsonError),
}

/// Parses a theme: JSON as [`Theme::from_json`] if the text begins with `{`, otherwise a name as
/// [`Theme::named`].
impl FromStr for Theme {
    type Err = ThemeError;

    fn from_str(text: &str) -> Result<Theme, ThemeError> {
        if text.trim_start().starts_with('{') {
            return Ok(Theme::from_json(text)?);
        }
        Ok(Theme::named(text)?)
    }
}

/// Returns the perceived brightness of a colour, with the weights of BT.601.
fn luminance(Rgb { r, g, b }: Rgb) -> u8 {
    let weighed = u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114;
    (weighed / 1000) as u8
}

/// Returns xterm's colours from 16 on: a 6×6×6 cube, then 24 greys.
const fn fixed(index: u8) -> Rgb {
    if index >= 232 {
        let grey = 8 + (index - 232) * 10;
        return Rgb::new(grey, grey, grey);
    }
    let index = index.saturating_sub(16);
    Rgb::new(level(index / 36), level(index / 6 % 6), level(index % 6))
}

const fn level(step: u8) -> u8 {
    if step == 0 { 0 } else { 55 + step * 40 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_and_the_greys_are_xterms() {
        let at = |index| Theme::DARK.indexed(index).to_string();
        assert_eq!((at(16), at(231)), ("#000000".into(), "#ffffff".into()));
        assert_eq!((at(196), at(67)), ("#ff0000".into(), "#5f87af".into()));
        assert_eq!((at(232), at(255)), ("#080808".into(), "#eeeeee".into()));
    }

    #[test]
    fn from_str_accepts_a_name_or_json() {
        let theme = |text: &str| text.parse::<Theme>();
        assert_eq!(theme("nord").unwrap().bg, Rgb::hex(0x2e3440));
        assert_eq!(theme(r#" {"name": "Mine"}"#).unwrap().name, "Mine");
        let error = |text| theme(text).unwrap_err().to_string();
        assert_eq!(error("nrod"), "unknown theme `nrod`, did you mean `nord`?");
        assert_eq!(
            error(r#"{"red": 1}"#),
            "`red`: `1` is not a colour as in `#1a2b3c`"
        );
    }
}
