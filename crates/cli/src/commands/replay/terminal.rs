//! What is played, in a person's terminal, which is given back however it ends.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::{Attribute, Print, SetAttribute};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, DisableLineWrap, EnableLineWrap,
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
};
use crossterm::{execute, queue};
use screentest::Clock;
use screentest::core::formats::ansi;
use screentest::core::{Paint, Position, Size};

use super::bar;
use super::playable::Playable;
use super::player::{Action, FRAMES, Player, SECONDS};
use super::speed::Speed;
use crate::farewell::Farewell;

/// How often the time bar moves while nothing else does.
const TICK: Duration = Duration::from_millis(100);

/// Plays until the person leaves.
pub(super) fn run(played: &mut dyn Playable, speed: Speed, show_input: bool) -> anyhow::Result<()> {
    let _taken = Taken::take()?;
    let clock = Clock::system();
    let mut player = Player::new(played, speed, clock.now());
    loop {
        draw(&player, clock.now(), show_input)?;
        // Without a frame that is due, a key or another size is all that there can be.
        let due = player.due(clock.now())?;
        if event::poll(due.map_or(Duration::MAX, |due| due.min(TICK)))? {
            let action = match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => action(key),
                _ => None,
            };
            if let Some(action) = action
                && !player.act(action, clock.now())?
            {
                return Ok(());
            }
        }
        player.go_on(clock.now())?;
    }
}

/// What a key asks for.
fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(Action::Quit);
    }
    match key.code {
        KeyCode::Char(' ') => Some(Action::Toggle),
        KeyCode::Left => Some(Action::Step(-1)),
        KeyCode::Right => Some(Action::Step(1)),
        KeyCode::Up => Some(Action::Step(-FRAMES)),
        KeyCode::Down => Some(Action::Step(FRAMES)),
        KeyCode::PageUp => Some(Action::Skip(-SECONDS)),
        KeyCode::PageDown => Some(Action::Skip(SECONDS)),
        KeyCode::Char('[') => Some(Action::LastMark),
        KeyCode::Char(']') => Some(Action::NextMark),
        KeyCode::Home => Some(Action::Start),
        KeyCode::End => Some(Action::End),
        KeyCode::Char('+' | '=') => Some(Action::Faster),
        KeyCode::Char('-') => Some(Action::Slower),
        KeyCode::Char('r') => Some(Action::Redraw),
        KeyCode::Char('q') | KeyCode::Esc => Some(Action::Quit),
        _ => None,
    }
}

/// Draws everything, so that nothing that others wrote over it stays.
fn draw(player: &Player<'_>, now: Duration, show_input: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (width, height) = terminal::size()?;
    // The last row says where one is; what is typed stands above it.
    let rows = height.saturating_sub(1 + u16::from(show_input));
    let frame = player.played.frame();
    let cut = |size: &Size| size.cols > width || size.rows > rows;
    queue!(out, BeginSynchronizedUpdate, Hide)?;
    for row in 0..rows {
        let line = frame.lines.get(usize::from(row)).map_or("", |line| line);
        queue!(
            out,
            MoveTo(0, row),
            Print(fitted(line, frame.size, width)),
            Clear(ClearType::UntilNewLine)
        )?;
    }
    if show_input {
        let label = frame.label.as_deref().unwrap_or_default();
        // What does not fit would go on in the row below, which is not its own.
        let label: String = label.chars().take(width.into()).collect();
        queue!(
            out,
            MoveTo(0, rows),
            Print(label),
            Clear(ClearType::UntilNewLine)
        )?;
    }
    queue!(
        out,
        MoveTo(0, height.saturating_sub(1)),
        SetAttribute(Attribute::Reverse),
        Print(bar::row(player, now, frame.size.filter(cut), width.into())),
        SetAttribute(Attribute::Reset),
        Clear(ClearType::UntilNewLine)
    )?;
    // Where the cursor was, if that is in sight.
    let seen =
        |cursor: &Position| cursor.row < usize::from(rows) && cursor.col < usize::from(width);
    if let Some(cursor) = frame.cursor.filter(seen) {
        // Within the terminal, whose sizes are 16 bits.
        queue!(out, MoveTo(cursor.col as u16, cursor.row as u16), Show)?;
    }
    queue!(out, EndSynchronizedUpdate)?;
    out.flush()
}

/// A line as far as there is room for it: of what a terminal has no room for, the last character would stand in the last column.
fn fitted(line: &str, size: Option<Size>, width: u16) -> Cow<'_, str> {
    let cols = size.map_or(*Size::COLS.end(), |size| size.cols);
    if cols <= width {
        return line.into();
    }
    let mut screen = ansi::read(line.as_bytes(), Size { cols, rows: 1 });
    screen.size.cols = width;
    let painted = screen.painted(Paint::Ansi);
    painted.trim_end_matches('\n').to_owned().into()
}

/// The whole screen of the terminal; dropping it gives it back.
struct Taken {
    _farewell: Farewell,
}

impl Taken {
    fn take() -> io::Result<Taken> {
        let taken = Taken {
            _farewell: Farewell::new(restore)?,
        };
        terminal::enable_raw_mode()?;
        // What the terminal takes for wider than we do goes over its edge, and not on in the row below.
        execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(taken)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // Where the terminal is gone there is nothing to give back.
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        EnableLineWrap,
        LeaveAlternateScreen,
        Show
    );
    let _ = terminal::disable_raw_mode();
}
