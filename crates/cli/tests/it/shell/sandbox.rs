//! A home with its own session daemon, which ends with the test.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Child;

use rustix::net::sockopt::socket_peercred;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::cli::{Folder, Run, run_in_with_env, start_in, wait_until};

/// A working folder and a runtime directory with their own daemon, until dropped.
pub(crate) struct SandboxHome {
    /// Working directory of the commands.
    pub(crate) folder: Folder,
    /// In the system's temporary directory, because a socket path must be short.
    runtime: TempDir,
    variables: Vec<(String, String)>,
}

impl SandboxHome {
    pub(crate) fn new() -> SandboxHome {
        SandboxHome {
            folder: Folder::new(),
            runtime: tempfile::tempdir().unwrap(),
            variables: Vec::new(),
        }
    }

    /// Sets a variable in the environment of all following commands.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// Returns the environment of the commands.
    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        let base = [
            ("XDG_RUNTIME_DIR", self.runtime.path().to_str().unwrap()),
            ("SCREENTEST_SESSION", ""),
        ];
        let added = self.variables.iter();
        base.into_iter()
            .chain(added.map(|(name, value)| (name.as_str(), value.as_str())))
            .collect()
    }

    /// Runs a command.
    pub(crate) fn run(&self, words: &[&str]) -> Run {
        run_in_with_env(&self.folder, &self.variables(), words)
    }

    /// Runs a command that must succeed without output.
    #[track_caller]
    pub(crate) fn done(&self, words: &[&str]) {
        assert_eq!(self.run(words).text(), "", "{words:?}");
    }

    /// Starts a command without waiting for it.
    pub(crate) fn start(&self, words: &[&str]) -> Child {
        start_in(&self.folder, &self.variables(), words)
    }

    /// Opens a session with a shell script and waits for a text. Returns the session's name.
    #[track_caller]
    pub(crate) fn open(&self, script: &str, shows: &str) -> String {
        let name = self.run(&["open", "--", "sh", "-c", script]).text();
        let name = name.trim_end().to_owned();
        self.done(&["wait", "-s", &name, shows]);
        name
    }

    /// Returns the sessions as JSON.
    #[track_caller]
    pub(crate) fn sessions(&self) -> Vec<Value> {
        let listed = self.run(&["sessions", "--json"]).text();
        serde_json::from_str(&listed).unwrap()
    }

    /// Returns the only session as JSON.
    #[track_caller]
    pub(crate) fn session(&self) -> Value {
        let sessions = self.sessions();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        sessions[0].clone()
    }

    /// Returns a path in the daemon's directory.
    pub(crate) fn daemon_path(&self, name: &str) -> PathBuf {
        self.runtime.path().join("screentest").join(name)
    }

    /// Returns the process id of the daemon, if it runs.
    pub(crate) fn daemon(&self) -> Option<Pid> {
        let socket = UnixStream::connect(self.daemon_path("socket")).ok()?;
        Some(socket_peercred(&socket).unwrap().pid)
    }

    /// Sends a signal to the daemon and waits until it has exited.
    #[track_caller]
    pub(crate) fn end(&self, signal: Signal) {
        let daemon = self.daemon().expect("a daemon runs");
        kill_process(daemon, signal).unwrap();
        wait_for_exit(daemon);
    }
}

/// Waits until a process has exited.
#[track_caller]
pub(crate) fn wait_for_exit(pid: Pid) {
    let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
    wait_until("the daemon's end", || {
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        // A zombie has exited, too.
        stat.is_empty() || stat.contains(") Z ")
    });
}

impl Drop for SandboxHome {
    fn drop(&mut self) {
        if let Some(daemon) = self.daemon() {
            let _ = kill_process(daemon, Signal::TERM);
            if !std::thread::panicking() {
                wait_for_exit(daemon);
            }
        }
    }
}
