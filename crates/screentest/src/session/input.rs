//! What a program is given: input as a terminal would send it in the modes that the program has set, a size, signals.
//!
//! Elsewhere: what a key becomes (`screentest_core::input`), what the program has not taken yet (`outbox.rs`).

use std::io;
use std::time::Duration;

use screentest_core::input;
use screentest_core::input::focus::Focus;
use screentest_core::input::mouse::{MouseEvent, NotReported};
use screentest_core::{Chord, KeyError, Modes, Size, SizeError};

use super::Session;
use crate::inputs::InputKind;
use crate::outbox::{InputError, Sent};
use crate::pty;
use crate::signal::Signal;

impl Session {
    /// Presses a key, given by value or by name: `Key::Up`, `'x'`, `Key::Left.alt()`, `"Ctrl+C"`.
    pub fn press<C: TryInto<Chord>>(&self, chord: C) -> Result<(), InputError>
    where
        KeyError: From<C::Error>,
    {
        let chord = chord.try_into().map_err(KeyError::from)?;
        let bytes = input::key::bytes(chord, &self.modes());
        self.give(&bytes, InputKind::Key(chord))
    }

    /// Types text, key by key.
    pub fn type_text(&self, text: &str) -> Result<(), InputError> {
        let bytes = input::text::bytes(text, &self.modes());
        self.give(&bytes, InputKind::text(text))
    }

    /// Pastes text; between marks where the program asked for them.
    pub fn paste(&self, text: &str) -> Result<(), InputError> {
        let bytes = input::paste::bytes(text, &self.modes());
        self.give(&bytes, InputKind::Paste(text.chars().count()))
    }

    /// Does something with the mouse.
    pub fn mouse(&self, event: MouseEvent) -> Result<(), MouseError> {
        let bytes = input::mouse::bytes(event, &self.modes())?;
        Ok(self.give(&bytes, InputKind::Mouse(event))?)
    }

    /// Says that the terminal gained or lost the focus, if the program wants to know.
    pub fn focus(&self, focus: Focus) -> Result<(), InputError> {
        match input::focus::bytes(focus, &self.modes()) {
            Some(bytes) => self.give(bytes, InputKind::Focus(focus)),
            None => Ok(()),
        }
    }

    /// Whether the program reads lines, which its terminal edits and ends; not where it reads single keys, or nobody can tell.
    pub fn reads_lines(&self) -> bool {
        let line = self.intake.pty.line();
        line.is_some_and(|line| line.now.flags.contains(pty::LineFlags::ICANON))
    }

    /// Sends bytes as they are.
    pub fn send(&self, bytes: &[u8]) -> Result<(), InputError> {
        self.give(bytes, InputKind::Bytes(bytes.len()))
    }

    /// Sends the bytes that something becomes, and remembers what it was.
    fn give(&self, bytes: &[u8], kind: InputKind) -> Result<(), InputError> {
        if let Some(outcome) = self.outcome() {
            return Err(InputError::Ended(outcome));
        }
        let time = self.now();
        let pty = &*self.intake.pty;
        let tell = || {
            if let Some(tap) = self.intake.tap() {
                tap.input(&kind, bytes, pty);
            }
        };
        let sent = self.intake.outbox.send(pty, bytes, tell)?;
        self.intake.inputs.note(time, kind);
        if sent == Sent::Part {
            // Whoever reads must also look for room.
            self.intake.pty.wake();
        }
        Ok(())
    }

    /// Gives the terminal another size and tells the program.
    pub fn resize(&self, size: Size) -> Result<(), ResizeError> {
        let size = Size::checked(size.cols.into(), size.rows.into())?;
        self.catch_up();
        let time = self.now();
        self.intake.resize(size)?;
        self.intake.inputs.note(time, InputKind::Resize(size));
        Ok(())
    }

    /// Sends a signal to the program's process group.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        let time = self.now();
        if let Some(tap) = self.intake.tap() {
            tap.signal(signal);
        }
        self.intake.pty.signal(signal)?;
        self.intake.inputs.note(time, InputKind::Signal(signal));
        Ok(())
    }

    /// The time since the session began.
    fn now(&self) -> Duration {
        self.intake.clock.now().saturating_sub(self.intake.started)
    }

    fn modes(&self) -> Modes {
        self.screen().modes
    }
}

/// Why a terminal kept its size.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResizeError {
    /// No screen has such a size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The terminal refused.
    #[error("could not resize the terminal")]
    Terminal(#[from] io::Error),
}

/// Why a mouse event did not reach the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MouseError {
    /// The program did not ask for it, or its encoding has no room for it.
    #[error(transparent)]
    NotReported(#[from] NotReported),
    /// The input was not taken.
    #[error(transparent)]
    Input(#[from] InputError),
}
