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

    /// Runs jobs 0 to `count`, each once. Every thread has a worker of its own, which holds buffers
    /// that its jobs reuse.
    pub(crate) fn run<W: Send, R: Send>(
        self,
        count: usize,
        worker: impl Fn() -> W,
        job: impl Fn(&mut W, usize) -> R + Sync,
    ) -> Vec<R> {
        let threads = self.0.get().min(count);
        if threads <= 1 {
            let mut worker = worker();
            return (0..count).map(|index| job(&mut worker, index)).collect();
        }
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let mut worker = worker();
                let (next, done, job) = (&next, &done, &job);
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(place) = done.get(index) else {
                            return;
                        };
                        let result = job(&mut worker, index);
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
}

impl Default for Threads {
    fn default() -> Threads {
        Threads::available()
    }
}
