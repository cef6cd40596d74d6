//! The terminal, or the pipes, in which a recorded program is played; given back however that ends.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};
use screentest::core::Size;
use screentest::recording::fake_program::{FakeProgramEvent, FakeProgramIo};
use screentest::{Clock, Signal};
use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

/// How much may wait to be taken: pieces of input, of at most 4 KiB each, and signals.
const WAITING: usize = 64;

/// Where a recorded program is played; dropping it gives it back.
pub(super) struct Terminal {
    heard: Receiver<FakeProgramEvent>,
    signals: Handle,
    clock: Clock,
    raw: bool,
}

impl Terminal {
    /// Whether there is a terminal that answers what is written to it.
    pub(super) fn answers() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Takes what there is.
    pub(super) fn take() -> io::Result<Terminal> {
        let (tell, heard) = sync_channel(WAITING);
        let signals = Signals::new([
            SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2, SIGWINCH,
        ])?;
        let raw = io::stdin().is_terminal();
        let terminal = Terminal {
            heard,
            signals: signals.handle(),
            clock: Clock::system(),
            raw,
        };
        if raw {
            enable_raw_mode()?;
        }
        let sending = tell.clone();
        thread::Builder::new()
            .name("screentest-signals".to_owned())
            .spawn(move || pass_signals(signals, &sending))?;
        // It sits in a read for as long as we live; there is nothing to wait for.
        thread::Builder::new()
            .name("screentest-input".to_owned())
            .spawn(move || pass_input(&tell))?;
        Ok(terminal)
    }

    /// How large it is; `None` where nothing is.
    pub(super) fn size(&self) -> Option<Size> {
        match Terminal::answers() {
            true => current_size(),
            false => None,
        }
    }
}

fn current_size() -> Option<Size> {
    let (cols, rows) = size().ok()?;
    Some(Size { cols, rows })
}

fn pass_signals(mut signals: Signals, tell: &SyncSender<FakeProgramEvent>) {
    for number in signals.forever() {
        let resized = (number == SIGWINCH).then(current_size).flatten();
        let heard = match (resized, Signal::from_number(number)) {
            (Some(size), _) => FakeProgramEvent::Resize(size),
            (None, Some(signal)) => FakeProgramEvent::Signal(signal),
            (None, None) => continue,
        };
        if tell.send(heard).is_err() {
            return;
        }
    }
}

fn pass_input(tell: &SyncSender<FakeProgramEvent>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = io::stdin().lock().read(&mut buffer) {
        if tell
            .send(FakeProgramEvent::Bytes(buffer[..count].to_vec()))
            .is_err()
        {
            return;
        }
    }
    // Nobody may listen any more.
    let _ = tell.send(FakeProgramEvent::Closed);
}

impl FakeProgramIo for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    fn wait_for_events(&mut self, until: Option<Duration>) -> io::Result<Vec<FakeProgramEvent>> {
        let first = match until {
            None => self
                .heard
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
            Some(until) => {
                let timeout = until.saturating_sub(self.clock.now());
                self.heard.recv_timeout(timeout)
            }
        };
        match first {
            Ok(first) => Ok(std::iter::once(first)
                .chain(self.heard.try_iter())
                .collect()),
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            Err(RecvTimeoutError::Disconnected) => Ok(vec![FakeProgramEvent::Closed]),
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.signals.close();
        // Where the terminal is gone there is nothing to give back.
        if self.raw {
            let _ = disable_raw_mode();
        }
    }
}

/// Ends this process as the signal would have; returns where it does not end a process.
pub(super) fn die_of(signal: Signal) {
    // One that no handler is known for is told by the exit code.
    let _ = emulate_default_handler(signal.number());
}
