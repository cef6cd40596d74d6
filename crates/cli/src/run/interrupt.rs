//! Handles signals while tapes run: interrupts the tapes, waits until their results are reported,
//! then lets the signal take its default effect.

use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use screentest::session::Interrupt;

use super::progress::ClearHandle;
use crate::failure::{Exit, Failure};
use crate::signals::CleanupOnSignal;

/// How long a run may take to finish after a signal.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long clearing the progress display may take after a signal. A terminal that is not stopped
/// accepts the output at once.
const CLEAR_TIMEOUT: Duration = Duration::from_millis(200);

/// Handles signals that would end the process.
#[derive(Debug)]
pub(crate) struct SignalInterrupt {
    interrupt: Interrupt,
    activity: Arc<RunActivity>,
    clear_handle: Arc<Mutex<Option<ClearHandle>>>,
    cleanup: CleanupOnSignal,
}

/// Whether a run must finish before a signal may end the process.
#[derive(Debug, Default)]
struct RunActivity {
    busy: Mutex<bool>,
    idle: Condvar,
}

impl SignalInterrupt {
    /// Starts to handle signals.
    pub(crate) fn new() -> Result<SignalInterrupt, Failure> {
        let (interrupt, activity) = (Interrupt::new(), Arc::new(RunActivity::default()));
        let (raised, shared_activity) = (interrupt.clone(), Arc::clone(&activity));
        let clear_handle = Arc::new(Mutex::new(None::<ClearHandle>));
        let shared_handle = Arc::clone(&clear_handle);
        let cleanup = CleanupOnSignal::new(move || {
            raised.raise();
            let busy = shared_activity
                .busy
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let waited = shared_activity
                .idle
                .wait_timeout_while(busy, SHUTDOWN_TIMEOUT, |busy| *busy);
            drop(waited);
            // A run that did not finish in time has not cleared its display either.
            let shared_handle = shared_handle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            shared_handle.into_iter().for_each(clear);
        });
        let cleanup = cleanup.context("could not watch for signals");
        Ok(SignalInterrupt {
            interrupt,
            activity,
            clear_handle,
            cleanup: cleanup.map_err(|error| Failure::new(Exit::Internal, error))?,
        })
    }

    /// The interrupt that ends running tapes.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Sets whether a run is in progress that a signal must wait for.
    pub(crate) fn set_busy(&self, busy: bool) {
        *self
            .activity
            .busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = busy;
        self.activity.idle.notify_all();
    }

    /// Sets the progress display to clear when a signal ends the process.
    pub(crate) fn set_clear_handle(&self, clear_handle: Option<ClearHandle>) {
        *self
            .clear_handle
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = clear_handle;
    }

    /// Waits for the signal to end the process, if one arrived.
    pub(crate) fn wait_for_exit(self) {
        if self.interrupt.is_raised() {
            let never = Interrupt::new();
            never.pause(SHUTDOWN_TIMEOUT);
        }
        drop(self.cleanup);
    }
}

/// Clears the display with a timeout. Drawing may block on a stopped terminal (Ctrl+S); without the
/// timeout, the signal would never end the process.
fn clear(clear_handle: ClearHandle) {
    let (sender, receiver) = mpsc::channel();
    let clearing = thread::Builder::new().name("screentest-clearing".to_owned());
    let clearing = clearing.spawn(move || {
        clear_handle.clear();
        // Sending fails only after the timeout.
        let _ = sender.send(());
    });
    if clearing.is_ok() {
        let _ = receiver.recv_timeout(CLEAR_TIMEOUT);
    }
}
