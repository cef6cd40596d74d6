//! A user of a test's own: a folder for the daemon, which ends with the test.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Child;

use rustix::net::sockopt::socket_peercred;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::cli::{Folder, Run, run_in_under, start_in, until};

/// A user whose shells have their own daemon, until dropped.
pub(crate) struct Home {
    /// Where the commands are said.
    pub(crate) folder: Folder,
    /// A socket's path is short, and that of the tests' own folder may not be.
    runtime: TempDir,
    variables: Vec<(String, String)>,
}

impl Home {
    pub(crate) fn new() -> Home {
        Home {
            folder: Folder::new(),
            runtime: tempfile::tempdir().unwrap(),
            variables: Vec::new(),
        }
    }

    /// The same with a variable in the environment of every command from now on.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// The environment of every command.
    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        let own = [
            ("XDG_RUNTIME_DIR", self.runtime.path().to_str().unwrap()),
            ("SCREENTEST_SESSION", ""),
        ];
        let more = self.variables.iter();
        own.into_iter()
            .chain(more.map(|(name, value)| (name.as_str(), value.as_str())))
            .collect()
    }

    /// Says a command.
    pub(crate) fn say(&self, words: &[&str]) -> Run {
        run_in_under(&self.folder, &self.variables(), words)
    }

    /// Says a command that must go well and prints nothing.
    #[track_caller]
    pub(crate) fn done(&self, words: &[&str]) {
        assert_eq!(self.say(words).text(), "", "{words:?}");
    }

    /// Says a command, without waiting for it.
    pub(crate) fn start(&self, words: &[&str]) -> Child {
        start_in(&self.folder, &self.variables(), words)
    }

    /// Opens a session that runs a line of shell, and waits until it shows something.
    #[track_caller]
    pub(crate) fn open(&self, script: &str, shows: &str) -> String {
        let name = self.say(&["open", "--", "sh", "-c", script]).text();
        let name = name.trim_end().to_owned();
        self.done(&["wait", "-s", &name, shows]);
        name
    }

    /// The sessions, as JSON.
    #[track_caller]
    pub(crate) fn sessions(&self) -> Vec<Value> {
        let listed = self.say(&["sessions", "--json"]).text();
        serde_json::from_str(&listed).unwrap()
    }

    /// The only session, as JSON.
    #[track_caller]
    pub(crate) fn session(&self) -> Value {
        let sessions = self.sessions();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        sessions[0].clone()
    }

    /// A place in the daemon's folder.
    pub(crate) fn place(&self, name: &str) -> PathBuf {
        self.runtime.path().join("screentest").join(name)
    }

    /// The daemon, if one runs.
    pub(crate) fn daemon(&self) -> Option<Pid> {
        let socket = UnixStream::connect(self.place("socket")).ok()?;
        Some(socket_peercred(&socket).unwrap().pid)
    }

    /// Sends the daemon a signal, and waits until it is gone.
    #[track_caller]
    pub(crate) fn end(&self, signal: Signal) {
        let daemon = self.daemon().expect("a daemon runs");
        kill_process(daemon, signal).unwrap();
        gone(daemon);
    }
}

/// Waits until a process is gone.
#[track_caller]
pub(crate) fn gone(pid: Pid) {
    let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
    until("the daemon's end", || {
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        // Nobody may have asked yet how it ended.
        stat.is_empty() || stat.contains(") Z ")
    });
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(daemon) = self.daemon() {
            let _ = kill_process(daemon, Signal::TERM);
            if !std::thread::panicking() {
                gone(daemon);
            }
        }
    }
}
