//! Waits until the program is ready, then sends one input.

use std::time::Duration;

use screentest_core::input::mouse::{Button, MouseEvent, MouseKind};
use screentest_core::{Chord, Key, KeyError, Modes, Modifiers, Position, input};

use super::MouseError;
use super::turn::Turn;
use crate::pty::LineFlags;
use crate::session::input::log::{AutoWaitTimeout, InputKind};
use crate::session::input::queue::InputError;
use crate::session::ready::Ready;
use crate::session::wait::limits::{Interrupt, WaitLimits};
use crate::session::{AutoWait, InputOptions, Session};

/// Maximum time to wait before a key that the terminal turns into a signal, such as Ctrl+C. Such a
/// key is meant for a program that works, not for one that waits for input.
const BEFORE_SIGNAL: Duration = Duration::from_millis(250);

/// Sends input to a session with its own options; created by [`Session::input_with`].
#[derive(Debug, Clone)]
pub struct InputSender<'a> {
    session: &'a Session,
    options: InputOptions,
    /// When the waits must be over, by the session's clock for waits.
    deadline: Option<Duration>,
    interrupt: Option<Interrupt>,
}

/// A program that is ready for input, or did not become ready in time. Input of other threads waits
/// until this is dropped.
pub(crate) struct ReadyProgram<'a> {
    session: &'a Session,
    timeout: Option<AutoWaitTimeout>,
    _turn: Option<Turn<'a>>,
}

impl<'a> InputSender<'a> {
    pub(in crate::session) fn new(session: &'a Session, options: InputOptions) -> InputSender<'a> {
        InputSender {
            session,
            options,
            deadline: None,
            interrupt: None,
        }
    }

    /// Bounds all waits of this sender together.
    #[must_use]
    pub fn within(mut self, most: Duration) -> InputSender<'a> {
        self.deadline = self.session.ready_clock().now().checked_add(most);
        self
    }

