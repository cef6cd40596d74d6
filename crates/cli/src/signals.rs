//! Signals: cleanup before the process ends, and the limit on file sizes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

/// Runs a cleanup when a signal is about to end the process. Dropping it unregisters the signals.
#[derive(Debug)]
pub(crate) struct CleanupOnSignal {
    signals: Handle,
}

impl CleanupOnSignal {
    /// Registers `restore`. A separate thread calls it when such a signal arrives; then the signal
    /// takes its default action.
    pub(crate) fn new(restore: impl Fn() + Send + 'static) -> io::Result<CleanupOnSignal> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        let handle = signals.handle();
        thread::Builder::new()
            .name("screentest-signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    restore();
                    let _ = emulate_default_handler(signal);
                }
            })?;
        Ok(CleanupOnSignal { signals: handle })
    }
}

impl Drop for CleanupOnSignal {
    fn drop(&mut self) {
        self.signals.close();
    }
}

/// Lets writes beyond the limit on file sizes (`ulimit -f`) fail, so that the error names the file.
///
/// By default, SIGXFSZ ends the process without a message and without cleanup. Programs that we
/// start are not affected: exec resets the handler to the default action.
pub(crate) fn fail_writes_over_size_limit() -> io::Result<()> {
    // The failed write returns an error, so the flag is not read.
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).map(drop)
}
