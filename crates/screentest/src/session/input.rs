//! Input, resizing and signals of a session.
//!
//! Every input except a focus report first waits until the program is ready for it (`ready.rs`),
//! unless [`InputOptions`] say otherwise. It is encoded after that wait, for the modes that the
//! program has set by then: a program sets its modes before it reads.
//!
//! See also: `input/sender.rs` (waiting and sending), `screentest_core::input` (encoding),
//! `input/queue.rs` (input that the program has not read yet).

use std::io;
use std::sync::MutexGuard;
use std::time::Duration;

use screentest_core::input::focus::Focus;
use screentest_core::input::mouse::{MouseEvent, NotReported};
use screentest_core::{Chord, KeyError, Modes, Size, SizeError, input};

use super::ready::ReadinessState;
use super::{InputOptions, InputSender, Session};
use crate::lock::lock;
use crate::pty::LineFlags;
use crate::pty::signal::Signal;
use crate::session::input::log::{AutoWaitTimeout, InputKind};
use crate::session::input::queue::{FlushResult, InputError};
use crate::session::observer::SessionEvent;
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

    /// Types text. If the program accepts it as a whole, it is one write, otherwise one per
    /// character. Line ends and other control characters are sent as keys.
    pub fn type_text(&self, text: &str) -> Result<(), InputError> {
        self.input().type_text(text)
    }

    /// Pastes text; as a bracketed paste if the program enabled that mode.
    pub fn paste(&self, text: &str) -> Result<(), InputError> {
        self.input().paste(text)
    }

    /// Sends a mouse event.
    pub fn mouse(&self, event: MouseEvent) -> Result<(), MouseError> {
        self.input().mouse(event)
    }

    /// Reports that the terminal gained or lost the focus, if the program enabled focus reporting.
    /// Does not wait.
    pub fn focus(&self, focus: Focus) -> Result<(), InputError> {
        self.catch_up();
        match input::focus::bytes(focus, &self.modes()) {
            Some(bytes) => self.send_bytes(bytes, InputKind::Focus(focus), None),
            None => Ok(()),
        }
    }

    /// Sends bytes as they are.
    pub fn send(&self, bytes: &[u8]) -> Result<(), InputError> {
        self.input().send(bytes)
    }

    /// Returns a sender with the options of the session.
    pub fn input(&self) -> InputSender<'_> {
        self.input_with(self.input_options)
    }

    /// Returns a sender with other options.
    ///
    /// ```no_run
    /// # fn example(session: &screentest::Session) -> Result<(), screentest::session::InputError> {
    /// use screentest::session::InputOptions;
    ///
    /// // Types ahead, while the program works.
    /// session.input_with(InputOptions::AT_ONCE).type_text("ls\n")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn input_with(&self, options: InputOptions) -> InputSender<'_> {
        InputSender::new(self, options)
    }

    /// Returns the options that input is sent with.
    pub fn input_options(&self) -> InputOptions {
        self.input_options
    }

    /// Returns whether the terminal is in canonical mode, in which programs read whole lines; false
    /// if unknown.
    pub fn reads_lines(&self) -> bool {
        self.has_line_flag(LineFlags::ICANON)
    }

    pub(super) fn has_line_flag(&self, flag: LineFlags) -> bool {
        let line = self.reader.pty.line();
        line.is_some_and(|line| line.now.flags.contains(flag))
    }

    /// Sends bytes and logs the input. `timeout` is set if the program was not ready.
    pub(super) fn send_bytes(
        &self,
        bytes: &[u8],
        kind: InputKind,
        timeout: Option<AutoWaitTimeout>,
    ) -> Result<(), InputError> {
        if let Some(exit_status) = self.exit_status() {
            return Err(InputError::Ended(exit_status));
        }
        if self.is_closing() {
            return Err(InputError::Closed);
        }
        let time = self.now();
        // Must precede the sending: the response to Enter may come at once.
        let echo = self.echo();
        let scrollback = self.origin.scrollback;
        self.reader
            .enters
            .record(&kind, bytes, scrollback, || echo, || self.frame());
        let pty = &*self.reader.pty;
        let observer = self.reader.observer();
        let before_sending = || {
            if let Some(observer) = &observer {
                let input = &kind;
                observer.observe(SessionEvent::Input { input, bytes, pty });
            }
        };
        self.note_sent(bytes, timeout);
        let sent = self.reader.input_queue.send(pty, bytes, before_sending)?;
        if let (Some(observer), Some(timeout)) = (&observer, timeout) {
            observer.observe(SessionEvent::AutoWaitTimeout(timeout));
        }
        let kind = match echo {
            Echo::Off => kind.without_text(),
            Echo::Possible => kind,
        };
        self.reader.input_log.add(time, kind, timeout);
        if sent == FlushResult::Partial {
            // The reader must also wait for room.
            self.reader.pty.wake();
        }
        Ok(())
    }

    /// Resizes the terminal and notifies the program.
    pub fn resize(&self, size: impl Into<Size>) -> Result<(), ResizeError> {
        let size = size.into();
        let size = Size::checked(size.cols.into(), size.rows.into())?;
        self.catch_up();
        let time = self.now();
        self.reader.resize(size)?;
        self.reader
            .input_log
            .add(time, InputKind::Resize(size), None);
        Ok(())
    }

    /// Sends a signal to the program's process group.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        let time = self.now();
        self.report_event(SessionEvent::Signal(signal));
        self.reader.pty.signal(signal)?;
        self.reader
            .input_log
            .add(time, InputKind::Signal(signal), None);
        Ok(())
    }

    /// Returns whether the terminal or the program may echo typed text.
    fn echo(&self) -> Echo {
        let line = self.reader.pty.line();
        let silent = line.is_some_and(|line| {
            let flags = line.now.flags;
            flags.contains(LineFlags::ICANON) && !flags.contains(LineFlags::ECHO)
        });
        if silent { Echo::Off } else { Echo::Possible }
    }

    /// Returns the time since the session's start.
    pub(super) fn now(&self) -> Duration {
        self.reader.clock.now().saturating_sub(self.reader.started)
    }

    /// Returns the modes according to the output read so far.
    pub(super) fn modes(&self) -> Modes {
        self.reader.state.lock().history().last().screen.modes
    }

    pub(super) fn readiness(&self) -> MutexGuard<'_, ReadinessState> {
        lock(&self.readiness)
    }
}

/// Why a terminal was not resized.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResizeError {
    /// The size is out of range.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The system call failed.
    #[error("could not resize the terminal")]
    Terminal(#[from] io::Error),
}

/// Why a mouse event did not reach the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MouseError {
    /// The program has not enabled this report, or its encoding cannot represent the event.
    #[error(transparent)]
    NotReported(#[from] NotReported),
    /// The input was not accepted.
    #[error(transparent)]
    Input(#[from] InputError),
}
