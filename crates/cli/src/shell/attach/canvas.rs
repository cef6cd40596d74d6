//! What is drawn in a person's terminal: a session's screen, and below it a row that says how to leave.
//!
//! Only rows that are not as they were are drawn.

use std::io::Write;
use std::sync::Arc;

use screentest::core::formats::stream::WireScreen;
use screentest::core::{Cursor, CursorShape, Paint, Row, Screen, Size};

/// What stands in the terminal.
#[derive(Debug)]
pub(super) struct Canvas {
    name: String,
    read_only: bool,
    /// How large the terminal is.
    size: Size,
    /// Its rows, as far as they are drawn.
    rows: Vec<Option<Arc<Row>>>,
    bar: Option<String>,
    cursor: Option<Cursor>,
    bells: Option<u64>,
    /// What a person should know.
    words: String,
}

impl Canvas {
    pub(super) fn new(name: &str, read_only: bool) -> Canvas {
        Canvas {
            name: name.to_owned(),
            read_only,
            size: Size { cols: 80, rows: 24 },
            rows: Vec::new(),
            bar: None,
            cursor: None,
            bells: None,
            words: String::new(),
        }
    }

    /// The terminal has this size, and nothing of what was drawn can be relied on.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
        self.rows = vec![None; self.height()];
        self.bar = None;
        self.cursor = None;
    }

    /// How large a session's screen may be to be seen whole.
    pub(super) fn room(&self) -> Size {
        Size {
            cols: self.size.cols,
            rows: self.size.rows.saturating_sub(1),
        }
        .clamped()
    }

    fn height(&self) -> usize {
        usize::from(self.size.rows.saturating_sub(1))
    }

    /// Has the last row say something, or nothing more than how to leave.
    pub(super) fn say(&mut self, words: &str) {
        words.clone_into(&mut self.words);
    }

    /// What a terminal must be given to show this.
    pub(super) fn draw(&mut self, seen: Option<&WireScreen>) -> Vec<u8> {
        let blank = Screen::blank(Size { cols: 2, rows: 1 });
        let screen = seen.map_or(&blank, WireScreen::screen);
        let mut out = Vec::new();
        for (index, drawn) in self.rows.iter_mut().enumerate() {
            let row = screen.rows.get(index).cloned().unwrap_or_default();
            let is_same = drawn
                .as_ref()
                .is_some_and(|drawn| Arc::ptr_eq(drawn, &row) || *drawn == row);
            if !is_same {
                let cols = screen.size.cols.min(self.size.cols);
                put(&mut out, index, &painted(&row, cols));
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

    /// The last row, as wide as the terminal.
    fn bar(&self) -> String {
        let looks = if self.read_only { " (you look)" } else { "" };
        let words = match self.words.is_empty() {
            true => String::new(),
            false => format!(" — {}", self.words),
        };
        let text = format!(" {}{looks}: Ctrl+] leaves{words}", self.name);
        let width = usize::from(self.size.cols);
        let text: String = text
            .chars()
            .filter(|c| !c.is_control())
            .take(width)
            .collect();
        format!("{text:width$}")
    }

    /// Puts the cursor where the program has it, if anything was drawn or it has moved.
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
        let _ = match is_seen {
            true => write!(out, "\x1b[{row};{col}H\x1b[{shape} q\x1b[?25h"),
            false => write!(out, "\x1b[?25l"),
        };
    }
}

/// Writes a row in its place, over whatever was there.
fn put(out: &mut Vec<u8>, row: usize, text: &str) {
    let _ = write!(out, "\x1b[{};1H\x1b[0m{text}\x1b[K", row + 1);
}

/// A row as a terminal draws it, as far as there is room.
fn painted(row: &Arc<Row>, cols: u16) -> String {
    let mut screen = Screen::blank(Size { cols, rows: 1 });
    screen.rows = vec![Arc::clone(row)];
    let text = screen.painted(Paint::Ansi);
    text.trim_end_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest::core::formats::ansi;

    fn seen(text: &str) -> WireScreen {
        WireScreen::new(ansi::read(text.as_bytes(), Size { cols: 20, rows: 3 }), 0)
    }

    #[test]
    fn only_what_changed_is_drawn() {
        let mut canvas = Canvas::new("vim", false);
        canvas.resize(Size { cols: 20, rows: 4 });
        let first = String::from_utf8(canvas.draw(Some(&seen("one\ntwo\n")))).unwrap();
        assert!(first.contains("one") && first.contains("two"), "{first:?}");
        assert!(first.contains(" vim: Ctrl+] leaves"), "{first:?}");
        let second = String::from_utf8(canvas.draw(Some(&seen("one\n2\n")))).unwrap();
        assert!(second.starts_with("\x1b[2;1H\x1b[0m2\x1b[K"), "{second:?}");
        assert!(!second.contains("one") && !second.contains("leaves"));
        assert_eq!(canvas.draw(Some(&seen("one\n2\n"))), b"");
    }

    #[test]
    fn a_terminal_without_room_is_drawn_into_as_far_as_it_goes() {
        let mut canvas = Canvas::new("vim", true);
        canvas.resize(Size { cols: 4, rows: 2 });
        let drawn = String::from_utf8(canvas.draw(Some(&seen("abcdef\nx\n")))).unwrap();
        assert!(drawn.contains("abcd\x1b[K"), "{drawn:?}");
        assert!(drawn.contains("\x1b[7m vim\x1b[0m"), "{drawn:?}");
        canvas.resize(Size { cols: 1, rows: 0 });
        canvas.draw(Some(&seen("abcdef\nx\n")));
    }
}
