//! Reads ahead of the emulator while output arrives faster than it can be interpreted.
//!
//! The reader fills a buffer and hands it on. The feeder, a thread that is started with the first
//! flood, emulates it meanwhile, in slices of bounded work. Between two slices the emulator is
//! unlocked, so that queries get their turn even if a few bytes of output take long.
//!
//! Any thread may feed the next slice: the bytes being fed are only used with the emulator locked,
//! so they stay in their order. A thread that must be up to date feeds slices itself.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use screentest_core::emulator::Work;

use super::budget::Budget;
use super::{CHUNK, PtyReader, ReadProgress};
use crate::lock::{self, lock};
use crate::pty::Read;

/// Maximum number of bytes that are gathered ahead of the emulator before the program is blocked.
/// The limit is lower, but at least a [`CHUNK`], if interpreting that many bytes would take more
/// than [`MAX_WORK_AHEAD`] at the rate of the last slice.
const MAX_AHEAD: usize = 1 << 20;
/// Maximum work that is gathered ahead of the emulator. It takes about a tenth of a second, by
/// which screens are late.
const MAX_WORK_AHEAD: Work = 64 << 20;

/// Work of a slice, for which the emulator is locked: about a millisecond. A chunk of ordinary
/// output is one slice.
pub(super) const SLICE: Work = 1 << 20;

/// Work after which the screen is published although more output is gathered.
const PUBLISHED_WORK: Work = 4 << 20;

/// Maximum time to fill the buffer. A program that needs longer is slow enough for direct feeding.
const GATHERING: Duration = Duration::from_millis(5);

/// Bytes that the reader has gathered.
#[derive(Debug, Default)]
pub(super) struct ReadBuffer {
    /// Allocated when a flood begins, freed when it ends.
    buffer: Box<[u8]>,
    filled: usize,
    /// When its first byte arrived.
    since: Duration,
    /// How many bytes arrived since the program last paused.
    pub(super) streak: usize,
    /// The end of the output was read, but not all output was fed.
    ended: bool,
    /// How often output was read after the program's exit.
    pub(super) reads_after_exit: usize,
}

/// Bytes that are being fed. Locked only while the emulator is locked.
#[derive(Debug, Default)]
pub(super) struct Unfed {
    bytes: Vec<u8>,
    at: usize,
    /// Work since the last publication.
    unpublished: Work,
}

/// Bytes for the feeder.
#[derive(Debug)]
pub(super) struct FeederQueue {
    bytes: Vec<u8>,
    /// How many bytes may wait here.
    most: usize,
    /// Gathered bytes were refused because too many wait here.
    is_full: bool,
    /// The feeder should check for work.
    call: bool,
    stop: bool,
    /// The feeder panicked, and bytes are missing.
    dead: bool,
    thread: Option<JoinHandle<()>>,
}

impl Default for FeederQueue {
    fn default() -> FeederQueue {
        FeederQueue {
            bytes: Vec::new(),
            most: MAX_AHEAD,
            is_full: false,
            call: false,
            stop: false,
            dead: false,
            thread: None,
        }
    }
}

/// Result of a hand-over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HandOver {
    /// The feeder has the bytes.
    Accepted,
    /// The feeder has too many already.
    Full,
    /// There is no feeder: it panicked or could not be started.
    Refused,
}

/// Whether gathered output is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gathered {
    /// All of it was fed and published.
    Fed,
    /// The budget was spent before.
    Left,
}

