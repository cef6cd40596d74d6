//! Queries that wait for the same output.
//!
//! A query reads what the program wrote before. While one reads, others wait. The next one reads
//! for all of those that began before it started to read.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts queries.
#[derive(Debug, Default)]
pub(super) struct SharedQueries {
    begun: AtomicU64,
    /// The queries with smaller numbers are answered; written with `read_buffer` locked.
    answered: AtomicU64,
}

impl SharedQueries {
    /// Begins a query. Returns its number.
    pub(super) fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::SeqCst)
    }

    /// Returns the number of queries that have begun. A read that starts after this call answers
    /// all of them.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// Returns whether another query has read since this one began.
    pub(super) fn is_answered(&self, query: u64) -> bool {
        query < self.answered.load(Ordering::SeqCst)
    }

    /// Marks the first queries as answered.
    pub(super) fn set_answered(&self, queries: u64) {
        self.answered.store(queries, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::{Arc, mpsc};

    use screentest_core::Size;

    use super::*;
    use crate::pty::scripted::ScriptedPty;
    use crate::session::Session;
    use crate::session::observer::{SessionEvent, SessionObserver};
    use crate::session::reader::panicking_emulator::PanickingEmulator;

    /// Counts published screens.
    #[derive(Debug, Default)]
    struct ScreenCounter(AtomicUsize);

    impl SessionObserver for ScreenCounter {
        fn observe(&self, event: SessionEvent<'_>) {
            if matches!(event, SessionEvent::Screen { .. }) {
                self.0.fetch_add(1, Ordering::SeqCst);
            }
        }

        fn session_closed(&self, _session: &Session) {}
    }

    #[test]
    fn queries_that_wait_for_each_other_read_once() {
        let size = Size { cols: 80, rows: 24 };
        let pty = Arc::new(ScriptedPty::new(size));
        let reader = PanickingEmulator::reader(&pty, "none");
        let screens = Arc::new(ScreenCounter::default());
        reader.attach_observer_at_start(screens.clone());
        let before = screens.0.load(Ordering::SeqCst);
        std::thread::scope(|scope| {
            let locked = reader.read_buffer();
            let (sender, results) = mpsc::channel();
            for _ in 0..20 {
                let (reader, sender) = (&reader, sender.clone());
                scope.spawn(move || sender.send(reader.read_written()));
            }
            while reader.shared_queries.begun() < 20 {
                std::thread::yield_now();
            }
            pty.print(b"x");
            drop(locked);
            (0..20).for_each(|_| results.recv().unwrap().unwrap());
        });
        assert_eq!(screens.0.load(Ordering::SeqCst) - before, 1);
        assert_eq!(reader.emulator().screen().text(), "x\n");
        // A later query reads again.
        pty.print(b"y");
        reader.read_written().unwrap();
        assert_eq!(reader.emulator().screen().text(), "xy\n");
    }
}
