//! A PTY whose program is a recording, replayed by a thread of this process.
//!
//! It is a kernel PTY, so that bytes, sizes and settings behave as usual. A thread is at its other
//! end instead of a process: a library has no binary to start, and a fork of a process with threads
//! may not do everything that a replay needs (docs/decisions/0003-recorded-programs.md). Sizes and
//! signals reach the thread through a queue, because there is no process to signal.
//!
//! See also: `impersonator.rs` (the replay).

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use screentest_core::Size;

use super::launch::SpawnError;
use super::master::Master;
use super::waker::Bell;
use super::{Activity, DROP_GRACE, Interest, Line, Pty, Read, Ready, Waiting};
use crate::clock::Clock;
use crate::pty::signal::Signal;
use crate::recording::fake_program::{Heard, Impersonator, MISMATCH, Stage, painted};
use crate::session::exit_status::ExitStatus;

/// Replays a recorded program in a terminal of this size.
///
/// The terminal is in raw mode when this returns: the recording already contains the echo of typed
/// text.
pub fn play(
    mut impersonator: Impersonator,
    size: Size,
    clock: &Clock,
) -> Result<DoublePty, SpawnError> {
    let (master, slave) = Master::open(size).map_err(SpawnError::terminal)?;
    let actor = Actor::new(slave, clock).map_err(SpawnError::terminal)?;
    let shared = Arc::clone(&actor.shared);
    let weak = Arc::downgrade(&shared);
    clock.on_advance(move || weak.upgrade().map(|shared| shared.call.ring()).is_some());
    let thread = std::thread::Builder::new()
        .name("screentest-double".to_owned())
        .spawn(move || actor.act(&mut impersonator))
        .map_err(SpawnError::Thread)?;
    Ok(DoublePty {
        master,
        shared,
        thread: Mutex::new(Some(thread)),
    })
}

/// A recorded program in a terminal; created by [`play`]. Dropping it closes it.
#[derive(Debug)]
pub struct DoublePty {
    master: Master,
    shared: Arc<Shared>,
    // Taken by the first close.
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
    /// Wakes the replaying thread.
    call: Bell,
    /// Wakes the reader.
    bell: Bell,
}

#[derive(Debug, Default)]
struct State {
    heard: VecDeque<Heard>,
    /// Lengths of the written pieces that were not read yet. No read joins two of them, or a driver
    /// would hardly ever see the pieces that it is to be tested with.
    pieces: VecDeque<usize>,
    outcome: Option<ExitStatus>,
    killed: bool,
    /// Nothing more is written before the next input.
    listening: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, heard: Heard) {
        let mut state = self.state();
        if state.outcome.is_none() {
            state.heard.push_back(heard);
            self.call.ring();
        }
    }
}

impl Pty for DoublePty {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<Ready> {
        // The replaying thread rings the bell at the end, so no descriptor for it is needed.
        let mut ready = self
            .master
            .wait(interest, None, &self.shared.bell, timeout)?;
        ready.ended = self.outcome().is_some();
        Ok(ready)
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        let mut state = self.shared.state();
        let most = state.pieces.front().copied().unwrap_or(buffer.len());
        let most = most.min(buffer.len());
        let read = self.master.read(&mut buffer[..most])?;
        if let (Read::Bytes(count), Some(piece)) = (read, state.pieces.front_mut()) {
            *piece = piece.saturating_sub(count);
            if *piece == 0 {
                state.pieces.pop_front();
            }
            if state.pieces.is_empty() {
                // The replaying thread may wait for that.
                self.shared.call.ring();
            }
        }
        Ok(read)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.master.write(bytes)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.master.resize(size)?;
        self.shared.tell(Heard::Resize(size));
        Ok(())
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        self.shared.tell(Heard::Signal(signal));
        Ok(())
    }

    fn line(&self) -> Option<Line> {
        self.master.line()
    }

    fn has_line(&self) -> bool {
        true
    }

    fn activity(&self) -> Activity {
        #[cfg(target_os = "linux")]
        match self.master.input_for_program() {
            Some(super::idle::Input::None { .. }) => {}
            Some(super::idle::Input::Unread) => return Activity::Unread,
            None => return Activity::Unknown,
        }
        let state = self.shared.state();
        if state.listening && state.pieces.is_empty() && state.heard.is_empty() {
            Activity::Waiting(Waiting {
                text_at_once: true,
                ..Waiting::default()
            })
        } else {
            Activity::Busy
        }
    }

    fn outcome(&self) -> Option<ExitStatus> {
        self.shared.state().outcome
    }