    /// Lets another thread end the waits: [`InputError::Interrupted`].
    #[must_use]
    pub fn interrupted_by(mut self, interrupt: Option<Interrupt>) -> InputSender<'a> {
        self.interrupt = interrupt;
        self
    }

    /// Presses a key; see [`Session::press`].
    pub fn press<C: TryInto<Chord>>(&self, chord: C) -> Result<(), InputError>
    where
        KeyError: From<C::Error>,
    {
        let chord = chord.try_into().map_err(KeyError::from)?;
        let encode = |modes: &Modes| input::encode_key::bytes(chord, modes);
        // Behind a relay, the program's own terminal generates the signal. Its settings are not
        // known here.
        let makes_signals =
            || self.session.has_line_flag(LineFlags::ISIG) || self.session.readiness().is_relay();
        let purpose = if is_signal(chord) && makes_signals() {
            Purpose::Signal
        } else {
            Purpose::Input
        };
        let ready = self.ready_for(purpose)?;
        self.session.send_bytes(
            &encode(&self.session.modes()),
            InputKind::Key(chord),
            ready.timeout,
        )
    }

    /// Types text; see [`Session::type_text`].
    pub fn type_text(&self, text: &str) -> Result<(), InputError> {
        if self.options == InputOptions::AT_ONCE {
            return self.send_as(InputKind::text(text), |modes| {
                input::text::bytes(text, modes)
            });
        }
        let mut ready = self.ready()?;
        let mut left = text;
        let mut has_timed_out = ready.timeout.is_some();
        while !left.is_empty() {
            if left.len() < text.len() {
                ready.timeout = if has_timed_out {
                    // The bound applies to the whole text.
                    self.pause_between_keys()?;
                    None
                } else {
                    self.wait(Purpose::Input, self.deadline())?
                };
                has_timed_out |= ready.timeout.is_some();
            }
            let (unit, rest) = left.split_at(self.unit_length(left));
            let kind = match unit.chars().next() {
                Some('\r' | '\n') => InputKind::Key(Key::Enter.into()),
                Some(c) if c.is_control() => InputKind::Key(c.into()),
                _ => InputKind::text(unit),
            };
            let bytes = input::text::bytes(unit, &self.session.modes());
            self.session
                .send_bytes(&bytes, kind, ready.timeout.take())?;
            left = rest;
        }
        Ok(())
    }

    /// Returns how many bytes of a text are sent together. A terminal in canonical mode accepts any
    /// number of characters, and a program that enabled bracketed paste reads its input as a stream
    /// of keys. Other programs may misread bytes that arrive together as one key or as a paste.
    fn unit_length(&self, text: &str) -> usize {
        let session = self.session;
        let first = text.chars().next().map_or(0, char::len_utf8);
        let is_stream = || {
            session.readiness().takes_text_at_once()
                || session.reads_lines()
                || session.modes().bracketed_paste
        };
        match text.find(char::is_control) {
            // CR LF is one key.
            Some(0) if text.starts_with("\r\n") => 2,
            Some(0) => first,
            end if self.options.delay.is_zero() && is_stream() => end.unwrap_or(text.len()),
            _ => first,
        }
    }

    /// Pastes text; see [`Session::paste`].
    pub fn paste(&self, text: &str) -> Result<(), InputError> {
        let kind = InputKind::Paste(text.chars().count());
        self.send_as(kind, |modes| input::paste::bytes(text, modes))
    }

    /// Sends a mouse event; see [`Session::mouse`].
    pub fn mouse(&self, event: MouseEvent) -> Result<(), MouseError> {
        self.ready()?.mouse_events(&[event])
    }

    /// Clicks a cell: presses and releases the button on the same screen.
    pub fn click(
        &self,
        position: Position,
        button: Button,
        modifiers: Modifiers,
    ) -> Result<(), MouseError> {
        self.ready()?
            .mouse_events(&click(position, button, modifiers))
    }

    /// Sends bytes unchanged; see [`Session::send`].
    pub fn send(&self, bytes: &[u8]) -> Result<(), InputError> {
        self.send_as(InputKind::Bytes(bytes.len()), |_| bytes.to_vec())
    }

    fn send_as(
        &self,
        kind: InputKind,
        encode: impl Fn(&Modes) -> Vec<u8>,
    ) -> Result<(), InputError> {
        let ready = self.ready()?;
        let bytes = encode(&self.session.modes());
        self.session.send_bytes(&bytes, kind, ready.timeout)
    }

    /// Waits for the program if the options ask for it.
    pub(crate) fn ready(&self) -> Result<ReadyProgram<'a>, InputError> {
        self.ready_for(Purpose::Input)
    }

    fn ready_for(&self, purpose: Purpose) -> Result<ReadyProgram<'a>, InputError> {
        let session = self.session;
        // Waiting for other threads and for the program share one bound.
        let deadline = self.deadline();
        let start = session.now();
        let turn = match (self.options.auto_wait, purpose) {
            (AutoWait::UpTo(_), Purpose::Input) => {
                let most = self.left(deadline);
                session.input_turn.take(most, self.interrupt.as_ref())
            }
            // Input without auto-wait and signals do not wait for the text of another thread.
            (AutoWait::Off, _) | (_, Purpose::Signal) => None,
        };
        let timeout = self.wait(purpose, deadline)?;
        session.note_input_begins();
        Ok(ReadyProgram {
            session,
            timeout: timeout.map(|timeout| AutoWaitTimeout {
                waited: session.now().saturating_sub(start),
                ..timeout
            }),
            _turn: turn,
        })
    }

    /// Waits until the program is ready, at most until the deadline. Returns [`AutoWaitTimeout`] if
    /// the bound was reached.
    fn wait(
        &self,
        purpose: Purpose,
        deadline: Option<Duration>,
    ) -> Result<Option<AutoWaitTimeout>, InputError> {
        let session = self.session;
        self.pause_between_keys()?;
        let AutoWait::UpTo(bound) = self.options.auto_wait else {
            return Ok(None);
        };
        let limits = |timeout| WaitLimits {
            interrupt: self.interrupt.clone(),
            ..WaitLimits::from(timeout)
        };
        let left = self.left(deadline);
        let start = session.now();
        let ready = match purpose {
            Purpose::Signal => session.wait_ready(&limits(bound.min(left).min(BEFORE_SIGNAL))),
            Purpose::Input => session.wait_before_input(&limits(bound), left),
        };
        match (ready, purpose) {
            (Ready::No(why), Purpose::Input) => Ok(Some(AutoWaitTimeout {
                waited: session.now().saturating_sub(start),
                why,
            })),
            (Ready::Interrupted, _) => Err(InputError::Interrupted),
            // Sending detects that the program has exited.
            (Ready::Yes | Ready::No(_) | Ready::Ended, _) => Ok(None),
        }
    }

    /// Waits until the delay since the last key has passed, and reads the output so far, so that
    /// the modes are current.
    fn pause_between_keys(&self) -> Result<(), InputError> {
        let delay = self.options.delay.min(self.left(self.deadline));
        self.session.wait_delay(delay, self.interrupt.as_ref());
        if self.interrupt.as_ref().is_some_and(Interrupt::is_raised) {
            return Err(InputError::Interrupted);
        }
        self.session.catch_up();
        Ok(())
    }

    /// Returns when a wait that begins now must be over, by the session's clock for waits.
    fn deadline(&self) -> Option<Duration> {
        let AutoWait::UpTo(bound) = self.options.auto_wait else {
            return self.deadline;
        };
        let bound = self.session.ready_clock().now().checked_add(bound);
        match (bound, self.deadline) {
            (Some(bound), Some(deadline)) => Some(bound.min(deadline)),
            (bound, deadline) => bound.or(deadline),
        }
    }

    /// Returns the remaining time.
    fn left(&self, deadline: Option<Duration>) -> Duration {
        let now = self.session.ready_clock().now();
        let left = deadline.map(|deadline| deadline.saturating_sub(now));
        left.unwrap_or(Duration::MAX)
    }
}

impl ReadyProgram<'_> {
    /// Sends several mouse events in direct succession.
    pub(crate) fn mouse_events(mut self, events: &[MouseEvent]) -> Result<(), MouseError> {
        // Otherwise the error would blame the mouse modes, which ended with the program.
        if let Some(exit_status) = self.session.exit_status() {
            return Err(InputError::Ended(exit_status).into());
        }
        let modes = self.session.modes();
        for event in events {
            let bytes = input::mouse::bytes(*event, &modes)?;
            let kind = InputKind::Mouse(*event);
            self.session.send_bytes(&bytes, kind, self.timeout.take())?;
        }
        Ok(())
    }
}

/// Returns the two events of a click.
pub(crate) fn click(position: Position, button: Button, modifiers: Modifiers) -> [MouseEvent; 2] {
    [MouseKind::Press(button), MouseKind::Release(button)].map(|kind| MouseEvent {
        kind,
        position,
        modifiers,
    })
}

/// The purpose of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Input for the program to read.
    Input,
    /// A key that the terminal turns into a signal.
    Signal,
}

/// Returns whether a terminal turns a key into a signal in its default settings.
fn is_signal(chord: Chord) -> bool {
    let signals = ['c', 'z', '\\'].map(|key| Key::Char(key).ctrl());
    signals.contains(&chord)
}
