//! Plays a recording in the user's terminal. The terminal is restored on every exit path.

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
use screentest::clock::Clock;
use screentest::core::formats::ansi;
use screentest::core::{Paint, Position, Size};

use super::playable::Playable;
use super::player::{FRAME_STEP, PlayerCommand, ReplayPlayer, SECOND_STEP};
use super::speed::Speed;
use super::status_bar;
use crate::signals::CleanupOnSignal;

/// Interval of updates of the time bar.
const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// Plays until the user quits.
pub(super) fn run(played: &mut dyn Playable, speed: Speed, show_input: bool) -> anyhow::Result<()> {
    let _guard = TerminalGuard::new()?;
    let clock = Clock::system();
    let mut player = ReplayPlayer::new(played, speed, clock.now());
    loop {
        draw(&player, clock.now(), show_input)?;
        // If no frame is due, wait for a key or a resize.
        let due = player.time_to_next(clock.now())?;
        if event::poll(due.map_or(Duration::MAX, |due| due.min(UPDATE_INTERVAL)))? {
            let command = match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => command_of(key),
                _ => None,
            };
            if let Some(command) = command
                && !player.perform(command, clock.now())?
            {
                return Ok(());
            }
        }
        player.advance(clock.now())?;
    }
}

/// Maps a key to its action.
fn command_of(key: KeyEvent) -> Option<PlayerCommand> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(PlayerCommand::Quit);
    }
    match key.code {
        KeyCode::Char(' ') => Some(PlayerCommand::Toggle),
        KeyCode::Left => Some(PlayerCommand::Step(-1)),
        KeyCode::Right => Some(PlayerCommand::Step(1)),
        KeyCode::Up => Some(PlayerCommand::Step(-FRAME_STEP)),
        KeyCode::Down => Some(PlayerCommand::Step(FRAME_STEP)),
        KeyCode::PageUp => Some(PlayerCommand::Skip(-SECOND_STEP)),
        KeyCode::PageDown => Some(PlayerCommand::Skip(SECOND_STEP)),
        KeyCode::Char('[') => Some(PlayerCommand::PreviousMark),
        KeyCode::Char(']') => Some(PlayerCommand::NextMark),
        KeyCode::Home => Some(PlayerCommand::Start),
        KeyCode::End => Some(PlayerCommand::End),
        KeyCode::Char('+' | '=') => Some(PlayerCommand::Faster),
        KeyCode::Char('-') => Some(PlayerCommand::Slower),
        KeyCode::Char('r') => Some(PlayerCommand::Redraw),
        KeyCode::Char('q') | KeyCode::Esc => Some(PlayerCommand::Quit),
        _ => None,
    }
}

/// Draws everything, so that output of other programs is overwritten.
fn draw(player: &ReplayPlayer<'_>, now: Duration, show_input: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (width, height) = terminal::size()?;
    // The last row is the status bar; the input is shown above it.
    let rows = height.saturating_sub(1 + u16::from(show_input));
    let frame = player.played.frame();
    let cut = |size: &Size| size.cols > width || size.rows > rows;
    queue!(out, BeginSynchronizedUpdate, Hide)?;
    // Each row is erased before it is written: after a character in the last column, erasing to the
    // end of the row would erase that character, as in xterm.
    for row in 0..rows {
        let line = frame.lines.get(usize::from(row)).map_or("", |line| line);
        queue!(
            out,
            MoveTo(0, row),
            Clear(ClearType::UntilNewLine),
            Print(cut_to_width(line, frame.size, width))
        )?;
    }
    if show_input {
        let label = frame.label.as_deref().unwrap_or_default();
        // The terminal would write the rest of a longer label over its last column.
        let label: String = label.chars().take(width.into()).collect();
        queue!(
            out,
            MoveTo(0, rows),
            Clear(ClearType::UntilNewLine),
            Print(label)
        )?;
    }
    queue!(
        out,
        MoveTo(0, height.saturating_sub(1)),
        Clear(ClearType::UntilNewLine),
        SetAttribute(Attribute::Reverse),
        Print(status_bar::row(
            player,
            now,
            frame.size.filter(cut),
            width.into()
        )),
        SetAttribute(Attribute::Reset)
    )?;
    // The cursor, if it is on a visible cell.
    let is_visible =
        |cursor: &Position| cursor.row < usize::from(rows) && cursor.col < usize::from(width);
    if let Some(cursor) = frame.cursor.filter(is_visible) {
        // Within the terminal, whose size has 16 bits.
        queue!(out, MoveTo(cursor.col as u16, cursor.row as u16), Show)?;
    }
    queue!(out, EndSynchronizedUpdate)?;
    out.flush()
}

/// Cuts a line to the width of the terminal. The terminal would write the remaining characters over
/// its last column.
fn cut_to_width(line: &str, size: Option<Size>, width: u16) -> Cow<'_, str> {
    let cols = size.map_or(*Size::COLS.end(), |size| size.cols);
    if cols <= width {
        return line.into();
    }
    let mut screen = ansi::read(line.as_bytes(), Size { cols, rows: 1 });
    screen.size.cols = width;
    let painted = screen.painted(Paint::Ansi);
    painted.trim_end_matches('\n').to_owned().into()
}

/// The terminal in raw mode with the alternate screen; dropping it restores the terminal.
struct TerminalGuard {
    _cleanup: CleanupOnSignal,
}

impl TerminalGuard {
    fn new() -> io::Result<TerminalGuard> {
        let guard = TerminalGuard {
            _cleanup: CleanupOnSignal::new(restore)?,
        };
        terminal::enable_raw_mode()?;
        // Characters that the terminal considers wider than we do must not wrap into the next row.
        execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        Ok(guard)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    // A terminal that is gone cannot be restored.
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        EnableLineWrap,
        LeaveAlternateScreen,
        Show
    );
    let _ = terminal::disable_raw_mode();
}
