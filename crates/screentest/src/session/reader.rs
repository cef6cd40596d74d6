//! From the terminal into the emulator.
//!
//! Whoever sits in the reader's seat takes what the program wrote and feeds it, in the same thread: with nothing queued,
//! no hand-over stands between a byte and its waiter. When output floods in faster than it is understood, reading and
//! emulating overlap: the reader only gathers, and a second thread, the feeder, emulates what was gathered. The kernel
//! holds just 4 KiB for a terminal, so a program that prints much would otherwise stand still while we think.
//!
//! Elsewhere: how that overlaps (`intake/flood.rs`).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use screentest_core::emulator::{Compacted, PassedScreen};
use screentest_core::{Emulator, Secrets};

use crate::clock::Clock;
use crate::pty::{Interest, Pty, Read};
use crate::recording::recorder::Tap;
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

/// How much is gathered before it is handed on, and how much may come without a pause before that begins. At 64 KiB a
/// hand-over costs a hundredth of the time that emulating takes.
const CHUNK: usize = 64 << 10;

/// What the kernel holds for a terminal and hands over at once: less than this, and there is no more for now. Asking
/// again would be answered only when the kernel's own worker has finished, which costs as much as everything else here.
const KERNEL: usize = 4095;

/// Room for what the kernel hands over at once. It is taken for each read, which costs a thousandth of what a read does, so that a
/// session to which nothing happens holds none.
const ROOM: usize = 4096;

/// How long a flood may pause and still be one: the scheduler's slice, not the program's thought.
const PAUSE: Duration = Duration::from_millis(1);

/// How long a synchronized update may take before it is shown as it is. Terminals choose from 100 ms to 1 s.
const SYNCHRONIZED: Duration = Duration::from_millis(150);

/// How many of the rows that scrolled out are told to who records from the middle on: as many as a session keeps unless told otherwise.
const MOST_ROWS: usize = 10_000;

/// How often to read after the program's end: each time takes a buffer of the kernel's, which has 64 KiB in a few of them.
const MOST_LAST_TURNS: usize = 64;

