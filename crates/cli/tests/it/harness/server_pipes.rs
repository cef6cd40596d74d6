//! A server of ours and the pipes to it, as any client has them.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::harness::cli::TOOL;

/// Long enough for a busy machine; a test that waits this long has failed.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// A server, and the pipes to it.
#[derive(Debug)]
pub(crate) struct Pipes {
    child: Child,
    input: Option<ChildStdin>,
    output: Output,
    /// What was read last, for who wonders why no more comes.
    read: VecDeque<String>,
}

/// What the server says.
#[derive(Debug)]
enum Output {
    /// Nobody has read any of it.
    Unread(ChildStdout),
    /// A thread reads it.
    Lines(Receiver<String>),
    Closed,
}

/// How many lines are shown of what was read.
const SHOWN: usize = 10;

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
        Pipes {
            input: child.stdin.take(),
            output: Output::Unread(child.stdout.take().unwrap()),
            child,
            read: VecDeque::new(),
        }
    }

    /// What comes from the server from now on. Until somebody asks, nothing is read.
    fn lines(&mut self) -> &Receiver<String> {
        if let Output::Unread(_) = self.output {
            let Output::Unread(output) = std::mem::replace(&mut self.output, Output::Closed) else {
                unreachable!("it was just now");
            };
            let (sender, lines) = mpsc::channel();
            // A test that waits for a line which never comes should fail and not hang.
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
            _ => panic!("nobody reads any more"),
        }
    }

    /// Closes what the server writes to, of which nothing may have been read.
    #[track_caller]
    pub(crate) fn close_output(&mut self) {
        let output = std::mem::replace(&mut self.output, Output::Closed);
        assert!(matches!(output, Output::Unread(_)), "a thread reads it");
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
        match self.lines().recv_timeout(SOON) {
            Ok(line) => {
                self.read.push_back(line.clone());
                if self.read.len() > SHOWN {
                    self.read.pop_front();
                }
                line
            }
            Err(error) => panic!("no line came: {error}; the last were {:#?}", self.read),
        }
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
            match self.lines().recv_timeout(SOON) {
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

    /// How the server ends, of which nothing is read.
    #[track_caller]
    pub(crate) fn ended_unread(&mut self) -> ExitStatus {
        let clock = screentest::Clock::system();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if clock.now() > SOON {
                self.child.kill().unwrap();
                panic!("the server does not end");
            }
            thread::yield_now();
        }
    }
}