impl PtyReader {
    /// During a flood: fills the buffer and hands it to the feeder.
    pub(super) fn gather(
        self: &Arc<Self>,
        read_buffer: &mut ReadBuffer,
    ) -> io::Result<ReadProgress> {
        if read_buffer.buffer.is_empty() {
            read_buffer.buffer = vec![0; CHUNK].into_boxed_slice();
        }
        while read_buffer.filled < read_buffer.buffer.len() {
            match self
                .pty
                .read(&mut read_buffer.buffer[read_buffer.filled..])?
            {
                Read::Bytes(count) => {
                    if read_buffer.filled == 0 {
                        read_buffer.since = self.clock.now();
                    }
                    read_buffer.filled += count;
                }
                Read::Nothing => {
                    if self.clock.now() > read_buffer.since + GATHERING {
                        let mut budget = Budget::of_pause(&self.real_time);
                        self.end_flood(read_buffer, &mut budget);
                    }
                    return Ok(ReadProgress::Drained);
                }
                Read::End => {
                    read_buffer.ended = true;
                    let mut budget = Budget::of_pause(&self.real_time);
                    return Ok(match self.end_flood(read_buffer, &mut budget) {
                        Gathered::Fed => ReadProgress::Drained,
                        Gathered::Left => ReadProgress::MayHaveMore,
                    });
                }
            }
        }
        match self.hand_over(read_buffer) {
            HandOver::Accepted | HandOver::Full => {}
            // Without a feeder, this thread does both.
            HandOver::Refused => {
                self.end_flood(read_buffer, &mut Budget::of_pause(&self.real_time));
            }
        }
        Ok(ReadProgress::MayHaveMore)
    }

    /// Begins a flood with output that takes too much work to be fed at once.
    pub(super) fn begin_flood_with(self: &Arc<Self>, read_buffer: &mut ReadBuffer, bytes: &[u8]) {
        self.flood.store(true, Ordering::Relaxed);
        self.feeder_queue().bytes.extend_from_slice(bytes);
        // A feeder that cannot be started leaves its work to this thread.
        let _ = self.hand_over(read_buffer);
    }

    /// Hands the gathered bytes to the feeder.
    fn hand_over(self: &Arc<Self>, read_buffer: &mut ReadBuffer) -> HandOver {
        let mut queue = self.feeder_queue();
        if queue.dead {
            return HandOver::Refused;
        }
        if queue.thread.is_none() {
            let reader = Arc::clone(self);
            let thread = std::thread::Builder::new().name("screentest-feeder".to_owned());
            match thread.spawn(move || reader.run_feeder()) {
                Ok(thread) => queue.thread = Some(thread),
                Err(_) => return HandOver::Refused,
            }
        }
        let length = queue.bytes.len() + read_buffer.filled;
        queue.is_full = !queue.bytes.is_empty() && length > queue.most;
        if queue.is_full {
            return HandOver::Full;
        }
        queue.take(read_buffer);
        self.call_feeder(&mut queue);
        HandOver::Accepted
    }

    /// Blocks while the feeder's queue is full, for at most `timeout`. Returns whether it is still
    /// full.
    pub(super) fn wait_for_feeder(&self, timeout: Duration) -> bool {
        let mut queue = self.feeder_queue();
        if queue.is_full {
            (queue, _) = lock::wait_timeout(&self.feeder_progress, queue, timeout);
        }
        queue.is_full
    }

    /// Feeds the gathered output within the budget, and ends the flood when nothing is left.
    pub(super) fn end_flood(
        &self,
        read_buffer: &mut ReadBuffer,
        budget: &mut Budget<'_>,
    ) -> Gathered {
        {
            let mut queue = self.feeder_queue();
            queue.take(read_buffer);
            if queue.dead {
                queue.bytes.clear();
            }
        }
        while let Some(work) = self.feed_gathered() {
            budget.spend(work);
            if budget.is_spent() {
                self.call_feeder(&mut self.feeder_queue());
                return Gathered::Left;
            }
        }
        self.leave_flood(read_buffer);
        Gathered::Fed
    }

    /// Ends the flood without feeding what is left.
    pub(super) fn drop_gathered(&self, read_buffer: &mut ReadBuffer) {
        let mut emulator = self.emulator();
        *lock(&self.unfed) = Unfed::default();
        self.feeder_queue().bytes.clear();
        self.publish(&mut emulator);
        drop(emulator);
        self.leave_flood(read_buffer);
    }

