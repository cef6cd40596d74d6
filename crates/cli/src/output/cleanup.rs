//! Nothing half done is left where we are told to stop.
//!
//! A draft is removed when it is dropped, but a signal drops nothing. Most files are written in one go; a video takes as
//! long as somebody may well lose patience.

use std::fs;
use std::io;
use std::path::Path;
use std::thread::{self, JoinHandle};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

/// While this lives, a signal that ends us removes a file first.
#[derive(Debug)]
pub(super) struct Sweep {
    signals: Handle,
    broom: Option<JoinHandle<()>>,
}

impl Sweep {
    /// Watches over a file.
    pub(super) fn over(path: &Path) -> io::Result<Sweep> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let handle = signals.handle();
        let path = path.to_owned();
        let broom = thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // Both are the last that is done; there is nobody to tell that they failed.
                let _ = fs::remove_file(path);
                let _ = emulate_default_handler(signal);
            }
        });
        Ok(Sweep {
            signals: handle,
            broom: Some(broom),
        })
    }
}

impl Drop for Sweep {
    fn drop(&mut self) {
        self.signals.close();
        if let Some(broom) = self.broom.take() {
            let _ = broom.join();
        }
    }
}
