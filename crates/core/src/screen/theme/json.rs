//! Themes as JSON, with the keys of VHS and xterm.js.
//!
//! Unknown keys and invalid values are errors, so that a typo is reported and does not silently
//! select the default.

use std::borrow::Cow;
use std::iter;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{Theme, ThemeCollection};
use crate::query::suggest::nearest;
use crate::screen::style::Rgb;

/// The reason why JSON is not a theme.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThemeJsonError {
    /// The text is not JSON.
    #[error("the theme is not JSON: {message}")]
    Syntax {
        /// The JSON parser's message, with the place of the error.
        message: String,
    },
    /// The JSON is not an object.
    #[error("the theme is not a JSON object")]
    NotAnObject,
    /// The key is unknown.
    #[error("unknown key `{key}` in the theme{}", hint(*nearest))]
    Key {
        /// The key.
        key: String,
        /// The most similar known key.
        nearest: Option<&'static str>,
    },
    /// The value is not a colour.
    #[error("`{key}`: `{value}` is not a colour as in `#1a2b3c`")]
    Color {
        /// The key.
        key: String,
        /// The value of the key.
        value: String,
    },
    /// The name is not a string.
    #[error("`name`: `{value}` is not a string")]
    Name {
        /// The value of `name`.
        value: String,
    },
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |key| format!(", did you mean `{key}`?"))
}

impl Theme {
    /// Parses an inline theme. A missing cursor has the colour of the text. Other missing colours
    /// are those of [`Theme::SCREENTEST_LIGHT`] if the background is light, otherwise those of
    /// [`Theme::SCREENTEST`].
    ///
    /// ```
    /// use screentest_core::Theme;
    ///
    /// let json = r##"{ "name": "Mine", "background": "#102040", "brightRed": "#ff5555" }"##;
    /// let theme = Theme::from_json(json)?;
    /// assert_eq!(theme.bg.to_string(), "#102040");
    /// assert_eq!(theme.ansi[2], Theme::SCREENTEST.ansi[2]);
    /// # Ok::<(), screentest_core::screen::theme::ThemeJsonError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Theme, ThemeJsonError> {
        Theme::from_json_in(text, ThemeCollection::Screentest)
    }

    /// Parses an inline theme as the tool of this collection does: missing colours are those of
    /// xterm.js in VHS, and those of `Aardvark Blue` in Betamax.
    pub fn from_json_in(text: &str, collection: ThemeCollection) -> Result<Theme, ThemeJsonError> {
        Ok(ThemeJson::read(text)?.theme(collection))
    }

    /// Returns the theme as JSON on one line, in the form that [`Theme::from_json`] reads.
    pub fn to_json(&self) -> String {
        let written = serde_json::to_string(&ThemeJson::of(self));
        written.expect("a map of strings can be written as JSON")
    }
}

/// Keys of the colours, in the order in which they are written.
const KEYS: [&str; 20] = [
    "background",
    "foreground",
    "cursor",
    "selection",
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "brightBlack",
    "brightRed",
    "brightGreen",
    "brightYellow",
    "brightBlue",
    "brightMagenta",
    "brightCyan",
    "brightWhite",
];

/// Names of the same keys in other terminals, with our key.
const OTHER_KEYS: [(&str, &str); 5] = [
    ("cursorColor", "cursor"),
    ("selectionBackground", "selection"),
    ("purple", "magenta"),
    ("brightPurple", "brightMagenta"),
    ("cursor-color", "cursor"),
];

/// Keys of other terminals that are accepted and ignored, because we have no such setting. Most are
/// from xterm.js, whose keys a theme of VHS may have.
const IGNORED: [&str; 11] = [
    "cursorAccent",
    "cursorText",
    "selectionForeground",
    "selectionInactiveBackground",
    "scrollbarSliderBackground",
    "scrollbarSliderHoverBackground",
    "scrollbarSliderActiveBackground",
    "overviewRulerBorder",
    "extendedAnsi",
    "meta",
    "$schema",
];

/// The JSON form of a theme.
#[derive(Debug, Default)]
struct ThemeJson<'a> {
    name: Option<Cow<'a, str>>,
    /// In the order of [`KEYS`].
    colors: [Option<Rgb>; 20],
}