    fn wake(&self) {
        self.shared.bell.ring();
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(thread) = thread.take() else {
            return Ok(());
        };
        self.shared.tell(Heard::Signal(if grace.is_zero() {
            Signal::KILL
        } else {
            Signal::HUP
        }));
        let plays = |state: &mut State| state.outcome.is_none();
        let ended = &self.shared.ended;
        let waited = ended.wait_timeout_while(self.shared.state(), grace, plays);
        drop(waited);
        self.shared.state().killed = true;
        self.shared.call.ring();
        // A thread that panicked has printed its panic, and left an exit status.
        let _ = thread.join();
        Ok(())
    }
}

impl Drop for DoublePty {
    fn drop(&mut self) {
        // All waits of the replaying thread also wait for the bell that ends them.
        let _ = self.close(DROP_GRACE);
    }
}

/// The replaying thread, at the program's end of the terminal.
struct Actor {
    terminal: OwnedFd,
    /// The terminal's initial settings.
    first: Termios,
    shared: Arc<Shared>,
    clock: Clock,
}

impl Actor {
    fn new(terminal: OwnedFd, clock: &Clock) -> io::Result<Actor> {
        ioctl_fionbio(&terminal, true)?;
        let first = tcgetattr(&terminal)?;
        let mut raw = first.clone();
        raw.make_raw();
        // Before any input can arrive: the recording already contains the echo.
        tcsetattr(&terminal, OptionalActions::Now, &raw)?;
        Ok(Actor {
            terminal,
            first,
            shared: Arc::new(Shared {
                state: Mutex::default(),
                ended: Condvar::new(),
                call: Bell::new()?,
                bell: Bell::new()?,
            }),
            clock: clock.clone(),
        })
    }

    fn act(mut self, impersonator: &mut Impersonator) {
        let shared = Arc::clone(&self.shared);
        let _leaving = Leaving(&shared);
        let outcome = match impersonator.play(&mut self) {
            Ok(ended) => ended.outcome,
            Err(_) if shared.state().killed => ExitStatus::Signaled(Signal::KILL),
            Err(error) => {
                // The cassette was changed during the replay.
                let _ = self.say(&painted(&format!("screentest: {error}")));
                ExitStatus::Exited(MISMATCH)
            }
        };
        self.drain();
        // Restores the settings, as a program does at its exit.
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.first);
        drop(self.terminal);
        shared.state().outcome = Some(outcome);
    }

    /// Waits for the terminal or the bell.
    fn wait(&self, wanted: PollFlags, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let call = &self.shared.call;
        let mut fds = [
            PollFd::new(call, PollFlags::IN),
            PollFd::new(&self.terminal, wanted),
        ];
        match poll(&mut fds, timeout.as_ref()) {
            Err(Errno::INTR) => return Ok(()),
            other => other?,
        };
        if fds[0].revents().contains(PollFlags::IN) {
            call.silence();
        }
        Ok(())
    }

    /// Waits until all output was read: after the exit, the reader reads only a limited number of
    /// pieces.
    fn drain(&self) {
        while self.check().is_ok() && !self.shared.state().pieces.is_empty() {
            if self.wait(PollFlags::empty(), None).is_err() {
                break;
            }
        }
    }

    fn check(&self) -> io::Result<()> {
        if self.shared.state().killed {
            Err(io::ErrorKind::Interrupted.into())
        } else {
            Ok(())
        }
    }

    fn read(&self) -> io::Result<Option<Heard>> {
        let mut buffer = [0; 4096];
        match rustix::io::read(&self.terminal, &mut buffer) {
            Ok(0) => Ok(Some(Heard::Closed)),
            Ok(count) => Ok(Some(Heard::Bytes(buffer[..count].to_vec()))),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Stage for Actor {
    fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.shared.state().pieces.push_back(bytes.len());
        let mut left = bytes;
        while !left.is_empty() {
            self.check()?;
            match rustix::io::write(&self.terminal, left) {
                Ok(count) => left = &left[count..],
                Err(Errno::AGAIN) => self.wait(PollFlags::OUT, None)?,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn listen(&mut self, until: Option<Duration>) -> io::Result<Vec<Heard>> {
        loop {
            self.check()?;
            // Input that was typed before a signal is available by the time that the signal is
            // seen.
            let events = std::mem::take(&mut self.shared.state().heard);
            let bytes = self.read()?;
            let heard: Vec<Heard> = bytes.into_iter().chain(events).collect();
            let over = until.is_some_and(|until| self.clock.now() >= until);
            if over || !heard.is_empty() {
                return Ok(heard);
            }
            let timeout = until.and_then(|until| self.clock.until(until));
            self.shared.state().listening = until.is_none();
            let waited = self.wait(PollFlags::IN, timeout);
            self.shared.state().listening = false;
            waited?;
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
}

/// Marks the end of the thread. Dropped also on a panic.
struct Leaving<'a>(&'a Shared);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        let panicked = ExitStatus::Exited(MISMATCH);
        self.0.state().outcome.get_or_insert(panicked);
        self.0.ended.notify_all();
        self.0.bell.ring();
    }
}
