//! Processes, their terminals and their open files, as `/proc` lists them.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open, test_kill_process_group,
};
use rustix::termios::{LocalModes, tcgetattr};

/// Maximum number of threads to inspect, in all processes together.
const MAX_THREADS: usize = 512;

/// Maximum number of processes to inspect. A program with more is usually a build.
const MAX_PROCESSES: usize = 256;

/// How long a program may take from its start until it waits for its first input, including shells
/// on a busy machine.
const YOUNG: Duration = Duration::from_secs(1);

/// `/dev/tty`, which stands for the controlling terminal of the process that opens it.
const ANY_TERMINAL: Device = Device { major: 5, minor: 0 };

/// A device by its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::pty) struct Device {
    major: u32,
    minor: u32,
}

impl Device {
    /// Converts the device number of `stat`.
    pub(in crate::pty) fn of(rdev: u64) -> Device {
        Device {
            major: rustix::fs::major(rdev),
            minor: rustix::fs::minor(rdev),
        }
    }

    /// Converts field 7 of `/proc/PID/stat`; `None` for a process without a terminal.
    fn of_stat(number: i32) -> Option<Device> {
        let number = number.cast_unsigned();
        (number != 0).then_some(Device {
            major: number >> 8 & 0xfff,
            minor: number & 0xff | number >> 12 & 0xf_ff00,
        })
    }
}

/// The program's end of a terminal behind a relay.
pub(super) struct RelayedTerminal(OwnedFd);

impl RelayedTerminal {
    /// Returns whether it holds unread input. Polling makes the kernel first move input from its
    /// own queue into the terminal.
    pub(super) fn has_unread_input(&self) -> bool {
        is_readable(&self.0)
    }

    /// Returns whether it is in canonical mode.
    pub(super) fn edits_lines(&self) -> bool {
        let settings = tcgetattr(&self.0);
        settings.is_ok_and(|settings| settings.local_modes.contains(LocalModes::ICANON))
    }
}

/// The state of a process at one moment.
#[derive(Debug)]
pub(in crate::pty) struct Process {
    pub(super) id: u32,
    pub(super) state: char,
    pub(super) group: u32,
    /// Its controlling terminal.
    pub(super) terminal: Option<Device>,
    /// Whether its group is the foreground of that terminal.
    pub(super) in_foreground: bool,
    /// When it was started, since the system's boot.
    started: Duration,
}

/// A program with all processes that it started.
#[derive(Debug)]
pub(super) struct ProcessTree {
    /// The processes that have not exited.
    pub(super) processes: Vec<Process>,
    /// The groups of processes that have exited and were not reaped yet.
    ended: Vec<u32>,
}

impl ProcessTree {
    /// Lists everything below the supervisor of a program: the program, its descendants, and
    /// orphans inherited by the supervisor. Returns `None` if the kernel does not list children,
    /// `Some(None)` if there are too many.
    pub(super) fn below(parent: u32) -> Option<Option<ProcessTree>> {
        let mut processes = Vec::new();
        let mut ended = Vec::new();
        let mut left = vec![parent];
        let mut seen = 0;
        let mut seen_threads = 0;
        while let Some(id) = left.pop() {
            seen += 1;
            let threads = threads(id);
            seen_threads += threads.len();
            if seen > MAX_PROCESSES || seen_threads > MAX_THREADS {
                return Some(None);
            }
            let process = (id != parent).then(|| Process::find(id)).flatten();
            for thread in threads {
                match read(&format!("/proc/{id}/task/{thread}/children")) {
                    Ok(text) => left.extend(text.split_whitespace().flat_map(str::parse::<u32>)),
                    // A process that has exited meanwhile has no children. A kernel that lists none
                    // lacks this file for running processes.
                    Err(_) if thread == id && Process::find(id).is_some() => return None,
                    Err(_) => {}
                }
            }
            match process {
                Some(process) if matches!(process.state, 'Z' | 'X') => ended.push(process.group),
                process => processes.extend(process),
            }
        }
        Some(Some(ProcessTree { processes, ended }))
    }

