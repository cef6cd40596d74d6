//! A thread that follows the screen of a session, across program restarts.
//!
//! Every change wakes the thread. It passes the current frame on and then waits at least one
//! interval. So the first change is delivered at once, later ones at most once per interval, and
//! the last one always.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use screentest::{Frame, Interrupt, WaitError};

use crate::session::NamedSession;

/// Length of one wait. Another wait follows after it.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// A running follower thread. Dropping it stops the thread.
#[derive(Debug)]
pub(crate) struct Follower {
    session: Arc<NamedSession>,
    stop: Interrupt,
    thread: Option<JoinHandle<()>>,
}

/// Whether a frame was delivered. The next interval starts with a delivered frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Sent,
    Skipped,
}

impl Follower {
    /// Starts to pass frames to `deliver`, at most one per interval. `before` says whether the
    /// caller has delivered a frame just now.
    pub(crate) fn start(
        session: &Arc<NamedSession>,
        interval: Duration,
        before: Delivery,
        mut deliver: impl FnMut(&Frame) -> Delivery + Send + 'static,
    ) -> io::Result<Follower> {
        let stop = Interrupt::new();
        let (followed, stopped) = (Arc::clone(session), stop.clone());
        let thread = thread::Builder::new()
            .name("screentest-follower".to_owned())
            .spawn(move || {
                if before == Delivery::Sent {
                    stopped.pause(interval);
                }
                follow(&followed, &stopped, interval, &mut deliver);
            })?;
        Ok(Follower {
            session: Arc::clone(session),
            stop,
            thread: Some(thread),
        })
    }

    /// Stops the thread without joining it. Callable from the thread itself.
    pub(crate) fn detach(mut self) {
        self.session.stop_follower(&self.stop);
        drop(self.thread.take());
    }

    /// Returns the followed session.
    pub(crate) fn session(&self) -> &Arc<NamedSession> {
        &self.session
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.session.stop_follower(&self.stop);
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, its message is on stderr already.
            let _ = thread.join();
        }
    }
}

fn follow(
    session: &NamedSession,
    stop: &Interrupt,
    interval: Duration,
    deliver: &mut dyn FnMut(&Frame) -> Delivery,
) {
    let mut number = 0;
    while let Some((next, program)) = session.wait_program_after(number, stop) {
        number = next;
        let mut frame = program.frame();
        loop {
            if deliver(&frame) == Delivery::Sent {
                stop.pause(interval);
            }
            match program.wait_for_frame(frame.mark(), stop.within(WAIT_TIMEOUT)) {
                // Further frames may have followed the one that ended the wait.
                Ok(_) => frame = program.frame(),
                Err(WaitError::TimedOut { .. }) => {}
                // The program ended or the follower is stopped; `wait_program_after` tells which.
                Err(_) => break,
            }
        }
    }
}
