//! Dump of a terminal's state as bytes that recreate it in a new terminal.
//!
//! A recording that starts in the middle of a session begins with this dump, so that the rule for
//! recordings still holds: a screen is derived from bytes by an emulator. The dump contains
//! everything that can affect the result of later bytes: rows including the scrollback and the
//! hidden main screen, cursors, pens, margins, modes, tab stops, titles, and a sequence in
//! progress. It is as short as possible.
//!
//! It does not contain state that no screen depends on: changed colours, the clipboard, counters.

use std::sync::Arc;

use alacritty_terminal::grid::{Cursor as GridCursor, Dimensions};
use alacritty_terminal::index::{Column, Line as GridLine};
use alacritty_terminal::term::cell::Cell;
use alacritty_terminal::vte::ansi::{CharsetIndex, Handler, StandardCharset};

use super::machine::{Machine, Saved};
use super::pen::Extra;
use super::view;
use crate::formats::paint::brush::Brush;
use crate::screen::Screen;
use crate::screen::cursor::{Cursor, CursorShape};
use crate::screen::modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};
use crate::screen::row::Zone;
use crate::screen::style::Style;
use rows::Line;

mod last;
mod rows;

/// The main or the alternate screen.
#[derive(Debug)]
struct Side {
    /// The rows of the scrollback, then the visible rows.
    lines: Vec<Line>,
    /// Number of visible rows.
    shown: usize,
    /// Number of further scrollback rows that are not included.
    left_out: usize,
    cursor: GridCursor<Cell>,
    saved: GridCursor<Cell>,
}

