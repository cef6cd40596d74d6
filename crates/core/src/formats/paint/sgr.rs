//! The sequences for styles (SGR) and for links (OSC 8). `docs/formats/ansi.md` lists them.
//!
//! Elsewhere: what a terminal answers when asked for its style (`emulator/alacritty/replies.rs`), which has
//! colours with colons and is written from the emulator's own flags.

use std::fmt::Write;
use std::sync::Arc;

use crate::{Attributes, Color, Hyperlink, Style, Underline};

/// What is on where text is written next, so that only what changes is said.
#[derive(Debug, Default)]
pub(crate) struct On {
    style: Style,
    link: Option<Hyperlink>,
}

impl On {
    /// Writes what must be said for text to look like this. What is written the same is the same.
    pub(crate) fn turn(&mut self, style: &Style, link: Option<&Hyperlink>, text: &mut String) {
        if !is_same_link(self.link.as_ref(), link) {
            self.link = link.cloned();
            write_link(link, text);
        }
        let style = kept_of(style);
        if style != self.style {
            self.style = style;
            write_style(&style, text);
        }
    }
}

/// What is left of a style once it was written: a terminal blinks at one speed; the last one set counts.
pub(crate) fn kept_of(style: &Style) -> Style {
    let mut kept = *style;
    if style.is(Attributes::RAPID_BLINK) {
        kept.attributes -= Attributes::BLINK;
    }
    kept
}

/// Writes a style in full: from plain, whatever was set before.
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
    // The colons keep terminals that know one kind of line from taking the second number for another attribute.
    text.push_str(match style.underline {
        Underline::None => "",
        Underline::Single => ";4",
        Underline::Double => ";4:2",
        Underline::Curly => ";4:3",
        Underline::Dotted => ";4:4",
        Underline::Dashed => ";4:5",
    });
    let style = kept_of(style);
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

/// Writes a colour for text (`base` 30) or background (`base` 40).
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
        if let Some(id) = name_of(link) {
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

/// Whether a link can stand in its sequence: a control would end it, and an empty address ends the link before.
pub(crate) fn is_writable(link: &Hyperlink) -> bool {
    !link.uri.is_empty() && !link.uri.contains(char::is_control)
}

/// The name of a link, if it can stand in its sequence, where `:` and `;` end it.
pub(crate) fn name_of(link: &Hyperlink) -> Option<&Arc<str>> {
    link.id.as_ref().filter(|id| {
        !id.is_empty() && !id.contains(|c: char| c.is_control() || c == ':' || c == ';')
    })
}

/// Whether two links are written the same.
fn is_same_link(one: Option<&Hyperlink>, other: Option<&Hyperlink>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.uri == other.uri && name_of(one) == name_of(other),
        (one, other) => one.is_none() && other.is_none(),
    }
}
