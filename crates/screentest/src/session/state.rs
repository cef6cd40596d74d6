//! What is known about a program, where everybody can read it.
//!
//! Whoever feeds the emulator pins the new screen here and wakes whoever waits. The board also says who reads the
//! terminal: there is one reader at a time, and a thread that waits comes before the pump.
//!
//! The pump is called in a moment when nobody waits any more, and at once when the session is being closed or there is nothing left to read.
//! Only the first is taken back, when another wait begins; what there is to do the pump decides under the lock, so that a ring too many
//! does no harm.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::Screen;
use screentest_core::emulator::{Counts, PassedScreen};

use crate::session::deferred_wake::Alarm;
use crate::session::exit_status::Outcome;
use crate::session::history::{Frame, History};
use crate::session::watcher::Watchers;

/// How long the seat may stay empty after a wait: longer than a test thinks between two waits, shorter than a program would notice.
const MOMENT: Duration = Duration::from_millis(5);

/// The board, and the ways to be woken by it.
#[derive(Debug)]
pub(crate) struct Board {
    known: Mutex<Known>,
    /// A screen, an end, or the reader's seat being free.
    changed: Condvar,
    /// The pump may have something to do.
    alarm: Alarm,
    /// Those who are told, and do not wait.
    pub(crate) watchers: Watchers,
}

/// What stands on the board.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) history: History,
    /// What the program has done that no cell shows.
    pub(crate) counts: Counts,
    /// How many screens were shown that are not in the history, as too many came at once.
    pub(crate) lost: u64,
    pub(crate) outcome: Option<Outcome>,
    /// No process holds the terminal any more, and all it said has been shown.
    pub(crate) silent: bool,
    /// The session is being closed: nobody waits any longer.
    pub(crate) closing: bool,
    /// It is closed: nothing is read any more.
    pub(crate) closed: bool,
    /// Counts up whenever somebody should ask again: the clock was moved by hand, or a wait is interrupted.
    pub(crate) ticks: u64,
    pub(crate) failed: Option<Arc<io::Error>>,
    /// When a synchronized update that is under way will be shown as it is.
    pub(crate) synchronized_until: Option<Duration>,
    pub(crate) reader: Reader,
    pub(crate) waiters: usize,
    /// How many of them wait for something that no cell shows.
    pub(crate) note_waiters: usize,
    /// A thread has waited, and may do so again soon: the pump does not sit down before a moment has passed.
    pub(crate) pump_stands_back: bool,
    pump_called: Called,
}

/// Whether the pump was told to look what there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    No,
    /// Unless another wait begins before.
    InAMoment,
    AtOnce,
}

/// Who reads the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Nobody,
    Pump,
    Waiter,
}

impl Known {
    /// Whether the program has ended, and nobody else can say anything.
    pub(crate) fn has_ended(&self) -> bool {
        self.silent && self.outcome.is_some()
    }

    /// Whether nothing more is read.
    pub(crate) fn is_over(&self) -> bool {
        self.closed || self.failed.is_some() || self.has_ended()
    }
}

