//! Load on every processor, for tests that must also pass on a busy machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Keeps every processor busy until it is dropped.
pub(crate) struct CpuLoad {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl CpuLoad {
    pub(crate) fn start() -> CpuLoad {
        let stop = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let threads = (0..processors)
            .map(|_| {
                let stop = Arc::clone(&stop);
                std::thread::spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                })
            })
            .collect();
        CpuLoad { stop, threads }
    }
}

impl Drop for CpuLoad {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // The thread only spins, so it cannot have panicked.
            let _ = thread.join();
        }
    }
}
