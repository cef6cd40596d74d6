//! `screentest daemon`: the sessions that the shell's commands drive, for one user.
//!
//! It is the server of `screentest web` on a socket of the user, where nobody needs a token, and on a port of this machine, where everybody does. It
//! ends by itself once no session has been open for a while.

use std::env;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use rustix::process::{Pid, test_kill_process};
use screentest::InputOverrides;
use screentest::core::{Ambiguity, Secrets, Size};
use screentest::pty::descriptors;
use screentest_server::Settings;
use screentest_server::web::{Listeners, Options, Server, Stop, Tokens};

use super::folder::Folder;
use super::start;
use crate::args::duration_arg as seconds;
use crate::commands::server;
use crate::failure::{self, Exit, Failure};

/// How many sessions may be open at once.
const MOST_SESSIONS: usize = 256;

/// What the folder of the sessions' artifacts is called by, before the number of the process.
const ARTIFACTS: &str = "artifacts-";

/// Keep the sessions of this user's shells; `screentest open` starts it.
#[derive(Debug, Args)]
pub(crate) struct Daemon {
    /// End once no session has been open for so many seconds
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds::patience, allow_negative_numbers = true)]
    linger: Duration,
    /// Leave the terminal; whoever started this holds the lock
    #[arg(long, hide = true)]
    detached: bool,
}

/// Serves until the end.
pub(crate) fn run(daemon: &Daemon) -> Result<(), Failure> {
    let internal = |error: anyhow::Error| Failure::new(Exit::Internal, error);
    let folder = Folder::make()?;
    let lock = match daemon.detached {
        true => {
            // No signal of a terminal reaches it. One that leads its group already, as by hand, stays in its terminal.
            let _ = rustix::process::setsid();
            None
        }
        false => Some(folder.lock()?),
    };
    if start::running(&folder)?.is_some() {
        return Err(Failure::usage(anyhow!(
            "a daemon listens on `{}` already",
            folder.socket().display()
        )));
    }
    let socket = listen(&folder.socket())?;
    let artifacts = Artifacts::make(&folder)?;
    let settings = Settings {
        artifact_dir: artifacts.0.clone(),
        cassette_dir: cassettes(),
        size: Size { cols: 80, rows: 24 },
        timeout: Duration::from_secs(5),
        ambiguity: Ambiguity::Fail,
        secrets: Secrets::default(),
        input: InputOverrides::default(),
        most_sessions: MOST_SESSIONS,
    };
    let options = Options {
        tokens: Tokens::random()
            .context("could not make a token")
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
            failure::warning(&format!("no page: could not listen on 127.0.0.1: {error}"));
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
        .context("could not listen for signals")
        .map_err(internal)?;
    let served = Server::new(settings, options, listeners, &stop);
    let served = served
        .context("could not start the server")
        .map_err(internal)?;
    announce(&serde_json::json!({
        "address": address,
        "pid": process::id(),
        "socket": folder.socket(),
    }));
    drop(lock);
    let ended = served.run().context("the daemon ended").map_err(internal);
    folder.clear();
    // What is worth reading stays.
    if fs::metadata(folder.log()).is_ok_and(|log| log.len() == 0) {
        let _ = fs::remove_file(folder.log());
    }
    ended
}

/// Says that it listens, to whoever started it, and nothing more from then on: that pipe is closed, and not kept open by what is started here.
fn announce(told: &serde_json::Value) {
    let mut stdout = io::stdout().lock();
    // Nobody may be there to read it; the daemon is there anyway.
    let _ = writeln!(stdout, "{told}").and_then(|()| stdout.flush());
    if let Ok(null) = fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(null);
    }
}

/// Listens where the user's commands ask.
fn listen(path: &Path) -> Result<UnixListener, Failure> {
    // Nobody listens there: it is left of a daemon that was killed.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(unusable(path, error));
        }
        _ => {}
    }
    let listen = || {
        // The folder keeps others out until the mode does.
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        Ok(listener)
    };
    listen().map_err(|error| unusable(path, error))
}

fn unusable(path: &Path, error: io::Error) -> Failure {
    Failure::usage(anyhow!(error).context(format!("could not listen on `{}`", path.display())))
        .hint("a socket's path has at most 107 bytes; XDG_RUNTIME_DIR names the folder in which it is made")
}

/// Where what is recorded stays, also when the daemon has ended.
fn cassettes() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = absolute("XDG_STATE_HOME");
    let state = state.or_else(|| Some(absolute("HOME")?.join(".local/state")));
    Some(state?.join("screentest/cassettes"))
}

/// The folder for what else the sessions leave, until dropped.
struct Artifacts(PathBuf);

impl Artifacts {
    fn make(folder: &Folder) -> Result<Artifacts, Failure> {
        sweep(&folder.join(""));
        let path = folder.join(&format!("{ARTIFACTS}{}", process::id()));
        fs::create_dir_all(&path)
            .with_context(|| format!("could not make `{}`", path.display()))
            .map_err(Failure::usage)?;
        Ok(Artifacts(path))
    }
}

impl Drop for Artifacts {
    fn drop(&mut self) {
        // The next daemon tries again.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes what daemons left that were killed.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
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
