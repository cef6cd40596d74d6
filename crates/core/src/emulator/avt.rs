//! The second backend: `avt`, an independent parser and grid.
//!
//! It supports text, basic styles and the structure of the screen. It does not reply to queries and
//! reports no titles and no links; see its [`capabilities`](Emulator::capabilities). It reports two
//! modes: the alternate screen and application cursor keys. The feature `avt` builds it in.

use std::sync::Arc;

use avt::{Color as AvtColor, Line, Pen, ScreenKind, Terminal};

use super::{
    Capabilities, Emulator, EmulatorOptions, FedSlice, Identity, Notes, TransientScreen, Work,
};
use crate::formats::paint::row_writer::RowSequenceWriter;
use crate::screen::Screen;
use crate::screen::cursor::Cursor;
use crate::screen::geometry::{Position, Size};
use crate::screen::modes::Modes;
use crate::screen::row::{LinkId, Row, RowBuilder};
use crate::screen::style::{Attributes, Color, Rgb, Style, Underline};

/// Work of a sequence, besides the cells that it changes.
const SEQUENCE: usize = 64;

/// A terminal on top of `avt`.
pub struct Avt {
    terminal: Terminal,
    /// The received part of an incomplete character.
    partial: Vec<u8>,
    builder: RowBuilder,
    notes: Notes,
}

impl Avt {
    /// Version of the wrapped crate; a test compares it with the version that is built.
    const VERSION: &str = "0.19.0";
    /// Raised whenever the same bytes give a different screen than before.
    const REVISION: u32 = 2;

    /// Creates an empty terminal.
    pub fn new(size: Size, options: &EmulatorOptions) -> Avt {
        let terminal =
            Terminal::with_scrollback(size.cols.into(), size.rows.into(), Some(options.scrollback))
                .expect("a clamped size has rows and columns");
        Avt {
            terminal,
            partial: Vec::new(),
            builder: RowBuilder::new(),
            notes: Notes::default(),
        }
    }
}

impl Emulator for Avt {
    fn identity(&self) -> Identity {
        Identity {
            name: "avt",
            version: Avt::VERSION,
            revision: Avt::REVISION,
        }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::BLINK
    }

    /// The wrapped terminal reports no work, so every sequence counts as one that changes a quarter
    /// of the screen.
    fn feed_slice(&mut self, bytes: &[u8], budget: Work) -> FedSlice {
        let (cols, rows) = self.terminal.size();
        let sequence = (SEQUENCE + cols * rows / 4) as Work;
        let (mut work, mut taken) = (0, 0);
        while taken < bytes.len() && (taken == 0 || work < budget) {
            work += match &bytes[taken..] {
                [0x1b, rest @ ..] => sequence + repetitions(rest),
                _ => 1,
            };
            taken += 1;
        }
        self.feed(&bytes[..taken]);
        FedSlice { bytes: taken, work }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.notes.counts.bytes += bytes.len() as u64;
        // The terminal takes text, so an incomplete character is held back.
        self.partial.extend_from_slice(bytes);
        let rest = self.partial.split_off(whole_characters(&self.partial));
        // DEL has no effect on a terminal, but `avt` would print it into a cell.
        let text = String::from_utf8_lossy(&self.partial).replace('\x7f', "");
        self.terminal.feed(&text);
        self.partial = rest;
    }

