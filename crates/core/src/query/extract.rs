//! Structured reading of a screen: values, tables, choices, shell commands.
//!
//! A selector finds text that is known in advance; these functions return text that is not. Results
//! are [`Match`]es where possible, so that they can be clicked as well as read. `None` means that
//! something is missing or ambiguous. A function that accepts several matches says which one it
//! returns.
//!
//! Wrapped text is read as one line, except by [`Screen::text_in`](crate::Screen::text_in) and in
//! rectangles narrower than the screen. Positions count from 0.

mod captures;
mod cell_line;
mod choice;
mod columns;
mod command;
mod highlight;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use captures::Captures;
pub use choice::Choice;
pub use command::{CommandProgress, ShellCommand};
pub use table::{Column, Table, TableRow};

use crate::query::selector::Regex;
use crate::{Match, Rect, Screen, Selector, State, Width};

impl Screen {
    /// Returns the text in a rectangle: its rows without trailing spaces, separated by line ends.
    /// Rows beyond the screen are left out, and a wide character that is only half inside becomes a
    /// space.
    pub fn text_in(&self, rect: Rect) -> String {
        let rect = rect.clipped(self.size.rect());
        let rows = self.rows.iter().skip(rect.row).take(rect.rows);
        let rows: Vec<String> = rows
            .map(|row| {
                let mut text = String::new();
                let cols = rect.col..rect.col + rect.cols;
                for col in cols.start..cols.end.min(row.len()) {
                    let cell = row.cell(col);
                    let is_cut = (cell.width == Width::Spacer && col == cols.start)
                        || (cell.width == Width::Wide && col + 1 == cols.end);
                    if is_cut {
                        text.push(' ');
                    } else {
                        cell.push_to(&mut text);
                    }
                }
                text.truncate(text.trim_end_matches(' ').len());
                text
            })
            .collect();
        rows.join("\n")
    }

    /// Returns every match of a regular expression with its groups.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::EmulatorOptions};
    /// # let size = Size { cols: 40, rows: 3 };
    /// # let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    /// # emulator.feed(b"3 passed, 1 failed");
    /// # let screen = emulator.screen();
    /// use screentest_core::query::selector::Regex;
    ///
    /// let counts = screen.captures(&Regex::new(r"(?<count>\d+) (\w+)")?);
    /// assert_eq!(counts[1].name("count").unwrap().text(), "1");
    /// assert_eq!(counts[1].group(2).unwrap().position().col, 12);
    /// # Ok::<(), screentest_core::query::selector::RegexError>(())
    /// ```
    pub fn captures(&self, regex: &Regex) -> Vec<Captures> {
        self.captures_in(self.size.rect(), regex)
    }

    /// Returns the matches of a regular expression in a rectangle; lines begin and end at its
    /// borders.
    pub fn captures_in(&self, rect: Rect, regex: &Regex) -> Vec<Captures> {
        Captures::all(self, rect, regex, usize::MAX).unwrap_or_default()
    }

    /// Like [`Screen::captures`], but returns `None` if the matches have more than `most` groups
    /// together. A match itself counts as one.
    #[doc(hidden)]
    pub fn captures_up_to(&self, regex: &Regex, most: usize) -> Option<Vec<Captures>> {
        Captures::all(self, self.size.rect(), regex, most)
    }

    /// Returns the value next to a label: the text to its right, after spaces, `:` or `=`. The
    /// value ends before two spaces or a border, or at the end of the line. If the label is found
    /// several times, the first one with a value is used. A part of a longer word is not a label.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::EmulatorOptions};
    /// # let size = Size { cols: 40, rows: 3 };
    /// # let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    /// # emulator.feed("│ Status: all good   Mode = fast │".as_bytes());
    /// # let screen = emulator.screen();
    /// assert_eq!(screen.value_of("Status").unwrap().text(), "all good");
    /// assert_eq!(screen.value_of("Mode").unwrap().text(), "fast");
    /// assert_eq!(screen.value_of("fast"), None);
    /// ```
    pub fn value_of(&self, label: impl Into<Selector>) -> Option<Match> {
        value::beside(self, &label.into())
    }

