//! A form in the terminal, with the tick loop from Ratatui's documentation: `n` opens the form,
//! Enter saves it, Esc closes it, `q` quits.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::Constraint;
use ratatui::widgets::{Block, Clear, Paragraph};
use ratatui::{DefaultTerminal, Frame};

/// Redraw interval without input.
const TICK: Duration = Duration::from_millis(100);

fn main() -> io::Result<()> {
    ratatui::run(|terminal| Form::default().run(terminal))
}

#[derive(Default)]
struct Form {
    /// The text in the open form.
    open: Option<String>,
    saved: Option<String>,
    quit: bool,
}

impl Form {
    fn run(&mut self, terminal: &mut DefaultTerminal) -> io::Result<()> {
        while !self.quit {
            terminal.draw(|frame| self.draw(frame))?;
            if !event::poll(TICK)? {
                continue;
            }
            if let Event::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                self.key(key);
            }
        }
        Ok(())
    }

    fn key(&mut self, key: KeyEvent) {
        match (&mut self.open, key.code) {
            (Some(_), KeyCode::Esc) => self.open = None,
            (Some(_), KeyCode::Enter) => self.saved = self.open.take(),
            (Some(text), KeyCode::Char(letter)) => text.push(letter),
            (None, KeyCode::Char('n')) => self.open = Some(String::new()),
            (None, KeyCode::Char('q')) => self.quit = true,
            _ => {}
        }
    }

    fn draw(&self, frame: &mut Frame) {
        let status = match &self.saved {
            Some(name) => format!("Saved: {name}."),
            None => "n: new person, q: quit".to_owned(),
        };
        frame.render_widget(Paragraph::new(status), frame.area());
        if let Some(text) = &self.open {
            let area = frame
                .area()
                .centered(Constraint::Length(30), Constraint::Length(3));
            frame.render_widget(Clear, area);
            let field = Paragraph::new(text.as_str()).block(Block::bordered().title(" Name "));
            frame.render_widget(field, area);
        }
    }
}
