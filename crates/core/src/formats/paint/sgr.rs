//! Escape sequences for styles (SGR) and links (OSC 8). Listed in `docs/formats/ansi.md`.
//!
//! See also: `emulator/vt/sequences/replies.rs` (reports a terminal's current style to a
//! program, with colon-separated colours, written from the emulator's own flags).

use std::fmt::Write;
use std::sync::Arc;

use crate::{Attributes, Color, Hyperlink, Style, Underline};

/// The current style and link of the output, so that only changes are written.
#[derive(Debug, Default)]
pub(crate) struct ActiveStyle {
    style: Style,
    link: Option<Hyperlink>,
}

impl ActiveStyle {
    /// Writes the sequences that switch to a style and link. Writes nothing if they would be
    /// written the same as the current ones.
    pub(crate) fn switch_to(&mut self, style: &Style, link: Option<&Hyperlink>, text: &mut String) {
        if !is_same_link(self.link.as_ref(), link) {
            self.link = link.cloned();
            write_link(link, text);
        }
        let style = displayed_style(style);
        if style != self.style {
            self.style = style;
            write_style(&style, text);
        }
    }
}

/// Returns the style as a terminal keeps it. Text blinks at one of two speeds, so `RAPID_BLINK`
/// replaces `BLINK`.
pub(crate) fn displayed_style(style: &Style) -> Style {
    let mut kept = *style;
    if style.is(Attributes::RAPID_BLINK) {
        kept.attributes -= Attributes::BLINK;
    }
    kept
}

/// Writes a style in full: reset first, then all attributes.
pub(crate) fn write_style(style: &Style, text: &mut String) {
    text.push_str("\x1b[0");
    for (attribute, number) in [
        (Attributes::BOLD, "1"),
        (Attributes::FAINT, "2"),
        (Attributes::ITALIC, "3"),
    ] {
        if style.is(attribute) {
            text.push(';');
            text.push_str(number);
        }
    }
    // Colons, because a terminal that supports only single underlines would take a second parameter
    // after a semicolon for another attribute.
    text.push_str(match style.underline {
        Underline::None => "",
        Underline::Single => ";4",
        Underline::Double => ";4:2",
        Underline::Curly => ";4:3",
        Underline::Dotted => ";4:4",
        Underline::Dashed => ";4:5",
    });
    let style = displayed_style(style);
    for (attribute, number) in [
        (Attributes::BLINK, "5"),
        (Attributes::RAPID_BLINK, "6"),
        (Attributes::INVERSE, "7"),
        (Attributes::INVISIBLE, "8"),
        (Attributes::STRIKETHROUGH, "9"),
        (Attributes::OVERLINE, "53"),
    ] {
        if style.is(attribute) {
            text.push(';');
            text.push_str(number);
        }
    }
    write_color(style.fg, 30, text);
    write_color(style.bg, 40, text);
    write_underline_color(style.underline_color, text);
    text.push('m');
}

/// Writes a foreground (`base` 30) or background (`base` 40) colour.
fn write_color(color: Color, base: u8, text: &mut String) {
    // Writing to a string cannot fail.
    let _ = match color {
        Color::Default => Ok(()),
        Color::Indexed(index @ 0..=7) => write!(text, ";{}", base + index),
        Color::Indexed(index @ 8..=15) => write!(text, ";{}", base + 60 + index - 8),
        Color::Indexed(index) => write!(text, ";{};5;{index}", base + 8),
        Color::Rgb(c) => write!(text, ";{};2;{};{};{}", base + 8, c.r, c.g, c.b),
    };
}

fn write_underline_color(color: Color, text: &mut String) {
    let _ = match color {
        Color::Default => Ok(()),
        Color::Indexed(index) => write!(text, ";58:5:{index}"),
        Color::Rgb(c) => write!(text, ";58:2::{}:{}:{}", c.r, c.g, c.b),
    };
}

fn write_link(link: Option<&Hyperlink>, text: &mut String) {
    text.push_str("\x1b]8;");
    if let Some(link) = link {
        if let Some(id) = writable_id(link) {
            text.push_str("id=");
            text.push_str(id);
        }
        text.push(';');
        text.push_str(&link.uri);
    } else {
        text.push(';');
    }
    text.push_str("\x1b\\");
}

/// Returns whether a link can be written as OSC 8. A control character would end the sequence, and
/// an empty address would end the link before it.
pub(crate) fn is_writable(link: &Hyperlink) -> bool {
    !link.uri.is_empty() && !link.uri.contains(char::is_control)
}

/// Returns the id of a link if it can be written in OSC 8, where `:` and `;` would end it.
pub(crate) fn writable_id(link: &Hyperlink) -> Option<&Arc<str>> {
    link.id.as_ref().filter(|id| {
        !id.is_empty() && !id.contains(|c: char| c.is_control() || c == ':' || c == ';')
    })
}

/// Returns whether two links are written the same.
fn is_same_link(one: Option<&Hyperlink>, other: Option<&Hyperlink>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.uri == other.uri && writable_id(one) == writable_id(other),
        (one, other) => one.is_none() && other.is_none(),
    }
}
