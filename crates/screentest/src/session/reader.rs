//! Reads the PTY and feeds the emulator.
//!
//! The current reader (a waiting thread or the pump) reads the program's output and feeds it in the
//! same thread: with nothing queued, there is no thread hand-over between a byte and its waiter. If
//! output arrives faster than it can be interpreted (a flood), reading and emulating overlap: the
//! reader only gathers bytes, and a second thread, the feeder, emulates them. The kernel buffers
//! just 4 KiB for a terminal, so a program that prints much would otherwise be blocked while its
//! output is interpreted.
//!
//! See also: `intake/flood.rs` (the overlap).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use screentest_core::emulator::{Compaction, TransientScreen};
use screentest_core::{Emulator, Secrets};

use crate::clock::Clock;
use crate::pty::{Interest, Pty, Read};
use crate::recording::recorder::EventQueue;
use crate::session::Answers;
use crate::session::input::log::Inputs;
use crate::session::input::queue::{Outbox, Sent};
use crate::session::output_tail::Tail;
use crate::session::redact::Veil;
use crate::session::state::{Board, Reader};
use crate::session::wait::enter_baseline::Entry;
use flood::{Ahead, Gathered};

mod flood;
#[cfg(test)]
pub(crate) mod fragile;

/// How much is gathered before it is handed on, and how much may arrive without a pause before a
/// flood begins. At 64 KiB a hand-over costs a hundredth of the time of emulating.
const CHUNK: usize = 64 << 10;

/// The kernel buffers at most this much for a terminal and hands it over at once. A shorter read
/// means that there is no more for now. Reading again would wait for the kernel's own worker, which
/// costs as much as everything else here.
const KERNEL: usize = 4095;

/// Buffer size for one read of the kernel's buffer. It is allocated for each read, which costs a
/// thousandth of the read, so that an idle session holds none.
const ROOM: usize = 4096;

/// The longest pause within a flood: the scheduler's time slice, not a pause of the program.
const PAUSE: Duration = Duration::from_millis(1);

/// How long a synchronized update may take before it is shown unfinished. Terminals choose from 100
/// ms to 1 s.
const SYNCHRONIZED: Duration = Duration::from_millis(150);

/// How many scrollback rows a recording receives that starts in the middle: the default scrollback
/// of a session.
const MOST_ROWS: usize = 10_000;

/// How often to read after the program's exit: each read takes one buffer of the kernel, which has
/// 64 KiB in several of them.
const MOST_LAST_TURNS: usize = 64;

/// The path of bytes from a terminal to the shared state.
#[derive(Debug)]
pub(crate) struct Intake {
    pub(crate) pty: Arc<dyn Pty>,
    pub(crate) clock: Clock,
    /// When the session began.
    pub(crate) started: Duration,
    pub(crate) outbox: Outbox,
    pub(crate) inputs: Inputs,
    /// The screen before Enter, if that was the last input.
    pub(crate) entry: Entry,
    pub(crate) board: Board,
    pub(crate) tail: Tail,
    /// The recorder's event queue, while the session is recorded.
    tap: RwLock<Option<Arc<EventQueue>>>,
    pub(crate) answers: Answers,
    /// Masks secrets in everything that callers can see.
    pub(crate) veil: Veil,
    /// Receivers of every byte.
    listeners: Mutex<Vec<Sender<Vec<u8>>>>,
    /// Whether there are any.
    heard: AtomicBool,
    emulator: Mutex<Box<dyn Emulator>>,
    gathered: Mutex<Gathered>,
    /// Output arrives faster than it is interpreted; written with `gathered` locked.
    flood: AtomicBool,
    /// The program has paused since the last read; written by the reader.
    paused: AtomicBool,
    /// Nothing is read any more; read and written with `gathered` locked.
    over: AtomicBool,
    ahead: Mutex<Ahead>,
    /// Notifies the feeder of work.
    work: Condvar,
    /// Notified when the feeder has taken or finished its work.
    progress: Condvar,
}

/// Whether there may be more to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// There may be more.
    Part,
    /// There was nothing left.
    All,
}

impl Intake {
    /// Makes all waits evaluate again, even without a change.
    pub(crate) fn look_again(&self) {
        self.pty.wake();
        self.board.note(|known| known.ticks += 1);
    }

    pub(crate) fn new(
        pty: Arc<dyn Pty>,
        mut emulator: Box<dyn Emulator>,
        clock: Clock,
    ) -> io::Result<Intake> {
        let started = clock.now();
        let board = Board::new(emulator.screen(), started)?;
        Ok(Intake {
            pty,
            started,
            outbox: Outbox::default(),
            tail: Tail::default(),
            tap: RwLock::default(),
            answers: Answers::Emulator,
            veil: Veil::new(Secrets::default()),
            listeners: Mutex::default(),
            heard: AtomicBool::new(false),
            inputs: Inputs::default(),
            entry: Entry::default(),
            board,
            clock,
            emulator: Mutex::new(emulator),
            gathered: Mutex::default(),
            flood: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            over: AtomicBool::new(false),
            ahead: Mutex::default(),
            work: Condvar::new(),
            progress: Condvar::new(),
        })
    }

