//! ANSI snapshots: a screen as text that `cat` shows and that diffs row by row.
//!
//! Each row is a line that stands for itself: it begins plain, sets every style in full, and ends plain. The emulator
//! gives the same cells back. A file of this kind may also hold what a program wrote, byte for byte; the two are told
//! apart by what is in them. `docs/formats/ansi.md` gives the sequences.
//!
//! Elsewhere: the size, which stands in a file beside the text (`meta.rs`).

use std::fmt::Write;
use std::sync::Arc;

use super::measured::{self, Found};
use crate::emulator::{self, Backend};
use crate::row::LinkId;
use crate::{
    Attributes, Color, Cursor, Hyperlink, Modes, Row, RowBuilder, Screen, Size, Style, Underline,
    Width,
};

mod meta;
#[cfg(test)]
mod tests;

pub use meta::{Meta, MetaCursor, MetaError};

/// Writes a screen's rows up to the last that is not blank, each with a newline at its end.
pub fn write(screen: &Screen) -> String {
    let mut text = String::new();
    let mut end = 0;
    for row in &screen.rows {
        let start = text.len();
        write_row(row, screen.size.cols.into(), &mut text);
        let blank = text.len() == start;
        text.push('\n');
        if !blank {
            end = text.len();
        }
    }
    text.truncate(end);
    text
}

fn write_row(row: &Row, cols: usize, text: &mut String) {
    let start = text.len();
    let plain = Style::default();
    let (mut style, mut link) = (&plain, None);
    for cell in measured::cells(row, cols) {
        let leads = cell.link.filter(|link| is_writable(link));
        if leads != link {
            link = leads;
            write_link(link, text);
        }
        if cell.style != style {
            style = cell.style;
            write_style(style, text);
        }
        if measured::push(&cell, text) == Found::NarrowAndBlank {
            text.push(' ');
        }
    }
    if link.is_some() {
        write_link(None, text);
    }
    if *style != plain {
        write_style(&plain, text);
    }
    // What a row holds at its end may have become a plain blank only by being written, such as a control.
    text.truncate(text.trim_end_matches(' ').len().max(start));
}

/// Writes a style in full: from plain, whatever was set before.
fn write_style(style: &Style, text: &mut String) {
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
    // A terminal blinks at one speed; the last one set counts.
    if style.is(Attributes::RAPID_BLINK) {
        text.push_str(";6");
    } else if style.is(Attributes::BLINK) {
        text.push_str(";5");
    }
    for (attribute, number) in [
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
        if let Some(id) = link.id.as_deref().filter(|id| is_writable_id(id)) {
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
fn is_writable(link: &Hyperlink) -> bool {
    !link.uri.is_empty() && !link.uri.contains(char::is_control)
}

/// Whether the name of a link can stand in its sequence, where `:` and `;` end it.
fn is_writable_id(id: &str) -> bool {
    !id.is_empty() && !id.contains(|c: char| c.is_control() || c == ':' || c == ';')
}

/// Reads a snapshot, or what a program wrote, by the default emulator at the given size.
///
/// A snapshot says nothing of the cursor: it is hidden, in the corner. [`Meta::place_cursor`] puts it where it was.
pub fn read(bytes: &[u8], size: Size) -> Screen {
    let options = emulator::Options {
        scrollback: 0,
        ..emulator::Options::default()
    };
    let mut emulator = Backend::Alacritty.emulator(size, options);
    if !is_snapshot(bytes) {
        emulator.feed(bytes);
        return emulator.screen();
    }
    // The last newline ends the last row: a terminal would scroll where that row is the screen's last.
    let rows = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    for (index, row) in rows.split(|byte| *byte == b'\n').enumerate() {
        if index > 0 {
            emulator.feed(b"\r\n");
        }
        emulator.feed(row);
    }
    Screen {
        cursor: Cursor {
            visible: false,
            ..Cursor::default()
        },
        ..emulator.screen()
    }
}

/// Whether these are rows of text with styles and links: a program's own output moves the cursor or returns it.
fn is_snapshot(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            0x1b => match after_sequence(after) {
                Some(after) => after,
                None => return false,
            },
            byte if byte.is_ascii_control() && *byte != b'\n' => return false,
            _ => after,
        };
    }
    true
}

/// What follows a sequence that sets styles or a link; `None` where it is another one.
fn after_sequence(bytes: &[u8]) -> Option<&[u8]> {
    if let Some(parameters) = bytes.strip_prefix(b"[") {
        let end = parameters
            .iter()
            .position(|byte| !matches!(byte, b'0'..=b'9' | b':' | b';'))?;
        return parameters[end..].strip_prefix(b"m");
    }
    let link = bytes.strip_prefix(b"]8;")?;
    let end = link.iter().position(u8::is_ascii_control)?;
    let end = &link[end..];
    end.strip_prefix(b"\x1b\\").or(end.strip_prefix(b"\x07"))
}

/// What is left of a screen once this format has held it.
///
/// Lost are: whether a row wrapped; zones; the cursor; title, working directory and modes; how many rows scrolled out; slow
/// blinking under fast. Links and their names are lost where they hold what would end their sequence. Characters whose
/// width is not the one in the tables, and controls, become what `docs/formats/ansi.md` says.
pub fn reduce(screen: &Screen) -> Screen {
    let mut builder = RowBuilder::new();
    let cols = usize::from(screen.size.cols);
    Screen {
        size: screen.size,
        rows: screen
            .rows
            .iter()
            .map(|row| Arc::new(reduce_row(row, cols, &mut builder)))
            .collect(),
        cursor: Cursor {
            visible: false,
            ..Cursor::default()
        },
        title: Arc::from(""),
        working_directory: Arc::from(""),
        modes: Modes::default(),
        scrollback_rows: 0,
    }
}

fn reduce_row(row: &Row, cols: usize, builder: &mut RowBuilder) -> Row {
    let mut text = String::new();
    for cell in measured::cells(row, cols) {
        let mut style = *cell.style;
        if style.is(Attributes::RAPID_BLINK) {
            style.attributes -= Attributes::BLINK;
        }
        let style = builder.style(&style);
        let link = match cell.link.filter(|link| is_writable(link)) {
            Some(link) => builder.link(&Hyperlink {
                id: link.id.clone().filter(|id| is_writable_id(id)),
                uri: Arc::clone(&link.uri),
            }),
            None => LinkId::NONE,
        };
        text.clear();
        match measured::push(&cell, &mut text) {
            Found::Narrow => builder.push_cluster(&text, Width::Narrow, style, link),
            Found::Wide => builder.push_cluster(&text, Width::Wide, style, link),
            Found::NarrowAndBlank => {
                builder.push_cluster(&text, Width::Narrow, style, link);
                builder.push(' ', style, link);
            }
        }
    }
    builder.finish()
}
