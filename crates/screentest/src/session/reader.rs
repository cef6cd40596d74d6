//! Reads the PTY and feeds the emulator.
//!
//! The current reader (a waiting thread or the background reader) reads the program's output and
//! feeds it in the same thread: with nothing queued, there is no thread hand-over between a byte
//! and its waiter. If output arrives faster than it can be interpreted (a flood), reading and
//! emulating overlap: the reader only gathers bytes, and a second thread, the feeder, emulates
//! them. The kernel buffers just 4 KiB for a terminal, so a program that prints much would
//! otherwise be blocked while its output is interpreted.
//!
//! `read_buffer` is locked before `emulator`, and both before the input queue and the shared state.
//!
//! See also: `reader/publish.rs` (from bytes to screens), `reader/flood.rs` (the overlap),
//! `reader/receivers.rs` (observer and listeners), `state/reader_role.rs` (who is the reader).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, RwLock};
use std::time::Duration;

use screentest_core::emulator::Compaction;
use screentest_core::{Emulator, Secrets};

use crate::clock::Clock;
use crate::lock::lock;
use crate::pty::{Interest, Pty, Read};
use crate::session::Answers;
use crate::session::input::log::InputLog;
use crate::session::input::queue::InputQueue;
use crate::session::observer::{SessionEvent, SessionObserver};
use crate::session::output_tail::TailBuffer;
use crate::session::redact::ScreenRedactor;
use crate::session::state::SessionState;
use crate::session::wait::enter_baseline::EnterTracker;
use flood::{FeederQueue, ReadBuffer};

mod flood;
#[cfg(test)]
pub(crate) mod panicking_emulator;
mod publish;
mod receivers;

/// How much is gathered before it is handed on, and how much may arrive without a pause before a
/// flood begins. At 64 KiB a hand-over costs a hundredth of the time of emulating.
const CHUNK: usize = 64 << 10;

/// The kernel buffers at most this much for a terminal and hands it over at once. A shorter read
/// means that there is no more for now. A second read would wait for the kernel thread that refills
/// the buffer, which costs as much as everything else here.
const KERNEL: usize = 4095;

/// Buffer size for one read of the kernel's buffer. Allocated per read, so an idle session holds no
/// buffer; this costs 0.1 % of a read.
const ROOM: usize = 4096;

/// The longest pause within a flood: the scheduler's time slice, not a pause of the program.
const PAUSE: Duration = Duration::from_millis(1);

/// Maximum number of reads after the program's exit: the kernel holds up to 64 KiB, and a read
/// returns one kernel buffer.
const MOST_LAST_READS: usize = 64;

/// The path of bytes from a terminal to the shared state.
#[derive(Debug)]
pub(crate) struct PtyReader {
    pub(crate) pty: Arc<dyn Pty>,
    pub(crate) clock: Clock,
    /// When the session began.
    pub(crate) started: Duration,
    pub(crate) input_queue: InputQueue,
    pub(crate) input_log: InputLog,
    /// The screen before Enter, if that was the last input.
    pub(crate) enters: EnterTracker,
    pub(crate) state: SessionState,
    pub(crate) output_tail: TailBuffer,
    pub(crate) answers: Answers,
    /// Masks secrets in everything that callers can see.
    pub(crate) redactor: ScreenRedactor,
    /// Receives every event, while the session is observed.
    observer: RwLock<Option<Arc<dyn SessionObserver>>>,
    /// Receivers of every byte.
    listeners: Mutex<Vec<Sender<Vec<u8>>>>,
    /// Whether there are any.
    has_listeners: AtomicBool,
    emulator: Mutex<Box<dyn Emulator>>,
    read_buffer: Mutex<ReadBuffer>,
    /// Output arrives faster than it is interpreted; written with `read_buffer` locked.
    flood: AtomicBool,
    /// The program has paused since the last read; written by the reader.
    paused: AtomicBool,
    /// Nothing is read any more; read and written with `read_buffer` locked.
    stopped: AtomicBool,
    feeder_queue: Mutex<FeederQueue>,
    /// Wakes the feeder when there is work.
    feeder_work: Condvar,
    /// Wakes the reader when the feeder has taken or finished its work.
    feeder_progress: Condvar,
}

