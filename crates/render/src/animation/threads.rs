//! Distributes jobs to threads and returns the results in order.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of threads that draw and compress. The bytes that come out are the same for any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threads(NonZeroUsize);

impl Threads {
    /// Returns this number of threads; at least one.
    pub fn new(count: usize) -> Threads {
        Threads(NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN))
    }

    /// Returns one thread per available processor.
    pub fn available() -> Threads {
        Threads(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }

    /// Limits the number of threads to `most`.
    pub(crate) fn at_most(self, most: usize) -> Threads {
        Threads::new(self.0.get().min(most))
    }

    /// Makes one worker per thread, at most `most`. A worker holds buffers that its jobs reuse.
    pub(crate) fn workers<W>(self, most: usize, make: impl Fn() -> W) -> Vec<W> {
        (0..self.0.get().min(most).max(1)).map(|_| make()).collect()
    }

    /// Returns the number of threads.
    pub(crate) fn count(self) -> usize {
        self.0.get()
    }
}

/// Runs jobs 0 to `count`, each once, on one thread per worker. Returns the results in order.
pub(crate) fn run<W: Send, R: Send>(
    workers: &mut [W],
    count: usize,
    job: impl Fn(&mut W, usize) -> R + Sync,
) -> Vec<R> {
    let needed = workers.len().min(count);
    if let [worker] = &mut workers[..needed] {
        return (0..count).map(|index| job(worker, index)).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for worker in &mut workers[..needed] {
            let (next, done, job) = (&next, &done, &job);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(place) = done.get(index) else {
                        return;
                    };
                    let result = job(worker, index);
                    *place.lock().expect("each slot is locked by one job only") = Some(result);
                }
            });
        }
    });
    let result = |place: Mutex<Option<R>>| place.into_inner().ok().flatten();
    done.into_iter()
        .map(|place| result(place).expect("every job ran, or its panic was propagated"))
        .collect()
}

impl Default for Threads {
    fn default() -> Threads {
        Threads::available()
    }
}