    /// Locks the emulator, between two feeds.
    pub(crate) fn emulator(&self) -> MutexGuard<'_, Box<dyn Emulator>> {
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the recorder's event queue, while the session is recorded.
    pub(crate) fn tap(&self) -> Option<Arc<EventQueue>> {
        let tap = self.tap.read().unwrap_or_else(PoisonError::into_inner);
        tap.clone()
    }

    /// Attaches or detaches a recorder.
    pub(crate) fn set_tap(&self, tap: Option<Arc<EventQueue>>) {
        *self.tap.write().unwrap_or_else(PoisonError::into_inner) = tap;
    }

    /// Attaches a recorder mid-session. It first receives a dump of the current state. `told` is
    /// the size in its manifest.
    pub(crate) fn join(&self, tap: Arc<EventQueue>, told: screentest_core::Size) {
        // These locks are held between feeding and publishing: no byte is missed, and none is
        // recorded twice.
        let _gathered = self.gathered();
        let mut emulator = self.emulator();
        let size = emulator.screen().size;
        if size != told {
            tap.resized(size);
        }
        tap.output(&emulator.dump(MOST_ROWS));
        self.set_tap(Some(tap));
        self.publish(&mut emulator);
    }

    /// Returns a channel of all output from now on, preceded by the stored tail of earlier output.
    pub(crate) fn listen(&self) -> Receiver<Vec<u8>> {
        let (listener, heard) = mpsc::channel();
        // Prevents feeding meanwhile, so that no byte is missed or sent twice.
        let _emulator = self.emulator();
        // The receiver is still held here, so sending succeeds.
        let _ = listener.send(self.tail.bytes().bytes);
        self.listeners().push(listener);
        self.heard.store(true, Ordering::Relaxed);
        heard
    }

