//! A server of ours and the pipes to it, as any client has them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::tool::TOOL;

/// Long enough for a busy machine; a test that waits this long has failed.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A server, and the pipes to it.
#[derive(Debug)]
pub(crate) struct Pipes {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Pipes {
    /// Starts the tool with these words, in a folder and with variables.
    #[expect(
        clippy::disallowed_methods,
        reason = "what a client sees of the server is seen through pipes, not through a terminal"
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
        Pipes {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    /// Writes bytes, as they are.
    #[track_caller]
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Reads a line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        let line = self.lines.recv_timeout(SOON);
        line.expect("the server says something in time")
    }

    /// The number of the server's process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
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

    /// How the server ended, once it has.
    pub(crate) fn ended(mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}
