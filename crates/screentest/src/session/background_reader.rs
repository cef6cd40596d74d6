//! Background reader: reads a program's PTY while no thread waits.
//!
//! Without it, the program would be blocked as soon as the kernel's buffer is full, and its queries
//! would get no reply. The pump becomes the reader whenever no waiting thread is. A thread that has
//! waited usually waits again soon, so the pump first lets a moment pass: otherwise every wait of a
//! test would begin and end with a thread switch. While waits follow each other closely, the pump
//! is not woken at all (`alarm.rs`).

use std::io;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, MutexGuard};

use crate::session::reader::Intake;
use crate::session::state::{Board, Known, Reader};

mod thread_cache;

/// Handle of the background reader.
#[derive(Debug)]
pub(crate) struct Pump {
    // Never receives anything: the sender is dropped when the pump is done.
    done: Receiver<()>,
}

impl Pump {
    /// Starts the pump. It reads until the session is closed or nothing more can be read.
    pub(crate) fn start(intake: Arc<Intake>) -> io::Result<Pump> {
        let (running, done) = mpsc::channel();
        // A caller that starts a program usually waits for it: the pump is called if none does, and
        // first blocks until then.
        intake.board.let_pump(intake.board.lock());
        thread_cache::run(Box::new(move || {
            // Dropped last, also when the pump panics: after waiting for the end, no part of the
            // session is in use.
            let _running = running;
            run(&intake);
            drop(intake);
        }))?;
        Ok(Pump { done })
    }

    /// Waits until the pump is done. Its panic, if any, was already printed.
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

/// The reader's role while the pump has it. Dropped also on a panic, so that waiting threads
/// continue.
struct Seat<'a>(&'a Board);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.leave_seat(self.0.lock());
        if std::thread::panicking() {
            self.0.fail(io::Error::other("the emulator failed"));
        }
    }
}

/// Takes the reader's role once no thread has waited for a moment. Returns false when nothing is
/// left to read.
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
    use crate::session::exit_status::ExitStatus;
    use crate::session::reader::fragile::Fragile;

    fn intake() -> (Arc<ScriptedPty>, Arc<Intake>) {
        let pty = Arc::new(ScriptedPty::new(Size { cols: 80, rows: 24 }));
        let intake = Fragile::intake(&pty, "screentest-pump");
        (pty, intake)
    }

    #[test]
    fn the_pump_ends_with_the_session_without_being_called_before() {
        let ends: [fn(&mut Known); 3] = [
            |known| known.closed = true,
            |known| (known.silent, known.outcome) = (true, Some(ExitStatus::Exited(0))),
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
    fn a_panic_of_the_pump_does_not_block_other_threads() {
        let (pty, intake) = intake();
        let pump = Pump::start(Arc::clone(&intake)).unwrap();
        pty.print(b"x");
        pump.wait();
        let known = intake.board.lock();
        assert!(known.failed.is_some());
        assert_eq!(known.reader, Reader::Nobody);
    }
}