/// The way from a terminal to the board.
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
    /// Who records what happens, if anybody does.
    tap: RwLock<Option<Arc<Tap>>>,
    pub(crate) answers: Answers,
    /// What hides secrets from whoever asks.
    pub(crate) veil: Veil,
    /// Who hears every byte.
    listeners: Mutex<Vec<Sender<Vec<u8>>>>,
    /// Whether anybody does.
    heard: AtomicBool,
    emulator: Mutex<Box<dyn Emulator>>,
    gathered: Mutex<Gathered>,
    /// Output comes faster than it is understood; said by whoever holds `gathered`.
    flood: AtomicBool,
    /// The program has paused since somebody read; said by the reader.
    paused: AtomicBool,
    /// Nothing is read any more; said and asked by whoever holds `gathered`.
    over: AtomicBool,
    ahead: Mutex<Ahead>,
    /// The feeder has work.
    work: Condvar,
    /// The feeder has taken or finished its work.
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
    /// Has everybody who waits ask again, whatever has changed.
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

    /// The emulator, between two feeds.
    pub(crate) fn emulator(&self) -> MutexGuard<'_, Box<dyn Emulator>> {
        self.emulator.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who records what happens, if anybody does.
    pub(crate) fn tap(&self) -> Option<Arc<Tap>> {
        let tap = self.tap.read().unwrap_or_else(PoisonError::into_inner);
        tap.clone()
    }

    /// Somebody records from here on, or nobody any more.
    pub(crate) fn set_tap(&self, tap: Option<Arc<Tap>>) {
        *self.tap.write().unwrap_or_else(PoisonError::into_inner) = tap;
    }

    /// Somebody records what happens from here on, and first what brought a terminal here, which they were told is so large.
    pub(crate) fn join(&self, tap: Arc<Tap>, told: screentest_core::Size) {
        // Nobody is between feeding and showing what was fed, and nothing is fed meanwhile: no byte is missed, and none comes twice.
        let _gathered = self.gathered();
        let mut emulator = self.emulator();
        let size = emulator.screen().size;
        if size != told {
            tap.resized(size);
        }
        tap.output(&emulator.portrait(MOST_ROWS));
        self.set_tap(Some(tap));
        self.publish(&mut emulator);
    }

    /// What is written from here on, behind what is known of what came before.
    pub(crate) fn listen(&self) -> Receiver<Vec<u8>> {
        let (listener, heard) = mpsc::channel();
        // Nothing is fed meanwhile, so that nothing is heard twice or not at all.
        let _emulator = self.emulator();
        // The other end is in our hands.
        let _ = listener.send(self.tail.bytes().bytes);
        self.listeners().push(listener);
        self.heard.store(true, Ordering::Relaxed);
        heard
    }

    /// Nothing more comes.
    pub(crate) fn dismiss_listeners(&self) {
        self.listeners().clear();
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Sender<Vec<u8>>>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the terminal once and takes what it has. The caller sits in the reader's seat.
    pub(crate) fn turn(self: &Arc<Self>, timeout: Option<Duration>) -> io::Result<()> {
        let interest = if self.outbox.is_waiting() {
            Interest::ReadWrite
        } else {
            Interest::Read
        };
        let until_shown = self.board.lock().synchronized_until;
        let shown = until_shown.and_then(|moment| self.clock.until(moment));
        // Only the reader waits for the terminal, in a flood as well: whatever else happens there, it hears of it.
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

    /// Before waiting there is time to keep what scrolled out in less room: who asked for what came has looked at it. Says how long to wait
    /// until there may be more to do. Nobody is waited for with it: who has the emulator now may change what there is.
    fn compact(&self) -> Option<Duration> {
        let mut emulator = self.emulator.try_lock().ok()?;
        (emulator.compact() == Compacted::Part).then_some(Duration::ZERO)
    }

    /// Takes what the program wrote, without blocking for more.
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
                // With more to come, this would be a torn picture.
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

    /// Takes all that was written before this call, however much is on its way through here already, and shows it.
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
        // A kernel holds less than this for a terminal; what comes behind it was written later.
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
        // Mostly there is nothing: who looks at a screen again and again pays for a read and no more. Who records is told of every look, as
        // a recording goes on for as long as somebody looked.
        if taken > 0 || self.tap().is_some() {
            self.publish(&mut self.emulator());
        }
        if flood || taken > 0 {
            self.wake_reader();
        }
        Ok(())
    }

    /// Shows what was read, and reads nothing from now on, whoever asks.
    pub(crate) fn read_no_more(&self) {
        let mut gathered = self.gathered();
        if self.is_flooded() {
            self.end_flood(&mut gathered);
        }
        self.over.store(true, Ordering::Relaxed);
    }

    /// Has the reader, if there is one, look at what stands on the board. Who sits down later looks first.
    pub(crate) fn wake_any_reader(&self) {
        if self.board.lock().reader != Reader::Nobody {
            self.pty.wake();
        }
    }

    /// Tells the reader that somebody else showed something: it would not be woken by what was taken from under it.
    fn wake_reader(&self) {
        let known = self.board.lock();
        if known.waiters > 0 || known.synchronized_until.is_some() {
            self.pty.wake();
        }
    }

    /// No process holds the terminal any more.
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
            // A program that asks and does not read its answers has filled the queue itself; there is nobody to tell.
            let tell = || {
                if let Some(tap) = &tap {
                    tap.reply(&replies);
                }
            };
            let sent = self.outbox.send(&*self.pty, &replies, tell);
            if matches!(sent, Ok(Sent::Part)) {
                // Whoever reads must also look for room, and may not be who feeds.
                self.pty.wake();
            }
        }
    }

    /// Shows what the emulator has now, after what came and went on the way.
    fn publish(&self, emulator: &mut Box<dyn Emulator>) {
        self.publish_as(emulator, false);
    }

    fn publish_as(&self, emulator: &mut Box<dyn Emulator>, unfinished: bool) {
        let passed = emulator.take_passed();
        let screen = emulator.screen();
        if let Some(tap) = self.tap() {
            tap.shown(&screen, unfinished);
        }
        let time = self.clock.now();
        let synchronized = screen.modes.synchronized;
        let lost = emulator.notes().screens_lost;
        let now = PassedScreen {
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
            // Nothing new is shown during an update: one has ended, and this is the next, with time of its own.
            (true, Some(_)) if news => known.synchronized_until = Some(time + SYNCHRONIZED),
            (false, Some(_)) => known.synchronized_until = None,
            _ => {}
        }
    }

    /// What everybody may see of it. A synchronized update that begins or goes on changes nothing that is shown.
    fn settled(&self, mut shown: PassedScreen) -> PassedScreen {
        shown.screen.modes.synchronized = false;
        shown.screen = self.veil.next(shown.screen);
        shown
    }

    /// Shows an update that takes too long, or will never end.
    pub(crate) fn end_synchronized(&self) {
        let mut emulator = self.emulator();
        emulator.end_synchronized();
        self.publish_as(&mut emulator, true);
    }

    /// Gives program and emulator another size, between two feeds.
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

    /// The program has ended: reads to the end before telling anyone, as the kernel may still hold what it said last.
    pub(crate) fn announce_end(self: &Arc<Self>) -> io::Result<()> {
        // A process that it left behind may print for ever; what the program itself said is within the kernel's buffers.
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
