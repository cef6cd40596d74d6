//! Input as a terminal would send it in the modes that the program has set, sizes and signals.
//!
//! Every input first waits until the program is ready for it (`ready.rs`), unless [`InputOptions`] say
//! otherwise. It is encoded after that wait: a program sets its modes before it reads.
//!
//! See also: the wait and the sending (`input_sender.rs`), what a key becomes (`screentest_core::input`),
//! input that the program has not taken yet (`outbox.rs`).

use std::io;
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::input::focus::Focus;
use screentest_core::input::mouse::{MouseEvent, NotReported};
use screentest_core::{Chord, KeyError, Modes, Size, SizeError, input};
use serde_json::json;

use super::ready::Readiness;
use super::{InputOptions, InputSender, Session};
use crate::pty::LineFlags;
use crate::pty::signal::Signal;
use crate::session::input::log::{InputKind, Late};
use crate::session::input::queue::{InputError, Sent};
use crate::session::wait::enter_baseline::Echo;

pub(crate) mod log;
pub(crate) mod options;
pub(crate) mod pause;
pub(crate) mod queue;
pub(crate) mod sender;
pub(crate) mod turn;

impl Session {
    /// Presses a key, given by value or by name: `Key::Up`, `'x'`, `Key::Left.alt()`, `"Ctrl+C"`.
    pub fn press<C: TryInto<Chord>>(&self, chord: C) -> Result<(), InputError>
    where
        KeyError: From<C::Error>,
    {
        self.input().press(chord)
    }

    /// Types text. Where the program can take it as one it is one write, else one for each character;
    /// line ends and other control characters are keys of their own.
    pub fn type_text(&self, text: &str) -> Result<(), InputError> {
        self.input().type_text(text)
    }

    /// Pastes text; between marks where the program asked for them.
    pub fn paste(&self, text: &str) -> Result<(), InputError> {
        self.input().paste(text)
    }

    /// Does something with the mouse.
    pub fn mouse(&self, event: MouseEvent) -> Result<(), MouseError> {
        self.input().mouse(event)
    }

    /// Tells the program that the terminal gained or lost the focus, if it asked for that. Does not wait.
    pub fn focus(&self, focus: Focus) -> Result<(), InputError> {
        self.catch_up();
        match input::focus::bytes(focus, &self.modes()) {
            Some(bytes) => self.give(bytes, InputKind::Focus(focus), None),
            None => Ok(()),
        }
    }

    /// Sends bytes as they are.
    pub fn send(&self, bytes: &[u8]) -> Result<(), InputError> {
        self.input().send(bytes)
    }

    /// Sends input with the options of the session.
    pub fn input(&self) -> InputSender<'_> {
        self.input_with(self.input_options)
    }

    /// Sends input with other options.
    ///
    /// ```no_run
    /// # fn example(session: &screentest::Session) -> Result<(), screentest::InputError> {
    /// use screentest::InputOptions;
    ///
    /// // Typed ahead, while the program works.
    /// session.input_with(InputOptions::AT_ONCE).type_text("ls\n")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn input_with(&self, options: InputOptions) -> InputSender<'_> {
        InputSender::new(self, options)
    }

    /// The options that input is sent with.
    pub fn input_options(&self) -> InputOptions {
        self.input_options
    }

    /// Whether the terminal edits lines, so that the program reads whole ones; false where that is not known.
    pub fn reads_lines(&self) -> bool {
        self.has_line_flag(LineFlags::ICANON)
    }

    pub(super) fn has_line_flag(&self, flag: LineFlags) -> bool {
        let line = self.intake.pty.line();
        line.is_some_and(|line| line.now.flags.contains(flag))
    }

    /// Sends bytes, and remembers what they were. `late` says that the program was not ready.
    pub(super) fn give(
        &self,
        bytes: &[u8],
        kind: InputKind,
        late: Option<Late>,
    ) -> Result<(), InputError> {
        if let Some(outcome) = self.outcome() {
            return Err(InputError::Ended(outcome));
        }
        if self.intake.board.lock().closing {
            return Err(InputError::Closed);
        }
        let time = self.now();
        // Before anything is sent: the answer to Enter may come at once.
        let scrollback = self.origin.setting.scrollback;
        self.intake
            .entry
            .note(&kind, bytes, scrollback, || self.echo(), || self.frame());
        let pty = &*self.intake.pty;
        let tap = self.intake.tap();
        let tell = || {
            if let Some(tap) = &tap {
                tap.input(&kind, bytes, pty);
            }
        };
        self.note_sent(bytes, late);
        let sent = self.intake.outbox.send(pty, bytes, tell)?;
        if let (Some(tap), Some(late)) = (&tap, late) {
            let waited = late.waited.as_millis();
            tap.event(
                None,
                json!({ "autoWait": { "waitedMs": waited, "program": late.why.words() } }),
            );
        }
        self.intake.inputs.note(time, kind, late);
        if sent == Sent::Part {
            // The reader must also wait for room.
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
        self.intake.inputs.note(time, InputKind::Resize(size), None);
        Ok(())
    }

    /// Sends a signal to the program's process group.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        let time = self.now();
        if let Some(tap) = self.intake.tap() {
            tap.signal(signal);
        }
        self.intake.pty.signal(signal)?;
        self.intake
            .inputs
            .note(time, InputKind::Signal(signal), None);
        Ok(())
    }

    /// Whether the terminal or the program may echo what was typed.
    fn echo(&self) -> Echo {
        let line = self.intake.pty.line();
        let silent = line.is_some_and(|line| {
            let flags = line.now.flags;
            flags.contains(LineFlags::ICANON) && !flags.contains(LineFlags::ECHO)
        });
        match silent {
            true => Echo::Off,
            false => Echo::Possible,
        }
    }

    /// The time since the session began.
    pub(super) fn now(&self) -> Duration {
        self.intake.clock.now().saturating_sub(self.intake.started)
    }

    /// The modes, as far as the output was read.
    pub(super) fn modes(&self) -> Modes {
        self.intake.board.lock().history.last().screen.modes
    }

    pub(super) fn readiness(&self) -> MutexGuard<'_, Readiness> {
        self.readiness
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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
