//! Starting the daemon where none runs.
//!
//! Whoever starts one holds a lock until it listens, so that two who come at once start one. The daemon says that it listens by a line on its
//! stdout, which is a pipe to us: nobody looks again and again. It has nothing of ours: not the terminal, not the descriptors, not the environment.
#![expect(
    unsafe_code,
    reason = "what whoever ran us left open is known by its number alone"
)]

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::BorrowedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_getfd, fcntl_setfd};
use screentest::Clock;

use super::http_client::connect;
use super::runtime_dir::Folder;
use crate::failure::{Exit, Failure};

/// The variables that the daemon itself needs. What its programs find is the environment of whoever opened them.
const NEEDED: [&str; 9] = [
    "HOME",
    "LD_LIBRARY_PATH",
    "LLVM_PROFILE_FILE",
    "PATH",
    "SCREENTEST_FONT_PATH",
    "TMPDIR",
    "TUISPEC_FONT_PATH",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];

/// How long a daemon may take to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most that is read of what a daemon said that did not start.
const MOST_SAID: u64 = 64 << 10;

/// A connection to the daemon, which is started where none runs.
pub(super) fn daemon(folder: &Folder, linger: Option<Duration>) -> Result<UnixStream, Failure> {
    if let Some(stream) = running(folder)? {
        return Ok(stream);
    }
    let _lock = folder.lock()?;
    // Another may have been started while we waited.
    if let Some(stream) = running(folder)? {
        return Ok(stream);
    }
    spawn(folder, linger)?;
    let gone = || {
        Failure::new(
            Exit::Transport,
            anyhow!("the daemon ended as soon as it began"),
        )
    };
    running(folder)?.ok_or_else(gone)
}

/// A connection to the daemon that runs, if one does.
pub(super) fn running(folder: &Folder) -> Result<Option<UnixStream>, Failure> {
    let socket = folder.socket();
    connect(&socket)
        .with_context(|| format!("could not ask at `{}`", socket.display()))
        .map_err(|error| Failure::new(Exit::Transport, error))
}

/// Starts a daemon, and returns once it listens.
#[expect(
    clippy::disallowed_methods,
    reason = "the daemon is no program in a terminal, and outlives us"
)]
fn spawn(folder: &Folder, linger: Option<Duration>) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let log = folder.log();
    let said = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&log)
        .with_context(|| format!("could not write `{}`", log.display()))
        .map_err(internal)?;
    let program = env::current_exe()
        .context("could not find the program that runs")
        .map_err(internal)?;
    let needed = NEEDED
        .iter()
        .filter_map(|name| Some((name, env::var_os(name)?)));
    let mut command = Command::new(&program);
    command
        .args(["daemon", "--detached"])
        .env_clear()
        .envs(needed)
        // It keeps no folder from being unmounted.
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(said);
    if let Some(linger) = linger {
        command.args(["--linger", &linger.as_secs_f64().to_string()]);
    }
    keep_descriptors();
    let child = command.spawn();
    let mut child = child
        .with_context(|| format!("could not start `{}`", program.display()))
        .map_err(internal)?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        if !speaks(&stdout) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::new(
                Exit::Transport,
                anyhow!("the daemon that was started did not listen within {PATIENCE:?}"),
            )
            .hint(format!("`{}` may say why", log.display())));
        }
        // A daemon that says nothing has left its reasons elsewhere.
        let _ = BufReader::new(stdout.take(MOST_SAID)).read_line(&mut line);
    }
    if line.ends_with('\n') {
        return Ok(());
    }
    let _ = child.wait();
    let mut told = String::new();
    let _ = File::open(&log).and_then(|log| log.take(MOST_SAID).read_to_string(&mut told));
    let told = told.trim().trim_start_matches("error: ");
    Err(internal(match told.is_empty() {
        true => anyhow!("the daemon did not start, and did not say why"),
        false => anyhow!("the daemon did not start: {told}"),
    }))
}

/// Whether a daemon says something, or ends, in time.
fn speaks(stdout: &ChildStdout) -> bool {
    let clock = Clock::system();
    let mut ready = [PollFd::new(stdout, PollFlags::IN)];
    loop {
        let left = Timespec::try_from(PATIENCE.saturating_sub(clock.now())).ok();
        match poll(&mut ready, left.as_ref()) {
            Err(Errno::INTR) => {}
            Ok(0) => return false,
            Ok(_) | Err(_) => return true,
        }
    }
}

/// Keeps what whoever ran us left open from the daemon: a script that waits for the end of such a pipe would wait for the daemon.
fn keep_descriptors() {
    let Ok(mut entries) = fs::read_dir("/dev/fd") else {
        return;
    };
    let numbers: Vec<i32> = entries
        .by_ref()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in numbers {
        // SAFETY: it was open when the list was made, of which the directory itself is still open, and no other thread closes any. It is only marked.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        if let Ok(flags) = fcntl_getfd(descriptor) {
            // What cannot be marked is passed on, as it would be anyway.
            let _ = fcntl_setfd(descriptor, flags | FdFlags::CLOEXEC);
        }
    }
}
