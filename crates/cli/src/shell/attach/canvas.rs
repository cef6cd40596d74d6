//! Draws a session's screen, and a status line below it that says how to leave.
//!
//! Only changed rows are drawn.

use std::io::Write;
use std::sync::Arc;

use screentest::core::formats::stream::WireScreen;
use screentest::core::{Cursor, CursorShape, Palette, Row, Screen, Size};

/// The current content of the terminal.
#[derive(Debug)]
pub(super) struct Canvas {
    name: String,
    read_only: bool,
    /// The size of the terminal.
    size: Size,
    /// The drawn rows; `None` must be drawn.
    rows: Vec<Option<Arc<Row>>>,
    /// The colours that the session's program has changed, as drawn.
    palette: Palette,
    bar: Option<String>,
    cursor: Option<Cursor>,
    bells: Option<u64>,
    /// Message in the status line.
    message: String,
}

impl Canvas {
    pub(super) fn new(name: &str, read_only: bool) -> Canvas {
        Canvas {
            name: name.to_owned(),
            read_only,
            size: Size { cols: 80, rows: 24 },
            rows: Vec::new(),
            palette: Palette::default(),
            bar: None,
            cursor: None,
            bells: None,
            message: String::new(),
        }
    }

    /// Sets the terminal's size. Everything is drawn again.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
        self.rows = vec![None; self.height()];
        self.bar = None;
        self.cursor = None;
    }

    /// Returns the size of a session that fits, without the status line.
    pub(super) fn session_size(&self) -> Size {
        Size {
            cols: self.size.cols,
            rows: self.size.rows.saturating_sub(1),
        }
        .clamped()
    }

    fn height(&self) -> usize {
        usize::from(self.size.rows.saturating_sub(1))
    }

    /// Sets the message in the status line; empty for none.
    pub(super) fn set_message(&mut self, message: &str) {
        message.clone_into(&mut self.message);
    }

    /// Returns the bytes that update the terminal.
    pub(super) fn draw(&mut self, seen: Option<&WireScreen>) -> Vec<u8> {
        let blank = Screen::blank(Size { cols: 2, rows: 1 });
        let screen = seen.map_or(&blank, WireScreen::screen);
        let mut out = Vec::new();
        // Changed colours are drawn as RGB, so that the terminal keeps its own.
        if self.palette != screen.palette {
            self.palette.clone_from(&screen.palette);
            self.rows.fill(None);
        }
        for (index, drawn) in self.rows.iter_mut().enumerate() {
            let row = screen.rows.get(index).cloned().unwrap_or_default();
            let is_same = drawn
                .as_ref()
                .is_some_and(|drawn| Arc::ptr_eq(drawn, &row) || *drawn == row);
            if !is_same {
                let cols = screen.size.cols.min(self.size.cols);
                put(&mut out, index, &painted(&row, cols, &self.palette));
            }
            *drawn = Some(row);
        }
        let bar = self.bar();
        if self.bar.as_ref() != Some(&bar) {
            put(&mut out, self.height(), &format!("\x1b[7m{bar}\x1b[0m"));
            self.bar = Some(bar);
        }
        let bells = seen.map(WireScreen::bells);
        if self.bells.is_some() && bells > self.bells {
            out.push(0x07);
        }
        self.bells = bells.or(self.bells);
        self.place_cursor(screen.cursor, &mut out);
        out
    }

    /// Returns the status line, as wide as the terminal.
    fn bar(&self) -> String {
        let mode = if self.read_only { " (view only)" } else { "" };
        let message = if self.message.is_empty() {
            String::new()
        } else {
            format!(" — {}", self.message)
        };
        let text = format!(" {}{mode}: Ctrl+] to leave{message}", self.name);
        let width = usize::from(self.size.cols);
        let text: String = text
            .chars()
            .filter(|c| !c.is_control())
            .take(width)
            .collect();
        format!("{text:width$}")
    }

    /// Places the cursor as in the session, if something was drawn or the cursor changed.
    fn place_cursor(&mut self, cursor: Cursor, out: &mut Vec<u8>) {
        if out.is_empty() && self.cursor == Some(cursor) {
            return;
        }
        self.cursor = Some(cursor);
        let position = cursor.position;
        let is_seen = cursor.visible
            && position.row < self.height()
            && position.col < usize::from(self.size.cols);
        let shape = match (cursor.shape, cursor.blinking) {
            (CursorShape::Block, true) => 1,
            (CursorShape::Block, false) => 2,
            (CursorShape::Underline, true) => 3,
            (CursorShape::Underline, false) => 4,
            (CursorShape::Bar, true) => 5,
            (CursorShape::Bar, false) => 6,
        };
        let (row, col) = (position.row + 1, position.col + 1);
        // Writing to memory does not fail.
        let _ = if is_seen {
            write!(out, "\x1b[{row};{col}H\x1b[{shape} q\x1b[?25h")
        } else {
            write!(out, "\x1b[?25l")
        };
    }
}

