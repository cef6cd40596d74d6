//! A machine with something else to do.
//!
//! What holds only while a processor is free does not hold on anybody's build server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Keeps every processor busy until it is dropped.
pub(crate) struct Busy {
    enough: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Busy {
    pub(crate) fn start() -> Busy {
        let enough = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = (0..processors)
            .map(|_| {
                let enough = Arc::clone(&enough);
                std::thread::spawn(move || {
                    while !enough.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                })
            })
            .collect();
        Busy { enough, threads }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // It only spins, and cannot have panicked.
            let _ = thread.join();
        }
    }
}