    fn take_replies(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn resize(&mut self, size: Size) {
        let size = size.clamped();
        self.terminal.resize(size.cols.into(), size.rows.into());
    }

    fn screen(&mut self) -> Screen {
        let (cols, rows) = self.terminal.size();
        let cursor = self.terminal.cursor();
        let alternate = self.terminal.active_screen_kind() == ScreenKind::Alternate;
        let kept = self.terminal.screen().all_lines().count();
        Screen {
            rows: self
                .terminal
                .screen()
                .visible_lines()
                .map(|line| read(&mut self.builder, line))
                .collect(),
            cursor: Cursor {
                position: Position {
                    row: cursor.row,
                    col: cursor.col.min(cols - 1),
                },
                visible: cursor.visible,
                pending_wrap: cursor.col == cols,
                ..Cursor::default()
            },
            modes: Modes {
                alternate_screen: alternate,
                application_cursor: self.terminal.cursor_key_app_mode(),
                ..Modes::default()
            },
            scrollback_rows: kept.saturating_sub(rows),
            ..Screen::blank(Size {
                cols: cols as u16,
                rows: rows as u16,
            })
        }
    }

    fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>> {
        let (_, height) = self.terminal.size();
        let screen = self.terminal.screen();
        let kept = screen.all_lines().count().saturating_sub(height);
        screen
            .all_lines()
            .take(kept)
            .skip(kept.saturating_sub(rows))
            .map(|line| read(&mut self.builder, line))
            .collect()
    }

    /// The dump has no scrollback while the alternate screen is shown: the wrapped terminal does
    /// not give access to it.
    fn dump(&mut self, scrollback: usize) -> Vec<u8> {
        let (cols, height) = self.terminal.size();
        let mut out = RowSequenceWriter::default();
        let above = self.scrollback(scrollback);
        if !above.is_empty() {
            out.write_scrolled_out(&above, cols, height);
        }
        out.text.push_str(&self.terminal.dump());
        let mut dump = out.text.into_bytes();
        dump.extend_from_slice(&self.partial);
        dump
    }

    fn take_transient_screens(&mut self) -> Vec<TransientScreen> {
        Vec::new()
    }

    fn end_synchronized(&mut self) {}

    fn notes(&self) -> &Notes {
        &self.notes
    }
}

/// Returns how many characters the sequence after an escape prints, if it is REP.
fn repetitions(rest: &[u8]) -> Work {
    let body = rest.strip_prefix(b"[").unwrap_or_default();
    let digits = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&body[..digits]).unwrap_or_default();
    match body.get(digits) {
        Some(b'b') => number.parse().unwrap_or(u16::MAX).into(),
        _ => 0,
    }
}

/// Returns the number of bytes before an incomplete character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    let start = bytes.iter().rev().take(3).position(|b| b & 0xc0 != 0x80);
    match start {
        None => bytes.len(),
        Some(back) => {
            let lead = bytes.len() - 1 - back;
            let length = match bytes[lead] {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => 1,
            };
            if length > back + 1 { lead } else { bytes.len() }
        }
    }
}

fn read(builder: &mut RowBuilder, line: &Line) -> Arc<Row> {
    builder.wrapped(line.is_wrapped());
    let mut cells = line.cells().iter().peekable();
    while let Some(cell) = cells.next() {
        let style = builder.style(&style(cell.pen()));
        match cell.width() {
            2 if cells.peek().is_some_and(|next| next.width() == 0) => {
                builder.push_wide(cell.char(), style, LinkId::NONE);
                cells.next();
            }
            1 => builder.push(cell.char(), style, LinkId::NONE),
            _ => builder.push(' ', style, LinkId::NONE),
        }
    }
    Arc::new(builder.finish())
}

fn style(pen: &Pen) -> Style {
    let mut attributes = Attributes::empty();
    for (on, attribute) in [
        (pen.is_bold(), Attributes::BOLD),
        (pen.is_faint(), Attributes::FAINT),
        (pen.is_italic(), Attributes::ITALIC),
        (pen.is_blink(), Attributes::BLINK),
        (pen.is_inverse(), Attributes::INVERSE),
        (pen.is_strikethrough(), Attributes::STRIKETHROUGH),
    ] {
        attributes.set(attribute, on);
    }
    Style {
        fg: color(pen.foreground()),
        bg: color(pen.background()),
        underline: if pen.is_underline() {
            Underline::Single
        } else {
            Underline::None
        },
        underline_color: Color::Default,
        attributes,
    }
}

fn color(color: Option<AvtColor>) -> Color {
    match color {
        None => Color::Default,
        Some(AvtColor::Indexed(index)) => Color::Indexed(index),
        Some(AvtColor::RGB(rgb)) => Color::Rgb(Rgb::new(rgb.r, rgb.g, rgb.b)),
    }
}

impl std::fmt::Debug for Avt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Avt").finish_non_exhaustive()
    }
}
