//! rexpect: a stream without a screen. A thread reads byte by byte, and a wait polls at intervals.

use std::process::Command;

use rexpect::process::WaitStatus;
use rexpect::session::{PtySession, spawn_command};

use super::PATIENCE;
use crate::driver::{Driver, Size};

pub(crate) struct Rexpect {
    session: PtySession,
    matched: String,
}

impl Driver for Rexpect {
    fn start(program: &[&str], _: Size) -> Self {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]);
        let patience = PATIENCE.as_millis() as u64;
        Rexpect {
            session: spawn_command(command, Some(patience)).expect("the program starts"),
            matched: String::new(),
        }
    }

    fn send(&mut self, text: &str) {
        self.session.send(text).expect("it reads");
        self.session.flush().expect("it reads");
    }

    fn wait(&mut self, text: &str) {
        self.matched = self.session.exp_string(text).expect("the text appears");
    }

    fn matched(&mut self) -> String {
        std::mem::take(&mut self.matched)
    }

    fn finish(mut self) -> bool {
        self.session.exp_eof().expect("it ends");
        matches!(self.session.process().wait(), Ok(WaitStatus::Exited(_, 0)))
    }
}