impl Side {
    fn shown(&self) -> &[Line] {
        &self.lines[self.lines.len() - self.shown..]
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

impl Machine {
    /// Returns the dump, with at most `scrollback` rows of the scrollback.
    pub(super) fn portrait(&mut self, scrollback: usize) -> String {
        let mut brush = Brush::default();
        let (main, alternate) = self.sides(scrollback);
        if let Some(frozen) = self.frozen.clone() {
            self.tell_frozen(&mut brush, &frozen, &main);
        }
        self.tell(&mut brush, &main, alternate.as_ref());
        brush.text
    }

    /// Returns both screens; the alternate one only if it is shown, since it is blank when it is
    /// entered.
    fn sides(&mut self, scrollback: usize) -> (Side, Option<Side>) {
        if !self.is_alternate() {
            return (self.side(scrollback), None);
        }
        let alternate = self.side(0);
        // The wrapped terminal gives access to its other screen only by switching to it, and loses
        // state when switching back.
        let grid = self.term.grid().clone();
        self.term.swap_alt();
        let mut main = self.side(scrollback);
        if let Some(saved) = self.saved_below.take() {
            main.saved = saved;
        }
        self.term.swap_alt();
        *self.term.grid_mut() = grid;
        self.apply_keyboard();
        if main.saved != main.cursor {
            self.saved_below = Some(main.saved.clone());
        }
        (main, Some(alternate))
    }

    /// Returns the cursor that was saved on the alternate screen, while that is not shown.
    fn saved_above(&mut self) -> GridCursor<Cell> {
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

    fn side(&mut self, scrollback: usize) -> Side {
        let history = self.history();
        let above = history.min(scrollback);
        let shown = self.term.screen_lines();
        let grid = self.term.grid();
        let topmost = self.term.topmost_line().0;
        let row = |line| match usize::try_from(topmost - 1 - line) {
            Ok(newer) => Line::of(&self.packed.row(newer, self.term.columns())[..]),
            Err(_) => Line::of(&grid[GridLine(line)][..]),
        };
        Side {
            lines: (-(above as i32)..shown as i32).map(row).collect(),
            shown,
            left_out: history - above,
            cursor: self.term.grid().cursor.clone(),
            saved: self.term.grid().saved_cursor.clone(),
        }
    }

    /// Writes the screen from before a synchronized update, as far as it is visible, and the start
    /// of the update.
    fn tell_frozen(&mut self, brush: &mut Brush, frozen: &Screen, main: &Side) {
        let cols = self.term.columns();
        let mut rows = Vec::new();
        if frozen.modes.alternate_screen {
            brush.text.push_str("\x1b[?1049h");
        } else {
            // Rows scrolled out by the update are still visible.
            let above = frozen.scrollback_rows.saturating_sub(main.left_out);
            let known = main.lines.len() - main.shown;
            // Scrollback rows cleared by the update are still counted.
            rows.resize(above.saturating_sub(known), Arc::default());
            for line in &main.lines[..above.min(known)] {
                let row = self.view.row(&line.whole(cols), line.goes_on(cols));
                rows.push(Arc::new(row));
            }
        }
        rows.extend_from_slice(&frozen.rows);
        brush.screen(&rows, frozen.rows.len(), cols);
        tell_keyboard(brush, &[frozen.modes.kitty_keyboard]);
        tell_names(brush, &frozen.title, &frozen.working_directory);
        let Cursor { position, .. } = frozen.cursor;
        let place = Place {
            row: position.row,
            col: position.col,
            wraps: frozen.cursor.pending_wrap,
        };
        // The margins are unknown and not visible.
        if frozen.modes.origin {
            brush.text.push_str("\x1b[?6h");
        }
        place.tell(brush, cols, 0);
        tell_modes(brush, &frozen.modes);
        tell_shape(brush, frozen.cursor);
        brush.text.push_str("\x1b[?2026h");
        brush.text.push_str(UNDO);
        brush.lift();
    }

    /// Writes the whole state, starting from a new terminal.
    fn tell(&mut self, brush: &mut Brush, main: &Side, alternate: Option<&Side>) {
        let cols = self.term.columns();
        if alternate.is_none() {
            self.tell_above(brush);
        }
        self.tell_tabs(brush);
        rows::screen(brush, &main.lines, main.shown, cols);
        tell_keyboard(brush, &self.keyboards[0]);
        let side = match alternate {
            None => main,
            Some(alternate) => {
                self.tell_below(brush, main);
                rows::screen(brush, &alternate.lines, alternate.shown, cols);
                tell_keyboard(brush, &self.keyboards[1]);
                alternate
            }
        };
        let saved = self.saved[usize::from(alternate.is_some())];
        if !is_new(&side.saved, saved) {
            self.tell_saved(brush, &side.saved, saved);
        }
        for title in &self.titles {
            tell_title(brush, title);
            brush.text.push_str("\x1b[22t");
        }
        tell_names(brush, &self.title, &self.working_directory);
        let lines = self.term.screen_lines();
        let mut from = 0;
        if self.region != (0..lines) {
            from = self.region.start;
            brush.put(format_args!("\x1b[{};{}r", from + 1, self.region.end));
        }
        let modes = self.modes();
        if modes.origin {
            brush.text.push_str("\x1b[?6h");
        } else {
            from = 0;
        }
        self.tell_last(brush, side, from);
        let is_saved = Place::of(&side.saved) == Place::of(&side.cursor);
        if modes.origin && is_saved && !self.region.contains(&Place::of(&side.cursor).row) {
            // With these margins, the position can only be reached by restoring a saved cursor.
            brush.text.push_str("\x1b8\x0f\x1b(B\x1b)B\x1b*B\x1b+B");
            brush.lift();
        }
        let knows_pen = Extra::of(&side.cursor.template).attributes == self.extra.attributes;
        if knows_pen || alternate.is_some() {
            tell_pen(brush, &side.cursor, self.charset);
        } else {
            // The cursor was taken over from the alternate screen. Its pen template does not
            // contain the current blinking and overline.
            let known = Style {
                attributes: self.extra.attributes,
                ..Style::default()
            };
            brush.turn(&known, None);
            brush.text.push_str("\x1b[?47h");
            Place::of(&side.cursor).tell(brush, cols, from);
            tell_pen(brush, &side.cursor, self.charset);
            brush.text.push_str("\x1b[?47l");
        }
        if Extra::of(&side.cursor.template).zone != self.extra.zone
            && alternate.is_none()
            && side.saved == side.cursor
        {
            // A zone that began on the alternate screen is not in the pen until the pen changes.
            // Leaving that screen has also saved the cursor.
            brush.text.push_str("\x1b[?1049h");
            brush.zone(self.extra.zone);
            brush.text.push_str("\x1b[?1049l");
        }
        // After all drawing, since some modes affect drawing.
        tell_modes(brush, &modes);
        tell_shape(brush, self.cursor());
    }

    /// Writes the state of the alternate screen while it is not shown: its saved cursor and
    /// keyboard flags. The screen itself is blank when it is entered, so drawing there to position
    /// the cursor leaves nothing.
    fn tell_above(&mut self, brush: &mut Brush) {
        let (cursor, saved) = (self.saved_above(), self.saved[1]);
        if is_new(&cursor, saved) && self.keyboards[1].is_empty() {
            return;
        }
        brush.text.push_str("\x1b[?1049h");
        tell_keyboard(brush, &self.keyboards[1]);
        if !is_new(&cursor, saved) {
            self.tell_saved(brush, &cursor, saved);
        }
        // The alternate screen has its own pen, without a zone.
        brush.zone(Zone::None);
        brush.text.push_str("\x1b[?1049l");
    }

    /// Writes the state of the hidden main screen, and switches to the alternate one.
    fn tell_below(&self, brush: &mut Brush, main: &Side) {
        if let Some(kept) = &self.kept_cursor {
            self.tell_saved(brush, kept, self.saved[0]);
        }
        self.tell_cursor(brush, &main.cursor, self.saved[0]);
        brush.text.push_str(match self.kept_cursor {
            Some(_) => "\x1b[?47h",
            None => "\x1b[?1049h",
        });
        reset_cursor(brush);
        // The alternate screen was entered with the current background colour; it is cleared
        // without one.
        brush.text.push_str("\x1b[2J");
    }

    /// Writes a saved cursor.
    fn tell_saved(&self, brush: &mut Brush, cursor: &GridCursor<Cell>, saved: Saved) {
        self.tell_cursor(brush, cursor, saved);
        brush.text.push_str("\x1b7");
        reset_cursor(brush);
    }

    /// Moves the cursor and sets its pen and character sets. There must be no margins.
    fn tell_cursor(&self, brush: &mut Brush, cursor: &GridCursor<Cell>, saved: Saved) {
        if saved.origin {
            brush.text.push_str("\x1b[?6h");
        }
        Place::of(cursor).tell(brush, self.term.columns(), 0);
        tell_pen(brush, cursor, saved.charset);
    }

    /// Writes the tab stops, unless they are every eight columns. The wrapped terminal exposes them
    /// only by moving from one to the next.
    fn tell_tabs(&mut self, brush: &mut Brush) {
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
            brush.text.push_str("\x1b[3g");
            for stop in stops {
                brush.put(format_args!("\x1b[{}G\x1bH", stop + 1));
            }
        }
    }
}

/// Position of a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    row: usize,
    col: usize,
    wraps: bool,
}

impl Place {
    fn of(cursor: &GridCursor<Cell>) -> Place {
        Place {
            row: cursor.point.line.0.max(0) as usize,
            col: cursor.point.column.0,
            wraps: cursor.input_needs_wrap,
        }
    }