    fn leave_flood(&self, read_buffer: &mut ReadBuffer) {
        if read_buffer.ended {
            self.record_output_end();
        }
        *read_buffer = ReadBuffer {
            reads_after_exit: read_buffer.reads_after_exit,
            ..ReadBuffer::default()
        };
        self.flood.store(false, Ordering::Relaxed);
        // An idle session holds no buffer.
        let _emulator = self.emulator();
        *lock(&self.unfed) = Unfed::default();
        let mut queue = self.feeder_queue();
        queue.bytes = Vec::new();
        queue.most = MAX_AHEAD;
        queue.is_full = false;
        if queue.dead {
            // With bytes missing, later output could not be interpreted.
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Feeds one slice of the gathered output, and publishes the screen after the last one or when
    /// much was fed since. Returns the work, or `None` if nothing was left.
    fn feed_gathered(&self) -> Option<Work> {
        let mut emulator = self.emulator();
        let mut unfed = lock(&self.unfed);
        if unfed.at == unfed.bytes.len() {
            unfed.bytes.clear();
            unfed.at = 0;
            let mut queue = self.feeder_queue();
            if queue.bytes.is_empty() {
                return None;
            }
            std::mem::swap(&mut queue.bytes, &mut unfed.bytes);
            if std::mem::take(&mut queue.is_full) {
                self.feeder_progress.notify_all();
            }
        }
        let fed = self.feed(&mut emulator, &unfed.bytes[unfed.at..], SLICE);
        unfed.at += fed.bytes;
        unfed.unpublished += fed.work;
        let is_last = {
            let mut queue = self.feeder_queue();
            let rate = (fed.work / fed.bytes.max(1) as Work).max(1);
            queue.most = usize::try_from(MAX_WORK_AHEAD / rate)
                .unwrap_or(MAX_AHEAD)
                .clamp(CHUNK, MAX_AHEAD);
            unfed.at == unfed.bytes.len() && queue.bytes.is_empty()
        };
        if is_last || unfed.unpublished >= PUBLISHED_WORK {
            unfed.unpublished = 0;
            self.publish(&mut emulator);
        }
        Some(fed.work)
    }

    fn run_feeder(&self) {
        let _panic = FeederPanic(self);
        loop {
            while self.feed_gathered().is_some() {}
            let mut queue = self.feeder_queue();
            while !std::mem::take(&mut queue.call) {
                if queue.stop {
                    return;
                }
                queue = lock::wait(&self.feeder_work, queue);
            }
        }
    }

    fn call_feeder(&self, queue: &mut FeederQueue) {
        queue.call = true;
        self.feeder_work.notify_one();
    }

    /// Lets the feeder finish and waits for it.
    pub(crate) fn stop_feeder(&self) {
        let thread = {
            let mut queue = self.feeder_queue();
            queue.stop = true;
            queue.thread.take()
        };
        self.feeder_work.notify_one();
        if let Some(thread) = thread {
            // The panic of a feeder was already printed.
            let _ = thread.join();
        }
    }

    fn feeder_queue(&self) -> MutexGuard<'_, FeederQueue> {
        lock(&self.feeder_queue)
    }
}

impl FeederQueue {
    /// Takes what the reader has gathered.
    fn take(&mut self, read_buffer: &mut ReadBuffer) {
        self.bytes
            .extend_from_slice(&read_buffer.buffer[..read_buffer.filled]);
        read_buffer.filled = 0;
    }
}

/// Records a panic of the feeder, so that waiting threads continue.
struct FeederPanic<'a>(&'a PtyReader);

impl Drop for FeederPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            *lock(&self.0.unfed) = Unfed::default();
            let mut queue = self.0.feeder_queue();
            queue.dead = true;
            queue.bytes.clear();
            queue.is_full = false;
            let error = io::Error::other("the emulator failed");
            self.0.state.set_failed(error);
            self.0.feeder_progress.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;

    use super::*;
    use crate::pty::scripted::ScriptedPty;
    use crate::session::reader::panicking_emulator::PanickingEmulator;

    #[test]
    fn a_panic_of_the_feeder_does_not_block_other_threads() {
        let pty = Arc::new(ScriptedPty::new(Size { cols: 80, rows: 24 }));
        let reader = PanickingEmulator::reader(&pty, "screentest-feeder");
        let flood = vec![b'x'; 2 * CHUNK];
        while reader.state.lock().snapshot().failure.is_none() {
            pty.print(&flood);
            reader.read_available().unwrap();
        }
        // A reader that has not noticed the failure continues; queries and closing do not block.
        pty.print(&flood);
        reader.read_available().unwrap();
        reader.read_written().unwrap();
        assert!(!reader.is_flooded());
        assert_eq!(reader.read_available().unwrap(), ReadProgress::Drained);
        reader.stop_reading();
        reader.stop_feeder();
    }
}
