//! How far the writing of a film has come.
//!
//! Every shot counts twice, when it is drawn and when it is compressed, so that one number climbs from nothing to all over the
//! whole job. Whoever listens is called by the threads that work, one at a time, with numbers that never fall, and may end it.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Listener = dyn Fn(Done) -> ControlFlow<()> + Send + Sync;

/// Who is told how far the writing of a film has come; nobody by default. Clones tell the same.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Listener>>);

impl Progress {
    /// Tells a function, which is called by any thread, but never by two at once. It should be quick: the others wait.
    pub fn new(listener: impl Fn(Done) + Send + Sync + 'static) -> Progress {
        Progress::stoppable(move |done| {
            listener(done);
            ControlFlow::Continue(())
        })
    }

    /// The same for who may lose patience: what breaks off gives [`WriteError::Stopped`](super::WriteError::Stopped), a shot later at most.
    pub fn stoppable(
        listener: impl Fn(Done) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Progress {
        Progress(Some(Arc::new(listener)))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heard = if self.0.is_some() { "heard" } else { "unheard" };
        f.debug_tuple("Progress").field(&heard).finish()
    }
}

/// How much of a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Done {
    /// Units that are done, from 0 on.
    pub units: u64,
    /// Units in all; the same for the whole job.
    pub total: u64,
}

/// Counts what is done of one film.
pub(crate) struct Tally {
    progress: Progress,
    shots: u64,
    counts: Mutex<Counts>,
    stopped: AtomicBool,
}

#[derive(Default)]
struct Counts {
    drawn: u64,
    compressed: u64,
    told: u64,
}

impl Tally {
    pub(crate) fn new(progress: &Progress, shots: usize) -> Tally {
        let tally = Tally {
            progress: progress.clone(),
            shots: shots as u64,
            counts: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        tally.tell(0);
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
    pub(crate) fn compressed(&self, cels: usize) {
        self.count(|counts| {
            counts.compressed += 1;
            counts.drawn + self.shots * counts.compressed / (cels as u64).max(1)
        });
    }

    fn count(&self, add: impl FnOnce(&mut Counts) -> u64) {
        if self.progress.0.is_none() {
            return;
        }
        // Held while the listener is called, so that it hears the numbers in their order.
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let units = add(&mut counts);
        if units > counts.told {
            counts.told = units;
            self.tell(units);
        }
    }

    fn tell(&self, units: u64) {
        if let Some(listener) = &self.progress.0 {
            let told = listener(Done {
                units,
                total: 2 * self.shots,
            });
            if told.is_break() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether nobody wants the rest.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
