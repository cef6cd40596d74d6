//! Terminal for progress bars that are cleared after Ctrl+C.
//!
//! The terminal echoes Ctrl+C as `^C` at the cursor. A bar fills its line, so an echo at its end
//! would wrap to the next line, and clearing would clear that line instead of the bar. So the
//! cursor stays two columns before the end of the line.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crossterm::terminal;
use indicatif::TermLike;

/// Moves the cursor back by the width of `^C`. Has no effect at the start of a line, where nothing
/// is drawn.
const SPACE_FOR_CTRL_C: &str = "\x1b[2D";

/// The terminal on stderr. Each draw is written at once, so that no partial draw is visible.
#[derive(Debug, Default)]
pub(super) struct StderrTerminal(Mutex<String>);

impl StderrTerminal {
    fn add(&self, text: &str) -> io::Result<()> {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.push_str(text);
        Ok(())
    }

    /// Moves the cursor, unless by 0 cells: terminals read a parameter of 0 as 1.
    fn move_cursor(&self, count: usize, direction: char) -> io::Result<()> {
        match count {
            0 => Ok(()),
            count => self.add(&format!("\x1b[{count}{direction}")),
        }
    }
}

fn size() -> (u16, u16) {
    // A terminal whose size was never set reports 0. The default is the same as after an error.
    let reported = terminal::size().ok();
    let reported = reported.filter(|(columns, rows)| *columns > 0 && *rows > 0);
    reported.unwrap_or((80, 24))
}

impl TermLike for StderrTerminal {
    fn width(&self) -> u16 {
        size().0
    }

    fn height(&self) -> u16 {
        size().1
    }

    fn move_cursor_up(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'A')
    }

    fn move_cursor_down(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'B')
    }

    fn move_cursor_right(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'C')
    }

    fn move_cursor_left(&self, count: usize) -> io::Result<()> {
        self.move_cursor(count, 'D')
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.add(line)?;
        self.add("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.add(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.is_empty() {
            return Ok(());
        }
        buffer.push_str(SPACE_FOR_CTRL_C);
        // Ignore errors: a closed terminal shows nothing, but the run must go on and write its
        // reports.
        let _ = io::stderr().lock().write_all(buffer.as_bytes());
        buffer.clear();
        Ok(())
    }
}
