//! A client of the server.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::tool::{Folder, TOOL};

/// Long enough for a busy machine; a test that waits this long has failed.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A server, and the pipes to it.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) folder: Folder,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

impl Client {
    /// Starts a server in an empty folder.
    pub(crate) fn start() -> Client {
        Client::start_with(&[], &[])
    }

    /// Starts a server with further options and variables.
    pub(crate) fn start_with(options: &[&str], variables: &[(&str, &str)]) -> Client {
        Client::start_in(Folder::new(), options, variables)
    }

    /// The same in a folder that is there already.
    #[expect(
        clippy::disallowed_methods,
        reason = "what a client sees of the server is seen through pipes, not through a terminal"
    )]
    pub(crate) fn start_in(folder: Folder, options: &[&str], variables: &[(&str, &str)]) -> Client {
        let mut child = Command::new(TOOL)
            .args(["server", "--artifact-dir", "artifacts"])
            .args(options)
            .current_dir(folder.path())
            .env("SCREENTEST_PROJECT_ROOT", folder.path())
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        // A test that waits for a line which never comes should fail and not hang.
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Client {
            folder,
            input: child.stdin.take(),
            child,
            lines,
            next: 0,
        }
    }

    /// Writes bytes, as they are.
    #[track_caller]
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Writes a line.
    #[track_caller]
    pub(crate) fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// Reads a line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        let line = self.lines.recv_timeout(SOON);
        line.expect("the server says something in time")
    }

    /// Reads a line as JSON.
    #[track_caller]
    pub(crate) fn message(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Asks, and returns what is answered, behind whatever is told meanwhile.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Asks for something that succeeds.
    #[track_caller]
    pub(crate) fn done(&mut self, method: &str, params: &Value) -> Value {
        let mut answer = self.ask(method, params);
        assert_eq!(answer["error"], Value::Null, "{method}: {answer:#}");
        answer["result"].take()
    }

    /// Opens a session and starts a line of shell, which says “ready”.
    #[track_caller]
    pub(crate) fn launch(&mut self, script: &str) {
        self.done(
            "initialize",
            &json!({"terminalCols": 40, "terminalRows": 5, "timeoutSeconds": 60}),
        );
        let ready = json!({"type": "exact", "text": "ready"});
        let params = json!({"command": "sh", "args": ["-c", script], "readySelector": ready});
        self.done("launch", &params);
    }

    /// The number of the server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// What the server still says, and how it ends.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Vec<String>, ExitStatus, Folder) {
        self.hang_up();
        let rest = self.rest();
        (rest, self.child.wait().unwrap(), self.folder)
    }

    /// What the server says until it ends.
    #[track_caller]
    pub(crate) fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(SOON) {
                Ok(line) => rest.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return rest,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("the server does not end: {rest:?}"),
            }
        }
    }
}
