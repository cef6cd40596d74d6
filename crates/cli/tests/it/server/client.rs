//! A JSON-RPC client over pipes.

use std::process::ExitStatus;

use serde_json::{Value, json};

use crate::harness::cli::Folder;
use crate::harness::server_pipes::Pipes;

/// A client and the server that it started.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) folder: Folder,
    pipes: Pipes,
}

impl Client {
    /// Starts a server in an empty folder.
    pub(crate) fn start() -> Client {
        Client::start_with(&[], &[])
    }

    /// Starts a server with these options and variables in an empty folder.
    pub(crate) fn start_with(options: &[&str], variables: &[(&str, &str)]) -> Client {
        Client::start_in(Folder::new(), options, variables)
    }

    /// Starts a server with these options and variables in an existing folder.
    pub(crate) fn start_in(folder: Folder, options: &[&str], variables: &[(&str, &str)]) -> Client {
        let words = [&["server", "--artifact-dir", "artifacts"], options].concat();
        let root = folder.path().to_str().expect("an ASCII path").to_owned();
        let project = [("SCREENTEST_PROJECT_ROOT", root.as_str())];
        let variables = [&project, variables].concat();
        Client {
            pipes: Pipes::start(&words, folder.path(), &variables),
            folder,
        }
    }

    /// Writes raw bytes.
    #[track_caller]
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.pipes.write(bytes);
    }

    /// Writes a line.
    #[track_caller]
    pub(crate) fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// Reads a line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        self.pipes.line()
    }

    /// Reads a line as JSON.
    #[track_caller]
    pub(crate) fn message(&mut self) -> Value {
        self.pipes.message()
    }

    /// Sends a request and returns the response. Skips notifications.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.pipes.ask(method, params)
    }

    /// Sends a request that must succeed and returns the result.
    #[track_caller]
    pub(crate) fn done(&mut self, method: &str, params: &Value) -> Value {
        let mut answer = self.ask(method, params);
        assert_eq!(answer["error"], Value::Null, "{method}: {answer:#}");
        answer["result"].take()
    }

    /// Opens a session and launches a shell script that prints "ready".
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

    /// Creates a named pipe in the folder, through which a program reports its progress.
    pub(crate) fn pipe(&self, name: &str) {
        crate::harness::cli::command_in(self.folder.path(), "mkfifo", [name]);
    }

    /// Waits until a program has written to a named pipe.
    #[track_caller]
    pub(crate) fn wait_for_pipe(&self, name: &str) {
        self.folder.read(name);
    }

    /// Returns the process id of the server.
    pub(crate) fn pid(&self) -> u32 {
        self.pipes.pid()
    }

    /// Closes the server's stdin.
    pub(crate) fn hang_up(&mut self) {
        self.pipes.hang_up();
    }

    /// Closes the server's stdout. Nothing may have been read from it.
    #[track_caller]
    pub(crate) fn close_output(&mut self) {
        self.pipes.close_output();
    }

    /// Waits until the server exits by itself, with stdin still open and without reading stdout.
    #[track_caller]
    pub(crate) fn ended_unread(&mut self) -> ExitStatus {
        self.pipes.ended_unread()
    }

    /// Closes stdin and returns the remaining lines, the exit status and the folder.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Vec<String>, ExitStatus, Folder) {
        self.hang_up();
        let rest = self.rest();
        (rest, self.pipes.ended(), self.folder)
    }

    /// Returns the remaining lines until the server exits.
    #[track_caller]
    pub(crate) fn rest(&mut self) -> Vec<String> {
        self.pipes.rest()
    }
}