    /// Returns whether the cursor is after the last column, with a wrap pending. After a resize, a
    /// wrap may be pending in another column, which no program can reproduce.
    fn waits(self, cols: usize) -> bool {
        self.wraps && self.col + 1 == cols
    }

    /// Moves the cursor there. `margin` is the top margin if rows are counted from it, otherwise 0.
    fn tell(self, brush: &mut Brush, cols: usize, margin: usize) {
        let row = self.row.saturating_sub(margin);
        if self.waits(cols) {
            rows::wait(brush, row, cols, None);
        } else {
            brush.go(row, self.col);
        }
    }
}

/// Sets the character sets and the pen of a cursor. Must come after all drawing, because the
/// character sets change the letters.
fn tell_pen(brush: &mut Brush, cursor: &GridCursor<Cell>, charset: CharsetIndex) {
    for (index, set) in CHARSETS {
        if cursor.charsets[index] == StandardCharset::SpecialCharacterAndLineDrawing {
            brush.put(format_args!("\x1b{set}0"));
        }
    }
    if charset == CharsetIndex::G1 {
        brush.text.push('\x0e');
    }
    brush.zone(Extra::of(&cursor.template).zone);
    let (style, link) = view::look(&cursor.template);
    brush.turn(&style, link.as_ref());
}

/// Returns whether this is the saved cursor of a new terminal.
fn is_new(cursor: &GridCursor<Cell>, saved: Saved) -> bool {
    *cursor == GridCursor::default() && !saved.origin && saved.charset == CharsetIndex::G0
}

/// Resets everything of a cursor except its position.
fn reset_cursor(brush: &mut Brush) {
    brush.text.push_str("\x1b[?6l\x0f\x1b(B\x1b)B\x1b*B\x1b+B");
    brush.lift();
}

fn tell_keyboard(brush: &mut Brush, stack: &[KittyKeyboard]) {
    for flags in stack {
        brush.put(format_args!("\x1b[>{}u", flags.bits()));
    }
}

fn tell_title(brush: &mut Brush, title: &str) {
    brush.put(format_args!("\x1b]2;{title}\x07"));
}

/// Writes title and working directory. A path is written as an address of this machine, as it was
/// received.
fn tell_names(brush: &mut Brush, title: &str, working_directory: &str) {
    tell_title(brush, title);
    brush.text.push_str("\x1b]7;");
    if working_directory.starts_with('/') {
        brush.text.push_str("file://");
        for byte in working_directory.bytes() {
            match byte {
                b'/' | b'-' | b'_' | b'.' | b'~' => brush.text.push(byte.into()),
                byte if byte.is_ascii_alphanumeric() => brush.text.push(byte.into()),
                byte => brush.put(format_args!("%{byte:02X}")),
            }
        }
    } else {
        brush.text.push_str(working_directory);
    }
    brush.text.push('\x07');
}

/// Writes the modes that differ from a new terminal, except alternate screen and origin mode, which
/// are written with the cursor.
fn tell_modes(brush: &mut Brush, modes: &Modes) {
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
        brush.put(format_args!("\x1b[?{mode}h"));
    }
    for (on, mode) in [(modes.autowrap, 7), (modes.alternate_scroll, 1007)] {
        if !on {
            brush.put(format_args!("\x1b[?{mode}l"));
        }
    }
    for (on, mode) in [(modes.insert, 4), (modes.newline, 20)] {
        if on {
            brush.put(format_args!("\x1b[{mode}h"));
        }
    }
    if modes.application_keypad {
        brush.text.push_str("\x1b=");
    }
}

fn tell_shape(brush: &mut Brush, cursor: Cursor) {
    if !cursor.visible {
        brush.text.push_str("\x1b[?25l");
    }
    let shape = match cursor.shape {
        CursorShape::Block => 2,
        CursorShape::Underline => 4,
        CursorShape::Bar => 6,
    };
    let number = shape - u8::from(cursor.blinking);
    if number != 2 {
        brush.put(format_args!("\x1b[{number} q"));
    }
}
