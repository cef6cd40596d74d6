//! Dump of a terminal's state as bytes that recreate it in a new terminal.
//!
//! A recording that starts in the middle of a session begins with this dump, so that the rule for
//! recordings still holds: a screen is derived from bytes by an emulator. The dump contains
//! everything that can affect the result of later bytes: rows including the scrollback and the
//! hidden screen, cursors, pens, margins, modes, tab stops, titles, changed colours, and a sequence
//! in progress.
//!
//! What can be seen is written with sequences that every terminal understands. What cannot be seen
//! and has no such sequence is written as DECRSTS (`state.rs`), whose content each terminal defines
//! for itself; others ignore it.
//!
//! It does not contain state that no screen depends on: the clipboard, counters.

use std::sync::Arc;

use super::grid::TrackedCursor;
use super::grid::cell::{CellFlags, Pen};
use super::grid::line::Wrap;
use super::terminal::Terminal;
use super::terminal::charsets::Charsets;
use super::terminal::margins::Margins;
use super::terminal::modes::Mode;
use super::terminal::saved_cursor::SavedCursor;
use crate::emulator::colors::{RESET_PALETTE, write_palette};
use crate::formats::paint::row_writer::RowSequenceWriter;
use crate::screen::Screen;
use crate::screen::modes::{KittyKeyboard, Modes, MouseEncoding, MouseTracking};
use crate::screen::row::Row;

mod lines;
mod state;

/// Undoes the modes and text of a drawn screen, and nothing else.
const UNDO: &str = "\x1b[<64u\x1b[?1049l\x1b[<64u\x1b[!p\x1b[?1000;1002;1003;1004;1005;1006;2004l\x1b[?1007h\x1b[4;20l\x1b[0 q\x1b[H\x1b[2J\x1b[3J";

impl Terminal {
    /// Returns the dump, with at most `scrollback` rows of the scrollback.
    pub(super) fn dump(&mut self, scrollback: usize) -> String {
        let mut out = RowSequenceWriter::default();
        if let Some(frozen) = self.frozen_screen.clone() {
            self.write_frozen_screen(&mut out, &frozen, scrollback);
        }
        self.write_tab_stops(&mut out);
        self.write_screens(&mut out, scrollback);
        self.write_titles(&mut out);
        self.write_pen_stack(&mut out);
        self.write_margins(&mut out);
        if self.change_rectangles {
            out.text.push_str("\x1b[2*x");
        }
        if !self.checksum.is_empty() {
            out.put(format_args!("\x1b[{}#y", self.checksum.bits()));
        }
        for (number, on) in self.remembered_modes.changed() {
            out.put(format_args!("\x1b[?{number}{}", if on { 'h' } else { 'l' }));
        }
        // After all drawing, since some modes affect drawing.
        write_modes(&mut out, &self.screen_modes());
        self.write_cursor_look(&mut out);
        self.colors.write(&mut out.text);
        out.move_to(self.cursor.row, self.cursor.col);
        write_pen(&mut out, &self.pen);
        write_charsets(&mut out, &self.charsets);
        // Last, since REP repeats a character only if no other sequence follows it.
        self.write_state(&mut out);
        out.text
    }

