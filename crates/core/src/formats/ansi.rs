//! ANSI snapshots: a screen as text that `cat` shows and that diffs row by row.
//!
//! Each row is a line that does not depend on the others: it starts with the default style, sets
//! every style in full, and resets it at its end. The emulator reads the same cells back. A file
//! may also hold a program's own output, byte for byte; the contents show which of the two it is.
//! `docs/formats/ansi.md` gives the sequences.
//!
//! See also: `paint.rs` (writes cells), `meta.rs` (size and cursor, stored in a second file).

use std::sync::Arc;

use crate::emulator::{self, Backend};
use crate::formats::paint::{Paint, sgr};
use crate::screen::row::LinkId;
use crate::screen::text_width;
use crate::screen::text_width::WrittenCell;
use crate::{Cursor, Hyperlink, Row, RowBuilder, Screen, Size, Width};

mod meta;
#[cfg(test)]
mod tests;

pub use meta::{Meta, MetaCursor, MetaError};

/// Writes a screen's rows up to the last one that is not blank, each ended by a newline.
pub fn write(screen: &Screen) -> String {
    screen.painted(Paint::Ansi)
}

/// Reads a snapshot or a program's own output, with the default emulator at the given size.
///
/// A snapshot does not store the cursor: the screen has it hidden, in the top left corner.
/// [`Meta::place_cursor`] restores it.
pub fn read(bytes: &[u8], size: Size) -> Screen {
    let options = emulator::EmulatorOptions {
        scrollback: 0,
        ..emulator::EmulatorOptions::default()
    };
    let mut emulator = Backend::Vt.emulator(size, options);
    if !is_snapshot(bytes) {
        emulator.feed(bytes);
        return emulator.screen();
    }
    // The last newline ends the last row. Fed to the terminal, it would scroll a screen that is
    // full.
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

/// Returns a screen size of at least `least` in which all rows of a snapshot fit; `None` if no
/// screen is tall enough. The columns are counted in bytes, including escape sequences, so they may
/// be more than needed. For a program's own output it returns `least`: the size it was written for
/// cannot be derived from the bytes.
pub fn fitting(bytes: &[u8], least: Size) -> Option<Size> {
    if !is_snapshot(bytes) {
        return Some(least);
    }
    let rows = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let rows = rows.split(|byte| *byte == b'\n');
    // A character has at least as many bytes as columns.
    let widest = rows.clone().map(<[u8]>::len).max().unwrap_or_default();
    let cols = u16::try_from(widest).unwrap_or(u16::MAX).max(least.cols);
    let rows = u16::try_from(rows.count()).ok()?.max(least.rows);
    let size = Size { cols, rows };
    let clamped = size.clamped();
    (clamped.rows == rows).then_some(clamped)
}

/// Whether the bytes are rows of text with styles and links only. Any other control character or
/// sequence, such as a carriage return, marks a program's own output.
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

/// Returns the bytes after a sequence that sets styles or a link; `None` for any other sequence.
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

/// Returns the part of a screen that this format can store.
///
/// These are lost:
///
/// - wrap flags and zones;
/// - the cursor, the title, the working directory and the modes;
/// - the number of rows that scrolled out;
/// - slow blinking in cells that also blink fast;
/// - links whose address is empty or contains a control character;
/// - link ids that are empty or contain a control character, `:` or `;`.
///
/// Control characters, and characters whose width differs from the tables, become the replacements
/// that `docs/formats/ansi.md` lists.
pub fn reduce(screen: &Screen) -> Screen {
    let mut builder = RowBuilder::new();
    let cols = usize::from(screen.size.cols);
    let rows = screen.rows.iter();
    Screen {
        rows: rows
            .map(|row| Arc::new(reduce_row(row, cols, &mut builder)))
            .collect(),
        cursor: Cursor {
            visible: false,
            ..Cursor::default()
        },
        ..Screen::blank(screen.size)
    }
}

fn reduce_row(row: &Row, cols: usize, builder: &mut RowBuilder) -> Row {
    let mut text = String::new();
    for (cell, next) in text_width::cells(row, cols) {
        let style = builder.style(&sgr::displayed_style(cell.style));
        let link = match cell.link.filter(|link| sgr::is_writable(link)) {
            Some(link) => builder.link(&Hyperlink {
                id: sgr::writable_id(link).cloned(),
                uri: Arc::clone(&link.uri),
            }),
            None => LinkId::NONE,
        };
        text.clear();
        match text_width::push(&cell, next, &mut text) {
            WrittenCell::Narrow => builder.push_cluster(&text, Width::Narrow, style, link),
            WrittenCell::Wide => builder.push_cluster(&text, Width::Wide, style, link),
            WrittenCell::NarrowAndBlank => {
                builder.push_cluster(&text, Width::Narrow, style, link);
                builder.push(' ', style, link);
            }
        }
    }
    builder.finish()
}
