//! The user's terminal during a recording. It is restored on every exit path.

use std::io;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};
use screentest::Session;
use screentest::core::Size;
use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGWINCH};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

use crate::failure::{Exit, Failure};

/// The terminal in raw mode, and the signal handling; dropping it restores the terminal. Without a
/// terminal, only signals are handled.
pub(super) struct TerminalGuard {
    signals: Handle,
    stdin: Stdin,
    ended_by: Arc<OnceLock<EndSignal>>,
    /// Set when the session has ended: from then on, signals end the process at once.
    finished: Arc<AtomicBool>,
}

/// A signal that ended the recording before the program exited.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndSignal(i32);

impl EndSignal {
    /// The signal for writing to a closed pipe.
    pub(super) const PIPE: EndSignal = EndSignal(SIGPIPE);

    /// Performs the default action of the signal, after cleanup.
    pub(super) fn raise(self) -> Result<(), Failure> {
        emulate_default_handler(self.0).map_err(|error| Failure::new(Exit::Internal, error))
    }
}

/// Whether stdin is a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stdin {
    Terminal,
    Other,
}

impl TerminalGuard {
    /// Returns the size of the terminal; `None` if it reports none, like some terminals without a
    /// window.
    pub(super) fn size() -> io::Result<Option<Size>> {
        let (cols, rows) = size()?;
        Ok((cols > 0 && rows > 0).then(|| Size { cols, rows }.clamped()))
    }

    /// Switches the terminal to raw mode; the session follows its size.
    pub(super) fn new(session: &Arc<Session>, stdin: Stdin) -> io::Result<TerminalGuard> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGWINCH])?;
        let handle = signals.handle();
        let ended_by = Arc::new(OnceLock::new());
        let finished = Arc::new(AtomicBool::new(false));
        let guard = TerminalGuard {
            signals: handle,
            stdin,
            ended_by: Arc::clone(&ended_by),
            finished: Arc::clone(&finished),
        };
        if stdin == Stdin::Terminal {
            enable_raw_mode()?;
            // The size may have changed since the program was started.
            follow_size(session);
        }
        let session = Arc::clone(session);
        thread::Builder::new()
            .name("screentest-signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    match signal {
                        SIGWINCH if stdin == Stdin::Terminal => follow_size(&session),
                        SIGWINCH => {}
                        _ if finished.load(Ordering::Acquire) => {
                            let _ = emulate_default_handler(signal);
                        }
                        // The first signal ends the session, so that the recording is completed.
                        _ => {
                            let _ = ended_by.set(EndSignal(signal));
                            drop(session.close());
                        }
                    }
                }
            })?;
        Ok(guard)
    }

    /// Restores the terminal, and returns the signal that ended the recording, if any. A further
    /// signal ends the process at once.
    pub(super) fn restore(&mut self) -> Option<EndSignal> {
        // In this order: a signal must not end the process while the terminal is in raw mode.
        self.leave_raw_mode();
        self.finished.store(true, Ordering::Release);
        self.ended_by.get().copied()
    }

    fn leave_raw_mode(&mut self) {
        // A terminal that is gone cannot be restored.
        if std::mem::replace(&mut self.stdin, Stdin::Other) == Stdin::Terminal {
            let _ = disable_raw_mode();
        }
    }
}

/// Resizes the session to the size of the terminal.
fn follow_size(session: &Session) {
    // A terminal that is gone has no size, and a program that has exited needs none.
    if let Ok(Some(size)) = TerminalGuard::size()
        && session.screen().size != size
    {
        let _ = session.resize(size);
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        self.signals.close();
        self.leave_raw_mode();
    }
}
