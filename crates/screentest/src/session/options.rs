//! Options of a session.

use std::sync::Arc;
use std::time::Duration;

use screentest_core::{Backend, Secrets, Size, Theme};

use crate::clock::Clock;
use crate::session::input::options::InputOptions;
use crate::session::observer::AttachAtStart;

/// Options of a session.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// The terminal's size.
    pub size: Size,
    /// Maximum number of scrollback rows.
    pub scrollback: usize,
    /// The emulator that interprets the output.
    pub backend: Backend,
    /// The colours that the terminal reports to the program.
    pub theme: Theme,
    /// The source of time.
    pub clock: Clock,
    /// How long processes may take to exit when the session is closed, before they are killed.
    pub grace: Duration,
    /// Observes the session from its start, if set; [`SessionOptions::record`] sets a recorder.
    pub observer: Option<Arc<dyn AttachAtStart>>,
    /// Source of the answers to the program's terminal queries.
    pub answers: Answers,
    /// Secrets that are masked in screens, states, waits and the history: other cells are shown in
    /// their places. [`Session::output_tail`](super::Session::output_tail),
    /// [`Session::listen`](super::Session::listen) and [`Session::notes`](super::Session::notes)
    /// return the original bytes and texts.
    pub masked_secrets: Secrets,
    /// How input is sent: by default, each input waits until the program is ready for it.
    pub input: InputOptions,
}

/// Source of the answers to a program's terminal queries: the terminal's type, the cursor's
/// position, the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answers {
    /// The emulator.
    #[default]
    Emulator,
    /// The terminal to which the caller passes the output on. Its answers arrive as input.
    Caller,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            size: Size { cols: 80, rows: 24 },
            scrollback: 10_000,
            backend: Backend::default(),
            theme: Theme::default(),
            clock: Clock::system(),
            // Most programs exit within a millisecond of SIGHUP; those that ignore it should not
            // slow down a test suite.
            grace: Duration::from_millis(100),
            observer: None,
            answers: Answers::Emulator,
            masked_secrets: Secrets::default(),
            input: InputOptions::default(),
        }
    }
}