    /// Closes the channels of all listeners.
    pub(crate) fn dismiss_listeners(&self) {
        self.listeners().clear();
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Sender<Vec<u8>>>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the terminal once and processes its output. The caller must be the reader.
    pub(crate) fn turn(self: &Arc<Self>, timeout: Option<Duration>) -> io::Result<()> {
        let interest = if self.outbox.is_waiting() {
            Interest::ReadWrite
        } else {
            Interest::Read
        };
        let until_shown = self.board.lock().synchronized_until;
        let shown = until_shown.and_then(|moment| self.clock.until(moment));
        // Only the reader waits for the terminal, in a flood as well; it notices all other events
        // there.
        let flood = self.is_flooded();
        let pause = if flood { Some(PAUSE) } else { self.compact() };
        let timeout = [timeout, shown, pause].into_iter().flatten().min();
        let asked = self.clock.now();
        let ready = self.pty.wait(interest, timeout)?;
        if self.clock.now() > asked + PAUSE {
            self.paused.store(true, Ordering::Relaxed);
        }
        if ready.readable {
            self.take()?;
        } else if flood {
            self.end_flood(&mut self.gathered());
        }
        if ready.writable {
            self.outbox.flush(&*self.pty)?;
        }
        if ready.ended && self.board.lock().outcome.is_none() {
            self.announce_end()?;
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
    pub(crate) fn take(self: &Arc<Self>) -> io::Result<Taken> {
        let mut gathered = self.gathered();
        if self.over.load(Ordering::Relaxed) {
            return Ok(Taken::All);
        }
        if self.is_flooded() {
            return self.gather(&mut gathered);
        }
        if self.paused.swap(false, Ordering::Relaxed) {
            gathered.streak = 0;
        }
        let mut buffer = vec![0; ROOM];
        loop {
            let read = self.pty.read(&mut buffer)?;
            if let Read::Bytes(count) = read {
                gathered.streak += count;
                let flood = gathered.streak >= CHUNK;
                self.flood.store(flood, Ordering::Relaxed);
                self.feed(&mut self.emulator(), &buffer[..count]);
                // With more output to come, this would be a torn frame.
                if count >= KERNEL && !flood {
                    continue;
                }
            }
            self.publish(&mut self.emulator());
            return Ok(match read {
                Read::Bytes(_) => Taken::Part,
                Read::Nothing => Taken::All,
                Read::End => self.fall_silent(),
            });
        }
    }

    /// Processes all output written before this call, including output in transit through this
    /// struct, and publishes it.
    pub(crate) fn take_written(&self) -> io::Result<()> {
        let mut gathered = self.gathered();
        if self.over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let flood = self.is_flooded();
        if flood {
            self.end_flood(&mut gathered);
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
                    self.fall_silent();
                    break;
                }
            }
        }
        // Usually there is nothing, so repeated queries of the screen cost one read each. A
        // recorder is notified of every query, because a recording lasts until the last one.
        if taken > 0 || self.tap().is_some() {
            self.publish(&mut self.emulator());
        }
        if flood || taken > 0 {
            self.wake_reader();
        }
        Ok(())
    }

    /// Publishes the output read so far and reads nothing from now on.
    pub(crate) fn read_no_more(&self) {
        let mut gathered = self.gathered();
        if self.is_flooded() {
            self.end_flood(&mut gathered);
        }
        self.over.store(true, Ordering::Relaxed);
    }

    /// Wakes the reader, if there is one, so that it checks the shared state. A later reader checks
    /// it first.
    pub(crate) fn wake_any_reader(&self) {
        if self.board.lock().reader != Reader::Nobody {
            self.pty.wake();
        }
    }

    /// Notifies the reader that another thread published output: the reader is not woken by output
    /// that was read already.
    fn wake_reader(&self) {
        let known = self.board.lock();
        if known.waiters > 0 || known.synchronized_until.is_some() {
            self.pty.wake();
        }
    }

    /// Records that no process has the terminal open any more.
    fn fall_silent(&self) -> Taken {
        if !self.board.lock().silent {
            self.board.note(|known| known.silent = true);
        }
        Taken::All
    }

    fn is_flooded(&self) -> bool {
        self.flood.load(Ordering::Relaxed)
    }

    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn feed(&self, emulator: &mut Box<dyn Emulator>, bytes: &[u8]) {
        self.tail.push(bytes);
        let tap = self.tap();
        if let Some(tap) = &tap {
            tap.output(bytes);
        }
        if self.heard.load(Ordering::Relaxed) {
            let mut listeners = self.listeners();
            listeners.retain(|listener| listener.send(bytes.to_vec()).is_ok());
        }
        emulator.feed(bytes);
        let replies = emulator.take_replies();
        if !replies.is_empty() && self.answers == Answers::Emulator {
            // A program that sends queries without reading the replies has filled the queue itself;
            // the error has no receiver.
            let tell = || {
                if let Some(tap) = &tap {
                    tap.reply(&replies);
                }
            };
            let sent = self.outbox.send(&*self.pty, &replies, tell);
            if matches!(sent, Ok(Sent::Part)) {
                // The reader must also wait for room, and may be another thread.
                self.pty.wake();
            }
        }
    }

    /// Publishes the emulator's current screen, after the transient ones before it.
    fn publish(&self, emulator: &mut Box<dyn Emulator>) {
        self.publish_as(emulator, false);
    }

    fn publish_as(&self, emulator: &mut Box<dyn Emulator>, unfinished: bool) {
        let passed = emulator.take_transient_screens();
        let screen = emulator.screen();
        if let Some(tap) = self.tap() {
            tap.shown(&screen, unfinished);
        }
        let time = self.clock.now();
        let synchronized = screen.modes.synchronized;
        let lost = emulator.notes().screens_lost;
        let now = TransientScreen {
            screen,
            counts: emulator.notes().counts,
        };
        let screens = passed
            .into_iter()
            .chain([now])
            .map(|shown| self.settled(shown));
        let news = self.board.show(screens, lost, time);
        let mut known = self.board.lock();
        match (synchronized, known.synchronized_until) {
            (true, None) => known.synchronized_until = Some(time + SYNCHRONIZED),
            // Nothing new is shown during an update: it has ended, and this is the next, with a
            // time limit of its own.
            (true, Some(_)) if news => known.synchronized_until = Some(time + SYNCHRONIZED),
            (false, Some(_)) => known.synchronized_until = None,
            _ => {}
        }
    }

    /// Prepares a screen for publishing: masks secrets, and hides the synchronized mode, which
    /// changes no cell.
    fn settled(&self, mut shown: TransientScreen) -> TransientScreen {
        shown.screen.modes.synchronized = false;
        shown.screen = self.veil.next(shown.screen);
        shown
    }

    /// Shows an update that takes too long or never ends.
    pub(crate) fn end_synchronized(&self) {
        let mut emulator = self.emulator();
        emulator.end_synchronized();
        self.publish_as(&mut emulator, true);
    }

    /// Resizes PTY and emulator, between two feeds.
    pub(crate) fn resize(&self, size: screentest_core::Size) -> io::Result<()> {
        let mut emulator = self.emulator();
        self.pty.resize(size)?;
        emulator.resize(size);
        if let Some(tap) = self.tap() {
            tap.resized(size);
        }
        self.publish(&mut emulator);
        drop(emulator);
        self.wake_reader();
        Ok(())
    }

    /// Records the program's exit. Reads the remaining output first: the kernel may still hold the
    /// program's last output.
    pub(crate) fn announce_end(self: &Arc<Self>) -> io::Result<()> {
        // A process that the program left behind may print for ever; the program's own output is
        // within the kernel's buffers.
        for _ in 0..MOST_LAST_TURNS {
            if self.take()? == Taken::All {
                break;
            }
        }
        if self.is_flooded() {
            self.end_flood(&mut self.gathered());
        }
        let outcome = self.pty.outcome();
        if let (Some(tap), Some(outcome)) = (self.tap(), outcome) {
            tap.ended(outcome);
        }
        self.board.note(|known| known.outcome = outcome);
        Ok(())
    }
}