    /// Returns whether a group that has no live process in this tree has exited. Otherwise `/proc`
    /// hides its processes.
    pub(super) fn has_ended(&self, group: u32) -> bool {
        let id = i32::try_from(group).ok().and_then(Pid::from_raw);
        let is_gone = |id| matches!(test_kill_process_group(id), Err(Errno::SRCH));
        self.ended.contains(&group) || id.is_some_and(is_gone)
    }
}

impl Process {
    /// Reads some of the fields that `proc(5)` describes for `stat`.
    pub(super) fn find(id: u32) -> Option<Process> {
        let stat = read(&format!("/proc/{id}/stat")).ok()?;
        let mut fields = fields(&stat)?;
        let state = fields.next()?.chars().next()?;
        let group: u32 = fields.nth(1)?.parse().ok()?;
        let terminal = Device::of_stat(fields.nth(1)?.parse().ok()?);
        let foreground: i64 = fields.next()?.parse().ok()?;
        let ticks: u64 = fields.nth(13)?.parse().ok()?;
        let second = rustix::param::clock_ticks_per_second().max(1);
        Some(Process {
            id,
            state,
            group,
            terminal,
            in_foreground: foreground == i64::from(group),
            started: Duration::from_millis(ticks.saturating_mul(1000) / second),
        })
    }

    /// Returns whether it was started a moment ago, so that it may be about to wait for input.
    pub(super) fn is_young(&self) -> bool {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        let now = Duration::try_from(now).unwrap_or_default();
        now.saturating_sub(self.started) < YOUNG
    }

    /// Returns the parent of a process.
    pub(in crate::pty) fn parent_of(id: u32) -> Option<u32> {
        let stat = read(&format!("/proc/{id}/stat")).ok()?;
        fields(&stat)?.nth(1)?.parse().ok()
    }

    pub(super) fn threads(&self) -> Vec<u32> {
        threads(self.id)
    }

    /// Opens its controlling terminal, for a moment only: while it is open, the other end gets no
    /// hang-up. The path is the one that the process sees, which may be in a container.
    pub(super) fn open_terminal(&self) -> Option<RelayedTerminal> {
        let device = self.terminal?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let path = format!("/proc/{}/root/dev/pts/{}", self.id, device.minor);
        let terminal = open(path, flags, Mode::empty()).ok()?;
        let opened = Device::of(rustix::fs::fstat(&terminal).ok()?.st_rdev);
        (opened == device).then_some(RelayedTerminal(terminal))
    }

    /// Returns whether a PTY whose controlling end it has open, as tmux and script do, has unread
    /// output. Polling makes the kernel first move output into the terminal. On a busy machine,
    /// that move alone can take longer than auto-wait requires the screen to be still. The
    /// descriptor is held for a moment only.
    pub(super) fn has_unread_output(&self) -> bool {
        let id = i32::try_from(self.id).ok().and_then(Pid::from_raw);
        let Some(Ok(process)) = id.map(|id| pidfd_open(id, PidfdFlags::empty())) else {
            return false;
        };
        let files = fs::read_dir(format!("/proc/{}/fd", self.id));
        let masters = files.into_iter().flatten().flatten().filter(|file| {
            let link = fs::read_link(file.path());
            link.is_ok_and(|link| link.ends_with("ptmx"))
        });
        let numbers = masters.filter_map(|file| file.file_name().to_str()?.parse().ok());
        let mut masters = numbers
            .filter_map(|number| pidfd_getfd(&process, number, PidfdGetfdFlags::empty()).ok());
        masters.any(|master| is_readable(&master))
    }

    /// Returns whether it has the terminal open under this descriptor.
    pub(super) fn has_open(&self, file: u64, terminal: Device) -> bool {
        has_open(self.id, file, terminal)
    }

