//! ANSI snapshots: a screen as text that `cat` shows and that diffs row by row.
//!
//! Each row is a line that stands for itself: it begins plain, sets every style in full, and ends plain. The emulator
//! gives the same cells back. A file of this kind may also hold what a program wrote, byte for byte; the two are told
//! apart by what is in them. `docs/formats/ansi.md` gives the sequences.
//!
//! Elsewhere: how cells are written (`paint.rs`); the size, which stands in a file beside the text (`meta.rs`).

use std::sync::Arc;

use crate::emulator::{self, Backend};
use crate::formats::paint::{Paint, sgr};
use crate::screen::row::LinkId;
use crate::screen::text_width;
use crate::screen::text_width::Found;
use crate::{Cursor, Hyperlink, Modes, Row, RowBuilder, Screen, Size, Width};

mod meta;
#[cfg(test)]
mod tests;

pub use meta::{Meta, MetaCursor, MetaError};

/// Writes a screen's rows up to the last that is not blank, each with a newline at its end.
pub fn write(screen: &Screen) -> String {
    screen.painted(Paint::Ansi)
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

/// How large a screen must be to show all rows of a snapshot, at least `least`; `None` where no screen is tall enough. What a
/// program wrote by itself was written for some size, which nobody can tell from it: for that it is `least`.
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
    for cell in text_width::cells(row, cols) {
        let style = builder.style(&sgr::kept_of(cell.style));
        let link = match cell.link.filter(|link| sgr::is_writable(link)) {
            Some(link) => builder.link(&Hyperlink {
                id: sgr::name_of(link).cloned(),
                uri: Arc::clone(&link.uri),
            }),
            None => LinkId::NONE,
        };
        text.clear();
        match text_width::push(&cell, &mut text) {
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
