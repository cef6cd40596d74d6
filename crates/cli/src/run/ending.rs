//! What a signal does while tapes run: they are ended, what was done is told, and only then does the signal do what it always does.

use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use screentest::Interrupt;

use super::live::Drawn;
use crate::failure::{Exit, Failure};
use crate::signals::CleanupOnSignal as Farewell;

/// How long a run may take to end what it began, once a signal came.
const LEAVING: Duration = Duration::from_secs(5);

/// How long what is drawn may take to be cleared then: a terminal that takes anything takes it at once.
const CLEARING: Duration = Duration::from_millis(200);

/// Listens for signals that would end us.
#[derive(Debug)]
pub(crate) struct Ending {
    interrupt: Interrupt,
    work: Arc<Work>,
    drawn: Arc<Mutex<Option<Drawn>>>,
    farewell: Farewell,
}

/// Whether something must be put in order first.
#[derive(Debug, Default)]
struct Work {
    busy: Mutex<bool>,
    over: Condvar,
}

impl Ending {
    /// Listens from now on.
    pub(crate) fn new() -> Result<Ending, Failure> {
        let (interrupt, work) = (Interrupt::new(), Arc::new(Work::default()));
        let (raised, known) = (interrupt.clone(), Arc::clone(&work));
        let drawn = Arc::new(Mutex::new(None::<Drawn>));
        let seen = Arc::clone(&drawn);
        let farewell = Farewell::new(move || {
            raised.raise();
            let busy = known.busy.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = known.over.wait_timeout_while(busy, LEAVING, |busy| *busy);
            drop(waited);
            // Who was too slow for that has not cleared up either.
            let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).take();
            seen.into_iter().for_each(clear);
        });
        let farewell = farewell.context("could not watch for signals");
        Ok(Ending {
            interrupt,
            work,
            drawn,
            farewell: farewell.map_err(|error| Failure::new(Exit::Internal, error))?,
        })
    }

    /// What ends a tape.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Something runs that a signal must wait for, or no longer does.
    pub(crate) fn busy(&self, busy: bool) {
        *self
            .work
            .busy
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = busy;
        self.work.over.notify_all();
    }

    /// This is on the terminal while tapes run, if anything is.
    pub(crate) fn shows(&self, drawn: Option<Drawn>) {
        *self.drawn.lock().unwrap_or_else(PoisonError::into_inner) = drawn;
    }

    /// Leaves the rest to a signal, if one came: it ends us.
    pub(crate) fn leave(self) {
        if self.interrupt.is_raised() {
            let never = Interrupt::new();
            never.pause(LEAVING);
        }
        drop(self.farewell);
    }
}

/// Clears what is drawn, if that is possible soon. Whoever draws may be held up by a terminal that takes nothing, as after Ctrl+S, and
/// must not hold up the signal: it would never end us.
fn clear(drawn: Drawn) {
    let (teller, told) = mpsc::channel();
    let clearing = thread::Builder::new().name("screentest-clearing".to_owned());
    let clearing = clearing.spawn(move || {
        drawn.clear();
        // Who no longer listens has ended us.
        let _ = teller.send(());
    });
    if clearing.is_ok() {
        let _ = told.recv_timeout(CLEARING);
    }
}
