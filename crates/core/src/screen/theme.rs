//! Terminal colour themes.
//!
//! A theme is used only when a screen is shown or written. Palette indexes 16 to 255 are the same
//! in every theme: xterm's colour cube and grey ramp.
//!
//! See also: `colors.rs` (the colours of a screen, which a program can change),
//! `theme/catalogue.rs` (named themes), `theme/json.rs` (themes as JSON).

use std::borrow::Cow;
use std::str::FromStr;

use crate::screen::style::Rgb;

mod catalogue;
mod json;

pub use catalogue::UnknownTheme;
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
    /// The default dark theme.
    pub const DARK: Theme = Theme {
        name: Cow::Borrowed("dark"),
        fg: Rgb::hex(0xdddddd),
        bg: Rgb::hex(0x171717),
        cursor: Rgb::hex(0xdddddd),
        selection: Rgb::hex(0x44475a),
        ansi: [
            Rgb::hex(0x282a2e),
            Rgb::hex(0xd74e6f),
            Rgb::hex(0x31bb71),
            Rgb::hex(0xd3e561),
            Rgb::hex(0x8056ff),
            Rgb::hex(0xed61d7),
            Rgb::hex(0x04d7d7),
            Rgb::hex(0xbfbfbf),
            Rgb::hex(0x4d4d4d),
            Rgb::hex(0xfe5f86),
            Rgb::hex(0x00d787),
            Rgb::hex(0xebff71),
            Rgb::hex(0x9b79ff),
            Rgb::hex(0xff7aea),
            Rgb::hex(0x00fefe),
            Rgb::hex(0xe6e6e6),
        ],
    };

    /// The default light theme.
    pub const LIGHT: Theme = Theme {
        name: Cow::Borrowed("light"),
        fg: Rgb::hex(0x24292f),
        bg: Rgb::hex(0xffffff),
        cursor: Rgb::hex(0x24292f),
        selection: Rgb::hex(0xb6d7fb),
        ansi: [
            Rgb::hex(0x24292f),
            Rgb::hex(0xc4262e),
            Rgb::hex(0x116329),
            Rgb::hex(0x8a5a00),
            Rgb::hex(0x0a57c2),
            Rgb::hex(0x8036b8),
            Rgb::hex(0x13707a),
            Rgb::hex(0x6e7781),
            Rgb::hex(0x57606a),
            Rgb::hex(0xa40e26),
            Rgb::hex(0x1a7f37),
            Rgb::hex(0x633c01),
            Rgb::hex(0x218bff),
            Rgb::hex(0xa475f9),
            Rgb::hex(0x3192aa),
            Rgb::hex(0x8c959f),
        ],
    };

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
}

impl Default for Theme {
    fn default() -> Theme {
        Theme::DARK
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
        assert_eq!(error("nrod"), "unknown theme `nrod`, did you mean `Nord`?");
        assert_eq!(
            error(r#"{"red": 1}"#),
            "`red`: `1` is not a colour as in `#1a2b3c`"
        );
    }
}