    /// Writes the screen from before a synchronized update, as far as it is visible, and the start
    /// of the update.
    fn write_frozen_screen(
        &mut self,
        out: &mut RowSequenceWriter,
        frozen: &Screen,
        scrollback: usize,
    ) {
        let mut rows = Vec::new();
        if frozen.modes.alternate_screen {
            out.text.push_str("\x1b[?1049h");
        } else {
            rows = self.scrollback(scrollback.min(frozen.scrollback_rows));
            // Scrollback rows cleared by the update are still counted.
            let cleared = frozen
                .scrollback_rows
                .min(scrollback)
                .saturating_sub(rows.len());
            rows.splice(0..0, std::iter::repeat_n(Arc::default(), cleared));
        }
        rows.extend_from_slice(&frozen.rows);
        out.write_screen(&rows);
        let wrap = |row: &Arc<Row>| {
            if row.wrapped() {
                Wrap::Wrapped
            } else {
                Wrap::None
            }
        };
        state::write_wraps(out, &rows.iter().map(wrap).collect::<Vec<Wrap>>());
        write_keyboard_flags(out, &[frozen.modes.kitty_keyboard]);
        write_title(out, &frozen.title);
        write_directory(out, &frozen.working_directory);
        write_modes(out, &frozen.modes);
        let cursor = frozen.cursor;
        if !cursor.visible {
            out.text.push_str("\x1b[?25l");
        }
        let shape = match cursor.shape {
            crate::CursorShape::Block => 2,
            crate::CursorShape::Underline => 4,
            crate::CursorShape::Bar => 6,
        };
        out.put(format_args!("\x1b[{} q", shape - u8::from(cursor.blinking)));
        let position = TrackedCursor {
            row: cursor.position.row,
            col: cursor.position.col,
            pending_wrap: cursor.pending_wrap,
        };
        state::write_position(out, position, frozen.modes.origin);
        write_palette(&frozen.palette, &mut out.text);
        out.text.push_str("\x1b[?2026h");
        out.text.push_str(UNDO);
        if !frozen.palette.is_empty() {
            out.text.push_str(RESET_PALETTE);
        }
        out.force_reset_style();
        out.text.push_str("\x1b]133;D\x07");
    }

    /// Writes the lines, saved cursors and keyboard flags of both screens. The shown one is last.
    fn write_screens(&self, out: &mut RowSequenceWriter, scrollback: usize) {
        let is_alternate = self.is_alternate();
        let hidden = self.hidden.as_ref();
        let [main, alternate] = if is_alternate {
            [hidden, Some(&self.grid)]
        } else {
            [Some(&self.grid), hidden]
        };
        if let Some(main) = main {
            lines::write(out, main, scrollback);
        }
        write_keyboard_flags(out, &self.keyboards[0]);
        write_saved_cursor(out, &self.saved_cursors[0]);
        let has_state = self.saved_cursors[1].is_saved || !self.keyboards[1].is_empty();
        if alternate.is_none() && !has_state {
            return;
        }
        if is_alternate {
            state::write_position(out, self.main_cursor, false);
        }
        out.text.push_str("\x1b[?47h");
        if let Some(alternate) = alternate {
            lines::write(out, alternate, 0);
        }
        write_keyboard_flags(out, &self.keyboards[1]);
        write_saved_cursor(out, &self.saved_cursors[1]);
        match (is_alternate, alternate) {
            (true, _) => {}
            (false, Some(_)) => out.text.push_str("\x1b[?47l"),
            (false, None) => out.text.push_str("\x1b[?1047l"),
        }
    }

    /// Writes the tab stops, unless they are every eight columns.
    fn write_tab_stops(&self, out: &mut RowSequenceWriter) {
        if self
            .tabs
            .iter()
            .enumerate()
            .all(|(col, is_stop)| *is_stop == (col % 8 == 0))
        {
            return;
        }
        out.text.push_str("\x1b[3g");
        for (col, _) in self
            .tabs
            .iter()
            .enumerate()
            .filter(|(_, is_stop)| **is_stop)
        {
            out.put(format_args!("\x1b[{}G\x1bH", col + 1));
        }
    }

    fn write_titles(&self, out: &mut RowSequenceWriter) {
        for (window, icon) in &self.titles.stack {
            write_title(out, window);
            write_icon_title(out, icon);
            out.text.push_str("\x1b[22t");
        }
        write_title(out, &self.titles.window);
        if !self.titles.icon.is_empty() || !self.titles.stack.is_empty() {
            write_icon_title(out, &self.titles.icon);
        }
        if self.titles.set_as_hex {
            out.text.push_str("\x1b[>0t");
        }
        if self.titles.report_as_hex {
            out.text.push_str("\x1b[>1t");
        }
        write_directory(out, &self.working_directory);
    }

    fn write_pen_stack(&self, out: &mut RowSequenceWriter) {
        for saved in &self.pen_stack.saved {
            write_pen(out, &saved.pen);
            let restored = match &saved.restored {
                None => String::new(),
                // A number of no attribute, after which nothing is restored.
                Some(none) if none.is_empty() => "6".to_owned(),
                Some(some) => some
                    .iter()
                    .map(u16::to_string)
                    .collect::<Vec<_>>()
                    .join(";"),
            };
            out.put(format_args!("\x1b[{restored}#{{"));
        }
        for _ in 0..self.pen_stack.overflow {
            out.text.push_str("\x1b[#{");
        }
    }

