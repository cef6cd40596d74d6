//! The pseudo-terminal whose other end xterm reads.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

/// The end where a program would run. This process is that program.
#[derive(Debug)]
pub(super) struct Tty {
    fd: OwnedFd,
    name: String,
    /// Bytes of xterm that are not yet taken.
    received: Vec<u8>,
    /// Number of the last checksum request.
    request: u16,
}

impl Tty {
    /// Opens a terminal in raw mode, and returns its other end for xterm.
    pub(super) fn open() -> Result<(Tty, OwnedFd)> {
        // Without CLOEXEC: xterm inherits it.
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&terminal)?;
        unlockpt(&terminal)?;
        let name = ptsname(&terminal, Vec::new())?.into_string()?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = rustix::fs::open(name.as_str(), flags, Mode::empty())?;
        let mut settings = tcgetattr(&fd)?;
        settings.make_raw();
        tcsetattr(&fd, OptionalActions::Now, &settings)?;
        let tty = Tty {
            fd,
            name,
            received: Vec::new(),
            request: 0,
        };
        Ok((tty, terminal))
    }

    /// Returns the last part of the name, which `-S` takes.
    pub(super) fn name(&self) -> Result<String> {
        let last = self.name.rsplit('/').next();
        Ok(last.context("a terminal without a name")?.to_owned())
    }

    /// Reads up to a newline.
    pub(super) fn read_line(&mut self, patience: Duration) -> Result<()> {
        self.exchange(b"", patience, |received| {
            received
                .iter()
                .position(|byte| *byte == b'\n')
                .map(|at| (at, at + 1))
        })?;
        Ok(())
    }

    /// Sends bytes, waits until xterm has processed them, and returns its replies to them.
    pub(super) fn ask(&mut self, bytes: &[u8], patience: Duration) -> Result<Vec<u8>> {
        self.request = self.request % 9000 + 1;
        let number = format!("{}", 50000 + u32::from(self.request));
        let mut bytes = bytes.to_vec();
        bytes.extend(format!("\x1b[{number};1;1;1;1;1*y").bytes());
        let answer = format!("{number}!~");
        self.exchange(&bytes, patience, |received| {
            let at = find(received, answer.as_bytes())?;
            let after = &received[at..];
            // The terminator, as one byte, as UTF-8, or as an escape sequence.
            let ends = [&b"\x1b\\"[..], b"\xc2\x9c", b"\x9c"].map(|end| {
                let found = find(after, end)?;
                Some(at + found + end.len())
            });
            let end = ends.into_iter().flatten().min()?;
            let before = &received[..at];
            let starts = [&b"\x1bP"[..], b"\xc2\x90", b"\x90"];
            let start = starts
                .iter()
                .find_map(|start| before.strip_suffix(*start))?;
            Some((start.len(), end))
        })
    }

    /// Sends bytes and reads until `ends` returns the length of the reply and the number of bytes
    /// to take. Writing and reading alternate, because both directions have limited space.
    fn exchange(
        &mut self,
        mut bytes: &[u8],
        patience: Duration,
        ends: impl Fn(&[u8]) -> Option<(usize, usize)>,
    ) -> Result<Vec<u8>> {
        let deadline = now() + patience;
        loop {
            if bytes.is_empty()
                && let Some((length, taken)) = ends(&self.received)
            {
                let mut reply: Vec<u8> = self.received.drain(..taken).collect();
                reply.truncate(length);
                return Ok(reply);
            }
            let mut flags = PollFlags::IN;
            flags.set(PollFlags::OUT, !bytes.is_empty());
            let mut fds = [PollFd::new(&self.fd, flags)];
            let left = deadline.saturating_duration_since(now());
            if left.is_zero() || poll(&mut fds, Some(&timespec(left)))? == 0 {
                let end = String::from_utf8_lossy(&self.received);
                bail!("xterm did not answer; the last it sent was {end:?}");
            }
            let ready = fds[0].revents();
            if ready.contains(PollFlags::IN) {
                let mut buffer = [0; 16384];
                let count = rustix::io::read(&self.fd, &mut buffer)?;
                self.received.extend_from_slice(&buffer[..count]);
            } else if ready.intersects(PollFlags::HUP | PollFlags::ERR) {
                bail!("xterm ended");
            }
            if ready.contains(PollFlags::OUT) {
                let count = rustix::io::write(&self.fd, bytes)?;
                bytes = &bytes[count..];
            }
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "waits for xterm, which has a clock of its own"
)]
pub(super) fn now() -> Instant {
    Instant::now()
}

pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: duration.subsec_nanos().into(),
    }
}

pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
