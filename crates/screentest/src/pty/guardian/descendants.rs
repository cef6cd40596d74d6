//! Descendants of this process, and signalling them.
//!
//! *Killing* needs only the children: a killed child's own children become children of this
//! process, and are killed next. The id of a child cannot be reused before it is reaped here, so
//! this never kills another process. *Asking to exit* goes to all descendants: if a child does not
//! exit, its own children never become children of this process. The ids of descendants could be
//! reused between listing and signalling, so each is held by a descriptor and checked again first.
//!
//! `kill_children` and `terminate_descendants` are not inlined, because their large buffers would
//! become part of the caller's stack frame. Stack probes touch every page of a frame, so each
//! supervisor would hold that memory as long as its program runs.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

use rustix::fs::{CWD, Mode, OFlags, RawDir, openat};
use rustix::io::Errno;
use rustix::path::{Arg, DecInt};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, kill_process, pidfd_open, pidfd_send_signal,
};

/// Maximum number of descendants that are asked; the others are killed without being asked.
const MAX_PROCESSES: usize = 2048;

/// How children are found.
#[derive(Debug, Clone, Copy)]
enum ChildSource {
    /// From the kernel's list, if it was built with `CONFIG_PROC_CHILDREN`.
    List,
    /// From the `stat` files of all processes, which name their parents.
    Parents,
}

/// Kills the children of this process that `whom` selects, and returns whether there were any. Must
/// be called again after one of them is reaped: its children become children of this process.
#[inline(never)]
pub(super) fn kill_children(whom: &dyn Fn(Pid) -> bool) -> bool {
    let mut any = false;
    ChildSource::here().children(getpid(), &mut |child| {
        if whom(child) {
            any = true;
            let _ = kill_process(child, Signal::KILL);
        }
    });
    any
}

/// Asks every descendant of this process to exit: sends SIGHUP, SIGTERM, and SIGCONT in case it is
/// stopped.
#[inline(never)]
pub(super) fn terminate_descendants() {
    let source = ChildSource::here();
    let this = getpid();
    let mut processes = ProcessList {
        members: [None; MAX_PROCESSES],
        count: 0,
    };
    source.children(this, &mut |child| processes.push(child, this));
    let mut next = 0;
    while let Some((parent, _)) = processes.member(next) {
        source.children(parent, &mut |child| processes.push(child, parent));
        next += 1;
    }
    let mut next = 0;
    while let Some((member, parent)) = processes.member(next) {
        terminate(member, &[parent, this]);
        next += 1;
    }
}

/// Processes and their parents, in memory that needs no allocation.
struct ProcessList {
    members: [Option<(Pid, Pid)>; MAX_PROCESSES],
    count: usize,
}

impl ProcessList {
    fn push(&mut self, member: Pid, parent: Pid) {
        if let Some(slot) = self.members.get_mut(self.count) {
            *slot = Some((member, parent));
            self.count += 1;
        }
    }

    fn member(&self, index: usize) -> Option<(Pid, Pid)> {
        self.members.get(index).copied().flatten()
    }
}

fn terminate(member: Pid, parents: &[Pid]) {
    let signals = [Signal::HUP, Signal::TERM, Signal::CONT];
    match pidfd_open(member, PidfdFlags::empty()) {
        Ok(held) => {
            if parent_of(member).is_some_and(|parent| parents.contains(&parent)) {
                for signal in signals {
                    let _ = pidfd_send_signal(&held, signal);
                }
            }
        }
        // Kernels before 5.3 have no process descriptors; the small risk of a reused id remains
        // there.
        Err(Errno::NOSYS) => {
            for signal in signals {
                let _ = kill_process(member, signal);
            }
        }
        Err(_) => {}
    }
}

impl ChildSource {
    fn here() -> ChildSource {
        match open_file(CWD, c"/proc/thread-self/children") {
            Some(_) => ChildSource::List,
            None => ChildSource::Parents,
        }
    }

