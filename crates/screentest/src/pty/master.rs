//! The controlling end of a kernel PTY: reading, writing, resizing and polling.
//!
//! Independent of processes: `native.rs` and `direct.rs` each start a program and detect its exit
//! in their own way.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    InputModes, LocalModes, OutputModes, SpecialCodeIndex, Winsize, tcgetattr, tcsetwinsize,
};
use screentest_core::Size;
use screentest_core::screen::image::{CELL_HEIGHT, CELL_WIDTH};

#[cfg(target_os = "linux")]
use super::idle::{Device, TerminalInput};
use super::waker::Waker;
use super::{Interest, LineFlags, LineSettings, LineState, PtyReady, Read};

/// The controlling end of a terminal.
#[derive(Debug)]
pub(crate) struct Master {
    fd: OwnedFd,
    // After the other end is closed for good, the kernel reports this one as ready for ever:
    // polling it would spin.
    ended: AtomicBool,
    /// The kernel's initial settings, before a program could change them.
    first: Option<LineSettings>,
    /// The device of the program's end.
    #[cfg(target_os = "linux")]
    terminal: Option<Device>,
}

impl Master {
    /// Opens a PTY of this size; returns this process's end and the program's.
    pub(crate) fn open(size: Size) -> io::Result<(Master, OwnedFd)> {
        // Descriptors must not leak into programs that other parts of this process start.
        #[cfg(target_os = "linux")]
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        #[cfg(not(target_os = "linux"))]
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let fd = openpt(flags)?;
        #[cfg(not(target_os = "linux"))]
        rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::CLOEXEC)?;
        grantpt(&fd)?;
        unlockpt(&fd)?;
        let name = ptsname(&fd, Vec::new())?;
        let slave = open(
            name.as_c_str(),
            OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        ioctl_fionbio(&fd, true)?;
        let first = settings(&fd);
        let master = Master {
            fd,
            first,
            #[cfg(target_os = "linux")]
            terminal: rustix::fs::fstat(&slave)
                .ok()
                .map(|stat| Device::of(stat.st_rdev)),
            ended: AtomicBool::new(false),
        };
        // Before anything runs, so that no program sees a terminal of size zero.
        master.resize(size)?;
        Ok((master, slave))
    }

    pub(crate) fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        if buffer.is_empty() {
            return Ok(Read::Nothing);
        }
        loop {
            return match rustix::io::read(&self.fd, &mut *buffer) {
                // Once no process has the program's end open, Linux returns EIO, other systems 0.
                Ok(0) | Err(Errno::IO) => {
                    self.ended.store(true, Ordering::Release);
                    Ok(Read::End)
                }
                Ok(count) => Ok(Read::Bytes(count)),
                Err(Errno::AGAIN) => Ok(Read::Nothing),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    pub(crate) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            return match rustix::io::write(&self.fd, bytes) {
                Ok(count) => Ok(count),
                Err(Errno::AGAIN) => Ok(0),
                Err(Errno::INTR) => continue,
                Err(error) => Err(error.into()),
            };
        }
    }

    pub(crate) fn resize(&self, size: Size) -> io::Result<()> {
        let size = Winsize {
            ws_row: size.rows,
            ws_col: size.cols,
            // Programs that show images compute the size of a cell from it. The largest screen
            // has far fewer pixels than fit.
            ws_xpixel: size.cols.saturating_mul(CELL_WIDTH as u16),
            ws_ypixel: size.rows.saturating_mul(CELL_HEIGHT as u16),
        };
        Ok(tcsetwinsize(&self.fd, size)?)
    }

    pub(crate) fn line(&self) -> Option<LineState> {
        Some(LineState {
            first: self.first?,
            now: settings(&self.fd)?,
        })
    }

    /// Returns the process group in the terminal's foreground.
    #[cfg(target_os = "linux")]
    pub(super) fn foreground(&self) -> Option<u32> {
        let group = rustix::termios::tcgetpgrp(&self.fd).ok()?;
        u32::try_from(group.as_raw_nonzero().get()).ok()
    }

    /// Returns whether the terminal holds input that the program has not read; `None` if unknown.
    #[cfg(target_os = "linux")]
    pub(crate) fn has_unread_input(&self) -> Option<bool> {
        let input = self.input_for_program()?;
        Some(matches!(input, TerminalInput::Unread))
    }

