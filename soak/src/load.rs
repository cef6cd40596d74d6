//! A machine with something else to do.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Keeps every processor busy until it is dropped.
pub(crate) struct Load {
    enough: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    pub(crate) fn start() -> Load {
        let enough = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let spin = |_| {
            let enough = Arc::clone(&enough);
            std::thread::spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        let threads = (0..processors).map(spin).collect();
        Load { enough, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // It only spins, and cannot have panicked.
            let _ = thread.join();
        }
    }
}
