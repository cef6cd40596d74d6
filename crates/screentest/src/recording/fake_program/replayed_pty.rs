//! A PTY whose program is a recording, replayed by a thread of this process.
//!
//! It is a kernel PTY, so that bytes, sizes and settings behave as usual. A thread holds its slave
//! side instead of a process: a library has no binary to start, and a forked child of a process
//! with threads may call only async-signal-safe functions
//! (docs/decisions/0003-recorded-programs.md). Sizes and signals reach the thread through a queue,
//! because there is no process to signal.
//!
//! See also: `fake_program.rs` (the replay), `app.rs` (starts it in place of a program).

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

use super::{FakeProgram, FakeProgramEvent, FakeProgramIo, MISMATCH, report_bytes};
use crate::clock::Clock;
use crate::pty::master::Master;
use crate::pty::signal::Signal;
use crate::pty::waker::Waker;
use crate::pty::{
    Activity, DROP_GRACE, Interest, LineState, Pty, PtyReady, Read, SpawnError, Waiting,
};
use crate::session::exit_status::ExitStatus;

/// Replays a recorded program in a terminal of this size.
///
/// The terminal is in raw mode when this returns: the recording already contains the echo of typed
/// text.
pub(super) fn start(
    mut fake_program: FakeProgram,
    size: Size,
    clock: &Clock,
) -> Result<ReplayedPty, SpawnError> {
    let (master, slave) = Master::open(size).map_err(SpawnError::terminal)?;
    let replay = ReplayThread::new(slave, clock).map_err(SpawnError::terminal)?;
    let shared = Arc::clone(&replay.shared);
    let weak = Arc::downgrade(&shared);
    clock.on_advance(move || {
        weak.upgrade()
            .map(|shared| shared.thread_waker.wake())
            .is_some()
    });
    let thread = std::thread::Builder::new()
        .name("screentest-replay".to_owned())
        .spawn(move || replay.run(&mut fake_program))
        .map_err(SpawnError::Thread)?;
    Ok(ReplayedPty {
        master,
        shared,
        thread: Mutex::new(Some(thread)),
    })
}

/// A recorded program in a terminal; created by [`start`]. Dropping it closes it.
#[derive(Debug)]
pub(super) struct ReplayedPty {
    master: Master,
    shared: Arc<ReplayShared>,
    // Taken by the first close.
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct ReplayShared {
    state: Mutex<ReplayState>,
    ended: Condvar,
    /// Wakes the replaying thread.
    thread_waker: Waker,
    /// Wakes the reader.
    reader_waker: Waker,
}

#[derive(Debug, Default)]
struct ReplayState {
    events: VecDeque<FakeProgramEvent>,
    /// Lengths of the written chunks that were not read yet. No read joins two of them; otherwise
    /// the driver under test would rarely see the requested chunk sizes.
    unread_chunks: VecDeque<usize>,
    exit_status: Option<ExitStatus>,
    killed: bool,
    /// The replay waits for an event and writes nothing before it.
    waits_for_input: bool,
}

impl ReplayShared {
    fn state(&self) -> MutexGuard<'_, ReplayState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, event: FakeProgramEvent) {
        let mut state = self.state();
        if state.exit_status.is_none() {
            state.events.push_back(event);
            self.thread_waker.wake();
        }
    }
}

impl Pty for ReplayedPty {
    fn wait(&self, interest: Interest, timeout: Option<Duration>) -> io::Result<PtyReady> {
        // The replaying thread wakes the reader at the end, so no descriptor for it is needed.
        let mut ready = self
            .master
            .wait(interest, None, &self.shared.reader_waker, timeout)?;
        ready.ended = self.exit_status().is_some();
        Ok(ready)
    }

    fn read(&self, buffer: &mut [u8]) -> io::Result<Read> {
        let mut state = self.shared.state();
        let length = state.unread_chunks.front().copied().unwrap_or(buffer.len());
        let length = length.min(buffer.len());
        let read = self.master.read(&mut buffer[..length])?;
        if let (Read::Bytes(count), Some(chunk)) = (read, state.unread_chunks.front_mut()) {
            *chunk = chunk.saturating_sub(count);
            if *chunk == 0 {
                state.unread_chunks.pop_front();
            }
            if state.unread_chunks.is_empty() {
                // The replaying thread may wait until all output is read.
                self.shared.thread_waker.wake();
            }
        }
        Ok(read)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.master.write(bytes)
    }

    fn resize(&self, size: Size) -> io::Result<()> {
        self.master.resize(size)?;
        self.shared.send(FakeProgramEvent::Resize(size));
        Ok(())
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        self.shared.send(FakeProgramEvent::Signal(signal));
        Ok(())
    }

    fn line(&self) -> Option<LineState> {
        self.master.line()
    }

    fn has_line(&self) -> bool {
        true
    }

    fn activity(&self) -> Activity {
        #[cfg(target_os = "linux")]
        match self.master.has_unread_input() {
            Some(false) => {}
            Some(true) => return Activity::Unread,
            None => return Activity::Unknown,
        }
        let state = self.shared.state();
        if state.waits_for_input && state.unread_chunks.is_empty() && state.events.is_empty() {
            Activity::Waiting(Waiting {
                text_at_once: true,
                ..Waiting::default()
            })
        } else {
            Activity::Busy
        }
    }

    fn exit_status(&self) -> Option<ExitStatus> {
        self.shared.state().exit_status
    }

    fn wake(&self) {
        self.shared.reader_waker.wake();
    }

