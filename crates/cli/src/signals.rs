//! What is done before a signal ends us: the terminal that was taken is given back, what was begun is ended.

use std::io;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;

/// Waits for signals that would end us; dropping it ends that.
#[derive(Debug)]
pub(crate) struct Farewell {
    signals: Handle,
}

impl Farewell {
    /// Has `restore` called by a thread of its own when such a signal comes, before the signal does what it always does.
    pub(crate) fn new(restore: impl Fn() + Send + 'static) -> io::Result<Farewell> {
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
        Ok(Farewell { signals: handle })
    }
}

impl Drop for Farewell {
    fn drop(&mut self) {
        self.signals.close();
    }
}
