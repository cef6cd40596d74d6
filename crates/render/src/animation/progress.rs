//! Progress reports while an animation is encoded.
//!
//! Every frame counts twice, when it is drawn and when it is compressed, so that one number grows
//! from 0 to the total over the whole job. The working threads call the listener, one at a time,
//! with numbers that never decrease. The listener may stop the encoding.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type ProgressListener = dyn Fn(ProgressUpdate) -> ControlFlow<()> + Send + Sync;

/// Receives progress reports; does nothing by default. Clones report to the same listener.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<ProgressListener>>);

impl Progress {
    /// Reports to a function. Any thread may call the function, but never two at once. It should
    /// return quickly, because the other threads wait for it.
    pub fn new(listener: impl Fn(ProgressUpdate) + Send + Sync + 'static) -> Progress {
        Progress::stoppable(move |done| {
            listener(done);
            ControlFlow::Continue(())
        })
    }

    /// Like `new`, with a listener that can stop the encoding by returning `Break`. The encoding
    /// then fails with [`EncodeError::Stopped`](super::EncodeError::Stopped) as soon as each thread
    /// has finished its current frame.
    pub fn stoppable(
        listener: impl Fn(ProgressUpdate) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Progress {
        Progress(Some(Arc::new(listener)))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.0.is_some() {
            "listening"
        } else {
            "none"
        };
        f.debug_tuple("Progress").field(&state).finish()
    }
}

/// How much of a job is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProgressUpdate {
    /// Units done so far, starting with 0.
    pub units: u64,
    /// Units in total; constant for a job.
    pub total: u64,
}

/// Counts the finished units of one animation.
pub(crate) struct ProgressCounter {
    progress: Progress,
    frames: u64,
    counts: Mutex<ProgressCounts>,
    stopped: AtomicBool,
}

#[derive(Default)]
struct ProgressCounts {
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

    /// Counts a frame that was drawn for the first time.
    pub(crate) fn drawn(&self) {
        self.count(|counts| {
            counts.drawn += 1;
            counts.drawn
        });
    }

    /// Counts a compressed delta; `deltas` is their total. There may be fewer deltas than frames,
    /// so each counts for its share of the frames.
    pub(crate) fn compressed(&self, deltas: usize) {
        self.count(|counts| {
            counts.compressed += 1;
            counts.drawn + self.frames * counts.compressed / (deltas as u64).max(1)
        });
    }

    fn count(&self, add: impl FnOnce(&mut ProgressCounts) -> u64) {
        if self.progress.0.is_none() {
            return;
        }
        // Held while the listener is called, so that it receives the numbers in order.
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

    /// Whether the listener has stopped the encoding.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
