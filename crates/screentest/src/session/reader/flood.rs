//! Reads ahead of the emulator while output arrives faster than it can be interpreted.
//!
//! The reader fills a buffer and hands it on. The feeder, a thread that is started with the first
//! flood, emulates it meanwhile.
//!
//! Bytes stay in their order: when a flood ends, the remaining bytes are fed only after those that
//! the feeder still has.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{CHUNK, Intake, Taken};
use crate::pty::Read;

/// How much may be gathered ahead of the emulator before the program is blocked.
const MOST_AHEAD: usize = 1 << 20;

/// How long gathering may take. A program that never pauses but needs longer to fill the buffer is
/// slow enough to be followed byte by byte.
const GATHERING: Duration = Duration::from_millis(5);

/// Bytes that the reader has gathered.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Allocated when a flood begins, freed when it ends.
    buffer: Box<[u8]>,
    filled: usize,
    /// When its first byte arrived.
    since: Duration,
    /// How many bytes arrived since the program last paused.
    pub(super) streak: usize,
}

/// Work of the feeder.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    bytes: Vec<u8>,
    busy: bool,
    stop: bool,
    /// It panicked and accepts nothing any more.
    dead: bool,
    thread: Option<JoinHandle<()>>,
}

/// Result of a hand-over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handed {
    /// The feeder has the bytes.
    On,
    /// There is no feeder to take them.
    Back,
}

impl Intake {
    /// During a flood: fills the buffer and hands it to the feeder.
    pub(super) fn gather(self: &Arc<Self>, gathered: &mut Gathered) -> io::Result<Taken> {
        if gathered.buffer.is_empty() {
            gathered.buffer = vec![0; CHUNK].into_boxed_slice();
        }
        while gathered.filled < gathered.buffer.len() {
            match self.pty.read(&mut gathered.buffer[gathered.filled..])? {
                Read::Bytes(count) => {
                    if gathered.filled == 0 {
                        gathered.since = self.clock.now();
                    }
                    gathered.filled += count;
                }
                Read::Nothing => {
                    if self.clock.now() > gathered.since + GATHERING {
                        self.end_flood(gathered);
                    }
                    return Ok(Taken::All);
                }
                Read::End => {
                    self.end_flood(gathered);
                    return Ok(self.fall_silent());
                }
            }
        }
        match self.hand_on(gathered) {
            Handed::On => {}
            // Without a feeder, this thread does both.
            Handed::Back => self.end_flood(gathered),
        }
        Ok(Taken::Part)
    }

    /// Hands the gathered bytes to the feeder.
    fn hand_on(self: &Arc<Self>, gathered: &mut Gathered) -> Handed {
        let mut ahead = self.ahead();
        if ahead.thread.is_none() {
            let intake = Arc::clone(self);
            let thread = std::thread::Builder::new().name("screentest-feeder".to_owned());
            match thread.spawn(move || intake.run_feeder()) {
                Ok(thread) => ahead.thread = Some(thread),
                Err(_) => return Handed::Back,
            }
        }
        while ahead.bytes.len() + gathered.filled > MOST_AHEAD {
            ahead = self.wait_for_feeder(ahead);
        }
        if ahead.dead {
            return Handed::Back;
        }
        ahead
            .bytes
            .extend_from_slice(&gathered.buffer[..gathered.filled]);
        gathered.filled = 0;
        if !ahead.busy {
            self.work.notify_one();
        }
        Handed::On
    }

    /// Ends a flood when the program pauses: feeds the remaining bytes, after those that the feeder
    /// still has.
    pub(super) fn end_flood(&self, gathered: &mut Gathered) {
        let mut ahead = self.ahead();
        while ahead.busy || !ahead.bytes.is_empty() {
            ahead = self.wait_for_feeder(ahead);
        }
        ahead.bytes = Vec::new();
        let dead = ahead.dead;
        drop(ahead);
        if dead {
            // With bytes missing, later output could not be interpreted.
            self.over.store(true, Ordering::Relaxed);
        } else {
            let mut emulator = self.emulator();
            self.feed(&mut emulator, &gathered.buffer[..gathered.filled]);
            self.publish(&mut emulator);
        }
        *gathered = Gathered::default();
        self.flood.store(false, Ordering::Relaxed);
        // The feeder frees its buffer. It checks for work and sleeps under this lock, so it does
        // not miss this notification.
        if self.ahead().thread.is_some() {
            self.work.notify_one();
        }
    }

    fn run_feeder(&self) {
        let mut bytes = Vec::new();
        loop {
            let mut ahead = self.ahead();
            while ahead.bytes.is_empty() {
                if ahead.stop {
                    return;
                }
                if !self.is_flooded() {
                    bytes = Vec::new();
                }
                ahead = self
                    .work
                    .wait(ahead)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            std::mem::swap(&mut ahead.bytes, &mut bytes);
            ahead.busy = true;
            drop(ahead);
            let _busy = Busy(self);
            self.progress.notify_all();
            let mut emulator = self.emulator();
            self.feed(&mut emulator, &bytes);
            self.publish(&mut emulator);
            bytes.clear();
        }
    }

    /// Lets the feeder finish and waits for it.
    pub(crate) fn stop_feeder(&self) {
        let thread = {
            let mut ahead = self.ahead();
            ahead.stop = true;
            ahead.thread.take()
        };
        self.work.notify_one();
        if let Some(thread) = thread {
            // The panic of a feeder was already printed.
            let _ = thread.join();
        }
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_feeder<'a>(&self, ahead: MutexGuard<'a, Ahead>) -> MutexGuard<'a, Ahead> {
        self.progress
            .wait(ahead)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The feeder at work. Dropped also on a panic, so that waiting threads continue.
struct Busy<'a>(&'a Intake);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        let mut ahead = self.0.ahead();
        ahead.busy = false;
        if std::thread::panicking() {
            ahead.dead = true;
            ahead.bytes.clear();
            self.0.board.fail(io::Error::other("the emulator failed"));
        }
        self.0.progress.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;

    use super::*;
    use crate::pty::scripted::ScriptedPty;
    use crate::session::reader::fragile::Fragile;

    #[test]
    fn a_panic_of_the_feeder_does_not_block_other_threads() {
        let pty = Arc::new(ScriptedPty::new(Size { cols: 80, rows: 24 }));
        let intake = Fragile::intake(&pty, "screentest-feeder");
        let flood = vec![b'x'; 2 * CHUNK];
        while intake.board.lock().failed.is_none() {
            pty.print(&flood);
            intake.take().unwrap();
        }
        // A reader that has not noticed the failure continues; queries and closing do not block.
        pty.print(&flood);
        intake.take().unwrap();
        intake.take_written().unwrap();
        assert!(!intake.is_flooded());
        assert_eq!(intake.take().unwrap(), Taken::All);
        intake.read_no_more();
        intake.stop_feeder();
    }
}
