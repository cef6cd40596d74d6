//! Reading ahead of the emulator while output floods in.
//!
//! The reader fills a buffer and hands it on; the feeder, a thread that is started with the first flood, emulates it meanwhile.
//!
//! The one rule: bytes stay in their order. What is left when a flood ends is fed only behind what the feeder still has.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{CHUNK, Intake, Taken};
use crate::pty::Read;

/// How much may be gathered ahead of the emulator before the program has to wait.
const MOST_AHEAD: usize = 1 << 20;

/// How long gathering may take: a program that never pauses but takes longer than this to fill the buffer is slow enough
/// to be followed byte by byte.
const GATHERING: Duration = Duration::from_millis(5);

/// What the reader holds.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Taken when a flood begins, given back when it ends.
    buffer: Box<[u8]>,
    filled: usize,
    /// When the first of it came.
    since: Duration,
    /// How much came since the program last paused.
    pub(super) streak: usize,
}

/// What the feeder has before it.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    bytes: Vec<u8>,
    busy: bool,
    stop: bool,
    /// It panicked, and takes nothing any more.
    dead: bool,
    thread: Option<JoinHandle<()>>,
}

/// What became of what was gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handed {
    /// The feeder has it.
    On,
    /// There is no feeder to take it.
    Back,
}

impl Intake {
    /// In a flood: fills the buffer and hands it to the feeder.
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
            // Without a thread to overlap with, this one does both.
            Handed::Back => self.end_flood(gathered),
        }
        Ok(Taken::Part)
    }

    /// Gives the feeder what was gathered.
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

    /// The program paused: what is left is fed here, behind what the feeder still has.
    pub(super) fn end_flood(&self, gathered: &mut Gathered) {
        let mut ahead = self.ahead();
        while ahead.busy || !ahead.bytes.is_empty() {
            ahead = self.wait_for_feeder(ahead);
        }
        ahead.bytes = Vec::new();
        let dead = ahead.dead;
        drop(ahead);
        if dead {
            // Where something is missing, nothing behind it would be understood.
            self.over.store(true, Ordering::Relaxed);
        } else {
            let mut emulator = self.emulator();
            self.feed(&mut emulator, &gathered.buffer[..gathered.filled]);
            self.publish(&mut emulator);
        }
        *gathered = Gathered::default();
        self.flood.store(false, Ordering::Relaxed);
        // The feeder gives back as much as it was ever given. It looks and falls asleep under this lock, so that it hears of it.
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
            // A feeder that panicked has already said so on its own.
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

/// The feeder at work. However it ends, whoever waits for it goes on.
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
    fn a_feeder_that_fails_holds_nobody_up() {
        let pty = Arc::new(ScriptedPty::new(Size { cols: 80, rows: 24 }));
        let intake = Fragile::intake(&pty, "screentest-feeder");
        let flood = vec![b'x'; 2 * CHUNK];
        while intake.board.lock().failed.is_none() {
            pty.print(&flood);
            intake.take().unwrap();
        }
        // Whoever read on did not know yet; and whoever looks or closes waits for nobody.
        pty.print(&flood);
        intake.take().unwrap();
        intake.take_written().unwrap();
        assert!(!intake.is_flooded());
        assert_eq!(intake.take().unwrap(), Taken::All);
        intake.read_no_more();
        intake.stop_feeder();
    }
}
