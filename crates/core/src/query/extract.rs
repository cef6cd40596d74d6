//! What a screen says, taken apart: values, tables, choices, commands.
//!
//! A selector finds what one already knows; here one asks for what is not known yet. Whatever is found is a [`Match`] where
//! it can be, so that it can be clicked as well as read. Nothing here guesses between two answers: what is not there, or not
//! clear, is `None`.
//!
//! As everywhere, text that went on in the next row because it did not fit is read as one line, and places count from 0.

mod captures;
mod choice;
mod columns;
mod command;
mod highlight;
mod line;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use captures::Captures;
pub use choice::Choice;
pub use command::{Command, Stage};
pub use table::{Column, Table, TableRow};

use crate::query::selector::Regex;
use crate::{Match, Rect, Screen, Selector, State, Width};

impl Screen {
    /// The text in a rectangle: its rows without the blanks at their ends, separated by line ends. Rows beyond the screen
    /// are not there, and of a wide character that is only half inside there is a blank.
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

    /// Every place that a regular expression describes, with what its groups took.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::Options};
    /// # let mut emulator = Backend::Alacritty.emulator(Size { cols: 40, rows: 3 }, Options::default());
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

    /// What a regular expression describes in a rectangle, where lines begin and end with it.
    pub fn captures_in(&self, rect: Rect, regex: &Regex) -> Vec<Captures> {
        Captures::all(self, rect, regex)
    }

    /// The value beside a label: what stands to its right, behind blanks, `:` or `=`, up to two blanks, a border or the
    /// line's end. Where the label is found more than once, the first that has a value is meant; what is only a part of
    /// a longer word is no label.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::Options};
    /// # let mut emulator = Backend::Alacritty.emulator(Size { cols: 40, rows: 3 }, Options::default());
    /// # emulator.feed("│ Status: all good   Mode = fast │".as_bytes());
    /// # let screen = emulator.screen();
    /// assert_eq!(screen.value_of("Status").unwrap().text(), "all good");
    /// assert_eq!(screen.value_of("Mode").unwrap().text(), "fast");
    /// assert_eq!(screen.value_of("fast"), None);
    /// ```
    pub fn value_of(&self, label: impl Into<Selector>) -> Option<Match> {
        value::beside(self, &label.into())
    }

    /// The table whose header has these names, in this order and in one line; other names may stand between them and
    /// become no columns. `None` where no line has them all.
    ///
    /// Values belong to the name above them, however they are aligned, and between the same borders (`│`, `|`). Lines that
    /// only divide are left out. The table ends with a blank line, with the bottom of its frame, or where its borders end.
    /// Of two frames side by side (`││`), each is read on its own.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::Options};
    /// # let mut emulator = Backend::Alacritty.emulator(Size { cols: 40, rows: 4 }, Options::default());
    /// # emulator.feed(b"  PID TTY          TIME CMD\r\n    7 pts/0    00:00:00 bash\r\n12345 pts/0    00:00:01 vim a b");
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

    /// The table whose header is the line of a selector's first match, with all columns of that line. Words of the header
    /// that have only one blank between them are one name unless the values below say otherwise.
    pub fn table_under(&self, header: impl Into<Selector>) -> Option<Table> {
        Table::under(self, &header.into())
    }

    /// The numbered choices: `> 1) Yes`, `❯ 2. No`, `[3] Maybe`, ` 4: Never`.
    ///
    /// The selected one has a sign before its number (`>`, `❯`, `→`, `*`, `●` and their like) or, where signs do not tell,
    /// another ground than the others: inverse, or in another background colour.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::Options};
    /// # let mut emulator = Backend::Alacritty.emulator(Size { cols: 40, rows: 3 }, Options::default());
    /// # emulator.feed("│   1. Yes            │\r\n│ ❯ 2. No, stop here  │".as_bytes());
    /// # let screen = emulator.screen();
    /// let choices = screen.choices();
    /// let selected = choices.iter().find(|choice| choice.selected).unwrap();
    /// assert_eq!((selected.number, selected.label.text()), (2, "No, stop here"));
    /// ```
    pub fn choices(&self) -> Vec<Choice> {
        self.choices_in(self.size.rect())
    }

    /// The numbered choices in a rectangle.
    pub fn choices_in(&self, rect: Rect) -> Vec<Choice> {
        Choice::all(self, rect)
    }

    /// All text that is highlighted, in reading order: what is inverse where most is not, and what has a background that
    /// neither the line above nor the line below has there. Lines that are shaded in turn are not highlighted.
    pub fn highlighted(&self) -> Vec<Match> {
        self.highlighted_in(self.size.rect())
    }

    /// The text in a rectangle that is highlighted there.
    pub fn highlighted_in(&self, rect: Rect) -> Vec<Match> {
        highlight::all(self, rect)
    }

    /// The line that is highlighted, such as the current one of a list, from its first highlighted cell to its last. `None`
    /// where there is none or more than one; bars across the whole first or last row do not count.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::Options};
    /// # let mut emulator = Backend::Alacritty.emulator(Size { cols: 20, rows: 4 }, Options::default());
    /// # emulator.feed(b"  Open\r\n\x1b[7m  Save as    \x1b[m\r\n  Quit");
    /// # let screen = emulator.screen();
    /// assert_eq!(screen.highlighted_row().unwrap().text(), "Save as");
    /// ```
    pub fn highlighted_row(&self) -> Option<Match> {
        highlight::row(self, self.size.rect())
    }
}

impl State {
    /// The commands that were typed into a shell, oldest first, where the shell marks them (OSC 133); the last may still
    /// stand at the prompt. What has scrolled out of the state is gone, and may be gone in part.
    pub fn commands(&self) -> Vec<Command> {
        Command::all(self)
    }

    /// The last command that was entered, running or finished.
    ///
    /// ```
    /// # use screentest_core::{Backend, Size, emulator::Options};
    /// # let mut emulator = Backend::Alacritty.emulator(Size { cols: 20, rows: 4 }, Options::default());
    /// # emulator.feed(b"\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07a.rs\r\nb.rs\r\n\x1b]133;D;0\x07\x1b]133;A\x07$ \x1b]133;B\x07");
    /// # let state = emulator.state(100);
    /// let command = state.last_command().unwrap();
    /// assert_eq!((&*command.line, &*command.output), ("ls", "a.rs\nb.rs"));
    /// ```
    pub fn last_command(&self) -> Option<Command> {
        let entered = |command: &Command| command.stage != Stage::Typed;
        self.commands().into_iter().rev().find(entered)
    }

    /// What the last entered command printed.
    pub fn last_output(&self) -> Option<String> {
        self.last_command().map(|command| command.output)
    }
}
