//! Dump of a terminal's state as bytes that recreate it in a new terminal.
//!
//! A recording that starts in the middle of a session begins with this dump, so that the rule for
//! recordings still holds: a screen is derived from bytes by an emulator. The dump contains
//! everything that can affect the result of later bytes: rows including the scrollback and the
//! hidden main screen, cursors, pens, margins, modes, tab stops, titles, changed colours, and a
//! sequence in progress.
//!
//! It does not contain state that no screen depends on: the clipboard, counters.

use std::sync::Arc;

use alacritty_terminal::grid::{Cursor as GridCursor, Dimensions};
use alacritty_terminal::index::{Column, Line as GridLine};
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::vte::ansi::{CharsetIndex, Handler, StandardCharset};

use super::read_grid;
use super::terminal::extra_attrs::ExtraAttrs;
use super::terminal::{SavedModes, Terminal};
use crate::emulator::colors::{RESET_PALETTE, write_palette};
use crate::formats::paint::row_writer::RowSequenceWriter;
use crate::screen::Screen;
use crate::screen::cursor::{Cursor, CursorShape};
use crate::screen::modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};
use crate::screen::row::Zone;
use crate::screen::style::Style;
use rows::DumpedRow;

mod last_char;
mod rows;

/// The main or the alternate screen.
#[derive(Debug)]
struct DumpedScreen {
    /// The rows of the scrollback, then the visible rows.
    rows: Vec<DumpedRow>,
    /// Number of visible rows.
    visible: usize,
    /// Number of further scrollback rows that are not included.
    omitted_rows: usize,
    cursor: GridCursor<Cell>,
    saved: GridCursor<Cell>,
}

impl DumpedScreen {
    fn visible_rows(&self) -> &[DumpedRow] {
        &self.rows[self.rows.len() - self.visible..]
    }
}

const CHARSETS: [(CharsetIndex, char); 4] = [
    (CharsetIndex::G0, '('),
    (CharsetIndex::G1, ')'),
    (CharsetIndex::G2, '*'),
    (CharsetIndex::G3, '+'),
];

/// Undoes the modes and text of a drawn screen, and nothing else.
const UNDO: &str = "\x1b[<64u\x1b[?1049l\x1b[<64u\x1b[!p\x1b[?1000;1002;1003;1004;1005;1006;2004l\x1b[?1007h\x1b[4;20l\x1b[0 q\x1b[H\x1b[2J\x1b[3J";

impl Terminal {
    /// Returns the dump, with at most `scrollback` rows of the scrollback.
    pub(super) fn dump(&mut self, scrollback: usize) -> String {
        let mut out = RowSequenceWriter::default();
        let (main, alternate) = self.dumped_screens(scrollback);
        if let Some(frozen) = self.frozen_screen.clone() {
            self.write_frozen_screen(&mut out, &frozen, &main);
        }
        self.write_state(&mut out, &main, alternate.as_ref());
        out.text
    }

    /// Returns both screens; the alternate one only if it is shown, since it is blank when it is
    /// entered.
    fn dumped_screens(&mut self, scrollback: usize) -> (DumpedScreen, Option<DumpedScreen>) {
        if !self.is_alternate() {
            return (self.dumped_screen(scrollback), None);
        }
        let alternate = self.dumped_screen(0);
        // The wrapped terminal gives access to its other screen only by switching to it, and loses
        // state when switching back.
        let grid = self.term.grid().clone();
        self.term.swap_alt();
        let mut main = self.dumped_screen(scrollback);
        if let Some(saved) = self.saved_cursor_before_read.take() {
            main.saved = saved;
        }
        self.term.swap_alt();
        *self.term.grid_mut() = grid;
        self.apply_keyboard();
        if main.saved != main.cursor {
            self.saved_cursor_before_read = Some(main.saved.clone());
        }
        (main, Some(alternate))
    }

    /// Returns the cursor that was saved on the alternate screen, while that screen is not shown.
    fn alternate_saved_cursor(&mut self) -> GridCursor<Cell> {
        // The wrapped terminal gives access to its other screen only by switching to it, and loses
        // this cursor when switching.
        let saved = self.term.grid().saved_cursor.clone();
        self.term.swap_alt();
        let above = self.term.grid().saved_cursor.clone();
        self.term.swap_alt();
        self.term.grid_mut().saved_cursor = saved;
        self.apply_keyboard();
        above
    }

