//! State of a session that all its threads share.
//!
//! The thread that feeds the emulator adds new screens here and wakes waiting threads. The state
//! also records which thread is the reader of the PTY. There is one reader at a time; a waiting
//! thread takes precedence over the background reader (the pump).
//!
//! The pump is called a moment after the last wait has ended, and at once when the session is being
//! closed or nothing is left to read. Only the first kind of call is cancelled, by the next wait.
//! The pump decides under the lock what to do, so a superfluous call does no harm.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::Screen;
use screentest_core::emulator::{Counts, PassedScreen};

use crate::session::deferred_wake::Alarm;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{Frame, History};
use crate::session::watcher::Watchers;

/// How long the terminal stays without a reader after a wait: longer than a test's pause between
/// two waits, shorter than a program would notice.
const MOMENT: Duration = Duration::from_millis(5);

/// The shared state (`Known`) with its wake-up mechanisms.
#[derive(Debug)]
pub(crate) struct Board {
    known: Mutex<Known>,
    /// Notified of a new screen, the program's end, or the reader's role becoming free.
    changed: Condvar,
    /// Wakes the pump.
    alarm: Alarm,
    /// Observers that are notified and do not wait.
    pub(crate) watchers: Watchers,
}

/// The shared state.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) history: History,
    /// Counts of the program's effects that are not in the cells.
    pub(crate) counts: Counts,
    /// How many screens are missing in the history because too many came at once.
    pub(crate) lost: u64,
    pub(crate) outcome: Option<ExitStatus>,
    /// No process has the terminal open any more, and all output has been processed.
    pub(crate) silent: bool,
    /// The session is being closed: waits end.
    pub(crate) closing: bool,
    /// The session is closed: nothing is read any more.
    pub(crate) closed: bool,
    /// Increased when waits must evaluate again: a manual clock was advanced, or a wait is
    /// interrupted.
    pub(crate) ticks: u64,
    pub(crate) failed: Option<Arc<io::Error>>,
    /// When a running synchronized update will be shown unfinished.
    pub(crate) synchronized_until: Option<Duration>,
    pub(crate) reader: Reader,
    pub(crate) waiters: usize,
    /// How many waits are for notes.
    pub(crate) note_waiters: usize,
    /// A thread has waited and may do so again soon: the pump lets a moment pass before it reads.
    pub(crate) pump_stands_back: bool,
    pump_called: Called,
}

/// Whether the pump was called to check for work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Called {
    No,
    /// Unless another wait begins before.
    InAMoment,
    AtOnce,
}

/// Which thread reads the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Nobody,
    Pump,
    Waiter,
}

impl Known {
    /// Returns whether the program has exited and no other process can write any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.silent && self.outcome.is_some()
    }

    /// Returns whether nothing more is read.
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
                // A caller that starts a program usually waits for it.
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

    /// Adds screens in the order in which they were shown; one that equals its predecessor is
    /// skipped. Returns whether there was a new one. `lost` is the total number of screens that
    /// were never added. A change of the counts alone wakes only waits for notes.
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

    /// Changes the state and notifies all threads concerned.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.lock();
        let (was_closing, was_over) = (known.closing, known.is_over());
        change(&mut known);
        // While the pump reads, it checks the state by itself afterwards; once everything is over,
        // it has been called or will check.
        let is_up = known.reader != Reader::Pump;
        let is_news = known.closing != was_closing || known.is_over();
        let calls_pump = is_up && is_news && !was_over;
        if calls_pump {
            known.pump_called = Called::AtOnce;
        }
        self.wake_waiters(&known);
        drop(known);
        // After unlocking, so that the pump does not wake up to wait for the lock.
        if calls_pump {
            self.alarm.ring_after(Duration::ZERO);
        }
        self.watchers.tell();
    }

    /// Records that the terminal cannot be read or interpreted any more.
    pub(crate) fn fail(&self, error: io::Error) {
        self.note(|known| known.failed = Some(Arc::new(error)));
    }

    /// Waits for a notification, at most `timeout`.
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

    /// Blocks the pump until it is called.
    pub(crate) fn sleep_pump(&self) -> MutexGuard<'_, Known> {
        self.alarm.listen();
        let mut known = self.lock();
        known.pump_called = Called::No;
        known.pump_stands_back &= known.waiters > 0;
        known
    }

    /// A thread waits: cancels a pending call of the pump.
    pub(crate) fn hold_pump(&self, known: &mut Known) {
        known.pump_stands_back = true;
        if known.pump_called == Called::InAMoment {
            known.pump_called = Called::No;
            self.alarm.silence();
        }
    }

    /// Frees the reader's role for a waiting thread or, without one, for the pump.
    pub(crate) fn leave_seat(&self, mut known: MutexGuard<'_, Known>) {
        known.reader = Reader::Nobody;
        if known.waiters > 0 {
            self.changed.notify_all();
        }
        self.let_pump(known);
    }

    /// Calls the pump in a moment.
    pub(crate) fn let_pump(&self, mut known: MutexGuard<'_, Known>) {
        // While it reads, it lets a moment pass by itself afterwards.
        let is_up = known.reader != Reader::Pump;
        let stands_back = is_up && known.waiters == 0 && known.pump_stands_back;
        if stands_back && known.pump_called == Called::No {
            known.pump_called = Called::InAMoment;
            self.alarm.ring_after(MOMENT);
        }
    }

    /// Wakes waiting threads, except a reader, which sees the change without being woken.
    fn wake_waiters(&self, known: &Known) {
        let reading = usize::from(known.reader == Reader::Waiter);
        if known.waiters > reading {
            self.changed.notify_all();
        }
    }
}
