//! Receivers of everything that is read: the observer, and listeners of the raw bytes.
//!
//! They are added with the emulator locked, so that no byte is missed or passed on twice.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};

use screentest_core::Size;

use super::PtyReader;
use crate::lock::{self, lock};
use crate::session::observer::{SessionEvent, SessionObserver};

/// Maximum number of scrollback rows sent to an observer that is attached to a running session: the
/// default scrollback of a session.
const MAX_ROWS: usize = 10_000;

impl PtyReader {
    /// Returns the observer, while the session is observed.
    pub(crate) fn observer(&self) -> Option<Arc<dyn SessionObserver>> {
        lock::read(&self.observer).clone()
    }

    /// Returns whether the session is observed.
    pub(crate) fn is_observed(&self) -> bool {
        lock::read(&self.observer).is_some()
    }

    /// Sends an event to the observer, if there is one.
    pub(crate) fn report_event(&self, event: SessionEvent<'_>) {
        if let Some(observer) = self.observer() {
            observer.observe(event);
        }
    }

    /// Attaches an observer before anything was read. It first receives the blank screen, so that
    /// players can go back to the beginning.
    pub(crate) fn attach_observer_at_start(&self, observer: Arc<dyn SessionObserver>) {
        observer.observe(SessionEvent::Screen {
            screen: &self.emulator().screen(),
            unfinished: false,
        });
        self.set_observer(Some(observer));
    }

    /// Attaches an observer to a running session. It first receives the current state as output.
    /// `known_size` is the last size that the observer received.
    pub(crate) fn attach_observer(&self, observer: Arc<dyn SessionObserver>, known_size: Size) {
        // With both locks held, no output is fed meanwhile: no byte is missed, and none is observed
        // twice.
        let _read_buffer = self.read_buffer();
        let mut emulator = self.emulator();
        let size = emulator.screen().size;
        if size != known_size {
            observer.observe(SessionEvent::Resize(size));
        }
        observer.observe(SessionEvent::Output(&emulator.dump(MAX_ROWS)));
        self.set_observer(Some(observer));
        self.publish(&mut emulator);
    }

    /// Detaches the observer.
    pub(crate) fn detach_observer(&self) {
        self.set_observer(None);
    }

    fn set_observer(&self, observer: Option<Arc<dyn SessionObserver>>) {
        *lock::write(&self.observer) = observer;
    }

    /// Returns a channel of all output from now on, preceded by the stored tail of earlier output.
    pub(crate) fn listen(&self) -> Receiver<Vec<u8>> {
        let (listener, output) = mpsc::channel();
        // Prevents feeding meanwhile, so that no byte is missed or sent twice.
        let _emulator = self.emulator();
        // The receiver is still held here, so sending succeeds.
        let _ = listener.send(self.output_tail.bytes().bytes);
        lock(&self.listeners).push(listener);
        self.has_listeners.store(true, Ordering::Relaxed);
        output
    }

    /// Sends output to all listeners; those that are gone are removed.
    pub(super) fn send_to_listeners(&self, bytes: &[u8]) {
        if self.has_listeners.load(Ordering::Relaxed) {
            let mut listeners = lock(&self.listeners);
            listeners.retain(|listener| listener.send(bytes.to_vec()).is_ok());
        }
    }

    /// Closes the channels of all listeners.
    pub(crate) fn close_listeners(&self) {
        lock(&self.listeners).clear();
    }
}