    fn dumped_screen(&mut self, scrollback: usize) -> DumpedScreen {
        let history = self.history();
        let above = history.min(scrollback);
        let visible = self.term.screen_lines();
        let grid = self.term.grid();
        let topmost = self.term.topmost_line().0;
        let row = |line| match usize::try_from(topmost - 1 - line) {
            Ok(newer) => DumpedRow::of(&self.compressed.row(newer, self.term.columns())[..]),
            Err(_) => DumpedRow::of(&grid[GridLine(line)][..]),
        };
        DumpedScreen {
            rows: (-(above as i32)..visible as i32).map(row).collect(),
            visible,
            omitted_rows: history - above,
            cursor: self.term.grid().cursor.clone(),
            saved: self.term.grid().saved_cursor.clone(),
        }
    }

    /// Writes the screen from before a synchronized update, as far as it is visible, and the start
    /// of the update.
    fn write_frozen_screen(
        &mut self,
        out: &mut RowSequenceWriter,
        frozen: &Screen,
        main: &DumpedScreen,
    ) {
        let cols = self.term.columns();
        let mut rows = Vec::new();
        if frozen.modes.alternate_screen {
            out.text.push_str("\x1b[?1049h");
        } else {
            // Rows scrolled out by the update are still visible.
            let above = frozen.scrollback_rows.saturating_sub(main.omitted_rows);
            let in_scrollback = main.rows.len() - main.visible;
            // Scrollback rows cleared by the update are still counted.
            rows.resize(above.saturating_sub(in_scrollback), Arc::default());
            for line in &main.rows[..above.min(in_scrollback)] {
                let row = self
                    .grid_reader
                    .row(&line.all_cells(cols), line.is_wrapped(cols));
                rows.push(Arc::new(row));
            }
        }
        rows.extend_from_slice(&frozen.rows);
        out.write_screen(&rows, frozen.rows.len(), cols);
        write_keyboard_flags(out, &[frozen.modes.kitty_keyboard]);
        write_title_and_directory(out, &frozen.title, &frozen.working_directory);
        let Cursor { position, .. } = frozen.cursor;
        let position = CursorPosition {
            row: position.row,
            col: position.col,
            wraps: frozen.cursor.pending_wrap,
        };
        // The margins are unknown and not visible.
        if frozen.modes.origin {
            out.text.push_str("\x1b[?6h");
        }
        position.move_cursor(out, cols, 0);
        write_modes(out, &frozen.modes);
        write_cursor_shape(out, frozen.cursor);
        write_palette(&frozen.palette, &mut out.text);
        out.text.push_str("\x1b[?2026h");
        out.text.push_str(UNDO);
        if !frozen.palette.is_empty() {
            out.text.push_str(RESET_PALETTE);
        }
        out.force_reset_style();
    }

    /// Writes the whole state, starting from a new terminal.
    fn write_state(
        &mut self,
        out: &mut RowSequenceWriter,
        main: &DumpedScreen,
        alternate: Option<&DumpedScreen>,
    ) {
        let cols = self.term.columns();
        if alternate.is_none() {
            self.write_hidden_alternate_screen(out);
        }
        self.write_tab_stops(out);
        rows::write_rows(out, &main.rows, main.visible, cols);
        write_keyboard_flags(out, &self.keyboards[0]);
        let screen = match alternate {
            None => main,
            Some(alternate) => {
                self.write_hidden_main_screen(out, main);
                rows::write_rows(out, &alternate.rows, alternate.visible, cols);
                write_keyboard_flags(out, &self.keyboards[1]);
                alternate
            }
        };
        let saved = self.saved_modes[usize::from(alternate.is_some())];
        if !is_initial(&screen.saved, saved) {
            self.write_saved_cursor(out, &screen.saved, saved);
        }
        for title in &self.titles {
            write_title(out, title);
            out.text.push_str("\x1b[22t");
        }
        write_title_and_directory(out, &self.title, &self.working_directory);
        let lines = self.term.screen_lines();
        let mut from = 0;
        if self.region != (0..lines) {
            from = self.region.start;
            out.put(format_args!("\x1b[{};{}r", from + 1, self.region.end));
        }
        let modes = self.modes();
        if modes.origin {
            out.text.push_str("\x1b[?6h");
        } else {
            from = 0;
        }
        self.write_last_char(out, screen, from);
        let is_saved = CursorPosition::of(&screen.saved) == CursorPosition::of(&screen.cursor);
        if modes.origin
            && is_saved
            && !self
                .region
                .contains(&CursorPosition::of(&screen.cursor).row)
        {
            // With these margins, the position can only be reached by restoring a saved cursor.
            out.text.push_str("\x1b8\x0f\x1b(B\x1b)B\x1b*B\x1b+B");
            out.force_reset_style();
        }
        let knows_pen =
            ExtraAttrs::of(&screen.cursor.template).attributes == self.extra_attrs.attributes;
        if knows_pen || alternate.is_some() {
            write_pen(out, &screen.cursor, self.charset);
        } else {
            // The cursor was taken over from the alternate screen. Its pen template does not
            // contain the current blinking and overline.
            let known = Style {
                attributes: self.extra_attrs.attributes,
                ..Style::default()
            };
            out.set_style(&known, None);
            out.text.push_str("\x1b[?47h");
            CursorPosition::of(&screen.cursor).move_cursor(out, cols, from);
            write_pen(out, &screen.cursor, self.charset);
            out.text.push_str("\x1b[?47l");
        }
        if ExtraAttrs::of(&screen.cursor.template).zone != self.extra_attrs.zone
            && alternate.is_none()
            && screen.saved == screen.cursor
        {
            // A zone that began on the alternate screen is not in the pen until the pen changes.
            // Leaving that screen has also saved the cursor.
            out.text.push_str("\x1b[?1049h");
            out.set_zone(self.extra_attrs.zone);
            out.text.push_str("\x1b[?1049l");
        }
        // After all drawing, since some modes affect drawing.
        write_modes(out, &modes);
        write_cursor_shape(out, self.cursor());
        self.colors.write(&mut out.text);
    }

