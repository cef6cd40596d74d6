//! A recording in a person's terminal, which is given back however it ends.

use std::io::{self, Write};
use std::thread;
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
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

use super::Speed;
use super::film::Film;
use super::player::{Action, Player, SKIP};

/// Shows a film until the person leaves.
pub(super) fn run(film: &Film, speed: Speed, show_input: bool) -> io::Result<()> {
    let _taken = Taken::take()?;
    let clock = Clock::system();
    let mut player = Player::new(film, speed, clock.now());
    loop {
        draw(&player, show_input)?;
        let now = clock.now();
        // Without a frame that is due, a key or another size is all that there can be.
        let woken = match player.due(now) {
            Some(time) => event::poll(time)?,
            None => event::poll(Duration::MAX)?,
        };
        if woken {
            let action = match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => action(key),
                _ => None,
            };
            if let Some(action) = action
                && !player.act(action, clock.now())
            {
                return Ok(());
            }
        }
        player.go_on(clock.now());
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
        KeyCode::Up => Some(Action::Step(-SKIP)),
        KeyCode::Down => Some(Action::Step(SKIP)),
        KeyCode::Char('r') => Some(Action::Redraw),
        KeyCode::Char('q') | KeyCode::Esc => Some(Action::Quit),
        _ => None,
    }
}

/// Draws everything, so that nothing that others wrote over it stays.
fn draw(player: &Player<'_>, show_input: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (_, height) = terminal::size()?;
    // The last row says where one is; what is typed stands above it.
    let rows = usize::from(height.saturating_sub(1 + u16::from(show_input)));
    queue!(out, BeginSynchronizedUpdate)?;
    let shot = player.shot();
    for row in 0..rows {
        let line = shot.lines.get(row).map_or("", |line| line);
        // No larger than the height, which is 16 bits.
        queue!(
            out,
            MoveTo(0, row as u16),
            Print(line),
            Clear(ClearType::UntilNewLine)
        )?;
    }
    if show_input {
        let label = shot.label.as_deref().unwrap_or_default();
        queue!(
            out,
            MoveTo(0, height.saturating_sub(2)),
            Print(label),
            Clear(ClearType::UntilNewLine)
        )?;
    }
    let (at, count) = player.place();
    queue!(
        out,
        MoveTo(0, height.saturating_sub(1)),
        SetAttribute(Attribute::Reverse),
        Print(format!(" {at}/{count} ")),
        SetAttribute(Attribute::Reset)
    )?;
    if player.is_paused() {
        let keys = " paused  Space play  Left/Right step  Up/Down skip 5  r redraw  q quit";
        queue!(out, Print(keys))?;
    }
    queue!(out, Clear(ClearType::UntilNewLine), EndSynchronizedUpdate)?;
    out.flush()
}

/// The whole screen of the terminal; dropping it gives it back.
struct Taken {
    signals: Handle,
}

impl Taken {
    fn take() -> io::Result<Taken> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        let taken = Taken {
            signals: signals.handle(),
        };
        terminal::enable_raw_mode()?;
        // Lines that are longer than the terminal is wide are cut by the terminal, which knows how wide each character is.
        execute!(io::stdout(), EnterAlternateScreen, Hide, DisableLineWrap)?;
        thread::Builder::new()
            .name("screentest-signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    restore();
                    // Then what would have happened without us.
                    let _ = emulate_default_handler(signal);
                }
            })?;
        Ok(taken)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.signals.close();
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