    fn close(&self, grace: Duration) -> io::Result<()> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(thread) = thread.take() else {
            return Ok(());
        };
        self.shared
            .send(FakeProgramEvent::Signal(if grace.is_zero() {
                Signal::KILL
            } else {
                Signal::HUP
            }));
        let is_running = |state: &mut ReplayState| state.exit_status.is_none();
        let ended = &self.shared.ended;
        let waited = ended.wait_timeout_while(self.shared.state(), grace, is_running);
        drop(waited);
        self.shared.state().killed = true;
        self.shared.thread_waker.wake();
        // A thread that panicked has printed its panic, and left an exit status.
        let _ = thread.join();
        Ok(())
    }
}

impl Drop for ReplayedPty {
    fn drop(&mut self) {
        // Every wait of the replaying thread also polls the waker, so joining the thread returns.
        let _ = self.close(DROP_GRACE);
    }
}

/// The replaying thread, on the slave side of the PTY.
struct ReplayThread {
    terminal: OwnedFd,
    /// The terminal's initial settings.
    initial_settings: Termios,
    shared: Arc<ReplayShared>,
    clock: Clock,
}

impl ReplayThread {
    fn new(terminal: OwnedFd, clock: &Clock) -> io::Result<ReplayThread> {
        ioctl_fionbio(&terminal, true)?;
        let initial_settings = tcgetattr(&terminal)?;
        let mut raw = initial_settings.clone();
        raw.make_raw();
        // Before any input can arrive: the recording already contains the echo.
        tcsetattr(&terminal, OptionalActions::Now, &raw)?;
        Ok(ReplayThread {
            terminal,
            initial_settings,
            shared: Arc::new(ReplayShared {
                state: Mutex::default(),
                ended: Condvar::new(),
                thread_waker: Waker::new()?,
                reader_waker: Waker::new()?,
            }),
            clock: clock.clone(),
        })
    }

    fn run(mut self, fake_program: &mut FakeProgram) {
        let shared = Arc::clone(&self.shared);
        let _end = EndOnDrop(&shared);
        let exit_status = match fake_program.run(&mut self) {
            Ok(ended) => ended.exit_status,
            Err(_) if shared.state().killed => ExitStatus::Signaled(Signal::KILL),
            Err(error) => {
                // The cassette could not be read, for example because it was changed during the
                // replay.
                let _ = self.write(&report_bytes(&format!("screentest: {error}")));
                ExitStatus::Exited(MISMATCH)
            }
        };
        self.drain();
        // Restores the settings, as a program does at its exit.
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.initial_settings);
        drop(self.terminal);
        shared.state().exit_status = Some(exit_status);
    }

    /// Waits for the terminal or the waker.
    fn wait(&self, wanted: PollFlags, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let thread_waker = &self.shared.thread_waker;
        let mut fds = [
            PollFd::new(thread_waker, PollFlags::IN),
            PollFd::new(&self.terminal, wanted),
        ];
        match poll(&mut fds, timeout.as_ref()) {
            Err(Errno::INTR) => return Ok(()),
            other => other?,
        };
        if fds[0].revents().contains(PollFlags::IN) {
            thread_waker.clear();
        }
        Ok(())
    }

    /// Waits until all output was read: after the exit, the reader makes only a limited number of
    /// reads.
    fn drain(&self) {
        while self.check_not_killed().is_ok() && !self.shared.state().unread_chunks.is_empty() {
            if self.wait(PollFlags::empty(), None).is_err() {
                break;
            }
        }
    }

    fn check_not_killed(&self) -> io::Result<()> {
        if self.shared.state().killed {
            Err(io::ErrorKind::Interrupted.into())
        } else {
            Ok(())
        }
    }

    fn read(&self) -> io::Result<Option<FakeProgramEvent>> {
        let mut buffer = [0; 4096];
        match rustix::io::read(&self.terminal, &mut buffer) {
            Ok(0) => Ok(Some(FakeProgramEvent::Closed)),
            Ok(count) => Ok(Some(FakeProgramEvent::Bytes(buffer[..count].to_vec()))),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl FakeProgramIo for ReplayThread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.shared.state().unread_chunks.push_back(bytes.len());
        let mut left = bytes;
        while !left.is_empty() {
            self.check_not_killed()?;
            match rustix::io::write(&self.terminal, left) {
                Ok(count) => left = &left[count..],
                Err(Errno::AGAIN) => self.wait(PollFlags::OUT, None)?,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn wait_for_events(&mut self, until: Option<Duration>) -> io::Result<Vec<FakeProgramEvent>> {
        loop {
            self.check_not_killed()?;
            // Take the events before reading: input that was typed before a signal is then read
            // together with it.
            let events = std::mem::take(&mut self.shared.state().events);
            let bytes = self.read()?;
            let events: Vec<FakeProgramEvent> = bytes.into_iter().chain(events).collect();
            let over = until.is_some_and(|until| self.clock.now() >= until);
            if over || !events.is_empty() {
                return Ok(events);
            }
            let timeout = until.and_then(|until| self.clock.until(until));
            self.shared.state().waits_for_input = until.is_none();
            let waited = self.wait(PollFlags::IN, timeout);
            self.shared.state().waits_for_input = false;
            waited?;
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
}

/// Marks the end of the thread. Dropped also on a panic.
struct EndOnDrop<'a>(&'a ReplayShared);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        let panicked = ExitStatus::Exited(MISMATCH);
        self.0.state().exit_status.get_or_insert(panicked);
        self.0.ended.notify_all();
        self.0.reader_waker.wake();
    }
}
