//! expectrl: a stream without a screen. A wait polls with non-blocking reads.

use std::process::Command;

use expectrl::process::Termios as _;
use expectrl::session::OsSession;
use expectrl::{Eof, Expect, Session};

use super::PATIENCE;
use crate::driver::{Driver, Size};

pub(crate) struct Expectrl {
    session: OsSession,
    matched: String,
}

impl Driver for Expectrl {
    fn start(program: &[&str], _: Size) -> Self {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]);
        let mut session = Session::spawn(command).expect("the program starts");
        session.set_expect_timeout(Some(PATIENCE));
        Expectrl {
            session,
            matched: String::new(),
        }
    }

    fn send(&mut self, text: &str) {
        self.session.send(text).expect("it reads");
    }

    fn wait(&mut self, text: &str) {
        let found = self.session.expect(text).expect("the text appears");
        self.matched = String::from_utf8_lossy(found.before()).into_owned();
    }

    fn matched(&mut self) -> String {
        std::mem::take(&mut self.matched)
    }

    fn finish(mut self) -> bool {
        self.session.expect(Eof).expect("it ends");
        let process = self.session.get_process();
        let _ = process.is_echo();
        matches!(
            process.wait(),
            Ok(expectrl::process::unix::WaitStatus::Exited(_, 0))
        )
    }
}