    /// Returns whether one of these files is a socket to another process, or leads to another
    /// terminal than this.
    pub(super) fn leads_elsewhere(&self, files: &[u64], terminal: Device) -> bool {
        let links = files.iter().filter_map(|file| {
            let link = fs::read_link(format!("/proc/{}/fd/{file}", self.id)).ok()?;
            Some((*file, link.into_os_string().into_string().ok()?))
        });
        let mut sockets = false;
        for (file, link) in links {
            if link.ends_with("/ptmx") {
                return true;
            }
            if link.starts_with("/dev/pts/") && !self.has_open(file, terminal) {
                return true;
            }
            sockets |= link.starts_with("socket:");
        }
        sockets && self.has_outside_socket(files)
    }

    /// Returns whether one of these files is a socket whose other end is in another process. Event
    /// loops wake themselves through a pair of sockets, which have consecutive inode numbers.
    fn has_outside_socket(&self, files: &[u64]) -> bool {
        let path = |file: &u64| PathBuf::from(format!("/proc/{}/fd/{file}", self.id));
        let open = fs::read_dir(format!("/proc/{}/fd", self.id));
        let open = open.into_iter().flatten().flatten();
        let all: Vec<u64> = open.filter_map(|file| socket(&file.path())).collect();
        let is_outside = |path: PathBuf| {
            let number = socket(&path)?;
            let has_other =
                all.contains(&number.wrapping_add(1)) || all.contains(&number.wrapping_sub(1));
            Some(!has_other || !is_local(&path))
        };
        files
            .iter()
            .filter_map(|file| is_outside(path(file)))
            .any(|outside| outside)
    }
}

fn is_readable(file: &OwnedFd) -> bool {
    let mut polled = [PollFd::new(file, PollFlags::IN)];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut polled, Some(&at_once)).is_ok() && polled[0].revents().contains(PollFlags::IN)
}

/// Returns whether a process has the terminal open under this descriptor.
pub(super) fn has_open(process: u32, file: u64, terminal: Device) -> bool {
    let device = fs::metadata(format!("/proc/{process}/fd/{file}"));
    device.is_ok_and(|about| {
        let device = Device::of(about.rdev());
        device == terminal || device == ANY_TERMINAL
    })
}

/// Returns whether a socket is a Unix socket, since only those come in pairs; false for network
/// sockets.
fn is_local(socket: &Path) -> bool {
    let mut name = [0; 32];
    let count = rustix::fs::getxattr(socket, c"system.sockprotoname", &mut name);
    count.is_ok_and(|count| name[..count].starts_with(b"UNIX"))
}

/// Reads a file of `/proc`, most of which fit into one read. `fs::read_to_string` needs two more
/// calls for each, and inspecting a shell took 60 µs with it instead of 25.
pub(super) fn read(path: &str) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut buffer = [0; 2048];
    let count = file.read(&mut buffer)?;
    let mut text = buffer[..count].to_vec();
    if count == buffer.len() {
        file.read_to_end(&mut text)?;
    }
    // A process name may contain any bytes, and may be truncated inside a character.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the inode number of a socket from its link in `/proc/PID/fd`.
fn socket(link: &Path) -> Option<u64> {
    let link = fs::read_link(link).ok()?;
    let number = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
    number.parse().ok()
}

/// Returns the fields of `stat` after the name, which may contain any bytes.
fn fields(stat: &str) -> Option<impl Iterator<Item = &str>> {
    let (_, fields) = stat.rsplit_once(')')?;
    Some(fields.split_whitespace())
}

/// Returns the threads of a process; none if it has exited.
fn threads(process: u32) -> Vec<u32> {
    // Most processes have one thread, which the link count shows: two, plus one for each thread.
    let directory = format!("/proc/{process}/task");
    match fs::metadata(&directory) {
        Ok(about) if about.nlink() == 3 => return vec![process],
        Ok(_) => {}
        Err(_) => return Vec::new(),
    }
    let entries = fs::read_dir(directory);
    let entries = entries.into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    names
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect()
}
