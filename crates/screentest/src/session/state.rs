//! State of a session that all its threads share.
//!
//! Every change is a named method of [`SessionState`] that locks, changes and wakes the threads
//! concerned. Other modules read through the getters of [`SharedState`] and cannot write its
//! fields.
//!
//! Three kinds of threads are woken:
//!
//! - waits, by the condition variable `changed`. A wait that is the reader is not signalled: it
//!   either published the change itself, or `Pty::wake` interrupts it;
//! - the background reader, by `background_wake` (`deferred_wake.rs`);
//! - watchers, which are called (`watcher.rs`).
//!
//! See also: `state/reader_role.rs` (which thread reads the PTY).

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use screentest_core::Screen;
use screentest_core::emulator::{Counts, TransientScreen};

use crate::lock;
use crate::session::deferred_wake::DeferredWake;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{History, SessionFrame};
use crate::session::watcher::{Watcher, Watchers};
use reader_role::{ActiveReader, BackgroundCall, WakeOn};

pub(crate) mod reader_role;

/// The shared state with its wake-up mechanisms.
#[derive(Debug)]
pub(crate) struct SessionState {
    shared: Mutex<SharedState>,
    /// Notified of a new screen, the program's end, or the reader's role becoming free.
    changed: Condvar,
    /// Wakes the background reader.
    background_wake: DeferredWake,
    /// Observers that are notified and do not wait.
    watchers: Watchers,
}

/// The shared state itself; locked by [`SessionState::lock`].
#[derive(Debug)]
pub(crate) struct SharedState {
    history: History,
    counts: Counts,
    /// How many screens are missing in the history because too many came at once.
    lost_screens: u64,
    exit_status: Option<ExitStatus>,
    /// No process has the terminal open any more, and all output was processed.
    output_ended: bool,
    closing: bool,
    closed: bool,
    /// Increased when waits must evaluate again without a change of the program.
    reevaluations: u64,
    failure: Option<Arc<io::Error>>,
    synchronized_until: Option<Duration>,
    reader: ActiveReader,
    waits: usize,
    /// How many of the waits are for notes.
    note_waits: usize,
    /// A thread has waited and may do so again soon: the background reader lets a moment pass
    /// before it reads.
    background_defers: bool,
    background_call: BackgroundCall,
}

/// A consistent copy of the state that a wait evaluates its condition on.
#[derive(Debug, Clone)]
pub(crate) struct StateSnapshot {
    /// The current frame.
    pub(crate) last: Arc<SessionFrame>,
    pub(crate) exit_status: Option<ExitStatus>,
    pub(crate) closing: bool,
    pub(crate) failure: Option<Arc<io::Error>>,
    counts: Counts,
    reevaluations: u64,
}

impl SharedState {
    /// Returns the screens that were shown.
    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// Returns the counts of the program's effects that are not in the cells.
    pub(crate) fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the exit status once the program has exited and its output was read.
    pub(crate) fn exit_status(&self) -> Option<ExitStatus> {
        self.exit_status
    }

    /// Returns whether the session is being closed: waits end.
    pub(crate) fn is_closing(&self) -> bool {
        self.closing
    }

    /// Returns when a running synchronized update will be shown unfinished.
    pub(crate) fn synchronized_until(&self) -> Option<Duration> {
        self.synchronized_until
    }

    /// Returns whether the program has exited and no other process can write any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.output_ended && self.exit_status.is_some()
    }

    /// Returns whether nothing more is read.
    fn is_over(&self) -> bool {
        self.closed || self.failure.is_some() || self.has_ended()
    }

    /// Copies what a wait evaluates.
    pub(crate) fn snapshot(&self) -> StateSnapshot {
        StateSnapshot {
            last: Arc::clone(self.history.last()),
            exit_status: self.exit_status,
            closing: self.closing,
            failure: self.failure.clone(),
            counts: self.counts,
            reevaluations: self.reevaluations,
        }
    }

    /// Returns whether a wait must evaluate again after it has evaluated `seen`.
    fn has_news_since(&self, seen: &StateSnapshot, wake_on: WakeOn) -> bool {
        self.history.last().revision != seen.last.revision
            || self.exit_status != seen.exit_status
            || self.closing != seen.closing
            || self.failure.is_some()
            || self.reevaluations != seen.reevaluations
            || (wake_on == WakeOn::ScreensAndNotes && self.counts != seen.counts)
    }
}

