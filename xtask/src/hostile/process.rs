//! Runs a program in a terminal or with pipes, and measures what it used.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit, setsid};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A program that has not ended after this time counts as hung. Processor time is measured
/// separately, so that a busy machine does not matter.
const HANGS: Duration = Duration::from_secs(60);

/// Limits that protect the machine. The limit of addresses is large, because threads and mapped
/// files reserve more than they use; the memory in use is measured instead.
const ADDRESS_SPACE: u64 = 8 << 30;
const FILE_SIZE: u64 = 1 << 30;

/// How much output is kept.
const MAX_OUTPUT: u64 = 16 << 20;

/// Typed into the terminal: leaves a player or a review.
const KEYS: &[u8] = b"qqq";

/// What the program is connected to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connection {
    Terminal,
    /// Stdout and stderr are the same pipe; stdin is empty.
    Pipe,
}

/// A program that ended.
#[derive(Debug)]
pub(super) struct Finished {
    /// `None` if it was killed because it hung.
    pub(super) status: Option<ExitStatus>,
    /// All that it wrote.
    pub(super) output: Vec<u8>,
    pub(super) processor_time: Duration,
    /// The most memory in use, in bytes.
    pub(super) memory: u64,
}

/// Runs a command line in a folder with these variables only.
pub(super) fn run(
    words: &[OsString],
    folder: &Path,
    variables: &[(&str, OsString)],
    connection: Connection,
) -> Result<Finished> {
    let (program, rest) = words.split_first().context("no program")?;
    let mut command = new_command(program);
    command
        .args(rest)
        .current_dir(folder)
        .env_clear()
        .envs(variables.iter().map(|(name, value)| (name, value)));
    let output: File = match connection {
        Connection::Terminal => {
            let (ours, theirs) = terminal()?;
            command
                .stdin(Stdio::from(theirs.try_clone()?))
                .stdout(Stdio::from(theirs.try_clone()?))
                .stderr(Stdio::from(theirs));
            let mut ours = File::from(ours);
            ours.write_all(KEYS)?;
            ours
        }
        Connection::Pipe => {
            let (ours, theirs) = io::pipe()?;
            command
                .stdin(Stdio::null())
                .stdout(theirs.try_clone()?)
                .stderr(theirs);
            File::from(OwnedFd::from(ours))
        }
    };
    prepare(&mut command, connection);
    let child = command
        .spawn()
        .with_context(|| format!("cannot start `{}`", program.display()))?;
    // Our copies of the terminal or the pipe must be closed before the output can end.
    drop(command);
    finish(&child, output)
}

#[expect(
    clippy::disallowed_methods,
    reason = "runs the tool in a terminal of its own, with limits"
)]
fn new_command(program: &OsString) -> Command {
    Command::new(program)
}

/// Opens a terminal; returns our end and the program's.
fn terminal() -> Result<(OwnedFd, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let ours = openpt(flags).context("cannot open a terminal")?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    let theirs = ioctl_tiocgptpeer(&ours, flags)?;
    let size = Winsize {
        ws_row: 50,
        ws_col: 200,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&ours, size)?;
    Ok((ours, theirs))
}

/// Makes the program the leader of a session with its terminal, and limits it.
#[expect(
    unsafe_code,
    reason = "the standard library sets neither a controlling terminal nor limits"
)]
fn prepare(command: &mut Command, connection: Connection) {
    let limit = |value| Rlimit {
        current: Some(value),
        maximum: Some(value),
    };
    let prepare = move || {
        setsid()?;
        if connection == Connection::Terminal {
            rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
        }
        setrlimit(Resource::As, limit(ADDRESS_SPACE))?;
        setrlimit(Resource::Fsize, limit(FILE_SIZE))?;
        setrlimit(Resource::Core, limit(0))?;
        Ok(())
    };
    // SAFETY: runs between `fork` and `exec`; makes only system calls and allocates nothing.
    unsafe { command.pre_exec(prepare) };
}

/// Waits for the end of the program and of its output.
fn finish(child: &Child, output: File) -> Result<Finished> {
    let group = Pid::from_raw(child.id().cast_signed()).context("a process has an id")?;
    let (sender, output_end) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // A terminal without programs reports an error instead of the end.
        let _ = (&output).take(MAX_OUTPUT).read_to_end(&mut bytes);
        let _ = io::copy(&mut &output, &mut io::sink());
        let _ = sender.send(bytes);
    });
    let (sender, exit) = mpsc::channel();
    let pid = child.id();
    thread::spawn(move || drop(sender.send(wait(pid))));
    let mut hangs = false;
    let (status, processor_time, memory) = match exit.recv_timeout(HANGS) {
        Ok(exit) => exit?,
        Err(_) => {
            hangs = true;
            kill_process_group(group, Signal::KILL)?;
            exit.recv()??
        }
    };
    // A process that the program left behind may still hold the terminal.
    let output = output_end.recv_timeout(HANGS).unwrap_or_else(|_| {
        let _ = kill_process_group(group, Signal::KILL);
        hangs = true;
        output_end.recv_timeout(HANGS).unwrap_or_default()
    });
    Ok(Finished {
        status: (!hangs).then_some(status),
        output,
        processor_time,
        memory,
    })
}

/// Waits for a child process. Returns its status, processor time and most memory.
#[expect(unsafe_code, reason = "`rustix` has no `wait4`")]
fn wait(pid: u32) -> io::Result<(ExitStatus, Duration, u64)> {
    let mut status = 0;
    // SAFETY: `rusage` consists of integers, for which zero is valid.
    let mut used: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are valid for the duration of the call.
        let waited = unsafe { libc::wait4(pid.cast_signed(), &mut status, 0, &mut used) };
        if waited != -1 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.cast_unsigned())
            + Duration::from_micros(time.tv_usec.cast_unsigned())
    };
    let processor_time = time(used.ru_utime) + time(used.ru_stime);
    // Linux counts in KiB.
    let memory = used.ru_maxrss.cast_unsigned() << 10;
    Ok((ExitStatus::from_raw(status), processor_time, memory))
}

/// Creates a FIFO, which blocks its reader.
pub(super) fn make_fifo(path: &Path) -> Result<()> {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, path, mode)
        .with_context(|| format!("cannot make the FIFO `{}`", path.display()))
}
