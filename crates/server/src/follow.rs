//! Following what is shown on a stage, through one program after another.
//!
//! The thread is woken by every change. It shows what is there then, and not again before its pace is over: so the first
//! change is told at once, a flood at the pace, and the last of it always.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use screentest::{Frame, Interrupt, WaitError};

use crate::stage::Stage;

/// How long one wait lasts; then the next begins.
const LONG: Duration = Duration::from_secs(60 * 60);

/// Somebody who follows a stage, until dropped.
#[derive(Debug)]
pub(crate) struct Follower {
    stage: Arc<Stage>,
    stop: Interrupt,
    thread: Option<JoinHandle<()>>,
}

/// Whether something was told, so that the pace counts from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Yes,
    No,
}

impl Follower {
    /// Shows every frame, at most one in `pace`; also after one that was shown before.
    pub(crate) fn start(
        stage: &Arc<Stage>,
        pace: Duration,
        before: Told,
        mut show: impl FnMut(&Frame) -> Told + Send + 'static,
    ) -> io::Result<Follower> {
        let stop = Interrupt::new();
        let (followed, stopped) = (Arc::clone(stage), stop.clone());
        let thread = thread::Builder::new()
            .name("screentest-follower".to_owned())
            .spawn(move || {
                if before == Told::Yes {
                    stopped.pause(pace);
                }
                follow(&followed, &stopped, pace, &mut show);
            })?;
        Ok(Follower {
            stage: Arc::clone(stage),
            stop,
            thread: Some(thread),
        })
    }

    /// Stops it without waiting for that: for who is called by it.
    pub(crate) fn leave(mut self) {
        self.stage.call_off(&self.stop);
        drop(self.thread.take());
    }

    /// Whom it follows.
    pub(crate) fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.stage.call_off(&self.stop);
        if let Some(thread) = self.thread.take() {
            // One that panicked has already said so on its own.
            let _ = thread.join();
        }
    }
}

fn follow(stage: &Stage, stop: &Interrupt, pace: Duration, show: &mut dyn FnMut(&Frame) -> Told) {
    let mut number = 0;
    while let Some((next, session)) = stage.program_after(number, stop) {
        number = next;
        let mut frame = session.frame();
        loop {
            if show(&frame) == Told::Yes {
                stop.pause(pace);
            }
            match session.wait_for_frame(frame.mark(), stop.within(LONG)) {
                // There may have been more since.
                Ok(_) => frame = session.frame(),
                Err(WaitError::TimedOut { .. }) => {}
                // The program is over, or we are: `program_after` knows which.
                Err(_) => break,
            }
        }
    }
}
