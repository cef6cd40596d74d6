//! Thread cache: idle threads wait a moment for another job.
//!
//! Tests follow each other closely. In a small test, a new thread for each session costs more than
//! all the work of its background reader: mapping, touching and unmapping a stack, and setting up
//! an allocator's arena.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;
use std::{io, process, thread};

use crate::lock::lock;

/// Name of the threads. Linux stores 15 characters.
pub(super) const THREAD_NAME: &str = "screentest-read";

/// How long a thread waits for its next job: longer than the pause between two tests, and short
/// enough that none is left when threads are counted after the last test.
const IDLE_TIME: Duration = Duration::from_millis(200);

/// Maximum number of idle threads: about as many as there are tests that end at one moment.
const MAX_IDLE_THREADS: usize = 8;

pub(super) type Job = Box<dyn FnOnce() + Send>;

static IDLE_THREADS: Mutex<IdleThreads> = Mutex::new(IdleThreads {
    process: 0,
    threads: Vec::new(),
    last: 0,
});

/// The idle threads.
struct IdleThreads {
    /// The process that the threads belong to: a forked process has this list, but not the threads.
    process: u32,
    threads: Vec<(u64, Sender<Job>)>,
    /// The number of the thread that was started last.
    last: u64,
}

/// Runs a job on an idle thread, or on a new one.
pub(super) fn run(job: Job) -> io::Result<()> {
    let mut idle = lock(&IDLE_THREADS);
    if idle.process != process::id() {
        idle.process = process::id();
        idle.threads.clear();
    }
    let job = match idle.threads.pop() {
        Some((_, thread)) => match thread.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => unsent.0,
        },
        None => job,
    };
    idle.last += 1;
    let number = idle.last;
    thread::Builder::new()
        .name(THREAD_NAME.to_owned())
        .spawn(move || work(number, job))?;
    Ok(())
}

/// Main function of a thread: runs one job after the other, until none comes.
fn work(number: u64, job: Job) {
    let (send, jobs) = mpsc::channel();
    let mut next = Some(job);
    while let Some(job) = next {
        job();
        next = wait(number, &send, &jobs);
    }
}

fn wait(number: u64, send: &Sender<Job>, jobs: &Receiver<Job>) -> Option<Job> {
    let mut idle = lock(&IDLE_THREADS);
    if idle.threads.len() >= MAX_IDLE_THREADS {
        return None;
    }
    idle.threads.push((number, send.clone()));
    drop(idle);
    match jobs.recv_timeout(IDLE_TIME) {
        Ok(job) => Some(job),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            let mut idle = lock(&IDLE_THREADS);
            idle.threads.retain(|(waiting, _)| *waiting != number);
            // Another thread may have taken this one from the list a moment ago.
            jobs.try_recv().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the thread that a job ran on.
    fn ran_on() -> thread::ThreadId {
        let (send, ran) = mpsc::channel();
        run(Box::new(move || send.send(thread::current().id()).unwrap())).unwrap();
        ran.recv().unwrap()
    }

    #[test]
    fn jobs_that_depend_on_each_other_run_at_the_same_time() {
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
    fn an_idle_thread_takes_another_job() {
        let mut threads = std::collections::HashSet::new();
        let jobs = 1000;
        for _ in 0..jobs {
            threads.insert(ran_on());
        }
        // Other tests may take a thread between two jobs, and a thread returns to the list with a
        // delay.
        assert!(threads.len() < jobs, "every job ran on its own thread");
    }
}
