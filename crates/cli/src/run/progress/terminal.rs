//! A terminal on which what is drawn can be cleared once somebody pressed Ctrl+C.
//!
//! It is shown as `^C`, where the cursor is. Bars fill their lines, so that this would be at the end of the last one: the two characters would
//! begin the next line, and what is cleared then is that line and not the bar. So the cursor waits two columns before the end.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crossterm::terminal;
use indicatif::TermLike;

/// Goes back by the columns that `^C` takes. At the start of a line, where nothing is drawn, it goes nowhere.
const ROOM: &str = "\x1b[2D";

/// What stderr leads to. What is drawn at once is written at once, so that nobody sees half of it.
#[derive(Debug, Default)]
pub(super) struct Terminal(Mutex<String>);

impl Terminal {
    fn add(&self, text: &str) -> io::Result<()> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_str(text);
        Ok(())
    }

    /// Moves the cursor so many cells, if any: none at all would be taken for one.
    fn go(&self, count: usize, way: char) -> io::Result<()> {
        match count {
            0 => Ok(()),
            count => self.add(&format!("\x1b[{count}{way}")),
        }
    }
}

fn size() -> (u16, u16) {
    // One that was never told its size says that it has none, and is as large as those that could not be asked.
    let told = terminal::size().ok();
    let told = told.filter(|(columns, rows)| *columns > 0 && *rows > 0);
    told.unwrap_or((80, 24))
}

impl TermLike for Terminal {
    fn width(&self) -> u16 {
        size().0
    }

    fn height(&self) -> u16 {
        size().1
    }

    fn move_cursor_up(&self, count: usize) -> io::Result<()> {
        self.go(count, 'A')
    }

    fn move_cursor_down(&self, count: usize) -> io::Result<()> {
        self.go(count, 'B')
    }

    fn move_cursor_right(&self, count: usize) -> io::Result<()> {
        self.go(count, 'C')
    }

    fn move_cursor_left(&self, count: usize) -> io::Result<()> {
        self.go(count, 'D')
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
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.is_empty() {
            return Ok(());
        }
        waiting.push_str(ROOM);
        // A terminal that is gone, as when its window is closed, shows nothing; an error here would end the run, and what it still has
        // to report would be lost.
        let _ = io::stderr().lock().write_all(waiting.as_bytes());
        waiting.clear();
        Ok(())
    }
}