    /// Returns whether the terminal holds input that the program has not read, and the terminal's
    /// device if it holds none; `None` if unknown.
    #[cfg(target_os = "linux")]
    pub(super) fn input_for_program(&self) -> Option<TerminalInput> {
        // The program's end is opened for a moment only: kept open, it would hide that the program
        // has closed it. Polling that end, unlike querying a byte count, makes the kernel first
        // move written input from its worker's queue into the terminal.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let end = rustix::pty::ioctl_tiocgptpeer(&self.fd, flags).ok()?;
        let mut polled = [PollFd::new(&end, PollFlags::IN)];
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        poll(&mut polled, Some(&now)).ok()?;
        if polled[0].revents().contains(PollFlags::IN) {
            return Some(TerminalInput::Unread);
        }
        let terminal = self.terminal?;
        Some(TerminalInput::None { terminal })
    }

    /// Waits for bytes, for `end` (the descriptor that reports the program's exit, if there is one)
    /// and for `waker`, which is cleared. `PtyReady::ended` means that `end` is readable; the
    /// caller reads the report.
    pub(crate) fn wait(
        &self,
        interest: Interest,
        end: Option<BorrowedFd<'_>>,
        waker: &Waker,
        timeout: Option<Duration>,
    ) -> io::Result<PtyReady> {
        let mut wanted = PollFlags::IN;
        if interest == Interest::ReadWrite {
            wanted |= PollFlags::OUT;
        }
        // The waker is a placeholder for descriptors that are not polled, so that the indices stay
        // the same.
        let absent = || PollFd::from_borrowed_fd(waker.as_fd(), PollFlags::empty());
        let mut fds = [
            PollFd::new(waker, PollFlags::IN),
            if self.ended.load(Ordering::Acquire) {
                absent()
            } else {
                PollFd::new(&self.fd, wanted)
            },
            end.map_or_else(absent, |end| PollFd::from_borrowed_fd(end, PollFlags::IN)),
        ];
        // A timeout that is too long for the kernel is treated as none.
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        match poll(&mut fds, timeout.as_ref()) {
            // A spurious return is allowed, and avoids computing the remaining timeout.
            Err(Errno::INTR) => return Ok(PtyReady::default()),
            other => other?,
        };
        let [woken, bytes, news] = fds.map(|fd| fd.revents());
        if woken.contains(PollFlags::IN) {
            waker.clear();
        }
        Ok(PtyReady {
            readable: bytes.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR),
            writable: bytes.contains(PollFlags::OUT),
            ended: end.is_some() && !news.is_empty(),
        })
    }
}

/// Returns the settings of the program's end, which both ends share.
fn settings(fd: &OwnedFd) -> Option<LineSettings> {
    let termios = tcgetattr(fd).ok()?;
    let (input, output, local) = (
        termios.input_modes,
        termios.output_modes,
        termios.local_modes,
    );
    let flags = [
        (input.contains(InputModes::IGNBRK), LineFlags::IGNBRK),
        (input.contains(InputModes::BRKINT), LineFlags::BRKINT),
        (input.contains(InputModes::PARMRK), LineFlags::PARMRK),
        (input.contains(InputModes::ISTRIP), LineFlags::ISTRIP),
        (input.contains(InputModes::INLCR), LineFlags::INLCR),
        (input.contains(InputModes::IGNCR), LineFlags::IGNCR),
        (input.contains(InputModes::ICRNL), LineFlags::ICRNL),
        (input.contains(InputModes::IXON), LineFlags::IXON),
        (input.contains(InputModes::IXOFF), LineFlags::IXOFF),
        (output.contains(OutputModes::OPOST), LineFlags::OPOST),
        (output.contains(OutputModes::ONLCR), LineFlags::ONLCR),
        (local.contains(LocalModes::ECHO), LineFlags::ECHO),
        (local.contains(LocalModes::ECHOE), LineFlags::ECHOE),
        (local.contains(LocalModes::ECHOK), LineFlags::ECHOK),
        (local.contains(LocalModes::ECHONL), LineFlags::ECHONL),
        (local.contains(LocalModes::ICANON), LineFlags::ICANON),
        (local.contains(LocalModes::ISIG), LineFlags::ISIG),
        (local.contains(LocalModes::IEXTEN), LineFlags::IEXTEN),
        (local.contains(LocalModes::NOFLSH), LineFlags::NOFLSH),
        (local.contains(LocalModes::TOSTOP), LineFlags::TOSTOP),
    ];
    Some(LineSettings {
        flags: flags
            .into_iter()
            .filter_map(|(on, flag)| on.then_some(flag))
            .collect(),
        min: termios.special_codes[SpecialCodeIndex::VMIN],
        time: termios.special_codes[SpecialCodeIndex::VTIME],
    })
}
