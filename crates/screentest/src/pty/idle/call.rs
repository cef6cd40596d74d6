//! The system call that a thread is blocked in: its kind, its timeout, and the files it waits for.
//!
//! `/proc/PID/task/TID/syscall` contains the number of the call and its arguments. Arguments that
//! are addresses point into the memory of the process, which is read through `/proc/PID/mem`; the
//! same permission covers both.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// Maximum number of files of one wait to inspect.
const MAX_FILES: usize = 1024;

/// The system call that a thread is blocked in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BlockedCall {
    /// Reading from a file.
    Read {
        /// Its descriptor in the process.
        file: u64,
    },
    /// Waiting for one of several files.
    Wait(FileWait),
    /// Sleeping. For a call with an absolute end, this is the remaining time.
    Sleep(Duration),
    /// Something else, such as waiting for another thread or a child.
    Other,
    /// No call: it runs.
    Running,
    /// The kernel does not report it.
    Unknown,
}

/// A wait for one of several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileWait {
    pub(super) timeout: Option<Duration>,
    files: WaitFiles,
}

/// Where the descriptors of the files are.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WaitFiles {
    /// An array of `struct pollfd`.
    Poll { address: u64, count: u64 },
    /// The set of readable files of `select`.
    Select { address: u64, count: u64 },
    /// An epoll instance, by its descriptor in the process.
    Epoll { file: u64 },
}

impl BlockedCall {
    /// Returns the call that a thread is blocked in now.
    pub(super) fn of(process: u32, thread: u32) -> BlockedCall {
        match super::process::read(&format!("/proc/{process}/task/{thread}/syscall")) {
            Ok(text) => read(&text, |address| timespec(process, address)),
            // The thread has ended. The kernel returns ESRCH for a thread that is about to end.
            Err(error) if error.kind() == io::ErrorKind::NotFound => BlockedCall::Other,
            Err(error) if error.raw_os_error() == Some(libc::ESRCH) => BlockedCall::Other,
            Err(_) => BlockedCall::Unknown,
        }
    }

    /// Returns a number for the kind of call, without its arguments.
    pub(super) fn kind(&self) -> u8 {
        match self {
            BlockedCall::Read { .. } => 0,
            BlockedCall::Wait(_) => 1,
            BlockedCall::Sleep(_) => 2,
            BlockedCall::Other => 3,
            BlockedCall::Running => 4,
            BlockedCall::Unknown => 5,
        }
    }
}

/// A pair of seconds and a fraction, as system calls store it in memory.
type TimeFields = (i64, i64);

