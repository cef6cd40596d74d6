//! Decides which thread reads the PTY.
//!
//! There is one reader at a time. A waiting thread takes precedence over the background reader, so
//! that no thread hand-over adds latency to a wait. When the reader leaves, the role goes to
//! another waiting thread or, without one, to the background reader.
//!
//! The background reader is called a moment after the last wait has ended, and at once when the
//! session is being closed or nothing is left to read. Only the first kind of call is cancelled, by
//! the next wait. The background reader decides under the lock what to do, so a superfluous call
//! does no harm.

use std::io;
use std::sync::MutexGuard;
use std::time::Duration;

use super::{SessionState, SharedState, StateSnapshot};
use crate::lock;

/// How long the terminal stays without a reader after a wait: longer than a test's pause between
/// two waits, shorter than a program would notice.
const BACKGROUND_DELAY: Duration = Duration::from_millis(5);

/// Which thread reads the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ActiveReader {
    None,
    Background,
    /// A waiting thread.
    Wait,
}

/// Whether the background reader was called to check for work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BackgroundCall {
    None,
    /// After [`BACKGROUND_DELAY`], unless another wait begins before.
    Delayed,
    Immediate,
}

/// Which changes wake a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WakeOn {
    Screens,
    ScreensAndNotes,
}

/// Registration of a wait, undone on drop: a condition may panic.
#[derive(Debug)]
pub(crate) struct WaitRegistration<'a> {
    state: &'a SessionState,
    wake_on: WakeOn,
    is_reader: bool,
}

/// The reader's role while the background reader has it. Dropped also on a panic, so that waiting
/// threads continue.
#[derive(Debug)]
pub(crate) struct BackgroundReaderRole<'a> {
    state: &'a SessionState,
}

impl SharedState {
    /// Returns whether any thread reads the terminal.
    pub(crate) fn has_reader(&self) -> bool {
        self.reader != ActiveReader::None
    }

    /// Returns whether any thread waits.
    pub(crate) fn has_waits(&self) -> bool {
        self.waits > 0
    }
}

impl SessionState {
    /// Registers a wait. Wakes no thread; a delayed call of the background reader is cancelled.
    pub(crate) fn register_wait(&self, wake_on: WakeOn) -> WaitRegistration<'_> {
        let mut shared = self.lock();
        shared.waits += 1;
        shared.note_waits += usize::from(wake_on == WakeOn::ScreensAndNotes);
        shared.background_defers = true;
        if shared.background_call == BackgroundCall::Delayed {
            shared.background_call = BackgroundCall::None;
            self.background_wake.cancel();
        }
        WaitRegistration {
            state: self,
            wake_on,
            is_reader: false,
        }
    }

    /// Calls the background reader after [`BACKGROUND_DELAY`].
    pub(crate) fn call_background_reader(&self) {
        self.call_background_reader_locked(self.lock());
    }

    /// Blocks the background reader until it is called.
    pub(crate) fn sleep_background_reader(&self) -> MutexGuard<'_, SharedState> {
        self.background_wake.wait();
        let mut shared = self.lock();
        shared.background_call = BackgroundCall::None;
        shared.background_defers &= shared.waits > 0;
        shared
    }

    /// Makes the background reader the reader, once no thread has waited for a moment. Returns
    /// `None` when nothing is left to read. Wakes no thread.
    pub(crate) fn become_background_reader<'a>(
        &'a self,
        mut shared: MutexGuard<'a, SharedState>,
    ) -> Option<BackgroundReaderRole<'a>> {
        loop {
            if shared.is_over() {
                return None;
            }
            let is_free = shared.waits == 0 && shared.reader == ActiveReader::None;
            if is_free && !shared.background_defers {
                shared.reader = ActiveReader::Background;
                return Some(BackgroundReaderRole { state: self });
            }
            drop(shared);
            shared = self.sleep_background_reader();
        }
    }

    /// Frees the reader's role. Wakes all waits, one of which becomes the reader; without a wait,
    /// calls the background reader after a delay.
    fn release_reader(&self, mut shared: MutexGuard<'_, SharedState>) {
        shared.reader = ActiveReader::None;
        if shared.waits > 0 {
            self.changed.notify_all();
        }
        self.call_background_reader_locked(shared);
    }

    fn call_background_reader_locked(&self, mut shared: MutexGuard<'_, SharedState>) {
        // While the background reader reads, it needs no call. It lets a moment pass by itself
        // afterwards.
        let is_reading = shared.reader == ActiveReader::Background;
        let is_deferred = !is_reading && shared.waits == 0 && shared.background_defers;
        if is_deferred && shared.background_call == BackgroundCall::None {
            shared.background_call = BackgroundCall::Delayed;
            self.background_wake.wake_after(BACKGROUND_DELAY);
        }
    }
}

impl<'a> WaitRegistration<'a> {
    /// Returns whether this wait is the reader.
    pub(crate) fn is_reader(&self) -> bool {
        self.is_reader
    }

    /// Sleeps until a change or the timeout, or makes this wait the reader if no thread is. Returns
    /// at once if anything has changed since `seen`. `interrupt_reader` makes the background reader
    /// return from its wait for the PTY and release its role.
    pub(crate) fn sleep_or_become_reader(
        &mut self,
        seen: &StateSnapshot,
        timeout: Option<Duration>,
        interrupt_reader: impl FnOnce(),
    ) -> MutexGuard<'a, SharedState> {
        let mut shared = self.state.lock();
        if shared.has_news_since(seen, self.wake_on) {
            return shared;
        }
        match shared.reader {
            ActiveReader::None => {
                shared.reader = ActiveReader::Wait;
                self.is_reader = true;
                return shared;
            }
            ActiveReader::Wait => {}
            ActiveReader::Background => interrupt_reader(),
        }
        match timeout {
            None => lock::wait(&self.state.changed, shared),
            Some(timeout) => lock::wait_timeout(&self.state.changed, shared, timeout).0,
        }
    }
}

impl Drop for WaitRegistration<'_> {
    fn drop(&mut self) {
        let mut shared = self.state.lock();
        shared.waits -= 1;
        shared.note_waits -= usize::from(self.wake_on == WakeOn::ScreensAndNotes);
        if self.is_reader {
            self.state.release_reader(shared);
        } else {
            self.state.call_background_reader_locked(shared);
        }
    }
}

impl Drop for BackgroundReaderRole<'_> {
    fn drop(&mut self) {
        self.state.release_reader(self.state.lock());
        if std::thread::panicking() {
            let error = io::Error::other("the emulator failed");
            self.state.set_failed(error);
        }
    }
}
