//! Shell: one command per step.

use std::path::Path;
use std::time::Duration;

use super::super::program::Step;
use super::Driver;
use crate::shell::sandbox::SandboxHome;

pub(super) struct Shell {
    home: SandboxHome,
    seconds: String,
}

impl Shell {
    pub(super) fn new(patience: Duration) -> Shell {
        Shell {
            home: SandboxHome::new(),
            seconds: patience.as_secs().to_string(),
        }
    }

    fn run(&self, words: &[&str]) -> Result<(), String> {
        let run = self.home.run(words);
        match run.code {
            Some(0) => Ok(()),
            _ => Err(format!("screentest {words:?}: {}", run.stderr)),
        }
    }
}

impl Driver for Shell {
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String> {
        let directory = directory.to_str().expect("an ASCII path");
        let mut open = vec!["open", "--name", "keys", "--cwd", directory, "--"];
        open.extend(command.iter().map(String::as_str));
        self.run(&open)?;
        let played = steps.iter().try_for_each(|step| match *step {
            Step::WaitFor(text) => self.run(&["wait", "--timeout", &self.seconds, "--", text]),
            Step::Press(key) => self.run(&["press", "--", key]),
            Step::Type(text) => self.run(&["type", "--", text]),
        });
        let ended = played.and_then(|()| self.run(&["wait", "--exit", "--timeout", &self.seconds]));
        let closed = self.run(&["close"]);
        ended.and(closed)
    }
}
