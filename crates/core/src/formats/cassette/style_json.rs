//! Style and link of a cell in `frames.jsonl`: only the attributes that differ from the default.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::is_false;
use crate::{Attributes, Color, Hyperlink, Rgb, Style, Underline};

/// Style and link of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct LinkedStyle {
    pub(super) style: Style,
    pub(super) link: Option<Hyperlink>,
}

/// Style and link in the file. Colours are stored as the program set them: a palette index or RGB.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct FrameStyleJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fg: Option<ColorJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bg: Option<ColorJson>,
    #[serde(default, skip_serializing_if = "is_false")]
    bold: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    faint: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    italic: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    blink: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    rapid_blink: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    inverse: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    invisible: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    strikethrough: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    overline: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    underline: Option<UnderlineJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    underline_color: Option<ColorJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link_id: Option<String>,
}

/// A palette index, or `#rrggbb`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum ColorJson {
    Indexed(u8),
    Rgb(String),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum UnderlineJson {
    Single,
    Double,
    Curly,
    Dotted,
    Dashed,
}

impl FrameStyleJson {
    pub(super) fn of(linked: &LinkedStyle) -> FrameStyleJson {
        let Style {
            fg,
            bg,
            underline,
            underline_color,
            attributes,
        } = linked.style;
        let has = |attribute| attributes.contains(attribute);
        FrameStyleJson {
            fg: color(fg),
            bg: color(bg),
            bold: has(Attributes::BOLD),
            faint: has(Attributes::FAINT),
            italic: has(Attributes::ITALIC),
            blink: has(Attributes::BLINK),
            rapid_blink: has(Attributes::RAPID_BLINK),
            inverse: has(Attributes::INVERSE),
            invisible: has(Attributes::INVISIBLE),
            strikethrough: has(Attributes::STRIKETHROUGH),
            overline: has(Attributes::OVERLINE),
            underline: match underline {
                Underline::None => None,
                Underline::Single => Some(UnderlineJson::Single),
                Underline::Double => Some(UnderlineJson::Double),
                Underline::Curly => Some(UnderlineJson::Curly),
                Underline::Dotted => Some(UnderlineJson::Dotted),
                Underline::Dashed => Some(UnderlineJson::Dashed),
            },
            underline_color: color(underline_color),
            link: linked.link.as_ref().map(|link| link.uri.to_string()),
            link_id: linked
                .link
                .as_ref()
                .and_then(|link| link.id.as_deref().map(str::to_owned)),
        }
    }

    pub(super) fn linked_style(&self) -> Result<LinkedStyle, String> {
        let mut attributes = Attributes::empty();
        for (on, attribute) in [
            (self.bold, Attributes::BOLD),
            (self.faint, Attributes::FAINT),
            (self.italic, Attributes::ITALIC),
            (self.blink, Attributes::BLINK),
            (self.rapid_blink, Attributes::RAPID_BLINK),
            (self.inverse, Attributes::INVERSE),
            (self.invisible, Attributes::INVISIBLE),
            (self.strikethrough, Attributes::STRIKETHROUGH),
            (self.overline, Attributes::OVERLINE),
        ] {
            attributes.set(attribute, on);
        }
        Ok(LinkedStyle {
            style: Style {
                fg: read(self.fg.as_ref())?,
                bg: read(self.bg.as_ref())?,
                underline: match self.underline {
                    None => Underline::None,
                    Some(UnderlineJson::Single) => Underline::Single,
                    Some(UnderlineJson::Double) => Underline::Double,
                    Some(UnderlineJson::Curly) => Underline::Curly,
                    Some(UnderlineJson::Dotted) => Underline::Dotted,
                    Some(UnderlineJson::Dashed) => Underline::Dashed,
                },
                underline_color: read(self.underline_color.as_ref())?,
                attributes,
            },
            link: self.link.as_deref().map(|uri| Hyperlink {
                id: self.link_id.as_deref().map(Arc::from),
                uri: Arc::from(uri),
            }),
        })
    }
}

fn color(color: Color) -> Option<ColorJson> {
    match color {
        Color::Default => None,
        Color::Indexed(index) => Some(ColorJson::Indexed(index)),
        Color::Rgb(rgb) => Some(ColorJson::Rgb(rgb.to_string())),
    }
}

fn read(color: Option<&ColorJson>) -> Result<Color, String> {
    Ok(match color {
        None => Color::Default,
        Some(ColorJson::Indexed(index)) => Color::Indexed(*index),
        Some(ColorJson::Rgb(text)) => Color::Rgb(
            Rgb::parse(text).ok_or_else(|| format!("`{text}` is not a colour (`#rrggbb`)"))?,
        ),
    })
}
