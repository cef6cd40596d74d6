//! The terminal of the person who attached, given back however that ends.

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

use crate::signals::CleanupOnSignal as Farewell;

/// How long an Escape waits for what it may be the beginning of: terminals send sequences in one go.
const PAUSE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 25_000_000,
};

/// What sets a terminal back that we have set up: pastes, the mouse, the cursor.
const PLAIN: &str = "\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[0 q\x1b[0m";

/// A terminal that is ours; dropping it gives it back.
pub(super) struct Terminal {
    /// Rung by another size.
    resized: UnixStream,
    ringing: SigId,
    /// Which mouse events it sends.
    mouse: MouseTracking,
    /// Whether something was typed that may be the beginning of more.
    held: bool,
    _farewell: Farewell,
}

/// Something that happened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ready {
    Typed(Vec<u8>),
    /// Nothing was typed behind what was typed last.
    Paused,
    Resized,
    /// The daemon said something, or takes more.
    Line,
    /// The terminal is gone.
    Gone,
}

impl Terminal {
    pub(super) fn take() -> io::Result<Terminal> {
        let farewell = Farewell::new(restore)?;
        let (resized, ring) = UnixStream::pair()?;
        resized.set_nonblocking(true)?;
        let ringing = pipe::register(SIGWINCH, ring)?;
        let terminal = Terminal {
            resized,
            ringing,
            mouse: MouseTracking::Off,
            held: false,
            _farewell: farewell,
        };
        enable_raw_mode()?;
        let mut stdout = io::stdout();
        // What the terminal takes for wider than we do goes over its edge, and not on in the row below.
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

    /// How large it is; one that does not say is as large as most.
    pub(super) fn size() -> io::Result<Size> {
        match size()? {
            (0, _) | (_, 0) => Ok(Size { cols: 80, rows: 24 }),
            (cols, rows) => Ok(Size { cols, rows }),
        }
    }

    /// In which modes it sends what is typed.
    pub(super) fn modes(&self) -> Modes {
        Modes {
            bracketed_paste: true,
            mouse: self.mouse,
            mouse_encoding: MouseEncoding::Sgr,
            ..Modes::default()
        }
    }

    /// Has it send what the program wants of the mouse.
    pub(super) fn follow(&mut self, wanted: &Modes) -> io::Result<()> {
        if wanted.mouse == self.mouse {
            return Ok(());
        }
        self.mouse = wanted.mouse;
        let tracking = match wanted.mouse {
            MouseTracking::Off => "",
            MouseTracking::Clicks => "\x1b[?1000h\x1b[?1006h",
            MouseTracking::Drags => "\x1b[?1002h\x1b[?1006h",
            MouseTracking::Motion => "\x1b[?1003h\x1b[?1006h",
        };
        self.show(format!("\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l{tracking}").as_bytes())
    }

    /// Writes to it, as one change.
    pub(super) fn show(&self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(b"\x1b[?2026h")?;
        out.write_all(bytes)?;
        out.write_all(b"\x1b[?2026l")?;
        out.flush()
    }

    /// Waits until something happens: here, or on the line, which may have something to send.
    pub(super) fn wait(&mut self, line: BorrowedFd<'_>, sends: bool) -> io::Result<Vec<Ready>> {
        let stdin = io::stdin();
        let on_line = match sends {
            true => PollFlags::IN | PollFlags::OUT,
            false => PollFlags::IN,
        };
        let mut waited = [
            PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(self.resized.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(line, on_line),
        ];
        let count = match poll(&mut waited, self.held.then_some(&PAUSE)) {
            Ok(count) => count,
            // The signal that did it has rung.
            Err(Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let [typed, resized, said] = waited.map(|waited| !waited.revents().is_empty());
        let mut ready = Vec::new();
        if count == 0 {
            self.held = false;
            return Ok(vec![Ready::Paused]);
        }
        if resized {
            // However often it rang, it has one size now.
            while (&self.resized)
                .read(&mut [0; 64])
                .is_ok_and(|count| count > 0)
            {}
            ready.push(Ready::Resized);
        }
        if typed {
            let mut bytes = vec![0; 4096];
            match rustix::io::read(stdin.as_fd(), &mut bytes) {
                Ok(0) => ready.push(Ready::Gone),
                Ok(count) => {
                    bytes.truncate(count);
                    self.held = true;
                    ready.push(Ready::Typed(bytes));
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => ready.push(Ready::Gone),
            }
        }
        if said {
            ready.push(Ready::Line);
        }
        Ok(ready)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        unregister(self.ringing);
        restore();
    }
}

fn restore() {
    let mut stdout = io::stdout();
    // Where the terminal is gone there is nothing to give back.
    let _ = stdout.write_all(PLAIN.as_bytes());
    let _ = execute!(
        stdout,
        EndSynchronizedUpdate,
        EnableLineWrap,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}