    /// Writes the state of the alternate screen while it is not shown: its saved cursor and
    /// keyboard flags. The screen itself is blank when it is entered, so drawing there to position
    /// the cursor leaves nothing.
    fn write_hidden_alternate_screen(&mut self, out: &mut RowSequenceWriter) {
        let (cursor, saved) = (self.alternate_saved_cursor(), self.saved_modes[1]);
        if is_initial(&cursor, saved) && self.keyboards[1].is_empty() {
            return;
        }
        out.text.push_str("\x1b[?1049h");
        write_keyboard_flags(out, &self.keyboards[1]);
        if !is_initial(&cursor, saved) {
            self.write_saved_cursor(out, &cursor, saved);
        }
        // The alternate screen has its own pen, without a zone.
        out.set_zone(Zone::None);
        out.text.push_str("\x1b[?1049l");
    }

    /// Writes the state of the hidden main screen, and switches to the alternate one.
    fn write_hidden_main_screen(&self, out: &mut RowSequenceWriter, main: &DumpedScreen) {
        if let Some(kept) = &self.saved_cursor_before_swap {
            self.write_saved_cursor(out, kept, self.saved_modes[0]);
        }
        self.write_cursor(out, &main.cursor, self.saved_modes[0]);
        out.text.push_str(match self.saved_cursor_before_swap {
            Some(_) => "\x1b[?47h",
            None => "\x1b[?1049h",
        });
        reset_cursor(out);
        // The alternate screen was entered with the current background colour; it is cleared
        // without one.
        out.text.push_str("\x1b[2J");
    }

    /// Writes a saved cursor.
    fn write_saved_cursor(
        &self,
        out: &mut RowSequenceWriter,
        cursor: &GridCursor<Cell>,
        saved: SavedModes,
    ) {
        self.write_cursor(out, cursor, saved);
        out.text.push_str("\x1b7");
        reset_cursor(out);
    }

    /// Moves the cursor and sets its pen and character sets. There must be no margins.
    fn write_cursor(
        &self,
        out: &mut RowSequenceWriter,
        cursor: &GridCursor<Cell>,
        saved: SavedModes,
    ) {
        if saved.origin {
            out.text.push_str("\x1b[?6h");
        }
        CursorPosition::of(cursor).move_cursor(out, self.term.columns(), 0);
        write_pen(out, cursor, saved.charset);
    }

    /// Writes the tab stops, unless they are every eight columns. The wrapped terminal exposes them
    /// only by moving from one to the next.
    fn write_tab_stops(&mut self, out: &mut RowSequenceWriter) {
        let cursor = self.term.grid().cursor.clone();
        let last = self.term.columns() - 1;
        let mut stops = Vec::new();
        for col in 0..=last {
            // Moving back from the next column ends in this column only if it has a tab stop.
            self.term.grid_mut().cursor.point.column = Column(col + 1);
            self.term.move_backward_tabs(1);
            stops.extend((self.col() == col).then_some(col));
        }
        self.term.grid_mut().cursor = cursor;
        let usual = (0..=last).step_by(8);
        if stops.iter().copied().ne(usual) {
            out.text.push_str("\x1b[3g");
            for stop in stops {
                out.put(format_args!("\x1b[{}G\x1bH", stop + 1));
            }
        }
    }
}

/// Position of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CursorPosition {
    row: usize,
    col: usize,
    wraps: bool,
}

impl CursorPosition {
    fn of(cursor: &GridCursor<Cell>) -> CursorPosition {
        CursorPosition {
            row: cursor.point.line.0.max(0) as usize,
            col: cursor.point.column.0,
            wraps: cursor.input_needs_wrap,
        }
    }