impl SessionState {
    pub(crate) fn new(screen: Screen, time: Duration) -> io::Result<SessionState> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let session = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(SessionState {
            shared: Mutex::new(SharedState {
                history: History::new(SessionFrame {
                    revision: 0,
                    session,
                    time,
                    screen,
                    counts: Counts::NONE,
                }),
                counts: Counts::NONE,
                lost_screens: 0,
                exit_status: None,
                output_ended: false,
                closing: false,
                closed: false,
                reevaluations: 0,
                failure: None,
                synchronized_until: None,
                reader: ActiveReader::None,
                waits: 0,
                note_waits: 0,
                // A caller that starts a program usually waits for it.
                background_defers: true,
                background_call: BackgroundCall::None,
            }),
            changed: Condvar::new(),
            background_wake: DeferredWake::new()?,
            watchers: Watchers::default(),
        })
    }

    /// Locks the state for reading.
    pub(crate) fn lock(&self) -> MutexGuard<'_, SharedState> {
        lock::lock(&self.shared)
    }

    /// Returns the current frame.
    pub(crate) fn last_frame(&self) -> Arc<SessionFrame> {
        Arc::clone(self.lock().history.last())
    }

    /// Notifies `watcher` of all changes until it is dropped.
    pub(crate) fn add_watcher(&self, watcher: &Arc<dyn Watcher>) {
        self.watchers.add(watcher);
    }

    /// Adds screens in the order in which they were shown; one that equals its predecessor is
    /// skipped. Returns whether there was a new one. `lost` is the total number of screens that
    /// were never added.
    ///
    /// A new screen wakes all waits and notifies the watchers. A change of the counts alone wakes
    /// the waits only if one of them is for notes.
    pub(crate) fn add_screens(
        &self,
        screens: impl IntoIterator<Item = TransientScreen>,
        lost: u64,
        time: Duration,
    ) -> bool {
        let mut shared = self.lock();
        if lost > shared.lost_screens {
            shared.lost_screens = lost;
            shared.history.skip();
        }
        let mut is_new = false;
        let mut is_noted = false;
        for TransientScreen { screen, counts } in screens {
            is_noted |= shared.counts != counts;
            shared.counts = counts;
            let last = shared.history.last();
            if last.screen != screen {
                let (session, revision) = (last.session, last.revision + 1);
                shared.history.push(SessionFrame {
                    session,
                    revision,
                    time,
                    screen,
                    counts,
                });
                is_new = true;
            }
        }
        if is_new || (is_noted && shared.note_waits > 0) {
            self.wake_waits(&shared);
        }
        drop(shared);
        if is_new {
            self.watchers.notify();
        }
        is_new
    }

    /// Stores whether a synchronized update is running after a publication, and until when it may
    /// stay hidden. `is_new` is the result of [`SessionState::add_screens`]. Wakes no thread: the
    /// reader checks the limit before each wait for the PTY.
    pub(crate) fn track_synchronized_update(&self, running: bool, is_new: bool, until: Duration) {
        let mut shared = self.lock();
        match (running, shared.synchronized_until) {
            (true, None) => shared.synchronized_until = Some(until),
            // Nothing new is shown during an update. So the last update has ended, and this is the
            // next one, which has its own time limit.
            (true, Some(_)) if is_new => shared.synchronized_until = Some(until),
            (false, Some(_)) => shared.synchronized_until = None,
            _ => {}
        }
    }

    /// The session is being closed. Wakes all waits, the background reader, and the watchers. The
    /// waits end.
    pub(crate) fn set_closing(&self) {
        self.change(|shared| shared.closing = true);
    }

    /// The session is closed, and nothing is read any more. Wakes all waits, the background reader,
    /// and the watchers. The background reader ends.
    pub(crate) fn set_closed(&self) {
        self.change(|shared| shared.closed = true);
    }

    /// No process has the terminal open any more. The first call wakes all waits and the watchers,
    /// and the background reader if the program has exited too.
    pub(crate) fn set_output_ended(&self) {
        if !self.lock().output_ended {
            self.change(|shared| shared.output_ended = true);
        }
    }

    /// The program has exited, and its output was read. Wakes all waits and the watchers, and the
    /// background reader if the output has ended too.
    pub(crate) fn set_exit_status(&self, exit_status: Option<ExitStatus>) {
        self.change(|shared| shared.exit_status = exit_status);
    }

    /// The terminal cannot be read or interpreted any more. Wakes all waits, the background reader,
    /// and the watchers. The waits return the error, and the background reader ends.
    pub(crate) fn set_failed(&self, error: io::Error) {
        self.change(|shared| shared.failure = Some(Arc::new(error)));
    }

    /// Makes all waits evaluate again: a manual clock was advanced, or a wait was interrupted.
    /// Wakes all waits and the watchers.
    pub(crate) fn reevaluate_waits(&self) {
        self.change(|shared| shared.reevaluations += 1);
    }

    fn change(&self, change: impl FnOnce(&mut SharedState)) {
        let mut shared = self.lock();
        let (was_closing, was_over) = (shared.closing, shared.is_over());
        change(&mut shared);
        // While the background reader reads, it checks the state by itself afterwards; once
        // everything is over, it has been called or will check.
        let is_reading = shared.reader == ActiveReader::Background;
        let is_news = shared.closing != was_closing || shared.is_over();
        let calls_background = !is_reading && is_news && !was_over;
        if calls_background {
            shared.background_call = BackgroundCall::Immediate;
        }
        self.wake_waits(&shared);
        drop(shared);
        // After unlocking, so that the background reader does not wake up to wait for the lock.
        if calls_background {
            self.background_wake.wake_after(Duration::ZERO);
        }
        self.watchers.notify();
    }

    /// Wakes waiting threads, except a reader, which sees the change without being woken.
    fn wake_waits(&self, shared: &SharedState) {
        let reading = usize::from(shared.reader == ActiveReader::Wait);
        if shared.waits > reading {
            self.changed.notify_all();
        }
    }
}