/// Whether there may be more to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadProgress {
    /// There may be more.
    MayHaveMore,
    /// There was nothing left.
    Drained,
}

impl PtyReader {
    pub(crate) fn new(
        pty: Arc<dyn Pty>,
        mut emulator: Box<dyn Emulator>,
        clock: Clock,
    ) -> io::Result<PtyReader> {
        let started = clock.now();
        let state = SessionState::new(emulator.screen(), started)?;
        Ok(PtyReader {
            pty,
            started,
            input_queue: InputQueue::default(),
            output_tail: TailBuffer::default(),
            answers: Answers::Emulator,
            redactor: ScreenRedactor::new(Secrets::default()),
            observer: RwLock::default(),
            listeners: Mutex::default(),
            has_listeners: AtomicBool::new(false),
            input_log: InputLog::default(),
            enters: EnterTracker::default(),
            state,
            clock,
            emulator: Mutex::new(emulator),
            read_buffer: Mutex::default(),
            flood: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            feeder_queue: Mutex::default(),
            feeder_work: Condvar::new(),
            feeder_progress: Condvar::new(),
        })
    }

    /// Locks the emulator, between two feeds.
    pub(crate) fn emulator(&self) -> MutexGuard<'_, Box<dyn Emulator>> {
        lock(&self.emulator)
    }

    /// Waits for the terminal once and processes its output. The caller must be the reader.
    pub(crate) fn read_once(self: &Arc<Self>, timeout: Option<Duration>) -> io::Result<()> {
        let interest = if self.input_queue.is_waiting() {
            Interest::ReadWrite
        } else {
            Interest::Read
        };
        let until_shown = self.state.lock().synchronized_until();
        let shown = until_shown.and_then(|moment| self.clock.until(moment));
        // Even in a flood, only the reader calls `Pty::wait`, because exit, timers and wake-ups
        // arrive there.
        let flood = self.is_flooded();
        let pause = if flood { Some(PAUSE) } else { self.compact() };
        let timeout = [timeout, shown, pause].into_iter().flatten().min();
        let waiting_since = self.clock.now();
        let ready = self.pty.wait(interest, timeout)?;
        if self.clock.now() > waiting_since + PAUSE {
            self.paused.store(true, Ordering::Relaxed);
        }
        if ready.readable {
            self.read_available()?;
        } else if flood {
            self.end_flood(&mut self.read_buffer());
        }
        if ready.writable {
            self.input_queue.flush(&*self.pty)?;
        }
        if ready.ended && self.state.lock().exit_status().is_none() {
            self.record_exit()?;
        }
        if let Some(moment) = until_shown
            && self.clock.now() >= moment
        {
            self.end_synchronized();
        }
        Ok(())
    }

    /// Compacts the scrollback before waiting, when there is time. Returns how long to wait until
    /// there may be more to do. Never waits for the emulator's lock: its current holder may change
    /// the scrollback anyway.
    fn compact(&self) -> Option<Duration> {
        let mut emulator = self.emulator.try_lock().ok()?;
        (emulator.compact() == Compaction::Partial).then_some(Duration::ZERO)
    }

    /// Processes the available output without blocking.
    pub(crate) fn read_available(self: &Arc<Self>) -> io::Result<ReadProgress> {
        let mut read_buffer = self.read_buffer();
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(ReadProgress::Drained);
        }
        if self.is_flooded() {
            return self.gather(&mut read_buffer);
        }
        if self.paused.swap(false, Ordering::Relaxed) {
            read_buffer.streak = 0;
        }
        let mut buffer = vec![0; ROOM];
        loop {
            let read = self.pty.read(&mut buffer)?;
            if let Read::Bytes(count) = read {
                read_buffer.streak += count;
                let flood = read_buffer.streak >= CHUNK;
                self.flood.store(flood, Ordering::Relaxed);
                self.feed(&mut self.emulator(), &buffer[..count]);
                // With more output to come, this would be a torn frame.
                if count >= KERNEL && !flood {
                    continue;
                }
            }
            self.publish(&mut self.emulator());
            return Ok(match read {
                Read::Bytes(_) => ReadProgress::MayHaveMore,
                Read::Nothing => ReadProgress::Drained,
                Read::End => self.record_output_end(),
            });
        }
    }

    /// Processes all output written before this call, including output in transit through this
    /// struct, and publishes it.
    pub(crate) fn read_written(&self) -> io::Result<()> {
        let mut read_buffer = self.read_buffer();
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(());
        }
        let flood = self.is_flooded();
        if flood {
            self.end_flood(&mut read_buffer);
        }
        let mut buffer = vec![0; ROOM];
        let mut taken = 0;
        // A kernel buffers less than this for a terminal; anything after it was written later.
        while taken < CHUNK {
            match self.pty.read(&mut buffer)? {
                Read::Bytes(count) => {
                    self.feed(&mut self.emulator(), &buffer[..count]);
                    taken += count;
                }
                Read::Nothing => break,
                Read::End => {
                    self.record_output_end();
                    break;
                }
            }
        }
        // Usually there is nothing, so repeated queries of the screen cost one read each. An
        // observer is notified of every query, because a recording lasts until the last one.
        if taken > 0 || self.is_observed() {
            self.publish(&mut self.emulator());
        }
        if flood || taken > 0 {
            self.wake_reader_after_publishing();
        }
        Ok(())
    }

    /// Publishes the output read so far and reads nothing from now on.
    pub(crate) fn stop_reading(&self) {
        let mut read_buffer = self.read_buffer();
        if self.is_flooded() {
            self.end_flood(&mut read_buffer);
        }
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Makes all waits evaluate again, even without a change.
    pub(crate) fn reevaluate_waits(&self) {
        self.pty.wake();
        self.state.reevaluate_waits();
    }

    /// Wakes the reader, if there is one, so that it checks the shared state. A later reader checks
    /// it first.
    pub(crate) fn wake_active_reader(&self) {
        if self.state.lock().has_reader() {
            self.pty.wake();
        }
    }

    /// Notifies the reader that another thread published output: the reader is not woken by output
    /// that was read already.
    fn wake_reader_after_publishing(&self) {
        let shared = self.state.lock();
        if shared.has_waits() || shared.synchronized_until().is_some() {
            self.pty.wake();
        }
    }

    /// Records that no process has the terminal open any more.
    fn record_output_end(&self) -> ReadProgress {
        self.state.set_output_ended();
        ReadProgress::Drained
    }

    /// Records the program's exit. Reads the remaining output first: the kernel may still hold the
    /// program's last output.
    pub(crate) fn record_exit(self: &Arc<Self>) -> io::Result<()> {
        // A process that the program left running may print for ever; the program's own output is
        // within the kernel's buffers.
        for _ in 0..MOST_LAST_READS {
            if self.read_available()? == ReadProgress::Drained {
                break;
            }
        }
        if self.is_flooded() {
            self.end_flood(&mut self.read_buffer());
        }
        let exit_status = self.pty.outcome();
        if let Some(exit_status) = exit_status {
            self.report_event(SessionEvent::Exit(exit_status));
        }
        self.state.set_exit_status(exit_status);
        Ok(())
    }

    fn is_flooded(&self) -> bool {
        self.flood.load(Ordering::Relaxed)
    }

    fn read_buffer(&self) -> MutexGuard<'_, ReadBuffer> {
        lock(&self.read_buffer)
    }
}
