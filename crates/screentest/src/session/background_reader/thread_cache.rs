//! Threads that have done their job and wait a moment for another.
//!
//! Tests follow each other closely. A new thread for each session costs more than all that its pump does in a small test:
//! a stack to be mapped, touched and given back, an allocator's arena to be set up.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{io, process, thread};

/// How long a thread waits for its next job: longer than the pause between two tests, short enough that whoever counts
/// threads after the last finds none.
const PATIENCE: Duration = Duration::from_millis(200);

/// How many wait at the most: about as many as there are tests that end at one moment.
const MOST: usize = 8;

pub(super) type Job = Box<dyn FnOnce() + Send>;

static SPARE: Mutex<Spare> = Mutex::new(Spare {
    process: 0,
    threads: Vec::new(),
    last: 0,
});

/// The threads that wait.
struct Spare {
    /// Which process they are threads of: a fork has the list, but not the threads.
    process: u32,
    threads: Vec<(u64, Sender<Job>)>,
    /// The number of the last thread that was started.
    last: u64,
}

/// Runs a job on a thread that waits for one, or on a new one.
pub(super) fn run(job: Job) -> io::Result<()> {
    let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    if spare.process != process::id() {
        spare.process = process::id();
        spare.threads.clear();
    }
    let job = match spare.threads.pop() {
        Some((_, thread)) => match thread.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => unsent.0,
        },
        None => job,
    };
    spare.last += 1;
    let number = spare.last;
    thread::Builder::new()
        .name("screentest-pump".to_owned())
        .spawn(move || work(number, job))?;
    Ok(())
}

/// A thread's life: one job after the other, until none comes.
fn work(number: u64, job: Job) {
    let (send, jobs) = mpsc::channel();
    let mut next = Some(job);
    while let Some(job) = next {
        job();
        next = wait(number, &send, &jobs);
    }
}

fn wait(number: u64, send: &Sender<Job>, jobs: &Receiver<Job>) -> Option<Job> {
    let lock = || SPARE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut spare = lock();
    if spare.threads.len() >= MOST {
        return None;
    }
    spare.threads.push((number, send.clone()));
    drop(spare);
    match jobs.recv_timeout(PATIENCE) {
        Ok(job) => Some(job),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            let mut spare = lock();
            spare.threads.retain(|(waiting, _)| *waiting != number);
            // Somebody may have found us in the list a moment ago.
            jobs.try_recv().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which thread a job ran on.
    fn ran_on() -> thread::ThreadId {
        let (send, ran) = mpsc::channel();
        run(Box::new(move || send.send(thread::current().id()).unwrap())).unwrap();
        ran.recv().unwrap()
    }

    #[test]
    fn jobs_that_wait_for_each_other_run_at_the_same_time() {
        let (send, first) = mpsc::channel::<()>();
        let (other, second) = mpsc::channel::<()>();
        run(Box::new(move || {
            let _ = first.recv();
            drop(other);
        }))
        .unwrap();
        run(Box::new(move || drop(send))).unwrap();
        assert!(second.recv().is_err());
    }

    #[test]
    fn a_thread_that_is_done_takes_another_job() {
        let mut threads = std::collections::HashSet::new();
        let jobs = 1000;
        for _ in 0..jobs {
            threads.insert(ran_on());
        }
        // Other tests may take a thread between two jobs, and a thread is not back in the list at once.
        assert!(threads.len() < jobs, "every job had a thread of its own");
    }
}
