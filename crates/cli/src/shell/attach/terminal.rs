//! The user's terminal while attached. It is restored however the attachment ends.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use crossterm::cursor::Show;
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use screentest::core::{Modes, MouseEncoding, MouseTracking, Size};
use signal_hook::SigId;
use signal_hook::consts::SIGWINCH;
use signal_hook::low_level::{pipe, unregister};

use crate::signals::CleanupOnSignal;

/// How long to wait for more bytes before an Escape counts as the Escape key. Terminals send the
/// bytes of a sequence at once.
const ESCAPE_TIMEOUT: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 25_000_000,
};

/// Resets the modes that we set: bracketed paste, mouse and cursor shape.
const RESET_MODES: &str = "\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[0 q\x1b[0m";

/// The terminal in raw mode. Dropping this value restores the terminal.
pub(super) struct Terminal {
    /// Readable after SIGWINCH.
    resized: UnixStream,
    sigwinch: SigId,
    /// The enabled mouse events.
    mouse: MouseTracking,
    /// Whether the typed bytes may end within a sequence. True from each read until a pause.
    may_continue: bool,
    _cleanup: CleanupOnSignal,
}

/// An event that ends the wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TerminalEvent {
    Typed(Vec<u8>),
    /// No more bytes followed.
    Paused,
    Resized,
    /// The connection is readable or writable.
    Connection,
    /// The terminal was closed.
    Gone,
}

impl Terminal {
    pub(super) fn take() -> io::Result<Terminal> {
        let cleanup = CleanupOnSignal::new(restore)?;
        let (resized, notify) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        let sigwinch = pipe::register(SIGWINCH, notify)?;
        let terminal = Terminal {
            resized,
            sigwinch,
            mouse: MouseTracking::Off,
            may_continue: false,
            _cleanup: cleanup,
        };
        enable_raw_mode()?;
        let mut stdout = io::stdout();
        // Without line wrap, characters that this terminal measures wider than we do overflow the
        // right edge instead of the next row.
        execute!(
            stdout,
            EnterAlternateScreen,
            DisableLineWrap,
            Clear(ClearType::All)
        )?;
        stdout.write_all(b"\x1b[?2004h")?;
        stdout.flush()?;
        Ok(terminal)
    }

    /// Returns the size; 80x24 if the terminal does not report one.
    pub(super) fn size() -> io::Result<Size> {
        match size()? {
            (0, _) | (_, 0) => Ok(Size { cols: 80, rows: 24 }),
            (cols, rows) => Ok(Size { cols, rows }),
        }
    }

    /// Returns the modes that determine how input is encoded.
    pub(super) fn modes(&self) -> Modes {
        Modes {
            bracketed_paste: true,
            mouse: self.mouse,
            mouse_encoding: MouseEncoding::Sgr,
            ..Modes::default()
        }
    }

    /// Enables the mouse events that the program requested.
    pub(super) fn set_mouse_tracking(&mut self, modes: &Modes) -> io::Result<()> {
        if modes.mouse == self.mouse {
            return Ok(());
        }
        self.mouse = modes.mouse;
        let tracking = match modes.mouse {
            MouseTracking::Off => "",
            MouseTracking::Clicks => "\x1b[?1000h\x1b[?1006h",
            MouseTracking::Drags => "\x1b[?1002h\x1b[?1006h",
            MouseTracking::Motion => "\x1b[?1003h\x1b[?1006h",
        };
        self.write(format!("\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l{tracking}").as_bytes())
    }

    /// Writes bytes as one synchronized update.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(b"\x1b[?2026h")?;
        out.write_all(bytes)?;
        out.write_all(b"\x1b[?2026l")?;
        out.flush()
    }

    /// Waits for an event of the terminal or the connection. With `has_unsent`, a writable
    /// connection is an event too.
    pub(super) fn wait(
        &mut self,
        connection: BorrowedFd<'_>,
        has_unsent: bool,
    ) -> io::Result<Vec<TerminalEvent>> {
        let stdin = io::stdin();
        let on_connection = if has_unsent {
            PollFlags::IN | PollFlags::OUT
        } else {
            PollFlags::IN
        };
        let mut polled = [
            PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.resized.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(connection, on_connection),
        ];
        let count = match poll(&mut polled, self.may_continue.then_some(&ESCAPE_TIMEOUT)) {
            Ok(count) => count,
            // The signal handler has written to the pipe.
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let [typed, resized, connection_ready] = polled.map(|polled| !polled.revents().is_empty());
        let mut ready = Vec::new();
        if count == 0 {
            self.may_continue = false;
            return Ok(vec![TerminalEvent::Paused]);
        }
        if resized {
            // Drain the pipe: several signals are one event.
            while (&self.resized)
                .read(&mut [0; 64])
                .is_ok_and(|count| count > 0)
            {}
            ready.push(TerminalEvent::Resized);
        }
        if typed {
            let mut bytes = vec![0; 4096];
            match rustix::io::read(stdin.as_fd(), &mut bytes) {
                Ok(0) => ready.push(TerminalEvent::Gone),
                Ok(count) => {
                    bytes.truncate(count);
                    self.may_continue = true;
                    ready.push(TerminalEvent::Typed(bytes));
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => ready.push(TerminalEvent::Gone),
            }
        }
        if connection_ready {
            ready.push(TerminalEvent::Connection);
        }
        Ok(ready)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        unregister(self.sigwinch);
        restore();
    }
}

fn restore() {
    let mut stdout = io::stdout();
    // Ignore errors: a closed terminal needs no restoring.
    let _ = stdout.write_all(RESET_MODES.as_bytes());
    let _ = execute!(
        stdout,
        EndSynchronizedUpdate,
        EnableLineWrap,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}
