//! The terminal that a recorded program is given, and that is given back however the recording ends.

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

/// A terminal whose keys go to somebody else; dropping it gives it back. Where there is none, only signals are taken.
pub(super) struct Taken {
    signals: Handle,
    terminal: Terminal,
    ended_by: Arc<OnceLock<EndSignal>>,
    /// The recording is over: what is done with it may be ended like any other work.
    over: Arc<AtomicBool>,
}

/// A signal by which the recording was ended, not the program.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndSignal(i32);

impl EndSignal {
    /// What comes of writing to a pipe that nobody reads.
    pub(super) const PIPE: EndSignal = EndSignal(SIGPIPE);

    /// Does what the signal would have done, now that all is in order.
    pub(super) fn end_us(self) -> Result<(), Failure> {
        emulate_default_handler(self.0).map_err(|error| Failure::new(Exit::Internal, error))
    }
}

/// Whether a person sits at a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Terminal {
    Ours,
    None,
}

impl Taken {
    /// How large it is; `None` where it does not say, as one that nobody looks at.
    pub(super) fn size() -> io::Result<Option<Size>> {
        let (cols, rows) = size()?;
        Ok((cols > 0 && rows > 0).then(|| Size { cols, rows }.clamped()))
    }

    /// Takes it for a session, whose size follows its own.
    pub(super) fn take(session: &Arc<Session>, terminal: Terminal) -> io::Result<Taken> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGWINCH])?;
        let handle = signals.handle();
        let ended_by = Arc::new(OnceLock::new());
        let over = Arc::new(AtomicBool::new(false));
        let taken = Taken {
            signals: handle,
            terminal,
            ended_by: Arc::clone(&ended_by),
            over: Arc::clone(&over),
        };
        if terminal == Terminal::Ours {
            enable_raw_mode()?;
            // It may have changed since the program was started.
            follow(session);
        }
        let session = Arc::clone(session);
        thread::Builder::new()
            .name("screentest-signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    match signal {
                        SIGWINCH if terminal == Terminal::Ours => follow(&session),
                        SIGWINCH => {}
                        _ if over.load(Ordering::Relaxed) => {
                            let _ = emulate_default_handler(signal);
                        }
                        // The recording is worth keeping, and ends with the session; the first signal is what ended it.
                        _ => {
                            let _ = ended_by.set(EndSignal(signal));
                            drop(session.close());
                        }
                    }
                }
            })?;
        Ok(taken)
    }

    /// Gives it back when the recording is over, and tells which signal ended it, if one did. Another one ends us at once.
    pub(super) fn give_back(&mut self) -> Option<EndSignal> {
        self.over.store(true, Ordering::Relaxed);
        self.release();
        self.ended_by.get().copied()
    }

    fn release(&mut self) {
        // Where the terminal is gone there is nothing to give back.
        if std::mem::replace(&mut self.terminal, Terminal::None) == Terminal::Ours {
            let _ = disable_raw_mode();
        }
    }
}

/// Gives the program the size that the terminal has.
fn follow(session: &Session) {
    // A terminal that is gone has no size any more, and a program that has ended wants none.
    if let Ok(Some(size)) = Taken::size()
        && session.screen().size != size
    {
        let _ = session.resize(size);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.signals.close();
        self.release();
    }
}