/// Writes a row over the previous one. Erases it first: after a character in the last column,
/// erasing to the end of the row would erase that character, as in xterm.
fn put(out: &mut Vec<u8>, row: usize, text: &str) {
    let _ = write!(out, "\x1b[{};1H\x1b[0m\x1b[K{text}", row + 1);
}

/// Formats a row with escape sequences, cut to the terminal's width.
fn painted(row: &Arc<Row>, cols: u16, palette: &Palette) -> String {
    let screen = Screen {
        rows: vec![Arc::clone(row)],
        palette: palette.clone(),
        ..Screen::blank(Size { cols, rows: 1 })
    };
    screen.painted_row(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest::core::formats::ansi;

    fn seen(text: &str) -> WireScreen {
        WireScreen::new(ansi::read(text.as_bytes(), Size { cols: 20, rows: 3 }), 0)
    }

    #[test]
    fn only_changed_rows_are_drawn() {
        let mut canvas = Canvas::new("vim", false);
        canvas.resize(Size { cols: 24, rows: 4 });
        let first = String::from_utf8(canvas.draw(Some(&seen("one\ntwo\n")))).unwrap();
        assert!(first.contains("one") && first.contains("two"), "{first:?}");
        assert!(first.contains(" vim: Ctrl+] to leave"), "{first:?}");
        let second = String::from_utf8(canvas.draw(Some(&seen("one\n2\n")))).unwrap();
        assert!(second.starts_with("\x1b[2;1H\x1b[0m\x1b[K2"), "{second:?}");
        assert!(!second.contains("one") && !second.contains("Ctrl+]"));
        assert_eq!(canvas.draw(Some(&seen("one\n2\n"))), b"");
    }

    #[test]
    fn changed_colours_are_drawn_as_rgb_in_all_rows() {
        let mut canvas = Canvas::new("vim", false);
        canvas.resize(Size { cols: 24, rows: 4 });
        canvas.draw(Some(&seen("one\ntwo\n")));
        let colored = seen("\x1b]11;#102040\x1b\\one\ntwo\n");
        let drawn = String::from_utf8(canvas.draw(Some(&colored))).unwrap();
        let ground = "\x1b[0;48;2;16;32;64m";
        for row in [1, 2, 3] {
            let start = format!("\x1b[{row};1H\x1b[0m\x1b[K{ground}");
            assert!(drawn.contains(&start), "{drawn:?}");
        }
        assert!(!drawn.contains("\x1b]"), "{drawn:?}");
        assert_eq!(canvas.draw(Some(&colored)), b"");
        let drawn = String::from_utf8(canvas.draw(Some(&seen("one\ntwo\n")))).unwrap();
        assert!(drawn.contains("\x1b[1;1H\x1b[0m\x1b[Kone"), "{drawn:?}");
    }

    #[test]
    fn rows_are_cut_to_a_small_terminal() {
        let mut canvas = Canvas::new("vim", true);
        canvas.resize(Size { cols: 4, rows: 2 });
        let drawn = String::from_utf8(canvas.draw(Some(&seen("abcdef\nx\n")))).unwrap();
        assert!(drawn.contains("\x1b[Kabcd"), "{drawn:?}");
        assert!(drawn.contains("\x1b[7m vim\x1b[0m"), "{drawn:?}");
        canvas.resize(Size { cols: 1, rows: 0 });
        canvas.draw(Some(&seen("abcdef\nx\n")));
    }
}
