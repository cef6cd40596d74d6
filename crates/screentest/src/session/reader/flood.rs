//! Reads ahead of the emulator while output arrives faster than it can be interpreted.
//!
//! The reader fills a buffer and hands it on. The feeder, a thread that is started with the first
//! flood, emulates it meanwhile.
//!
//! Bytes stay in their order: when a flood ends, the remaining bytes are fed only after those that
//! the feeder still has.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use super::{CHUNK, PtyReader, ReadProgress};
use crate::lock::{self, lock};
use crate::pty::Read;

/// How much may be gathered ahead of the emulator before the program is blocked.
const MOST_AHEAD: usize = 1 << 20;

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
}

/// Work of the feeder.
#[derive(Debug, Default)]
pub(super) struct FeederQueue {
    bytes: Vec<u8>,
    busy: bool,
    stop: bool,
    /// It panicked and accepts nothing any more.
    dead: bool,
    thread: Option<JoinHandle<()>>,
}

/// Result of a hand-over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HandOver {
    /// The feeder has the bytes.
    Accepted,
    /// There is no feeder to take them.
    Refused,
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
                        self.end_flood(read_buffer);
                    }
                    return Ok(ReadProgress::Drained);
                }
                Read::End => {
                    self.end_flood(read_buffer);
                    return Ok(self.record_output_end());
                }
            }
        }
        match self.hand_over(read_buffer) {
            HandOver::Accepted => {}
            // Without a feeder, this thread does both.
            HandOver::Refused => self.end_flood(read_buffer),
        }
        Ok(ReadProgress::MayHaveMore)
    }

    /// Hands the gathered bytes to the feeder.
    fn hand_over(self: &Arc<Self>, read_buffer: &mut ReadBuffer) -> HandOver {
        let mut queue = self.feeder_queue();
        if queue.thread.is_none() {
            let reader = Arc::clone(self);
            let thread = std::thread::Builder::new().name("screentest-feeder".to_owned());
            match thread.spawn(move || reader.run_feeder()) {
                Ok(thread) => queue.thread = Some(thread),
                Err(_) => return HandOver::Refused,
            }
        }
        while queue.bytes.len() + read_buffer.filled > MOST_AHEAD {
            queue = self.wait_for_feeder(queue);
        }
        if queue.dead {
            return HandOver::Refused;
        }
        queue
            .bytes
            .extend_from_slice(&read_buffer.buffer[..read_buffer.filled]);
        read_buffer.filled = 0;
        if !queue.busy {
            self.feeder_work.notify_one();
        }
        HandOver::Accepted
    }

    /// Ends a flood when the program pauses: feeds the remaining bytes, after those that the feeder
    /// still has.
    pub(super) fn end_flood(&self, read_buffer: &mut ReadBuffer) {
        let mut queue = self.feeder_queue();
        while queue.busy || !queue.bytes.is_empty() {
            queue = self.wait_for_feeder(queue);
        }
        queue.bytes = Vec::new();
        let dead = queue.dead;
        drop(queue);
        if dead {
            // With bytes missing, later output could not be interpreted.
            self.stopped.store(true, Ordering::Relaxed);
        } else {
            let mut emulator = self.emulator();
            self.feed(&mut emulator, &read_buffer.buffer[..read_buffer.filled]);
            self.publish(&mut emulator);
        }
        *read_buffer = ReadBuffer::default();
        self.flood.store(false, Ordering::Relaxed);
        // The feeder frees its buffer. It checks for work and sleeps under this lock, so it does
        // not miss this notification.
        if self.feeder_queue().thread.is_some() {
            self.feeder_work.notify_one();
        }
    }

    fn run_feeder(&self) {
        let mut bytes = Vec::new();
        loop {
            let mut queue = self.feeder_queue();
            while queue.bytes.is_empty() {
                if queue.stop {
                    return;
                }
                if !self.is_flooded() {
                    bytes = Vec::new();
                }
                queue = lock::wait(&self.feeder_work, queue);
            }
            std::mem::swap(&mut queue.bytes, &mut bytes);
            queue.busy = true;
            drop(queue);
            let _busy = FeederBusy(self);
            self.feeder_progress.notify_all();
            let mut emulator = self.emulator();
            self.feed(&mut emulator, &bytes);
            self.publish(&mut emulator);
            bytes.clear();
        }
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

    fn wait_for_feeder<'a>(
        &self,
        queue: MutexGuard<'a, FeederQueue>,
    ) -> MutexGuard<'a, FeederQueue> {
        lock::wait(&self.feeder_progress, queue)
    }
}

/// The feeder at work. Dropped also on a panic, so that waiting threads continue.
struct FeederBusy<'a>(&'a PtyReader);

impl Drop for FeederBusy<'_> {
    fn drop(&mut self) {
        let mut queue = self.0.feeder_queue();
        queue.busy = false;
        if std::thread::panicking() {
            queue.dead = true;
            queue.bytes.clear();
            let error = io::Error::other("the emulator failed");
            self.0.state.set_failed(error);
        }
        self.0.feeder_progress.notify_all();
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
