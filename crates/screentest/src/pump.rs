//! Reading a program's terminal while nobody waits.
//!
//! Without it the program would stand still as soon as the kernel's buffer is full, and get no answer to what it asks.
//! The pump sits in the reader's seat whenever no waiting thread wants it.

use std::sync::Arc;

use crate::board::Reader;
use crate::intake::Intake;

/// Reads until the session is closed or there can be nothing more to read.
pub(crate) fn run(intake: &Arc<Intake>) {
    loop {
        {
            let mut notes = intake.board.lock();
            while !notes.closed && (notes.waiters > 0 || notes.reader != Reader::Nobody) {
                notes = intake.board.wait_free(notes);
            }
            let over = notes.silent && notes.outcome.is_some();
            if notes.closed || over || notes.failed.is_some() {
                return;
            }
            notes.reader = Reader::Pump;
        }
        let turn = intake.turn(None);
        let mut notes = intake.board.lock();
        intake.board.leave_seat(&mut notes);
        drop(notes);
        if let Err(error) = turn {
            intake
                .board
                .note(|notes| notes.failed = Some(Arc::new(error)));
        }
    }
}
