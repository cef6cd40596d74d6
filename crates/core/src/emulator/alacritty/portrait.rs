//! The way to here in as few bytes as it takes: what brings a new terminal to where this one is.
//!
//! Who begins to record in the middle puts them before what follows, so that the same rule holds for all that is recorded: a screen is what an
//! emulator makes of the bytes. So everything is told on which a later byte may depend: rows, those above and below what is shown, cursors,
//! pens, margins, modes, tab stops, titles, and a sequence that is under way.
//!
//! Not told, as no screen depends on it: colours that were changed, the clipboard, what was counted.

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
    /// What scrolled out above, then what is shown.
    lines: Vec<Line>,
    /// How many of them are shown.
    shown: usize,
    /// How many more have scrolled out.
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

/// Undoes what draws a picture, and nothing else.
const UNDO: &str = "\x1b[<64u\x1b[?1049l\x1b[<64u\x1b[!p\x1b[?1000;1002;1003;1004;1005;1006;2004l\x1b[?1007h\x1b[4;20l\x1b[0 q\x1b[H\x1b[2J\x1b[3J";

impl Machine {
    /// Writes what brings a new terminal of this size here, with at most so many rows that scrolled out.
    pub(super) fn portrait(&mut self, scrollback: usize) -> String {
        let mut brush = Brush::default();
        let (main, alternate) = self.sides(scrollback);
        if let Some(frozen) = self.frozen.clone() {
            self.tell_frozen(&mut brush, &frozen, &main);
        }
        self.tell(&mut brush, &main, alternate.as_ref());
        brush.text
    }

    /// Both screens; the alternate one only where it is shown, as it is blank when it is entered.
    fn sides(&mut self, scrollback: usize) -> (Side, Option<Side>) {
        if !self.is_alternate() {
            return (self.side(scrollback), None);
        }
        let alternate = self.side(0);
        // The terminal shows its other screen only by going there, and forgets on the way back.
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

    /// The cursor that was saved on the alternate screen, while that is not shown.
    fn saved_above(&mut self) -> GridCursor<Cell> {
        // The terminal shows its other screen only by going there, and forgets on the way.
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

    /// What was shown before a synchronized update began, as far as anybody sees it, and that it has begun.
    fn tell_frozen(&mut self, brush: &mut Brush, frozen: &Screen, main: &Side) {
        let cols = self.term.columns();
        let mut rows = Vec::new();
        if frozen.modes.alternate_screen {
            brush.text.push_str("\x1b[?1049h");
        } else {
            // What the update has scrolled out is still shown.
            let above = frozen.scrollback_rows.saturating_sub(main.left_out);
            let known = main.lines.len() - main.shown;
            // What the update has cleared is still counted.
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
        // Of the margins nothing is known, and nothing is seen.
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

    /// Everything, from a new terminal on.
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
            // From within the margins nothing but restoring leads there.
            brush.text.push_str("\x1b8\x0f\x1b(B\x1b)B\x1b*B\x1b+B");
            brush.lift();
        }
        let knows_pen = Extra::of(&side.cursor.template).attributes == self.extra.attributes;
        if knows_pen || alternate.is_some() {
            tell_pen(brush, &side.cursor, self.charset);
        } else {
            // A cursor that came along from the alternate screen has a pen that is not known here to blink, or not to.
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
            // A zone that began on the alternate screen is not the pen's before that changes. Coming from there saved the cursor, too.
            brush.text.push_str("\x1b[?1049h");
            brush.zone(self.extra.zone);
            brush.text.push_str("\x1b[?1049l");
        }
        // After all that is drawn, as some change how it is.
        tell_modes(brush, &modes);
        tell_shape(brush, self.cursor());
    }

    /// Leaves on the alternate screen, which is not shown, what is found there again: it is blank when it is entered, whatever is drawn to get
    /// its cursor where it was saved.
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
        // There the pen is another one, which is in none.
        brush.zone(Zone::None);
        brush.text.push_str("\x1b[?1049l");
    }

    /// Leaves the main screen as it is behind the alternate one, and begins on that.
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
        // It was entered in the colour that was on.
        brush.text.push_str("\x1b[2J");
    }

    /// Saves a cursor.
    fn tell_saved(&self, brush: &mut Brush, cursor: &GridCursor<Cell>, saved: Saved) {
        self.tell_cursor(brush, cursor, saved);
        brush.text.push_str("\x1b7");
        reset_cursor(brush);
    }

    /// Puts the cursor somewhere, with its pen and character sets, while there are no margins.
    fn tell_cursor(&self, brush: &mut Brush, cursor: &GridCursor<Cell>, saved: Saved) {
        if saved.origin {
            brush.text.push_str("\x1b[?6h");
        }
        Place::of(cursor).tell(brush, self.term.columns(), 0);
        tell_pen(brush, cursor, saved.charset);
    }

    /// The tab stops, where they are not every eight columns. The terminal tells them only by going from one to the next.
    fn tell_tabs(&mut self, brush: &mut Brush) {
        let cursor = self.term.grid().cursor.clone();
        let last = self.term.columns() - 1;
        let mut stops = Vec::new();
        for col in 0..=last {
            // Back from the column behind it is where it is only if there is a stop.
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

/// Where a cursor is.
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

    /// Whether it is behind the last column. After another size it may claim to be behind one that is not the last, where nobody can get.
    fn waits(self, cols: usize) -> bool {
        self.wraps && self.col + 1 == cols
    }

    /// Goes there. Where rows are counted from the top margin, `margin` is that.
    fn tell(self, brush: &mut Brush, cols: usize, margin: usize) {
        let row = self.row.saturating_sub(margin);
        match self.waits(cols) {
            true => rows::wait(brush, row, cols, None),
            false => brush.go(row, self.col),
        }
    }
}

/// The character sets and the pen of a cursor. Other letters only once all is drawn that it takes to get there.
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

/// Whether this is what a new terminal has saved.
fn is_new(cursor: &GridCursor<Cell>, saved: Saved) -> bool {
    *cursor == GridCursor::default() && !saved.origin && saved.charset == CharsetIndex::G0
}

/// A cursor as a new terminal has it, wherever it is.
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

/// Title and working directory. A path goes back into an address of this machine, by which it came.
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

/// The modes that are not as in a new terminal, but for the screen and the origin, which go with a cursor.
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