    fn write_margins(&self, out: &mut RowSequenceWriter) {
        let margins = self.margins;
        if self.modes.contains(Mode::LEFT_RIGHT_MARGINS) {
            out.text.push_str("\x1b[?69h");
            if !self.margins_span_lines() {
                out.put(format_args!("\x1b[{};{}s", margins.left + 1, margins.right));
            }
        }
        let whole = Margins::whole(self.size());
        if (margins.top, margins.bottom) != (whole.top, whole.bottom) {
            out.put(format_args!("\x1b[{};{}r", margins.top + 1, margins.bottom));
        }
    }

    fn write_cursor_look(&self, out: &mut RowSequenceWriter) {
        if !self.modes.contains(Mode::CURSOR_VISIBLE) {
            out.text.push_str("\x1b[?25l");
        }
        let number = self.cursor_style_number();
        if number != 2 {
            out.put(format_args!("\x1b[{number} q"));
        }
    }
}

/// Writes a saved cursor, if a program saved one.
fn write_saved_cursor(out: &mut RowSequenceWriter, saved: &SavedCursor) {
    if !saved.is_saved {
        return;
    }
    write_pen(out, &saved.pen);
    write_charsets(out, &saved.charsets);
    state::write_position(out, saved.cursor, saved.origin);
    out.text.push_str("\x1b7");
    write_charsets(out, &Charsets::default());
    write_pen(out, &Pen::default());
    state::write_position(out, TrackedCursor::default(), false);
}

fn write_pen(out: &mut RowSequenceWriter, pen: &Pen) {
    write_protection(out, pen.cell.flags);
    out.set_zone(pen.cell.flags.zone());
    out.set_style(&pen.style(), pen.link().map(|link| &**link));
}

/// Sets the protection of the following text.
fn write_protection(out: &mut RowSequenceWriter, flags: CellFlags) {
    let is_protected = flags.contains(CellFlags::PROTECTED);
    if out.is_protected != is_protected {
        out.is_protected = is_protected;
        let number = u8::from(is_protected);
        out.put(format_args!("\x1b[{number}\"q"));
    }
}

fn write_charsets(out: &mut RowSequenceWriter, charsets: &Charsets) {
    for (index, set) in charsets.sets.iter().enumerate() {
        let names = if set.is_96() { b",-./" } else { b"()*+" };
        let name = String::from_utf8_lossy(set.name()).into_owned();
        if *set != Charsets::default().sets[index] || out.charsets_changed {
            out.put(format_args!("\x1b{}{name}", char::from(names[index])));
        }
    }
    if *charsets != Charsets::default() || out.charsets_changed {
        let left = ["\x0f", "\x0e", "\x1bn", "\x1bo"][usize::from(charsets.left & 3)];
        out.text.push_str(left);
        out.text.push_str(match charsets.right {
            1 => "\x1b~",
            3 => "\x1b|",
            _ => "\x1b}",
        });
        match charsets.single {
            Some(2) => out.text.push_str("\x1bN"),
            Some(_) => out.text.push_str("\x1bO"),
            None => {}
        }
    }
    out.charsets_changed = *charsets != Charsets::default();
}

fn write_keyboard_flags(out: &mut RowSequenceWriter, stack: &[KittyKeyboard]) {
    for flags in stack {
        out.put(format_args!("\x1b[>{}u", flags.bits()));
    }
}

fn write_title(out: &mut RowSequenceWriter, title: &str) {
    out.put(format_args!("\x1b]2;{title}\x07"));
}

fn write_icon_title(out: &mut RowSequenceWriter, title: &str) {
    out.put(format_args!("\x1b]1;{title}\x07"));
}

/// Writes the working directory. A local path is written as a `file` URI, as it was received.
fn write_directory(out: &mut RowSequenceWriter, working_directory: &str) {
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
/// alternate screen, the origin mode and the keyboard flags. Other terminals understand them too.
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