    /// Returns whether the cursor is after the last column, with a wrap pending. After a resize, a
    /// wrap may be pending in another column, which no program can reproduce.
    fn has_pending_wrap(self, cols: usize) -> bool {
        self.wraps && self.col + 1 == cols
    }

    /// Moves the cursor there. `margin` is the top margin in origin mode (DECOM), otherwise 0.
    fn move_cursor(self, out: &mut RowSequenceWriter, cols: usize, margin: usize) {
        let row = self.row.saturating_sub(margin);
        if self.has_pending_wrap(cols) {
            rows::set_pending_wrap(out, row, cols, None);
        } else {
            out.move_to(row, self.col);
        }
    }
}

/// Sets the character sets and the pen of a cursor. Must come after all drawing, because the
/// character sets change the letters.
fn write_pen(out: &mut RowSequenceWriter, cursor: &GridCursor<Cell>, charset: CharsetIndex) {
    for (index, set) in CHARSETS {
        if cursor.charsets[index] == StandardCharset::SpecialCharacterAndLineDrawing {
            out.put(format_args!("\x1b{set}0"));
        }
    }
    if charset == CharsetIndex::G1 {
        out.text.push('\x0e');
    }
    out.set_zone(ExtraAttrs::of(&cursor.template).zone);
    let (style, link) = read_grid::style_and_link(&cursor.template);
    out.set_style(&style, link.as_ref());
}

/// Returns whether this is the saved cursor of a new terminal.
fn is_initial(cursor: &GridCursor<Cell>, saved: SavedModes) -> bool {
    *cursor == GridCursor::default() && !saved.origin && saved.charset == CharsetIndex::G0
}

/// Resets the origin mode, the character sets and the pen. Resetting the origin mode also moves the
/// cursor home.
fn reset_cursor(out: &mut RowSequenceWriter) {
    out.text.push_str("\x1b[?6l\x0f\x1b(B\x1b)B\x1b*B\x1b+B");
    out.force_reset_style();
}

fn write_keyboard_flags(out: &mut RowSequenceWriter, stack: &[KittyKeyboard]) {
    for flags in stack {
        out.put(format_args!("\x1b[>{}u", flags.bits()));
    }
}

fn write_title(out: &mut RowSequenceWriter, title: &str) {
    out.put(format_args!("\x1b]2;{title}\x07"));
}

/// Writes title and working directory. A local path is written as a `file` URI, as it was received.
fn write_title_and_directory(out: &mut RowSequenceWriter, title: &str, working_directory: &str) {
    write_title(out, title);
    out.text.push_str("\x1b]7;");
    if working_directory.starts_with('/') {
        out.text.push_str("file://");
        for byte in working_directory.bytes() {
            match byte {
                b'/' | b'-' | b'_' | b'.' | b'~' => out.text.push(byte.into()),
                byte if byte.is_ascii_alphanumeric() => out.text.push(byte.into()),
                byte => out.put(format_args!("%{byte:02X}")),
            }
        }
    } else {
        out.text.push_str(working_directory);
    }
    out.text.push('\x07');
}

/// Writes the modes that differ from a new terminal, except those that other functions write: the
/// alternate screen, the origin mode and the keyboard flags.
fn write_modes(out: &mut RowSequenceWriter, modes: &Modes) {
    let private = [
        (modes.application_cursor, 1),
        (modes.mouse == MouseTracking::Clicks, 1000),
        (modes.mouse == MouseTracking::Drags, 1002),
        (modes.mouse == MouseTracking::Motion, 1003),
        (modes.focus_events, 1004),
        (modes.mouse_encoding == MouseEncoding::Utf8, 1005),
        (modes.mouse_encoding == MouseEncoding::Sgr, 1006),
        (modes.bracketed_paste, 2004),
    ];
    for (_, mode) in private.iter().filter(|(on, _)| *on) {
        out.put(format_args!("\x1b[?{mode}h"));
    }
    for (on, mode) in [(modes.autowrap, 7), (modes.alternate_scroll, 1007)] {
        if !on {
            out.put(format_args!("\x1b[?{mode}l"));
        }
    }
    for (on, mode) in [(modes.insert, 4), (modes.newline, 20)] {
        if on {
            out.put(format_args!("\x1b[{mode}h"));
        }
    }
    if modes.application_keypad {
        out.text.push_str("\x1b=");
    }
}

fn write_cursor_shape(out: &mut RowSequenceWriter, cursor: Cursor) {
    if !cursor.visible {
        out.text.push_str("\x1b[?25l");
    }
    let shape = match cursor.shape {
        CursorShape::Block => 2,
        CursorShape::Underline => 4,
        CursorShape::Bar => 6,
    };
    let number = shape - u8::from(cursor.blinking);
    if number != 2 {
        out.put(format_args!("\x1b[{number} q"));
    }
}
