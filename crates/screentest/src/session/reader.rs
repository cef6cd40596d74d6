//! Reads the PTY and feeds the emulator.
//!
//! The current reader (a waiting thread or the background reader) reads the program's output and
//! feeds it in the same thread: with nothing queued, there is no thread hand-over between a byte
//! and its waiter. If output arrives faster than it can be interpreted (a flood), reading and
//! emulating overlap: the reader only gathers bytes, and a second thread, the feeder, emulates
//! them. The kernel buffers just 15 to 20 KiB of a terminal's output, so a program that prints much
//! would otherwise be blocked while its output is interpreted.
//!
//! A few bytes can be much work, for example `ESC # 8`, which fills the screen. So output is fed in
//! slices of bounded work with the emulator unlocked in between, and output that is more than a
//! slice begins a flood too.
//!
//! `read_buffer` is locked before `emulator`, and both before the input queue and the shared state.
//!
//! See also: `reader/publish.rs` (from bytes to screens), `reader/flood.rs` (the overlap),
//! `reader/receivers.rs` (observer and listeners), `state/reader_role.rs` (which thread reads).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, RwLock};
use std::time::Duration;

use screentest_core::emulator::Compaction;
use screentest_core::{Emulator, Secrets};

use crate::clock::Clock;
use crate::lock::FairMutex;
use crate::pty::{Interest, Pty, Read};
use crate::session::Answers;
use crate::session::input::log::InputLog;
use crate::session::input::queue::InputQueue;
use crate::session::observer::{SessionEvent, SessionObserver};
use crate::session::output_tail::TailBuffer;
use crate::session::redact::ScreenRedactor;
use crate::session::state::SessionState;
use crate::session::wait::enter_baseline::EnterTracker;
use budget::Budget;
use flood::{FeederQueue, Gathered, ReadBuffer, Unfed};
use shared_queries::SharedQueries;

mod budget;
mod flood;
#[cfg(test)]
pub(crate) mod panicking_emulator;
mod publish;
mod receivers;
mod shared_queries;

/// How much is gathered before it is handed on, and how much may arrive without a pause before a
/// flood begins. At 64 KiB a hand-over costs a hundredth of the time of emulating.
const CHUNK: usize = 64 << 10;

/// A read of a terminal returns at most this much. A shorter read means that there is no more for
/// now. A second read would wait for the kernel thread that refills the buffer, which costs as much
/// as everything else here.
const KERNEL: usize = 4095;

/// Size of the buffer for one read. Allocated per read, so an idle session holds no buffer; this
/// costs 0.1 % of a read.
const ROOM: usize = 4096;

/// The longest pause within a flood. A shorter one may be the scheduler's time slice and not a
/// pause of the program.
const PAUSE: Duration = Duration::from_millis(1);

/// Maximum number of reads after the program's exit, several times as many as it takes to read all
/// that the kernel buffers.
const MAX_LAST_READS: usize = 64;