    fn children(self, parent: Pid, each: &mut dyn FnMut(Pid)) {
        match self {
            ChildSource::List => {
                // Each thread has its own children.
                let tasks =
                    open_process(parent).and_then(|process| open_directory(process, c"task"));
                numbers_in(tasks, &mut |tasks, thread| {
                    let list = open_directory(tasks, DecInt::new(thread))
                        .and_then(|thread| open_file(thread, c"children"));
                    if let Some(list) = list {
                        read_numbers(&list, each);
                    }
                });
            }
            ChildSource::Parents => {
                numbers_in(open_directory(CWD, c"/proc"), &mut |_, process| {
                    if let Some(process) = Pid::from_raw(process)
                        && parent_of(process) == Some(parent)
                    {
                        each(process);
                    }
                });
            }
        }
    }
}

/// Returns the parent of a process, which may be dead but not reaped.
fn parent_of(process: Pid) -> Option<Pid> {
    let stat = open_file(open_process(process)?, c"stat")?;
    // The parent is the fourth field; the second is a name of at most 64 arbitrary bytes.
    let mut buffer = [0; 256];
    let length = rustix::io::read(&stat, &mut buffer).ok()?;
    let text = buffer.get(..length)?;
    let name_end = text.iter().rposition(|byte| *byte == b')')?;
    let parent = text.get(name_end..)?.split(|byte| *byte == b' ').nth(2)?;
    Pid::from_raw(number(parent)?)
}

/// Calls `each` with every directory entry that is a number.
fn numbers_in(directory: Option<OwnedFd>, each: &mut dyn FnMut(&OwnedFd, i32)) {
    let Some(directory) = directory else { return };
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut entries = RawDir::new(&directory, &mut buffer);
    while let Some(Ok(entry)) = entries.next() {
        if let Some(number) = number(entry.file_name().to_bytes()) {
            each(&directory, number);
        }
    }
}

/// Calls `each` with every number of a file of numbers and spaces, of any length.
fn read_numbers(file: &OwnedFd, each: &mut dyn FnMut(Pid)) {
    let mut buffer = [0; 1024];
    let mut pending = 0_i32;
    while let Ok(length @ 1..) = rustix::io::read(file, &mut buffer) {
        for byte in buffer.get(..length).unwrap_or_default() {
            if byte.is_ascii_digit() {
                pending = pending
                    .wrapping_mul(10)
                    .wrapping_add(i32::from(byte - b'0'));
            } else if let Some(pid) = Pid::from_raw(std::mem::take(&mut pending).max(0)) {
                each(pid);
            }
        }
    }
}

fn number(digits: &[u8]) -> Option<i32> {
    let mut number = 0_i32;
    for byte in digits {
        let digit = byte.is_ascii_digit().then(|| i32::from(byte - b'0'))?;
        number = number.checked_mul(10)?.checked_add(digit)?;
    }
    (!digits.is_empty()).then_some(number)
}

fn open_process(process: Pid) -> Option<OwnedFd> {
    let proc = open_directory(CWD, c"/proc")?;
    open_directory(proc, DecInt::new(process.as_raw_nonzero().get()))
}

fn open_directory(at: impl std::os::fd::AsFd, name: impl Arg) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    openat(at, name, flags, Mode::empty()).ok()
}

fn open_file(at: impl std::os::fd::AsFd, name: &CStr) -> Option<OwnedFd> {
    openat(at, name, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use crate::pty::{Interest, Pty, Read, native};

    #[test]
    fn both_ways_to_find_children_find_the_same() {
        let script = "sleep 300 & sleep 300 & echo; wait";
        let app = App::new("sh").args(["-c", script]);
        let size = screentest_core::Size { cols: 80, rows: 24 };
        let pty = native::spawn(&app, size).unwrap();
        while pty.read(&mut [0; 64]).unwrap() == Read::Nothing {
            pty.wait(Interest::Read, None).unwrap();
        }
        let parent = Pid::from_raw(pty.pid().cast_signed()).unwrap();
        let [listed, asked] = [ChildSource::List, ChildSource::Parents].map(|source| {
            let mut found = Vec::new();
            source.children(parent, &mut |child| found.push(child.as_raw_nonzero()));
            found.sort_unstable();
            found
        });
        assert_eq!(listed.len(), 2);
        assert_eq!(listed, asked);
        assert_eq!(parent_of(getpid()), rustix::process::getppid());
    }

    #[test]
    fn a_number_is_digits_and_nothing_else() {
        assert_eq!(number(b"4711"), Some(4711));
        for text in ["", "self", "12a", "-1", "99999999999"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
    }
}
