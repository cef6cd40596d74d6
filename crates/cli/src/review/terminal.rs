//! The terminal that a review takes over, and gives back however it ends.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::event::{self, Event, KeyEventKind};
use crossterm::execute;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::DefaultTerminal;

use super::desk::{Desk, Leaving};
use super::{keys, page};
use crate::signals::CleanupOnSignal as Farewell;

/// Shows the desk and does what is asked for, until the review ends.
pub(crate) fn run(desk: &mut Desk) -> io::Result<Leaving> {
    let mut screen = Screen::take()?;
    // From the first look on another size is an event; before the first page, so that none after it is missed.
    event::poll(Duration::ZERO)?;
    loop {
        screen.draw(desk)?;
        match event::read()? {
            Event::Resize(..) => screen.clear()?,
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                if let Some(left) = keys::action(key).and_then(|action| desk.act(action)) {
                    return Ok(left);
                }
            }
            _ => {}
        }
    }
}

/// The whole screen of the terminal; dropping it gives it back.
struct Screen {
    terminal: DefaultTerminal,
    _farewell: Farewell,
}

impl Screen {
    fn take() -> io::Result<Screen> {
        Ok(Screen {
            // A panic gives the terminal back before it is told, so that it can be read.
            terminal: ratatui::try_init()?,
            _farewell: Farewell::new(restore)?,
        })
    }

    /// Forgets what was drawn: after another size it may be gone, even where the size is the same again.
    fn clear(&mut self) -> io::Result<()> {
        // `clear` would ask the terminal for its cursor first, in the midst of what a person types.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Draws the desk. Between its two marks nobody sees a page that is half drawn.
    fn draw(&mut self, desk: &mut Desk) -> io::Result<()> {
        execute!(io::stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| page::draw(frame, desk))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A panic has given it back already and said why; doing it again would put the cursor back above those words.
        if !thread::panicking() {
            restore();
        }
    }
}

fn restore() {
    // Where the terminal is gone there is nothing to give back.
    let _ = execute!(io::stdout(), EndSynchronizedUpdate);
    let _ = ratatui::try_restore();
    let _ = execute!(io::stdout(), Show).and_then(|()| io::stdout().flush());
}