/// The path of bytes from a terminal to the shared state.
#[derive(Debug)]
pub(crate) struct PtyReader {
    pub(crate) pty: Arc<dyn Pty>,
    pub(crate) clock: Clock,
    /// For limits that must hold while a test's manual clock is stopped.
    real_time: Clock,
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
    emulator: FairMutex<Box<dyn Emulator>>,
    read_buffer: FairMutex<ReadBuffer>,
    /// Output arrives faster than it is interpreted; written with `read_buffer` locked.
    flood: AtomicBool,
    /// The program has paused since the last read; written by the reader.
    paused: AtomicBool,
    /// Nothing is read any more; read and written with `read_buffer` locked.
    stopped: AtomicBool,
    shared_queries: SharedQueries,
    feeder_queue: Mutex<FeederQueue>,
    unfed: Mutex<Unfed>,
    /// Wakes the feeder when there is work.
    feeder_work: Condvar,
    /// Wakes the reader when the feeder has taken its work.
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

/// What happens to the last output of a program if interpreting it takes too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastOutput {
    /// The feeder interprets it, and the exit is recorded afterwards.
    Keep,
    /// It is dropped, because the session is being closed.
    Drop,
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
            real_time: Clock::system(),
            emulator: FairMutex::new(emulator),
            read_buffer: FairMutex::new(ReadBuffer::default()),
            flood: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            shared_queries: SharedQueries::default(),
            feeder_queue: Mutex::default(),
            unfed: Mutex::default(),
            feeder_work: Condvar::new(),
            feeder_progress: Condvar::new(),
        })
    }

    /// Locks the emulator, between two slices of output.
    pub(crate) fn emulator(&self) -> MutexGuard<'_, Box<dyn Emulator>> {
        self.emulator.lock()
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
        if !self.has_room(flood, timeout.map_or(PAUSE, |timeout| timeout.min(PAUSE))) {
            // Nothing more may be read. The caller checks its own limits.
            self.end_synchronized_after(until_shown);
            return Ok(());
        }
        let waiting_since = self.clock.now();
        let ready = self.pty.wait(interest, timeout)?;
        if self.clock.now() > waiting_since + PAUSE {
            self.paused.store(true, Ordering::Relaxed);
        }
        if ready.readable {
            self.read_available()?;
        } else if flood {
            let mut budget = Budget::of_pause(&self.real_time);
            self.end_flood(&mut self.read_buffer(), &mut budget);
        }
        if ready.writable {
            self.input_queue.flush(&*self.pty)?;
        }
        if ready.ended && self.state.lock().exit_status().is_none() {
            self.record_exit(LastOutput::Keep)?;
        }
        self.end_synchronized_after(until_shown);
        Ok(())
    }

    /// Returns whether more output may be read. While the feeder or the observer is far behind,
    /// waits for at most `timeout`; false if it still is.
    fn has_room(&self, flood: bool, timeout: Duration) -> bool {
        let observer = self.observer();
        observer.is_none_or(|observer| observer.wait_for_room(timeout))
            && !(flood && self.wait_for_feeder(timeout))
    }

    fn end_synchronized_after(&self, until_shown: Option<Duration>) {
        if until_shown.is_some_and(|moment| self.clock.now() >= moment) {
            self.end_synchronized();
        }
    }

    /// Compacts a part of the scrollback before waiting. Returns a timeout of zero if there is more
    /// to compact. Never waits for the emulator's lock: its current holder may change the
    /// scrollback anyway.
    fn compact(&self) -> Option<Duration> {
        let mut emulator = self.emulator.try_lock()?;
        (emulator.compact() == Compaction::Partial).then_some(Duration::ZERO)
    }

    /// Processes the available output without blocking.
    pub(crate) fn read_available(self: &Arc<Self>) -> io::Result<ReadProgress> {
        self.read_into(&mut self.read_buffer())
    }

    fn read_into(self: &Arc<Self>, read_buffer: &mut ReadBuffer) -> io::Result<ReadProgress> {
        if self.stopped.load(Ordering::Relaxed) {
            return Ok(ReadProgress::Drained);
        }
        if self.is_flooded() {
            return self.gather(read_buffer);
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
                let fed = self.feed(&mut self.emulator(), &buffer[..count], flood::SLICE);
                if fed.bytes < count {
                    self.begin_flood_with(read_buffer, &buffer[fed.bytes..count]);
                    return Ok(ReadProgress::MayHaveMore);
                }
                // More output is to come: publishing now would show a torn frame.
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

    /// Processes the output written before this call, including output in transit through this
    /// struct, and publishes it. Output that takes too much work is left to the feeder.
    ///
    /// Queries that wait for each other share the work: otherwise many clients would spend the
    /// budget one after the other.
    pub(crate) fn read_written(self: &Arc<Self>) -> io::Result<()> {
        let mut budget = Budget::of_query(&self.real_time);
        let query = self.shared_queries.begin();
        let mut read_buffer = self.read_buffer();
        if self.stopped.load(Ordering::Relaxed) || self.shared_queries.is_answered(query) {
            return Ok(());
        }
        let answered = self.shared_queries.begun();
        self.read_written_within(&mut read_buffer, &mut budget)?;
        self.shared_queries.set_answered(answered);
        Ok(())
    }

    fn read_written_within(
        self: &Arc<Self>,
        read_buffer: &mut ReadBuffer,
        budget: &mut Budget<'_>,
    ) -> io::Result<()> {
        let flood = self.is_flooded();
        if flood && self.end_flood(read_buffer, budget) == Gathered::Left {
            self.wake_reader_after_publishing();
            return Ok(());
        }
        let mut buffer = vec![0; ROOM];
        let mut taken = 0;
        let may_read = self.has_room(false, budget::CATCHING_UP);
        // A kernel buffers less than this for a terminal; anything after it was written later.
        while may_read && taken < CHUNK && !budget.is_spent() {
            match self.pty.read(&mut buffer)? {
                Read::Bytes(count) => {
                    let fed = self.feed(&mut self.emulator(), &buffer[..count], flood::SLICE);
                    budget.spend(fed.work);
                    taken += count;
                    if fed.bytes < count {
                        self.begin_flood_with(read_buffer, &buffer[fed.bytes..count]);
                        if self.end_flood(read_buffer, budget) == Gathered::Left {
                            break;
                        }
                    }
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

    /// Publishes the output fed so far, and neither reads nor feeds anything from now on.
    pub(crate) fn stop_reading(&self) {
        let mut read_buffer = self.read_buffer();
        if self.is_flooded() {
            self.drop_gathered(&mut read_buffer);
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
    /// program's last output. If that takes too much work, [`LastOutput::Keep`] records nothing
    /// yet.
    pub(crate) fn record_exit(self: &Arc<Self>, last_output: LastOutput) -> io::Result<()> {
        let mut budget = Budget::of_query(&self.real_time);
        let mut read_buffer = self.read_buffer();
        let mut drained = false;
        loop {
            let flood = self.is_flooded();
            if flood && self.end_flood(&mut read_buffer, &mut budget) == Gathered::Left {
                match last_output {
                    LastOutput::Keep => return Ok(()),
                    LastOutput::Drop => self.drop_gathered(&mut read_buffer),
                }
                break;
            }
            // A process that the program left running may print for ever; the program's own output
            // is within the kernel's buffers.
            if drained || read_buffer.reads_after_exit == MAX_LAST_READS {
                break;
            }
            read_buffer.reads_after_exit += 1;
            drained = self.read_into(&mut read_buffer)? == ReadProgress::Drained;
        }
        drop(read_buffer);
        let exit_status = self.pty.exit_status();
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
        self.read_buffer.lock()
    }
}
