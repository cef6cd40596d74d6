//! A client of the server.

use std::process::ExitStatus;

use serde_json::{Value, json};

use crate::harness::cli::Folder;
use crate::harness::server_pipes::Pipes;

/// A server, and the pipes to it.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) folder: Folder,
    pipes: Pipes,
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
    pub(crate) fn start_in(folder: Folder, options: &[&str], variables: &[(&str, &str)]) -> Client {
        let words = [&["server", "--artifact-dir", "artifacts"], options].concat();
        let root = folder.path().to_str().expect("a path of ASCII").to_owned();
        let project = [("SCREENTEST_PROJECT_ROOT", root.as_str())];
        let variables = [&project, variables].concat();
        Client {
            pipes: Pipes::start(&words, folder.path(), &variables),
            folder,
            next: 0,
        }
    }

    /// Writes bytes, as they are.
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

    /// Makes a pipe in the client's folder, by which a program says how far it is.
    pub(crate) fn pipe(&self, name: &str) {
        crate::harness::cli::command_in(self.folder.path(), "mkfifo", [name]);
    }

    /// Waits until a program has written to a pipe.
    #[track_caller]
    pub(crate) fn wait_for_pipe(&self, name: &str) {
        self.folder.read(name);
    }

    /// The number of the server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.pipes.pid()
    }

    /// Ends the input.
    pub(crate) fn hang_up(&mut self) {
        self.pipes.hang_up();
    }

    /// Closes what the server writes to, of which nothing may have been read.
    #[track_caller]
    pub(crate) fn close_output(&mut self) {
        self.pipes.close_output();
    }

    /// How the server ends by itself, with its input still open.
    #[track_caller]
    pub(crate) fn ended_unread(&mut self) -> ExitStatus {
        self.pipes.ended_unread()
    }

    /// What the server still says, and how it ends.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Vec<String>, ExitStatus, Folder) {
        self.hang_up();
        let rest = self.rest();
        (rest, self.pipes.ended(), self.folder)
    }

    /// What the server says until it ends.
    #[track_caller]
    pub(crate) fn rest(&mut self) -> Vec<String> {
        self.pipes.rest()
    }
}
