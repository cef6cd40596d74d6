//! Runs the review in the terminal, and restores the terminal however it ends.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use crossterm::cursor::Show;
use crossterm::event::{self, Event, KeyEventKind};
use crossterm::execute;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::DefaultTerminal;

use super::state::{ReviewEnd, ReviewState};
use super::{keys, page};
use crate::signals::CleanupOnSignal;

/// Draws the state and handles keys until the review ends.
pub(crate) fn run(review_state: &mut ReviewState) -> io::Result<ReviewEnd> {
    let mut screen = FullScreen::take()?;
    // crossterm reports size changes only after the first poll. Poll before the first draw, so that
    // no change after it is missed.
    event::poll(Duration::ZERO)?;
    loop {
        screen.draw(review_state)?;
        match event::read()? {
            Event::Resize(..) => screen.clear()?,
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                if let Some(left) =
                    keys::key_action(key).and_then(|action| review_state.act(action))
                {
                    return Ok(left);
                }
            }
            _ => {}
        }
    }
}

/// The alternate screen of the terminal. Dropping it restores the terminal.
struct FullScreen {
    terminal: DefaultTerminal,
    _cleanup: CleanupOnSignal,
}

impl FullScreen {
    fn take() -> io::Result<FullScreen> {
        Ok(FullScreen {
            // ratatui's panic hook restores the terminal first, so that the panic message is
            // readable.
            terminal: ratatui::try_init()?,
            _cleanup: CleanupOnSignal::new(restore)?,
        })
    }

    /// Forces a full redraw. After a resize the content may be lost, even if the size is the same
    /// as before.
    fn clear(&mut self) -> io::Result<()> {
        // `Terminal::clear` would query the cursor position, and the reply would mix with typed
        // input.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// Draws the state as one synchronized update, so that no partial page is visible.
    fn draw(&mut self, review_state: &mut ReviewState) -> io::Result<()> {
        execute!(io::stdout(), BeginSynchronizedUpdate)?;
        self.terminal
            .draw(|frame| page::draw(frame, review_state))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        // The panic hook has restored the terminal and printed the message. Restoring it again
        // would move the cursor above that message.
        if !thread::panicking() {
            restore();
        }
    }
}

fn restore() {
    // Ignore errors: a closed terminal needs no restoring.
    let _ = execute!(io::stdout(), EndSynchronizedUpdate);
    let _ = ratatui::try_restore();
    let _ = execute!(io::stdout(), Show).and_then(|()| io::stdout().flush());
}
