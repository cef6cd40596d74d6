//! Reading a program's terminal while nobody waits.
//!
//! Without it the program would stand still as soon as the kernel's buffer is full, and get no answer to what it asks.
//! The pump sits in the reader's seat whenever no waiting thread wants it. A thread that waited once usually waits again
//! soon, so the pump stands back for a moment first: otherwise every wait of a test would begin and end with a change of
//! threads. While waits follow each other closely, it is not woken at all (`alarm.rs`).

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, MutexGuard};

use crate::session::reader::Intake;
use crate::session::state::{Board, Known, Reader};

mod thread_cache;

/// What reads a session's terminal while nobody waits.
#[derive(Debug)]
pub(crate) struct Pump {
    // Nothing comes: the other end is dropped when the pump is done.
    done: Receiver<()>,
}

impl Pump {
    /// Reads until the session is closed or there can be nothing more to read.
    pub(crate) fn start(intake: Arc<Intake>) -> io::Result<Pump> {
        let (running, done) = mpsc::channel();
        // Who starts a program waits for it: the pump is called if nobody does, and begins by listening for that.
        intake.board.let_pump(intake.board.lock());
        thread_cache::run(Box::new(move || {
            // Dropped last, and also when the pump panics: whoever waits for the end finds nothing of the session in use.
            let _running = running;
            run(&intake);
            drop(intake);
        }))?;
        Ok(Pump { done })
    }

    /// Waits until it is done. One that panicked has already said so on its own.
    pub(crate) fn wait(self) {
        let _ = self.done.recv();
    }
}

fn run(intake: &Arc<Intake>) {
    let mut known = intake.board.sleep_pump();
    while take_seat(intake, known) {
        let seat = Seat(&intake.board);
        let turn = intake.turn(None);
        drop(seat);
        if let Err(error) = turn {
            intake.board.fail(error);
        }
        known = intake.board.lock();
    }
}

/// The reader's seat while the pump sits there. However it gets up, whoever waits goes on.
struct Seat<'a>(&'a Board);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.leave_seat(self.0.lock());
        if std::thread::panicking() {
            self.0.fail(io::Error::other("the emulator failed"));
        }
    }
}

/// Sits down once nobody has waited for a moment; false when there is nothing left to read.
fn take_seat<'a>(intake: &'a Intake, mut known: MutexGuard<'a, Known>) -> bool {
    loop {
        if known.is_over() {
            return false;
        }
        let free = known.waiters == 0 && known.reader == Reader::Nobody;
        if free && !known.pump_stands_back {
            known.reader = Reader::Pump;
            return true;
        }
        drop(known);
        known = intake.board.sleep_pump();
    }
}

#[cfg(test)]
mod tests {
    use screentest_core::Size;

    use super::*;
    use crate::pty::scripted::ScriptedPty;
    use crate::session::exit_status::Outcome;
    use crate::session::reader::fragile::Fragile;

    fn intake() -> (Arc<ScriptedPty>, Arc<Intake>) {
        let pty = Arc::new(ScriptedPty::new(Size { cols: 80, rows: 24 }));
        let intake = Fragile::intake(&pty, "screentest-pump");
        (pty, intake)
    }

    #[test]
    fn it_ends_with_what_there_is_to_read_though_nobody_called_it_before() {
        let ends: [fn(&mut Known); 3] = [
            |known| known.closed = true,
            |known| (known.silent, known.outcome) = (true, Some(Outcome::Exited(0))),
            |known| known.failed = Some(Arc::new(io::ErrorKind::Other.into())),
        ];
        for end in ends {
            let (_pty, intake) = intake();
            let pump = Pump::start(Arc::clone(&intake)).unwrap();
            intake.board.note(end);
            pump.wait();
        }
    }

    #[test]
    fn one_that_fails_holds_nobody_up() {
        let (pty, intake) = intake();
        let pump = Pump::start(Arc::clone(&intake)).unwrap();
        pty.print(b"x");
        pump.wait();
        let known = intake.board.lock();
        assert!(known.failed.is_some());
        assert_eq!(known.reader, Reader::Nobody);
    }
}
