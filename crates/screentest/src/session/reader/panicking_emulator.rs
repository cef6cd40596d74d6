//! An emulator that panics when one given thread feeds it, for tests of the other threads.

use std::sync::Arc;

use screentest_core::emulator::{
    Backend, Capabilities, EmulatorOptions, Identity, Notes, TransientScreen,
};
use screentest_core::{Emulator, Row, Screen, Size};

use super::PtyReader;
use crate::clock::Clock;
use crate::pty::scripted::ScriptedPty;

#[derive(Debug)]
pub(crate) struct PanickingEmulator {
    emulator: Box<dyn Emulator>,
    thread: &'static str,
}

impl PanickingEmulator {
    /// Creates a reader whose emulator panics when a thread of this name feeds it.
    pub(crate) fn reader(pty: &Arc<ScriptedPty>, thread: &'static str) -> Arc<PtyReader> {
        let emulator = PanickingEmulator {
            emulator: Backend::default().emulator(pty.size(), EmulatorOptions::default()),
            thread,
        };
        let terminal = Arc::clone(pty) as _;
        Arc::new(PtyReader::new(terminal, Box::new(emulator), Clock::system()).unwrap())
    }
}

impl Emulator for PanickingEmulator {
    fn identity(&self) -> Identity {
        self.emulator.identity()
    }

    fn capabilities(&self) -> Capabilities {
        self.emulator.capabilities()
    }

    fn feed(&mut self, bytes: &[u8]) {
        assert_ne!(std::thread::current().name(), Some(self.thread));
        self.emulator.feed(bytes);
    }

    fn take_replies(&mut self) -> Vec<u8> {
        self.emulator.take_replies()
    }

    fn resize(&mut self, size: Size) {
        self.emulator.resize(size);
    }

    fn screen(&mut self) -> Screen {
        self.emulator.screen()
    }

    fn scrollback(&mut self, rows: usize) -> Vec<Arc<Row>> {
        self.emulator.scrollback(rows)
    }

    fn dump(&mut self, scrollback: usize) -> Vec<u8> {
        self.emulator.dump(scrollback)
    }

    fn take_transient_screens(&mut self) -> Vec<TransientScreen> {
        self.emulator.take_transient_screens()
    }

    fn end_synchronized(&mut self) {
        self.emulator.end_synchronized();
    }

    fn notes(&self) -> &Notes {
        self.emulator.notes()
    }
}
