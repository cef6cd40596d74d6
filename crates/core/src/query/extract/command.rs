//! Shell commands and their output, as marked by the shell (OSC 133).
//!
//! Every written cell has the zone in which it was written; cells that were never written have
//! none. A command consists of the cells of an input zone and those of the output zone after it,
//! regardless of blank cells between them.

use std::sync::Arc;

use crate::screen::row::Row;
use crate::screen::wraps_at;
use crate::{Position, State, Zone};

/// A command of a shell that marks its zones (OSC 133).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShellCommand {
    /// The command line; empty if the shell marks only outputs.
    pub line: String,
    /// Its output, without blank lines at the start and end.
    pub output: String,
    /// Its progress.
    pub progress: CommandProgress,
}

/// Progress of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommandProgress {
    /// Still at the prompt.
    Typed,
    /// Entered; nothing followed its output yet.
    Running,
    /// Something followed: the next prompt, or text outside its output.
    Finished,
}

impl ShellCommand {
    pub(super) fn all(state: &State) -> Vec<ShellCommand> {
        let rows: Vec<&Arc<Row>> = state.scrollback.iter().chain(&state.screen.rows).collect();
        let mut reader = CommandReader {
            rows: &rows,
            width: state.screen.size.cols.into(),
            commands: Vec::new(),
            before: Zone::None,
        };
        for number in 0..rows.len() {
            reader.read(number);
        }
        let cursor = state.scrollback.len() + state.screen.cursor.position.row;
        let last = reader.commands.len().saturating_sub(1);
        let commands = reader.commands.into_iter().enumerate();
        commands
            .map(|(index, draft)| ShellCommand {
                // Once it is entered, the cursor is below the line, even if nothing was printed
                // yet.
                progress: if draft.followed || index < last {
                    CommandProgress::Finished
                } else if draft.output.end.is_some()
                    || draft.line.end.is_some_and(|end| cursor > end.row)
                {
                    CommandProgress::Running
                } else {
                    CommandProgress::Typed
                },
                line: draft.line.finish(),
                output: draft.output.finish(),
            })
            .collect()
    }
}

/// A command that may not be complete yet.
#[derive(Debug, Default)]
struct PartialCommand {
    line: CommandText,
    output: CommandText,
    followed: bool,
}

#[derive(Debug)]
struct CommandReader<'a> {
    rows: &'a [&'a Arc<Row>],
    width: usize,
    commands: Vec<PartialCommand>,
    /// The zone of the previous cell, without prompts at the right edge.
    before: Zone,
}

impl CommandReader<'_> {
    fn read(&mut self, number: usize) {
        let row = self.rows[number];
        let mut zones = row.zones().iter().peekable();
        let mut zone = Zone::None;
        for col in 0..row.len() {
            while let Some(start) = zones.next_if(|start| usize::from(start.col) <= col) {
                zone = start.zone;
            }
            // A cell that was never written belongs to the zone around it.
            if zone == Zone::None && row.cell(col).char() == ' ' {
                continue;
            }
            self.add(Position { row: number, col }, zone);
        }
    }

    fn add(&mut self, at: Position, zone: Zone) {
        let before = self.before;
        match zone {
            Zone::Input => {
                let behind_output = self
                    .commands
                    .last()
                    .is_none_or(|c| c.followed || c.output.end.is_some());
                if behind_output {
                    self.commands.push(PartialCommand::default());
                }
            }
            Zone::Output => {
                if self.commands.last().is_none_or(|c| c.followed) {
                    self.commands.push(PartialCommand::default());
                }
            }
            Zone::Prompt | Zone::None => {
                if let Some(command) = self.commands.last_mut() {
                    // Text after the input in its row is a prompt at the right edge.
                    let beside = before == Zone::Input
                        && command.line.end.is_some_and(|end| end.row == at.row);
                    if beside {
                        return;
                    }
                    command.followed = true;
                }
            }
        }
        self.before = zone;
        let (rows, width) = (self.rows, self.width);
        if let Some(command) = self.commands.last_mut() {
            match zone {
                Zone::Input => command.line.add(at, rows, width),
                Zone::Output => command.output.add(at, rows, width),
                Zone::Prompt | Zone::None => {}
            }
        }
    }
}

/// Text assembled cell by cell, with the spaces between cells.
#[derive(Debug, Default)]
struct CommandText {
    text: String,
    /// Position after its last cell.
    end: Option<Position>,
}

impl CommandText {
    fn add(&mut self, at: Position, rows: &[&Arc<Row>], width: usize) {
        let mut end = self.end.unwrap_or(at);
        while end.row < at.row {
            match wraps_at(rows[end.row], rows[end.row + 1], width) {
                Some(row_end) => self.pad(row_end.saturating_sub(end.col)),
                None => self.end_line(),
            }
            end = Position {
                row: end.row + 1,
                col: 0,
            };
        }
        self.pad(at.col.saturating_sub(end.col));
        rows[at.row].cell(at.col).push_to(&mut self.text);
        self.end = Some(Position {
            col: at.col + 1,
            ..at
        });
    }

    fn pad(&mut self, blanks: usize) {
        self.text.extend(std::iter::repeat_n(' ', blanks));
    }

    fn end_line(&mut self) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
    }

    fn finish(self) -> String {
        let text = self.text.trim_end();
        // Spaces before the first word belong to the text; blank lines before it do not.
        let start = text.find(|c: char| !c.is_whitespace()).unwrap_or(0);
        let (blank, _) = text.split_at(start);
        let lines = blank.rfind('\n').map_or(0, |at| at + 1);
        text.split_at(lines).1.to_owned()
    }
}
