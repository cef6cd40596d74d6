//! Keeps every CPU busy, so that programs read late.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// One spinning thread per CPU, until dropped.
#[derive(Debug)]
pub(super) struct CpuLoad {
    stopped: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl CpuLoad {
    pub(super) fn start() -> CpuLoad {
        let stopped = Arc::new(AtomicBool::new(false));
        let processors = thread::available_parallelism().map_or(2, usize::from);
        let spin = || {
            let stopped = Arc::clone(&stopped);
            thread::spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            })
        };
        CpuLoad {
            threads: (0..processors).map(|_| spin()).collect(),
            stopped,
        }
    }
}

impl Drop for CpuLoad {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // The threads cannot panic.
            let _ = thread.join();
        }
    }
}
