//! How far the writing of a film has come.
//!
//! Every shot counts twice, when it is drawn and when it is compressed, so that one number climbs from nothing to all over the
//! whole job. Whoever listens is called by the threads that work, one at a time, with numbers that never fall, and may end it.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Listener = dyn Fn(ProgressUpdate) -> ControlFlow<()> + Send + Sync;

/// Who is told how far the writing of a film has come; nobody by default. Clones tell the same.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Listener>>);

impl Progress {
    /// Tells a function, which is called by any thread, but never by two at once. It should be quick: the others wait.
    pub fn new(listener: impl Fn(ProgressUpdate) + Send + Sync + 'static) -> Progress {
        Progress::stoppable(move |done| {
            listener(done);
            ControlFlow::Continue(())
        })
    }

    /// The same for who may lose patience: what breaks off gives [`EncodeError::Stopped`](super::WriteError::Stopped), a shot later at most.
    pub fn stoppable(
        listener: impl Fn(ProgressUpdate) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Progress {
        Progress(Some(Arc::new(listener)))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.0.is_some() { "heard" } else { "unheard" };
        f.debug_tuple("Progress").field(&state).finish()
    }
}

/// How much of a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgressUpdate {
    /// Units that are done, from 0 on.
    pub units: u64,
    /// Units in all; the same for the whole job.
    pub total: u64,
}

/// Counts what is done of one film.
pub(crate) struct ProgressCounter {
    progress: Progress,
    frames: u64,
    counts: Mutex<Counts>,
    stopped: AtomicBool,
}

#[derive(Default)]
struct Counts {
    drawn: u64,
    compressed: u64,
    reported: u64,
}

impl ProgressCounter {
    pub(crate) fn new(progress: &Progress, frames: usize) -> ProgressCounter {
        let tally = ProgressCounter {
            progress: progress.clone(),
            frames: frames as u64,
            counts: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        tally.report(0);
        tally
    }

    /// A shot was drawn for the first time.
    pub(crate) fn drawn(&self) {
        self.count(|counts| {
            counts.drawn += 1;
            counts.drawn
        });
    }

    /// One of so many cels was compressed. There may be fewer cels than shots, so each counts for its part of these.
    pub(crate) fn compressed(&self, deltas: usize) {
        self.count(|counts| {
            counts.compressed += 1;
            counts.drawn + self.frames * counts.compressed / (deltas as u64).max(1)
        });
    }

    fn count(&self, add: impl FnOnce(&mut Counts) -> u64) {
        if self.progress.0.is_none() {
            return;
        }
        // Held while the listener is called, so that it hears the numbers in their order.
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let units = add(&mut counts);
        if units > counts.reported {
            counts.reported = units;
            self.report(units);
        }
    }

    fn report(&self, units: u64) {
        if let Some(listener) = &self.progress.0 {
            let reported = listener(ProgressUpdate {
                units,
                total: 2 * self.frames,
            });
            if reported.is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether nobody wants the rest.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
