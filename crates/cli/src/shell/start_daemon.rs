//! Starts the daemon if none runs.
//!
//! The starting process holds a lock until the daemon listens, so that concurrent commands start
//! only one. The daemon reports that it listens with a line on stdout, a pipe to the starting
//! process, so nothing polls. It inherits no terminal, no file descriptors except its standard
//! streams, and only a few environment variables.
#![expect(
    unsafe_code,
    reason = "inherited file descriptors are known only by number"
)]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::BorrowedFd;
use std::os::unix::net::UnixStream;
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, anyhow};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_getfd, fcntl_setfd};
use screentest::clock::Clock;

use super::http_client::connect;
use super::runtime_dir::{RuntimeDir, open_own};
use crate::failure::{Exit, Failure};

/// Environment variables that the daemon itself needs. Programs get the environment of the command
/// that opened them.
const PASSED_VARIABLES: [&str; 9] = [
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
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum size to read from a daemon's output and log.
const MAX_OUTPUT: u64 = 64 << 10;

/// Connects to the daemon, and starts it if none runs.
pub(super) fn connect_or_start(
    runtime_dir: &RuntimeDir,
    linger: Option<Duration>,
) -> Result<UnixStream, Failure> {
    if let Some(stream) = connect_to_running(runtime_dir)? {
        return Ok(stream);
    }
    let _lock = runtime_dir.lock()?;
    // Another process may have started it while we waited.
    if let Some(stream) = connect_to_running(runtime_dir)? {
        return Ok(stream);
    }
    spawn(runtime_dir, linger)?;
    let gone = || {
        Failure::new(
            Exit::Transport,
            anyhow!("the session daemon exited immediately"),
        )
    };
    connect_to_running(runtime_dir)?.ok_or_else(gone)
}

/// Connects to the running daemon, if there is one.
pub(super) fn connect_to_running(runtime_dir: &RuntimeDir) -> Result<Option<UnixStream>, Failure> {
    let socket = runtime_dir.socket();
    connect(&socket)
        .with_context(|| format!("could not connect to `{}`", socket.display()))
        .map_err(|error| Failure::new(Exit::Transport, error))
}

/// Starts a daemon. Returns once it listens.
#[expect(
    clippy::disallowed_methods,
    reason = "the daemon is not a program in a terminal, and outlives this process"
)]
fn spawn(runtime_dir: &RuntimeDir, linger: Option<Duration>) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let log = runtime_dir.log();
    let log_file = open_own(&log);
    let log_file = log_file
        .and_then(|log| log.set_len(0).map(|()| log))
        .with_context(|| format!("could not write `{}`", log.display()))
        .map_err(internal)?;
    let program = env::current_exe()
        .context("could not find our own executable")
        .map_err(internal)?;
    let needed = PASSED_VARIABLES
        .iter()
        .filter_map(|name| Some((name, env::var_os(name)?)));
    let mut command = Command::new(&program);
    command
        .args(["daemon", "--detached"])
        .env_clear()
        .envs(needed)
        // So that the daemon does not block unmounting the current directory.
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log_file);
    if let Some(linger) = linger {
        command.args(["--linger", &linger.as_secs_f64().to_string()]);
    }
    set_cloexec_on_inherited();
    let child = command.spawn();
    let mut child = child
        .with_context(|| format!("could not start `{}`", program.display()))
        .map_err(internal)?;
    let mut line = String::new();
    if let Some(stdout) = child.stdout.take() {
        if !has_output(&stdout) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::new(
                Exit::Transport,
                anyhow!("the session daemon did not start to listen within {START_TIMEOUT:?}"),
            )
            .hint(format!("see `{}`", log.display())));
        }
        // A daemon that fails closes stdout without a line; its reasons are in the log.
        let _ = BufReader::new(stdout.take(MAX_OUTPUT)).read_line(&mut line);
    }
    if line.ends_with('\n') {
        return Ok(());
    }
    let _ = child.wait();
    let mut log_text = String::new();
    let _ = open_own(&log).and_then(|log| log.take(MAX_OUTPUT).read_to_string(&mut log_text));
    let log_text = log_text.trim().trim_start_matches("error: ");
    Err(internal(if log_text.is_empty() {
        anyhow!("the session daemon did not start")
    } else {
        anyhow!("the session daemon did not start: {log_text}")
    }))
}

/// Waits until the daemon prints something or ends. Returns false after the timeout.
fn has_output(stdout: &ChildStdout) -> bool {
    let clock = Clock::system();
    let mut ready = [PollFd::new(stdout, PollFlags::IN)];
    loop {
        let left = Timespec::try_from(START_TIMEOUT.saturating_sub(clock.now())).ok();
        match poll(&mut ready, left.as_ref()) {
            Err(Errno::INTR) => {}
            Ok(0) => return false,
            Ok(_) | Err(_) => return true,
        }
    }
}

/// Marks inherited file descriptors close-on-exec. A script that reads a pipe to its end would
/// otherwise wait until the daemon ends.
fn set_cloexec_on_inherited() {
    let Ok(mut entries) = fs::read_dir("/dev/fd") else {
        return;
    };
    let numbers: Vec<i32> = entries
        .by_ref()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in numbers {
        // SAFETY: the descriptor was open when the directory was listed. The listing is still open,
        // no other thread closes descriptors, and only a flag is changed.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        if let Ok(flags) = fcntl_getfd(descriptor) {
            // On failure the descriptor is inherited, as it would be anyway.
            let _ = fcntl_setfd(descriptor, flags | FdFlags::CLOEXEC);
        }
    }
}
