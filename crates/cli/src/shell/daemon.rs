//! `screentest daemon`: keeps the sessions that shell commands drive, for one user.
//!
//! It runs the server of `screentest web` on a Unix socket, which needs no token, and on a local
//! port, which does. It exits once no session has been open for a while.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use rustix::fs::Mode;
use rustix::process::{Pid, test_kill_process, umask};
use screentest::core::{Ambiguity, Secrets, Size};
use screentest::pty::descriptors;
use screentest::test::InputOverrides;
use screentest_server::ServiceSettings;
use screentest_server::web::{Listeners, Server, Stop, Tokens, WebOptions};

use super::runtime_dir::RuntimeDir;
use super::start_daemon;
use crate::args::duration_arg;
use crate::commands::server;
use crate::failure::{self, Exit, Failure};

/// Maximum number of open sessions.
const MAX_SESSIONS: usize = 256;

/// Prefix of the artifact directory's name; the process id follows.
const ARTIFACTS: &str = "artifacts-";

/// Keep the sessions of this user's shell commands. Started by `screentest open`
#[derive(Debug, Args)]
pub(crate) struct Daemon {
    /// Exit after S seconds without an open session
    #[arg(long, value_name = "S", default_value = "60", value_parser = duration_arg::positive_seconds, allow_negative_numbers = true)]
    linger: Duration,
    /// Leave the terminal; the starting process holds the lock
    #[arg(long, hide = true)]
    detached: bool,
}

/// Serves until the daemon ends.
pub(crate) fn run(daemon: &Daemon) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let runtime_dir = RuntimeDir::make()?;
    let lock = if daemon.detached {
        // Detach from the terminal's signals. This fails if the process leads its group, as when
        // started by hand; then it stays in the terminal.
        let _ = rustix::process::setsid();
        None
    } else {
        Some(runtime_dir.lock()?)
    };
    if start_daemon::connect_to_running(&runtime_dir)?.is_some() {
        return Err(Failure::usage(anyhow!(
            "a daemon is already listening on `{}`",
            runtime_dir.socket().display()
        )));
    }
    let socket = listen(&runtime_dir.socket())?;
    let artifacts = Artifacts::make(&runtime_dir)?;
    let settings = ServiceSettings {
        artifact_dir: artifacts.0.clone(),
        cassette_dir: cassettes(),
        size: Size { cols: 80, rows: 24 },
        timeout: Duration::from_secs(5),
        ambiguity: Ambiguity::Fail,
        secrets: Secrets::default(),
        input: InputOverrides::default(),
        max_sessions: MAX_SESSIONS,
    };
    let options = WebOptions {
        tokens: Tokens::random()
            .context("could not create a token")
            .map_err(internal)?,
        read_only: false,
        idle: None,
        linger: Some(daemon.linger),
        hosts: Vec::new(),
    };
    descriptors::raise_limit();
    let network = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let network = network
        .inspect_err(|error| {
            failure::warning(&format!(
                "the web page is not available: could not listen on 127.0.0.1: {error}"
            ));
        })
        .ok();
    let listeners = Listeners {
        network,
        socket: Some(socket),
    };
    let address = listeners.address().map(|address| address.to_string());
    let stop = Stop::default();
    let by_signal = stop.clone();
    server::on_signal(move || by_signal.now())
        .context("could not handle signals")
        .map_err(internal)?;
    let server = Server::new(settings, options, listeners, &stop);
    let server = server
        .context("could not start the server")
        .map_err(internal)?;
    announce(&serde_json::json!({
        "address": address,
        "pid": process::id(),
        "socket": runtime_dir.socket(),
    }));
    drop(lock);
    let result = server.run().context("the daemon ended").map_err(internal);
    runtime_dir.clear();
    // Keep a log that is not empty.
    if fs::metadata(runtime_dir.log()).is_ok_and(|log| log.len() == 0) {
        let _ = fs::remove_file(runtime_dir.log());
    }
    result
}

/// Reports to the starting process that the daemon listens, then closes stdout, so that programs
/// started here do not keep that pipe open.
fn announce(message: &serde_json::Value) {
    let mut stdout = io::stdout().lock();
    // Ignore errors: the reader may be gone, but the daemon runs.
    let _ = writeln!(stdout, "{message}").and_then(|()| stdout.flush());
    if let Ok(null) = fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(null);
    }
}

/// Listens on the Unix socket.
fn listen(path: &Path) -> Result<UnixListener, Failure> {
    // `run` has checked that no daemon listens, so a socket here was left by a killed daemon.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(unusable(path, error));
        }
        _ => {}
    }
    // With this umask, the socket has mode 600 from its creation on. No other thread runs yet, so
    // the umask affects no other file.
    let before = umask(Mode::from_raw_mode(0o177));
    let listener = UnixListener::bind(path);
    umask(before);
    listener.map_err(|error| unusable(path, error))
}

fn unusable(path: &Path, error: io::Error) -> Failure {
    Failure::usage(anyhow!(error).context(format!("could not listen on `{}`", path.display())))
        .hint("a socket path has at most 107 bytes; set XDG_RUNTIME_DIR to a shorter directory")
}

/// Returns the directory of recordings, which outlive the daemon.
fn cassettes() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| Some(absolute("HOME")?.join(".local/state")));
    Some(state?.join("screentest/cassettes"))
}

/// The artifact directory of the sessions. Dropping this value removes the directory.
struct Artifacts(PathBuf);

impl Artifacts {
    fn make(runtime_dir: &RuntimeDir) -> Result<Artifacts, Failure> {
        remove_stale(&runtime_dir.join(""));
        let path = runtime_dir.join(&format!("{ARTIFACTS}{}", process::id()));
        fs::create_dir_all(&path)
            .with_context(|| format!("could not create `{}`", path.display()))
            .map_err(Failure::usage)?;
        Ok(Artifacts(path))
    }
}

impl Drop for Artifacts {
    fn drop(&mut self) {
        // On failure, the next daemon removes it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes artifact directories of killed daemons.
fn remove_stale(runtime_dir: &Path) {
    let entries = fs::read_dir(runtime_dir).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(ARTIFACTS));
        let pid = number.and_then(|number| Pid::from_raw(number.parse().ok()?));
        if let Some(pid) = pid
            && test_kill_process(pid).is_err()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
