//! Feeds output to the emulator and publishes its screens.
//!
//! Every function here runs with the emulator locked, or locks it itself.

use std::io;
use std::time::Duration;

use screentest_core::emulator::{FedSlice, TransientScreen, Work};
use screentest_core::{Emulator, Size};

use super::PtyReader;
use crate::session::Answers;
use crate::session::input::queue::FlushResult;
use crate::session::observer::SessionEvent;

/// How long a synchronized update may take before it is shown unfinished. Terminals choose from 100
/// ms to 1 s.
const SYNCHRONIZED: Duration = Duration::from_millis(150);

impl PtyReader {
    /// Passes output to the emulator until the work reaches `budget`. Passes the consumed bytes to
    /// the observer and the listeners, and sends the replies to the program's queries.
    pub(super) fn feed(
        &self,
        emulator: &mut Box<dyn Emulator>,
        bytes: &[u8],
        budget: Work,
    ) -> FedSlice {
        let fed = emulator.feed_slice(bytes, budget);
        let bytes = &bytes[..fed.bytes];
        self.output_tail.push(bytes);
        let observer = self.observer();
        if let Some(observer) = &observer {
            observer.observe(SessionEvent::Output(bytes));
        }
        self.send_to_listeners(bytes);
        let replies = emulator.take_replies();
        if !replies.is_empty() && self.answers == Answers::Emulator {
            // A program that sends queries without reading the replies has filled the queue itself;
            // the error has no receiver.
            let before_sending = || {
                if let Some(observer) = &observer {
                    observer.observe(SessionEvent::Reply(&replies));
                }
            };
            let sent = self.input_queue.send(&*self.pty, &replies, before_sending);
            if matches!(sent, Ok(FlushResult::Partial)) {
                // The reader must also wait for room, and may be another thread.
                self.pty.wake();
            }
        }
        fed
    }

    /// Publishes the emulator's current screen, after the transient ones before it.
    pub(super) fn publish(&self, emulator: &mut Box<dyn Emulator>) {
        self.publish_as(emulator, false);
    }

    fn publish_as(&self, emulator: &mut Box<dyn Emulator>, unfinished: bool) {
        let passed = emulator.take_transient_screens();
        let screen = emulator.screen();
        self.report_event(SessionEvent::Screen {
            screen: &screen,
            unfinished,
        });
        let time = self.clock.now();
        let synchronized = screen.modes.synchronized;
        let lost = emulator.notes().screens_lost;
        let current = TransientScreen {
            screen,
            counts: emulator.notes().counts,
        };
        let screens = passed
            .into_iter()
            .chain([current])
            .map(|shown| self.prepared(shown));
        let is_new = self.state.add_screens(screens, lost, time);
        self.state
            .track_synchronized_update(synchronized, is_new, time + SYNCHRONIZED);
    }

    /// Prepares a screen for publishing: masks secrets, and hides the synchronized mode, which
    /// changes no cell.
    fn prepared(&self, mut shown: TransientScreen) -> TransientScreen {
        shown.screen.modes.synchronized = false;
        shown.screen = self.redactor.redact_screen(shown.screen);
        shown
    }

    /// Shows a synchronized update that takes too long or never ends.
    pub(crate) fn end_synchronized(&self) {
        let mut emulator = self.emulator();
        emulator.end_synchronized();
        self.publish_as(&mut emulator, true);
    }

    /// Resizes PTY and emulator, between two feeds.
    pub(crate) fn resize(&self, size: Size) -> io::Result<()> {
        let mut emulator = self.emulator();
        self.pty.resize(size)?;
        emulator.resize(size);
        self.report_event(SessionEvent::Resize(size));
        self.publish(&mut emulator);
        drop(emulator);
        self.wake_reader_after_publishing();
        Ok(())
    }
}