    /// Returns the table whose header has these names, in this order and in one line. Other names
    /// may be between them and do not become columns. `None` if no line has all the names.
    ///
    /// A value belongs to the name above it, however it is aligned, and to the column between the
    /// same borders (`│`, `|`). Separator lines are left out. The table ends at a blank line, at
    /// the bottom of its frame, or where its borders end. Two adjacent frames (`││`) are read
    /// separately.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::EmulatorOptions};
    /// # let size = Size { cols: 40, rows: 4 };
    /// # let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    /// # emulator.feed(b"  PID TTY          TIME CMD\r\n");
    /// # emulator.feed(b"    7 pts/0    00:00:00 bash\r\n");
    /// # emulator.feed(b"12345 pts/0    00:00:01 vim a b");
    /// # let screen = emulator.screen();
    /// //   PID TTY          TIME CMD
    /// //     7 pts/0    00:00:00 bash
    /// // 12345 pts/0    00:00:01 vim a b
    /// let processes = screen.table(["PID", "CMD"]).unwrap();
    /// assert_eq!(processes.rows[1].text("CMD"), "vim a b");
    /// assert_eq!(processes.row_where("CMD", "bash").unwrap().text("PID"), "7");
    /// ```
    pub fn table<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Option<Table> {
        Table::named(self, &names.into_iter().collect::<Vec<_>>())
    }

    /// Returns the table whose header is the line of a selector's first match, with all columns of
    /// that line. Words of the header that have only one space between them are one name, unless
    /// the values below show otherwise.
    pub fn table_under(&self, header: impl Into<Selector>) -> Option<Table> {
        Table::under(self, &header.into())
    }

    /// Returns the numbered choices: `> 1) Yes`, `❯ 2. No`, `[3] Maybe`, ` 4: Never`.
    ///
    /// The selected one has a marker before its number (`>`, `❯`, `→`, `*`, `●` and similar). If
    /// markers do not distinguish one, the selected choice is inverse or has another background
    /// colour than the others.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::EmulatorOptions};
    /// # let size = Size { cols: 40, rows: 3 };
    /// # let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    /// # emulator.feed("│   1. Yes            │\r\n│ ❯ 2. No, stop here  │".as_bytes());
    /// # let screen = emulator.screen();
    /// let choices = screen.choices();
    /// let selected = choices.iter().find(|choice| choice.selected).unwrap();
    /// assert_eq!((selected.number, selected.label.text()), (2, "No, stop here"));
    /// ```
    pub fn choices(&self) -> Vec<Choice> {
        self.choices_in(self.size.rect())
    }

    /// Returns the numbered choices in a rectangle.
    pub fn choices_in(&self, rect: Rect) -> Vec<Choice> {
        Choice::all(self, rect)
    }

    /// Returns all highlighted text, in reading order: inverse text (if most cells are inverse,
    /// text that is not inverse), and text on a background colour that neither the line above nor
    /// the line below has there. Alternately shaded lines are not highlighted.
    pub fn highlighted(&self) -> Vec<Match> {
        self.highlighted_in(self.size.rect())
    }

    /// Returns the text in a rectangle that is highlighted relative to the rest of it.
    pub fn highlighted_in(&self, rect: Rect) -> Vec<Match> {
        highlight::all(self, rect)
    }

    /// Returns the highlighted line, such as the current one of a list, from its first highlighted
    /// cell to its last. `None` if there is none or more than one. Bars across the whole first or
    /// last row do not count.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::EmulatorOptions};
    /// # let size = Size { cols: 20, rows: 4 };
    /// # let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    /// # emulator.feed(b"  Open\r\n\x1b[7m  Save as    \x1b[m\r\n  Quit");
    /// # let screen = emulator.screen();
    /// assert_eq!(screen.highlighted_row().unwrap().text(), "Save as");
    /// ```
    pub fn highlighted_row(&self) -> Option<Match> {
        highlight::row(self, self.size.rect())
    }
}

impl State {
    /// Returns the commands that were typed into a shell, oldest first, if the shell marks them
    /// (OSC 133). The last one may still be at the prompt. Commands that have scrolled out of the
    /// state are missing, or present only in part.
    pub fn commands(&self) -> Vec<ShellCommand> {
        ShellCommand::all(self)
    }

    /// Returns the last command that was entered, running or finished.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::EmulatorOptions};
    /// # let size = Size { cols: 20, rows: 4 };
    /// # let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    /// # emulator.feed(b"\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n");
    /// # emulator.feed(b"\x1b]133;C\x07a.rs\r\nb.rs\r\n\x1b]133;D;0\x07");
    /// # emulator.feed(b"\x1b]133;A\x07$ \x1b]133;B\x07");
    /// # let state = emulator.state(100);
    /// let command = state.last_command().unwrap();
    /// assert_eq!((&*command.line, &*command.output), ("ls", "a.rs\nb.rs"));
    /// ```
    pub fn last_command(&self) -> Option<ShellCommand> {
        let entered = |command: &ShellCommand| command.progress != CommandProgress::Typed;
        self.commands().into_iter().rev().find(entered)
    }

    /// Returns the output of the last command that was entered.
    pub fn last_output(&self) -> Option<String> {
        self.last_command().map(|command| command.output)
    }
}