impl Board {
    pub(crate) fn new(screen: Screen, time: Duration) -> io::Result<Board> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let session = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Board {
            known: Mutex::new(Known {
                history: History::new(Frame {
                    revision: 0,
                    session,
                    time,
                    screen,
                    counts: Counts::NONE,
                }),
                counts: Counts::NONE,
                lost: 0,
                outcome: None,
                silent: false,
                closing: false,
                closed: false,
                ticks: 0,
                failed: None,
                synchronized_until: None,
                reader: Reader::Nobody,
                waiters: 0,
                note_waiters: 0,
                // Who starts a program waits for it.
                pump_stands_back: true,
                pump_called: Called::No,
            }),
            changed: Condvar::new(),
            alarm: Alarm::new()?,
            watchers: Watchers::default(),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pins screens in the order they were shown; what looks like the one before is not news. Says whether any was.
    /// `lost` is how many have never been pinned up to now. What was counted is told only to those who wait for it.
    pub(crate) fn show(
        &self,
        screens: impl IntoIterator<Item = PassedScreen>,
        lost: u64,
        time: Duration,
    ) -> bool {
        let mut known = self.lock();
        if lost > known.lost {
            known.lost = lost;
            known.history.skip();
        }
        let mut news = false;
        let mut noted = false;
        for PassedScreen { screen, counts } in screens {
            noted |= known.counts != counts;
            known.counts = counts;
            let last = known.history.last();
            if last.screen != screen {
                let (session, revision) = (last.session, last.revision + 1);
                known.history.push(Frame {
                    session,
                    revision,
                    time,
                    screen,
                    counts,
                });
                news = true;
            }
        }
        if news || (noted && known.note_waiters > 0) {
            self.wake_waiters(&known);
        }
        drop(known);
        if news {
            self.watchers.tell();
        }
        news
    }

    /// Changes what stands there and tells everybody whom it concerns.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.lock();
        let (was_closing, was_over) = (known.closing, known.is_over());
        change(&mut known);
        // While the pump sits there, it looks for itself when it gets up; once all is over, it has been called or will look.
        let is_up = known.reader != Reader::Pump;
        let is_news = known.closing != was_closing || known.is_over();
        let calls_pump = is_up && is_news && !was_over;
        if calls_pump {
            known.pump_called = Called::AtOnce;
        }
        self.wake_waiters(&known);
        drop(known);
        // Only now, so that it does not wake up to wait for the lock.
        if calls_pump {
            self.alarm.ring_after(Duration::ZERO);
        }
        self.watchers.tell();
    }

    /// The terminal cannot be read or understood any more.
    pub(crate) fn fail(&self, error: io::Error) {
        self.note(|known| known.failed = Some(Arc::new(error)));
    }

    /// Waits for news, at most `timeout`.
    pub(crate) fn wait<'a>(
        &'a self,
        known: MutexGuard<'a, Known>,
        timeout: Option<Duration>,
    ) -> MutexGuard<'a, Known> {
        match timeout {
            None => self
                .changed
                .wait(known)
                .unwrap_or_else(PoisonError::into_inner),
            Some(timeout) => {
                self.changed
                    .wait_timeout(known, timeout)
                    .unwrap_or_else(PoisonError::into_inner)
                    .0
            }
        }
    }

    /// The pump waits until it is called.
    pub(crate) fn sleep_pump(&self) -> MutexGuard<'_, Known> {
        self.alarm.listen();
        let mut known = self.lock();
        known.pump_called = Called::No;
        known.pump_stands_back &= known.waiters > 0;
        known
    }

    /// A thread waits: the pump need not look before nobody does.
    pub(crate) fn hold_pump(&self, known: &mut Known) {
        known.pump_stands_back = true;
        if known.pump_called == Called::InAMoment {
            known.pump_called = Called::No;
            self.alarm.silence();
        }
    }

    /// Leaves the reader's seat to a waiting thread or, without one, to the pump.
    pub(crate) fn leave_seat(&self, mut known: MutexGuard<'_, Known>) {
        known.reader = Reader::Nobody;
        if known.waiters > 0 {
            self.changed.notify_all();
        }
        self.let_pump(known);
    }

    /// Lets the pump look in a moment whether it is its turn.
    pub(crate) fn let_pump(&self, mut known: MutexGuard<'_, Known>) {
        // While it sits there, it stands back of its own accord when it has got up.
        let is_up = known.reader != Reader::Pump;
        let stands_back = is_up && known.waiters == 0 && known.pump_stands_back;
        if stands_back && known.pump_called == Called::No {
            known.pump_called = Called::InAMoment;
            self.alarm.ring_after(MOMENT);
        }
    }

    /// A waiting thread that reads by itself sees the news without being woken.
    fn wake_waiters(&self, known: &Known) {
        let reading = usize::from(known.reader == Reader::Waiter);
        if known.waiters > reading {
            self.changed.notify_all();
        }
    }
}