impl ThemeJson<'_> {
    fn read(text: &str) -> Result<ThemeJson<'static>, ThemeJsonError> {
        let value: Value = serde_json::from_str(text).map_err(|error| ThemeJsonError::Syntax {
            message: error.to_string(),
        })?;
        let Value::Object(entries) = value else {
            return Err(ThemeJsonError::NotAnObject);
        };
        let mut wire = ThemeJson::default();
        for (key, value) in entries {
            let is = |known: &str| known.eq_ignore_ascii_case(&key);
            if is("name") {
                let Value::String(name) = value else {
                    let value = value.to_string();
                    return Err(ThemeJsonError::Name { value });
                };
                wire.name = Some(name.into());
            } else if let Some((place, is_own)) = place(&key) {
                // VHS takes an empty colour for a missing one too.
                let color = (value != "").then(|| color(&key, &value)).transpose()?;
                // `cursor` takes precedence over `cursorColor`.
                let slot = &mut wire.colors[place];
                *slot = if is_own {
                    color.or(*slot)
                } else {
                    slot.or(color)
                };
            } else if !IGNORED.into_iter().any(is) {
                let nearest = nearest(&key, KEYS.into_iter().chain(["name"]));
                return Err(ThemeJsonError::Key { key, nearest });
            }
        }
        Ok(wire)
    }

    fn theme(self, collection: ThemeCollection) -> Theme {
        let [bg, fg, cursor, selection, ansi @ ..] = self.colors;
        let name = match self.name {
            Some(name) => Cow::Owned(name.into_owned()),
            None => Cow::Borrowed("inline"),
        };
        Theme::from_parts(name, [fg, bg, cursor, selection], ansi, collection)
    }

    fn of(theme: &Theme) -> ThemeJson<'_> {
        let ground = [theme.bg, theme.fg, theme.cursor, theme.selection];
        let mut wire = ThemeJson {
            name: Some(Cow::Borrowed(&theme.name)),
            ..ThemeJson::default()
        };
        for (place, color) in wire.colors.iter_mut().zip(ground.iter().chain(&theme.ansi)) {
            *place = Some(*color);
        }
        wire
    }
}

impl Serialize for ThemeJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.name.iter().map(|name| ("name", name.to_string()));
        let colors = KEYS.into_iter().zip(self.colors);
        let colors = colors.filter_map(|(key, color)| Some((key, color?.to_string())));
        serializer.collect_map(name.chain(colors))
    }
}

/// Returns the index of a key in [`KEYS`], and whether it is our name for it. The case is ignored,
/// as in VHS.
fn place(key: &str) -> Option<(usize, bool)> {
    let is = |known: &str| known.eq_ignore_ascii_case(key);
    let other = OTHER_KEYS.iter().find(|(other, _)| is(other));
    let name = other.map_or(key, |(_, ours)| ours);
    let place = KEYS
        .iter()
        .position(|known| known.eq_ignore_ascii_case(name))?;
    Some((place, other.is_none()))
}

/// Parses `#rrggbb`, or another form of CSS that xterm.js accepts: `#rgb`, or one of both with the
/// opacity, which is ignored.
fn hex(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#')?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let times = match digits.len() {
        3 | 4 => 2,
        6 | 8 => 1,
        _ => return None,
    };
    let doubled = digits
        .chars()
        .flat_map(|digit| iter::repeat_n(digit, times));
    let rgb: String = doubled.take(6).collect();
    Rgb::parse(&format!("#{rgb}"))
}