/// Parses a line of `syscall`: `running`, or the number of a call and its arguments in hexadecimal.
/// `memory` reads a pair of numbers at an address.
pub(super) fn read(text: &str, memory: impl Fn(u64) -> Option<TimeFields>) -> BlockedCall {
    let mut words = text.split_whitespace();
    let Some(number) = words.next().filter(|word| *word != "running") else {
        return BlockedCall::Running;
    };
    let Ok(number) = number.parse::<libc::c_long>() else {
        return BlockedCall::Unknown;
    };
    let mut arguments = [0; 6];
    for argument in &mut arguments {
        let word = words.next().and_then(|word| word.strip_prefix("0x"));
        match word.and_then(|word| u64::from_str_radix(word, 16).ok()) {
            Some(value) => *argument = value,
            // The number is -1 for a thread that is blocked outside of a system call, for example
            // by a page fault.
            None if number == -1 => return BlockedCall::Running,
            None => return BlockedCall::Unknown,
        }
    }
    let [first, second, third, fourth, fifth, _] = arguments;
    let wait = |files, timeout| BlockedCall::Wait(FileWait { timeout, files });
    let poll = WaitFiles::Poll {
        address: first,
        count: second,
    };
    let select = WaitFiles::Select {
        address: second,
        count: first,
    };
    let epoll = WaitFiles::Epoll { file: first };
    // A null pointer means no timeout. A timeout that cannot be read counts as `Duration::MAX`.
    let nanoseconds = |address| (address != 0).then(|| length(memory(address), 1));
    match number {
        libc::SYS_read | libc::SYS_readv => BlockedCall::Read { file: first },
        libc::SYS_ppoll => wait(poll, nanoseconds(third)),
        libc::SYS_pselect6 => wait(select, nanoseconds(fifth)),
        libc::SYS_epoll_pwait => wait(epoll, milliseconds(fourth)),
        libc::SYS_epoll_pwait2 => wait(epoll, nanoseconds(fourth)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll => wait(poll, milliseconds(third)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_select => wait(select, (fifth != 0).then(|| length(memory(fifth), 1000))),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_epoll_wait => wait(epoll, milliseconds(fourth)),
        libc::SYS_nanosleep => BlockedCall::Sleep(length(memory(first), 1)),
        libc::SYS_clock_nanosleep => {
            BlockedCall::Sleep(match second & libc::TIMER_ABSTIME as u64 {
                0 => length(memory(third), 1),
                _ => length(memory(third), 1).saturating_sub(now(first)),
            })
        }
        -1 => BlockedCall::Running,
        // After the process was stopped, the kernel does not report which call it resumes.
        libc::SYS_restart_syscall => BlockedCall::Unknown,
        _ => BlockedCall::Other,
    }
}

/// Returns a timeout in milliseconds; `None` if negative.
fn milliseconds(argument: u64) -> Option<Duration> {
    // The kernel uses the lower half of the register.
    let time = argument as u32 as i32;
    u64::try_from(time).ok().map(Duration::from_millis)
}

/// Returns a duration in seconds and a fraction in units of `unit` nanoseconds; [`Duration::MAX`]
/// if it could not be read.
fn length(pair: Option<TimeFields>, unit: i64) -> Duration {
    let length = pair.and_then(|(seconds, fraction)| {
        let nanoseconds = u32::try_from(fraction.checked_mul(unit)?).ok()?;
        Some(Duration::new(u64::try_from(seconds).ok()?, nanoseconds))
    });
    length.unwrap_or(Duration::MAX)
}

/// Returns the time of a kernel clock, for sleeps with an absolute end.
fn now(clock: u64) -> Duration {
    let clock = match libc::clockid_t::try_from(clock) {
        Ok(libc::CLOCK_REALTIME) => rustix::time::ClockId::Realtime,
        _ => rustix::time::ClockId::Monotonic,
    };
    let time = rustix::time::clock_gettime(clock);
    Duration::try_from(time).unwrap_or_default()
}

impl FileWait {
    /// Returns the descriptors that it waits for, in the numbering of the process; `None` if the
    /// kernel does not report them.
    pub(super) fn files(&self, process: u32) -> Option<Vec<u64>> {
        match self.files {
            WaitFiles::Poll { address, count } => {
                let count = usize::try_from(count).ok()?.min(MAX_FILES);
                let bytes = memory(process, address, count * 8)?;
                let entries = bytes.chunks_exact(8);
                let number =
                    |entry: &[u8]| i32::from_ne_bytes([entry[0], entry[1], entry[2], entry[3]]);
                // A negative number marks an unused entry.
                Some(
                    entries
                        .filter_map(|entry| u64::try_from(number(entry)).ok())
                        .collect(),
                )
            }
            WaitFiles::Select { address: 0, .. } => Some(Vec::new()),
            WaitFiles::Select { address, count } => {
                let count = usize::try_from(count).ok()?.min(MAX_FILES);
                let bytes = memory(process, address, count.div_ceil(8))?;
                let is_in = |file: &usize| bytes[file / 8] >> (file % 8) & 1 == 1;
                Some((0..count).filter(is_in).map(|file| file as u64).collect())
            }
            WaitFiles::Epoll { file } => {
                let info = super::process::read(&format!("/proc/{process}/fdinfo/{file}")).ok()?;
                Some(epoll_files(&info))
            }
        }
    }
}

/// Parses the descriptors of an epoll instance, one per line: `tfd:  5 events: 19 …`.
fn epoll_files(info: &str) -> Vec<u64> {
    let lines = info.lines().filter_map(|line| line.strip_prefix("tfd:"));
    let numbers = lines.filter_map(|line| line.split_whitespace().next()?.parse().ok());
    numbers.take(MAX_FILES).collect()
}

fn timespec(process: u32, address: u64) -> Option<TimeFields> {
    let bytes = memory(process, address, 16)?;
    let half = |at: usize| Some(i64::from_ne_bytes(bytes[at..at + 8].try_into().ok()?));
    Some((half(0)?, half(8)?))
}

/// Reads the memory of another process.
fn memory(process: u32, address: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    let file = File::open(format!("/proc/{process}/mem")).ok()?;
    file.read_exact_at(&mut bytes, address).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a call with these arguments; at address 0x10 are 2 seconds and a fraction of 500.
    fn call(number: libc::c_long, arguments: [u64; 6]) -> BlockedCall {
        let mut line = number.to_string();
        for argument in arguments {
            line.push_str(&format!(" 0x{argument:x}"));
        }
        read(&format!("{line} 0x7ffd 0x7f12\n"), |address| {
            (address == 0x10).then_some((2, 500))
        })
    }

    fn timeout(call: BlockedCall) -> Option<Duration> {
        match call {
            BlockedCall::Wait(wait) => wait.timeout,
            other => panic!("no wait: {other:?}"),
        }
    }

    #[test]
    fn a_thread_that_runs_is_in_no_call() {
        assert_eq!(read("running\n", |_| None), BlockedCall::Running);
        assert_eq!(read("-1 0x7ffc 0x7f12\n", |_| None), BlockedCall::Running);
        assert_eq!(read("", |_| None), BlockedCall::Running);
        assert_eq!(read("x y", |_| None), BlockedCall::Unknown);
        assert_eq!(read("0 0x1", |_| None), BlockedCall::Unknown);
    }

    #[test]
    fn calls_have_their_file_and_their_timeout() {
        assert_eq!(
            call(libc::SYS_read, [3, 0, 0, 0, 0, 0]),
            BlockedCall::Read { file: 3 }
        );
        assert_eq!(call(libc::SYS_wait4, [0; 6]), BlockedCall::Other);
        assert_eq!(
            timeout(call(libc::SYS_epoll_pwait, [4, 0, 9, u64::MAX, 0, 0])),
            None
        );
        let soon = timeout(call(libc::SYS_epoll_pwait, [4, 0, 9, 15, 0, 0]));
        assert_eq!(soon, Some(Duration::from_millis(15)));
        assert_eq!(timeout(call(libc::SYS_pselect6, [1, 0, 0, 0, 0, 0])), None);
        let long = timeout(call(libc::SYS_pselect6, [1, 0, 0, 0, 0x10, 0]));
        assert_eq!(long, Some(Duration::new(2, 500)));
        // A timeout that cannot be read counts as a long one.
        let unknown = timeout(call(libc::SYS_ppoll, [0, 0, 0x20, 0, 0, 0]));
        assert_eq!(unknown, Some(Duration::MAX));
        let sleep = call(libc::SYS_clock_nanosleep, [1, 0, 0x10, 0, 0, 0]);
        assert_eq!(sleep, BlockedCall::Sleep(Duration::new(2, 500)));
        // An absolute end that has passed.
        let over = call(libc::SYS_clock_nanosleep, [1, 1, 0x10, 0, 0, 0]);
        assert_eq!(over, BlockedCall::Sleep(Duration::ZERO));
    }

    #[test]
    fn the_files_of_an_epoll_instance_are_listed() {
        let info = "pos:\t0\nflags:\t02\ntfd:        5 events:       19 data: 5\ntfd:       12 events: 1\n";
        assert_eq!(epoll_files(info), [5, 12]);
    }
}
