//! Removes an unfinished file if a signal ends the process.
//!
//! A temporary file is removed when its value is dropped, but a signal ends the process without
//! dropping anything. Most files are written at once; an animation takes long enough to be
//! interrupted.

use std::fs;
use std::io;
use std::path::Path;
use std::thread::{self, JoinHandle};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

/// Removes a file if a signal ends the process while this value exists.
#[derive(Debug)]
pub(super) struct RemoveOnSignal {
    signals: Handle,
    thread: Option<JoinHandle<()>>,
}

impl RemoveOnSignal {
    /// Registers a file.
    pub(super) fn new(path: &Path) -> io::Result<RemoveOnSignal> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let path = path.to_owned();
        let thread = thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // The process ends here, so errors cannot be reported.
                let _ = fs::remove_file(path);
                let _ = emulate_default_handler(signal);
            }
        });
        Ok(RemoveOnSignal {
            signals: handle,
            thread: Some(thread),
        })
    }
}

impl Drop for RemoveOnSignal {
    fn drop(&mut self) {
        self.signals.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
