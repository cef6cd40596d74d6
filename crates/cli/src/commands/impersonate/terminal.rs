//! The terminal, or the pipes, in which a recorded program is replayed. The terminal is restored on
//! drop.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};
use screentest::Signal;
use screentest::clock::Clock;
use screentest::core::Size;
use screentest::recording::fake_program::{FakeProgramEvent, FakeProgramIo};
use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

/// Maximum number of queued events: signals, and blocks of input of at most 4 KiB.
const MAX_QUEUED: usize = 64;

/// The terminal or the pipes; dropping it restores the terminal.
pub(super) struct ReplayedTerminal {
    events: Receiver<FakeProgramEvent>,
    signals: Handle,
    clock: Clock,
    raw: bool,
}

impl ReplayedTerminal {
    /// Returns whether there is a terminal that answers queries.
    pub(super) fn answers() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Switches the terminal to raw mode, if there is one, and starts the reader threads.
    pub(super) fn open() -> io::Result<ReplayedTerminal> {
        let (sender, events) = sync_channel(MAX_QUEUED);
        let signals = Signals::new([
            SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
        ])?;
        let raw = io::stdin().is_terminal();
        let terminal = ReplayedTerminal {
            events,
            signals: signals.handle(),
            clock: Clock::system(),
            raw,
        };
        if raw {
            enable_raw_mode()?;
        }
        let signal_sender = sender.clone();
        thread::Builder::new()
            .name("screentest-signals".to_owned())
            .spawn(move || forward_signals(signals, &signal_sender))?;
        // The thread blocks in a read until the process ends, so it is not joined.
        thread::Builder::new()
            .name("screentest-input".to_owned())
            .spawn(move || forward_input(&sender))?;
        Ok(terminal)
    }

    /// Returns the size; `None` without a terminal.
    pub(super) fn size(&self) -> Option<Size> {
        if ReplayedTerminal::answers() {
            current_size()
        } else {
            None
        }
    }
}

fn current_size() -> Option<Size> {
    let (cols, rows) = size().ok()?;
    Some(Size { cols, rows })
}

fn forward_signals(mut signals: Signals, sender: &SyncSender<FakeProgramEvent>) {
    for number in signals.forever() {
        let resized = (number == SIGWINCH).then(current_size).flatten();
        let event = match (resized, Signal::from_number(number)) {
            (Some(size), _) => FakeProgramEvent::Resize(size),
            (None, Some(signal)) => FakeProgramEvent::Signal(signal),
            (None, None) => continue,
        };
        if sender.send(event).is_err() {
            return;
        }
    }
}

fn forward_input(sender: &SyncSender<FakeProgramEvent>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = io::stdin().lock().read(&mut buffer) {
        if sender
            .send(FakeProgramEvent::Bytes(buffer[..count].to_vec()))
            .is_err()
        {
            return;
        }
    }
    // The receiver may be gone.
    let _ = sender.send(FakeProgramEvent::Closed);
}

impl FakeProgramIo for ReplayedTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    fn wait_for_events(&mut self, until: Option<Duration>) -> io::Result<Vec<FakeProgramEvent>> {
        let first = match until {
            None => self
                .events
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => {
                let timeout = until.saturating_sub(self.clock.now());
                self.events.recv_timeout(timeout)
            }
        };
        match first {
            Ok(first) => Ok(std::iter::once(first)
                .chain(self.events.try_iter())
                .collect()),
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => Ok(vec![FakeProgramEvent::Closed]),
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
}

impl Drop for ReplayedTerminal {
    fn drop(&mut self) {
        self.signals.close();
        // A terminal that is gone cannot be restored.
        if self.raw {
            let _ = disable_raw_mode();
        }
    }
}

/// Ends this process with a signal. Returns if the signal does not end a process.
pub(super) fn raise(signal: Signal) {
    // On an error, the exit code reports the signal instead.
    let _ = emulate_default_handler(signal.number());
}
