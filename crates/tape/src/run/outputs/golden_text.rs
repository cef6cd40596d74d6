//! Writes VHS's golden text: the screen after every step that is not hidden.
//!
//! It is written to a temporary file while the tape runs, so that a long tape needs little memory;
//! the file is copied to its path once the run has succeeded.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use screentest_core::Screen;

/// The line after each screen: 80 of this character, as in VHS.
const SEPARATOR: char = '─';
const SEPARATOR_LENGTH: usize = 80;

/// The screens of a tape as text.
#[derive(Debug)]
pub(in crate::run) struct GoldenText {
    path: PathBuf,
    file: BufWriter<File>,
}

impl GoldenText {
    /// Writes to this file.
    pub(in crate::run) fn create(path: &Path) -> io::Result<GoldenText> {
        Ok(GoldenText {
            path: path.to_owned(),
            file: BufWriter::new(File::create(path)?),
        })
    }

    /// Adds a screen.
    pub(in crate::run) fn add(&mut self, screen: &Screen) -> io::Result<()> {
        self.file.write_all(text(screen).as_bytes())
    }

    /// Finishes the file and returns its path.
    pub(in crate::run) fn finish(mut self) -> io::Result<PathBuf> {
        self.file.flush()?;
        Ok(self.path)
    }
}

/// All rows, including blank ones, without trailing spaces, followed by the separator line.
fn text(screen: &Screen) -> String {
    let mut text = String::new();
    for row in &screen.rows {
        text.push_str(row.text());
        text.push('\n');
    }
    text.extend(std::iter::repeat_n(SEPARATOR, SEPARATOR_LENGTH));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use screentest_core::{Backend, Size, emulator};

    use super::*;

    #[test]
    fn a_screen_is_all_its_rows_and_a_line_of_80() {
        let size = Size { cols: 10, rows: 3 };
        let mut emulator = Backend::default().emulator(size, emulator::EmulatorOptions::default());
        emulator.feed(b"> ls   \r\n\x1b[31ma");
        let line = "─".repeat(80);
        assert_eq!(text(&emulator.screen()), format!("> ls\na\n\n{line}\n"));
        assert_eq!(line.len(), 240);
    }
}
