//! A server process and its pipes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::cli::TOOL;

/// Timeout of one read. Long enough for a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A server process and its pipes.
#[derive(Debug)]
pub(crate) struct Pipes {
    child: Child,
    input: Option<ChildStdin>,
    output: Output,
    /// The last lines that were read, for the message of a failed test.
    read: VecDeque<String>,
    /// The id of the last request.
    last_id: u64,
}

/// State of the server's stdout.
#[derive(Debug)]
enum Output {
    /// Nothing has been read yet.
    Unread(ChildStdout),
    /// A thread reads it.
    Lines(Receiver<String>),
    Closed,
}

/// Number of read lines that a failure shows.
const LINES_SHOWN: usize = 10;

impl Pipes {
    /// Starts the tool with these arguments and variables in a folder.
    #[expect(
        clippy::disallowed_methods,
        reason = "clients talk to the server through pipes, not through a terminal"
    )]
    pub(crate) fn start(
        words: &[&str],
        folder: &std::path::Path,
        variables: &[(&str, &str)],
    ) -> Pipes {
        let mut child = Command::new(TOOL)
            .args(words)
            .current_dir(folder)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Pipes {
            input: child.stdin.take(),
            output: Output::Unread(child.stdout.take().unwrap()),
            child,
            read: VecDeque::new(),
            last_id: 0,
        }
    }

    /// Returns the lines of stdout. Starts the reading thread at the first call.
    fn lines(&mut self) -> &Receiver<String> {
        if let Output::Unread(_) = self.output {
            let Output::Unread(output) = std::mem::replace(&mut self.output, Output::Closed) else {
                unreachable!("matched above");
            };
            let (sender, lines) = mpsc::channel();
            // Reading in a thread lets a test fail by a timeout instead of hanging.
            thread::spawn(move || {
                for line in BufReader::new(output).lines() {
                    if sender.send(line.unwrap()).is_err() {
                        break;
                    }
                }
            });
            self.output = Output::Lines(lines);
        }
        match &self.output {
            Output::Lines(lines) => lines,
            _ => panic!("stdout is closed"),
        }
    }

    /// Closes the server's stdout. Nothing may have been read from it.
    #[track_caller]
    pub(crate) fn close_output(&mut self) {
        let output = std::mem::replace(&mut self.output, Output::Closed);
        assert!(
            matches!(output, Output::Unread(_)),
            "stdout was read already"
        );
    }

    /// Writes raw bytes.
    #[track_caller]
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Reads a line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        match self.lines().recv_timeout(SOON) {
            Ok(line) => {
                self.read.push_back(line.clone());
                if self.read.len() > LINES_SHOWN {
                    self.read.pop_front();
                }
                line
            }
            Err(error) => panic!("no line: {error}; the last lines were {:#?}", self.read),
        }
    }

    /// Writes a JSON-RPC message.
    #[track_caller]
    pub(crate) fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// Reads a JSON-RPC message.
    #[track_caller]
    pub(crate) fn message(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Sends a request without waiting for the response. Returns the request id.
    #[track_caller]
    pub(crate) fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and returns the response. Skips notifications.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        loop {
            let message = self.message();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Returns the process id of the server.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes the server's stdin.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Returns the remaining lines until the server exits.
    #[track_caller]
    pub(crate) fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        loop {
            match self.lines().recv_timeout(SOON) {
                Ok(line) => rest.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return rest,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    panic!("the server does not exit: {rest:?}")
                }
            }
        }
    }

    /// Waits until the server exits.
    pub(crate) fn ended(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Waits until the server exits, without reading its stdout.
    #[track_caller]
    pub(crate) fn ended_unread(&mut self) -> ExitStatus {
        let clock = screentest::clock::Clock::system();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if clock.now() > SOON {
                self.child.kill().unwrap();
                panic!("the server does not exit");
            }
            thread::yield_now();
        }
    }
}
