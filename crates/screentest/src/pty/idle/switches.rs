//! Detects whether one of several threads ran while they were inspected.
//!
//! Threads are inspected one after another, so one that was seen blocked may run again by the time
//! the last is inspected. Textual reads keys in one thread and hands them to another: the second is
//! seen blocked, the first reads, wakes it and is seen blocked as well. Without this check, about
//! one of ten runs of such a form lost a key.
//!
//! A single thread may continue, too, between the reading of its call and of the memory that the
//! call points to: then the timeout is a later one. vim, which waits 25 ms after an Escape and then
//! 100 ms, was taken for a program that waits for a minute in 2 of 500 runs on a busy machine.
//!
//! The kernel counts how often each thread left a processor. If all threads are still blocked
//! after the last inspection, and no count has changed since before the first, all were blocked at
//! the same time.

use super::process;

/// The inspected threads, each with its count from before its inspection.
#[derive(Debug, Default)]
pub(super) struct SwitchCounts(Vec<ThreadSwitches>);

#[derive(Debug)]
struct ThreadSwitches {
    process: u32,
    thread: u32,
    count: Option<u64>,
}

impl SwitchCounts {
    /// Records the count of a thread, and returns it. Must be called before the thread is
    /// inspected.
    pub(super) fn note(&mut self, process: u32, thread: u32) -> Option<u64> {
        let count = status(process, thread).map(|status| status.switches);
        self.0.push(ThreadSwitches {
            process,
            thread,
            count,
        });
        count
    }

    /// Returns how often the threads have run, in total; `None` if unknown.
    pub(super) fn total(&self) -> Option<u64> {
        self.0.iter().map(|thread| thread.count).sum()
    }

    pub(super) fn join(&mut self, other: SwitchCounts) {
        self.0.extend(other.0);
    }

    /// Returns whether all threads were blocked at the same time, and each from before its
    /// inspection to after it.
    pub(super) fn were_blocked_together(&self) -> bool {
        self.0.iter().all(|seen| {
            let now = status(seen.process, seen.thread);
            match now {
                Some(now) => !now.runs && Some(now.switches) == seen.count,
                // The thread has ended. If it had ended before the inspection, nothing has happened
                // since.
                None => seen.count.is_none(),
            }
        })
    }
}

/// The relevant fields of `/proc/PID/task/TID/status`.
#[derive(Debug, PartialEq, Eq)]
struct ThreadStatus {
    runs: bool,
    /// How often it left a processor, voluntarily or not.
    switches: u64,
}

fn status(process: u32, thread: u32) -> Option<ThreadStatus> {
    read_status(&process::read(&format!("/proc/{process}/task/{thread}/status")).ok()?)
}

fn read_status(text: &str) -> Option<ThreadStatus> {
    let field = |name: &str| {
        text.lines()
            .find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()))
    };
    let count = |name| field(name)?.parse::<u64>().ok();
    Some(ThreadStatus {
        runs: field("State")?.starts_with('R'),
        switches: count("voluntary_ctxt_switches")? + count("nonvoluntary_ctxt_switches")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_and_switches_are_read_from_status() {
        let text = "Name:\ta: R\nState:\tS (sleeping)\n\
                    voluntary_ctxt_switches:\t30\nnonvoluntary_ctxt_switches:\t4\n";
        let status = |runs| ThreadStatus { runs, switches: 34 };
        assert_eq!(read_status(text), Some(status(false)));
        let running = text.replace("S (sleeping)", "R (running)");
        assert_eq!(read_status(&running), Some(status(true)));
        assert_eq!(read_status("Name:\tx\n"), None);
    }

    #[test]
    fn a_thread_that_ran_after_its_inspection_was_not_blocked_together_with_the_others() {
        let (go, went) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
        let id = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let path = std::fs::read_link("/proc/thread-self").expect("Linux has it");
            id.0.send(path).expect("main waits");
            while go.1.recv().is_ok() {
                went.0.send(()).expect("main waits");
            }
        });
        let path = id.1.recv().expect("the thread sends its path");
        let blocked = path
            .file_name()
            .and_then(|name| name.to_str()?.parse().ok());
        let blocked = blocked.expect("its name is its id");
        let process = std::process::id();
        let is_blocked = || status(process, blocked).is_some_and(|status| !status.runs);
        let note = || {
            while !is_blocked() {
                std::thread::yield_now();
            }
            let mut switches = SwitchCounts::default();
            switches.note(process, blocked);
            switches.note(process, blocked);
            switches
        };
        assert!(note().were_blocked_together());
        let before = note();
        go.0.send(()).expect("the thread runs");
        went.1.recv().expect("the thread runs");
        assert!(!before.were_blocked_together());
        drop(go.0);
        thread.join().expect("the thread ends");
    }
}