fn color(key: &str, value: &Value) -> Result<Rgb, ThemeJsonError> {
    let text = value.as_str();
    text.and_then(hex).ok_or_else(|| ThemeJsonError::Color {
        key: key.to_owned(),
        value: text.map_or_else(|| value.to_string(), str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ThemeCollection;
    use crate::random::{Random, rounds};

    #[track_caller]
    fn check_error(json: &str, message: &str) {
        assert_eq!(Theme::from_json(json).unwrap_err().to_string(), message);
    }

    /// The example in the README of VHS.
    const WHIMSY: &str = r##"{ "name": "Whimsy", "black": "#535178", "red": "#ef6487", "green": "#5eca89", "yellow": "#fdd877",
        "blue": "#65aef7", "magenta": "#aa7ff0", "cyan": "#43c1be", "white": "#ffffff", "brightBlack": "#535178",
        "brightRed": "#ef6487", "brightGreen": "#5eca89", "brightYellow": "#fdd877", "brightBlue": "#65aef7",
        "brightMagenta": "#aa7ff0", "brightCyan": "#43c1be", "brightWhite": "#ffffff", "background": "#29283b",
        "foreground": "#b3b0d6", "selection": "#3d3c58", "cursor": "#b3b0d6" }"##;

    #[test]
    fn reads_a_vhs_theme() {
        let theme = Theme::from_json(WHIMSY).unwrap();
        assert_eq!(theme.name, "Whimsy");
        assert_eq!(theme.bg, Rgb::hex(0x29283b));
        assert_eq!(theme.ansi[1], Rgb::hex(0xef6487));
        assert_eq!(theme.ansi[15], Rgb::hex(0xffffff));
        assert_eq!(theme.selection, Rgb::hex(0x3d3c58));
    }

    #[test]
    fn every_theme_survives_a_round_trip() {
        for theme in ThemeCollection::ALL
            .iter()
            .flat_map(|(_, all)| all.themes())
        {
            assert_eq!(Theme::from_json(&theme.to_json()), Ok(theme));
        }
        let start =
            r##"{"name":"vhs","background":"#171717","foreground":"#dddddd","cursor":"#dddddd","##;
        assert!(Theme::VHS.to_json().starts_with(start));
    }

    #[test]
    fn missing_colours_depend_on_the_background() {
        let light = Theme::from_json(r##"{"background": "#fafafa"}"##).unwrap();
        let ours = Theme::SCREENTEST_LIGHT;
        assert_eq!((light.fg, light.ansi), (ours.fg, ours.ansi));
        let dark = Theme::from_json(r##"{"foreground": "#0000ff"}"##).unwrap();
        assert_eq!(
            (dark.cursor, dark.bg),
            (Rgb::hex(0x0000ff), Theme::SCREENTEST.bg)
        );
        assert_eq!(dark.name, "inline");
    }

    #[test]
    fn missing_colours_are_those_of_the_tool() {
        let json = r##"{"background": "#fafafa", "red": "#ff0000"}"##;
        let colors = |collection| {
            let theme = Theme::from_json_in(json, collection).unwrap();
            let Theme { fg, bg, cursor, .. } = theme;
            let colors = [bg, theme.ansi[1], fg, cursor, theme.ansi[2], theme.ansi[8]];
            colors.map(|color| color.to_string()).join(" ")
        };
        assert_eq!(
            colors(ThemeCollection::Vhs),
            "#fafafa #ff0000 #ffffff #ffffff #4e9a06 #555753"
        );
        assert_eq!(
            colors(ThemeCollection::Betamax),
            "#fafafa #ff0000 #dddddd #007acc #4b8c0f #454545"
        );
        assert_eq!(
            colors(ThemeCollection::Screentest),
            "#fafafa #ff0000 #24292f #24292f #116329 #57606a"
        );
    }

    #[test]
    fn accepts_the_forms_that_vhs_accepts() {
        let theme = r##"{"Name": "Mine", "BACKGROUND": "#123", "red": "#AbC8", "blue": "#01020380",
            "foreground": "", "cursor": "#000001", "cursorColor": "#000002", "extendedAnsi": ["#000000"], "selectionInactiveBackground": "#fff"}"##;
        let theme = Theme::from_json(theme).unwrap();
        assert_eq!((&*theme.name, theme.bg), ("Mine", Rgb::hex(0x112233)));
        assert_eq!(theme.ansi[1], Rgb::hex(0xaabbcc));
        assert_eq!(theme.ansi[4], Rgb::hex(0x010203));
        assert_eq!(theme.fg, Theme::SCREENTEST.fg);
        assert_eq!(theme.cursor, Rgb::hex(0x000001));
    }

    #[test]
    fn accepts_keys_of_other_terminals() {
        let theme =
            r##"{"purple": "#010203", "cursorColor": "#040506", "cursorAccent": 1, "meta": {}}"##;
        let theme = Theme::from_json(theme).unwrap();
        assert_eq!(
            (theme.ansi[5], theme.cursor),
            (Rgb::new(1, 2, 3), Rgb::new(4, 5, 6))
        );
    }

    #[test]
    fn errors_name_the_key_and_value() {
        check_error(
            r##"{"bakground": "#000000"}"##,
            "unknown key `bakground` in the theme, did you mean `background`?",
        );
        check_error(r#"{"zzz": 1}"#, "unknown key `zzz` in the theme");
        check_error(
            r#"{"brightRed": "red"}"#,
            "`brightRed`: `red` is not a colour as in `#1a2b3c`",
        );
        for value in [
            "#12345", "#1234567", "#12é", "#+12", "#12345+", "123456", " #123456",
        ] {
            let json = format!("{{\"red\": \"{value}\"}}");
            check_error(
                &json,
                &format!("`red`: `{value}` is not a colour as in `#1a2b3c`"),
            );
        }
        check_error(
            r#"{"red": null}"#,
            "`red`: `null` is not a colour as in `#1a2b3c`",
        );
        check_error(r#"{"name": 7}"#, "`name`: `7` is not a string");
        check_error("[]", "the theme is not a JSON object");
        check_error(
            "{",
            "the theme is not JSON: EOF while parsing an object at line 1 column 1",
        );
    }

    #[test]
    fn damaged_json_does_not_panic() {
        let mut random = Random::new(11);
        for _ in 0..rounds() {
            let damaged = random.damage(WHIMSY.as_bytes());
            // Any result is fine as long as nothing panics; most are errors.
            let _ = Theme::from_json(&String::from_utf8_lossy(&damaged));
        }
        assert!(Theme::from_json(&"[".repeat(100_000)).is_err());
    }
}
