//! A to-do list in the terminal, small enough to read and large enough to test: `todo FILE`.
//!
//! It has the usual elements of such programs: a coloured list, mouse support, an input field, a
//! popup, a status line, and an exit that restores the terminal.

use std::path::PathBuf;
use std::{env, fs, io};

use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
    MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::widgets::{Block, Clear, List, ListItem, ListState, Paragraph};
use ratatui::{DefaultTerminal, Frame};

fn main() -> io::Result<()> {
    let file = env::args_os()
        .nth(1)
        .ok_or_else(|| io::Error::other("usage: todo FILE"))?;
    let mut todo = Todo::open(file.into())?;
    ratatui::run(|terminal| {
        execute!(io::stdout(), EnableMouseCapture)?;
        let ended = todo.run(terminal);
        execute!(io::stdout(), DisableMouseCapture)?;
        ended
    })
}

struct Task {
    text: String,
    done: bool,
}

enum Mode {
    Browse,
    /// A task is being typed.
    Add(String),
    Help,
}

struct Todo {
    file: PathBuf,
    tasks: Vec<Task>,
    list: ListState,
    /// Position of the list on the screen, for mouse clicks.
    area: Rect,
    mode: Mode,
    status: &'static str,
}

impl Todo {
    /// Each line of the file is a task, `[x]` or `[ ]` and its text.
    fn open(file: PathBuf) -> io::Result<Todo> {
        let text = fs::read_to_string(&file).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(String::new()),
            _ => Err(error),
        })?;
        let tasks: Vec<Task> = text
            .lines()
            .filter_map(|line| {
                let (mark, text) = line.split_once("] ")?;
                Some(Task {
                    text: text.to_owned(),
                    done: mark == "[x",
                })
            })
            .collect();
        Ok(Todo {
            file,
            list: ListState::default().with_selected((!tasks.is_empty()).then_some(0)),
            tasks,
            area: Rect::default(),
            mode: Mode::Browse,
            status: "ready",
        })
    }

    fn save(&mut self, terminal: &mut DefaultTerminal) -> io::Result<()> {
        self.status = "saving";
        self.show(terminal)?;
        let lines = self.tasks.iter().map(|task| format!("{task}\n"));
        fs::write(&self.file, lines.collect::<String>())?;
        self.status = "saved";
        Ok(())
    }

    fn run(&mut self, terminal: &mut DefaultTerminal) -> io::Result<()> {
        loop {
            self.show(terminal)?;
            let changed = match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => match self.key(key) {
                    Some(changed) => changed,
                    None => return Ok(()),
                },
                Event::Mouse(mouse)
                    if mouse.kind == MouseEventKind::Down(MouseButton::Left)
                        && self.area.contains((mouse.column, mouse.row).into()) =>
                {
                    let row = usize::from(mouse.row - self.area.y) + self.list.offset();
                    self.toggle(row)
                }
                _ => false,
            };
            if changed {
                self.save(terminal)?;
            }
        }
    }

    /// Handles a key. Returns whether a task changed; `None` to quit.
    fn key(&mut self, key: KeyEvent) -> Option<bool> {
        match (&mut self.mode, key.code) {
            (Mode::Help, _) | (Mode::Add(_), KeyCode::Esc) => self.mode = Mode::Browse,
            (Mode::Add(text), KeyCode::Char(c)) => text.push(c),
            (Mode::Add(text), KeyCode::Backspace) => drop(text.pop()),
            (Mode::Add(text), KeyCode::Enter) => {
                let text = std::mem::take(text);
                self.tasks.push(Task { text, done: false });
                self.list.select(Some(self.tasks.len() - 1));
                self.mode = Mode::Browse;
                return Some(true);
            }
            (Mode::Browse, KeyCode::Char('q')) => return None,
            (Mode::Browse, KeyCode::Char('a')) => self.mode = Mode::Add(String::new()),
            (Mode::Browse, KeyCode::Char('?')) => self.mode = Mode::Help,
            (Mode::Browse, KeyCode::Down) => self.list.select_next(),
            (Mode::Browse, KeyCode::Up) => self.list.select_previous(),
            (Mode::Browse, KeyCode::Char(' ')) => {
                return Some(self.list.selected().is_some_and(|row| self.toggle(row)));
            }
            _ => {}
        }
        Some(false)
    }

    fn toggle(&mut self, row: usize) -> bool {
        let Some(task) = self.tasks.get_mut(row) else {
            return false;
        };
        task.done = !task.done;
        self.list.select(Some(row));
        true
    }

    /// Draws within a synchronized update, so that the terminal never shows a partial frame.
    fn show(&mut self, terminal: &mut DefaultTerminal) -> io::Result<()> {
        execute!(io::stdout(), BeginSynchronizedUpdate)?;
        terminal.draw(|frame| self.draw(frame))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }

    fn draw(&mut self, frame: &mut Frame) {
        let rows = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]);
        let [top, bottom] = rows.areas(frame.area());

        let block = Block::bordered().title(" Tasks ".bold().cyan());
        self.area = block.inner(top);
        let items = self.tasks.iter().map(|task| {
            let style = if task.done {
                Style::new().fg(Color::Green).crossed_out()
            } else {
                Style::new()
            };
            ListItem::new(task.to_string()).style(style)
        });
        let list = List::new(items)
            .block(block)
            .highlight_style(Modifier::REVERSED);
        frame.render_stateful_widget(list, top, &mut self.list);

        let done = self.tasks.iter().filter(|task| task.done).count();
        let line = match &self.mode {
            Mode::Add(text) => {
                let before = "New task: ";
                let col = before.len() + text.chars().count();
                frame.set_cursor_position((bottom.x + col as u16, bottom.y));
                format!("{before}{text}")
            }
            _ => format!("{done} of {} done, {}", self.tasks.len(), self.status),
        };
        frame.render_widget(Paragraph::new(line), bottom);
        frame.render_widget(Paragraph::new("? help").right_aligned(), bottom);

        if let Mode::Help = self.mode {
            let help = "a      add a task\nSpace  done or not\nclick  the same\nq      quit";
            let area = top.centered(Constraint::Length(24), Constraint::Length(6));
            frame.render_widget(Clear, area);
            let popup = Paragraph::new(help).block(Block::bordered().title(" Help ").yellow());
            frame.render_widget(popup, area);
        }
    }
}

/// Formats the task for the file and for the list.
impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mark = if self.done { "x" } else { " " };
        write!(f, "[{mark}] {}", self.text)
    }
}
