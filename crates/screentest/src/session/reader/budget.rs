//! How much output one call interprets before it returns.
//!
//! A call that needs the current screen, such as a wait at its deadline, first interprets the
//! output that the program wrote before. A program that prints expensive sequences without end
//! writes more than can ever be interpreted, so such a call has a budget. The feeder interprets the
//! rest.
//!
//! The budget has two parts, and both must be spent: a slow machine still interprets the usual
//! amount, and a fast one uses the time.

use std::time::Duration;

use screentest_core::emulator::Work;

use crate::clock::Clock;

/// Work that is always done. It suffices for the gathered output of a program that prints ordinary
/// text, even if each line has only a number. Takes about 20 ms.
const USUAL_WORK: Work = 16 << 20;

/// How long a query waits for what the program wrote before.
pub(super) const CATCHING_UP: Duration = Duration::from_millis(100);

/// How long the reader interprets output by itself when the program pauses.
const PAUSE_TIME: Duration = Duration::from_millis(5);

/// The budget of one call.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    real_time: &'a Clock,
    until: Duration,
    work: Work,
}

impl<'a> Budget<'a> {
    /// The budget of a query. Time spent waiting for locks counts, so it must be created first.
    pub(super) fn of_query(real_time: &'a Clock) -> Budget<'a> {
        Budget::new(real_time, CATCHING_UP)
    }

    /// The budget of the reader in a pause of the program.
    pub(super) fn of_pause(real_time: &'a Clock) -> Budget<'a> {
        Budget::new(real_time, PAUSE_TIME)
    }

    fn new(real_time: &'a Clock, time: Duration) -> Budget<'a> {
        Budget {
            real_time,
            until: real_time.now() + time,
            work: USUAL_WORK,
        }
    }

    /// Counts work that was done.
    pub(super) fn spend(&mut self, work: Work) {
        self.work = self.work.saturating_sub(work);
    }

    /// Returns whether nothing more should be done.
    pub(super) fn is_spent(&self) -> bool {
        self.work == 0 && self.real_time.now() >= self.until
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use screentest_core::Size;
    use screentest_core::emulator::{Backend, EmulatorOptions};

    use super::*;
    use crate::pty::scripted::ScriptedPty;
    use crate::pty::{Pty, Read};
    use crate::session::reader::PtyReader;

    #[test]
    fn a_budget_is_spent_after_its_work_and_its_time() {
        let clock = Clock::manual();
        let mut slow = Budget::of_query(&clock);
        clock.advance(2 * CATCHING_UP);
        slow.spend(USUAL_WORK - 1);
        assert!(!slow.is_spent());
        slow.spend(1);
        assert!(slow.is_spent());
        let mut fast = Budget::of_query(&clock);
        fast.spend(Work::MAX);
        assert!(!fast.is_spent());
        clock.advance(CATCHING_UP);
        assert!(fast.is_spent());
    }

    #[test]
    fn query_leaves_output_that_arrives_in_small_pieces_of_much_work() {
        let size = Size {
            cols: 1000,
            rows: 1000,
        };
        let pty = Arc::new(ScriptedPty::new(size));
        let emulator = Backend::default().emulator(size, EmulatorOptions::default());
        let terminal = Arc::clone(&pty) as Arc<dyn Pty>;
        let reader = PtyReader::new(terminal, emulator, Clock::system()).unwrap();
        // Each fills the screen, which is about a slice of work.
        for _ in 0..20_000 {
            pty.print(b"\x1b#8");
        }
        Arc::new(reader).read_written().unwrap();
        assert_eq!(pty.read(&mut [0]).unwrap(), Read::Bytes(1));
    }
}
