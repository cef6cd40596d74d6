//! Tape: the steps are written as a tape, which `screentest run --fast` runs.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::super::program::Step;
use super::Driver;
use crate::harness::cli::{Folder, run_in};

pub(super) struct Tape {
    pub(super) patience: Duration,
}

impl Driver for Tape {
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String> {
        let folder = Folder::new();
        let tape = tape(command, steps, directory, self.patience);
        folder.file("keys.tape", &tape);
        let run = run_in(&folder, &["run", "--fast", "keys.tape"]);
        match run.code {
            Some(0) => Ok(()),
            _ => Err(format!("{}\nThe tape:\n{tape}", run.stderr)),
        }
    }
}

fn tape(command: &[String], steps: &[Step], directory: &Path, patience: Duration) -> String {
    let seconds = patience.as_secs();
    let mut tape = format!("Set Columns 80\nSet Rows 24\nSet WaitTimeout {seconds}s\nLaunch");
    // `Launch` has no option for the working directory.
    let chdir = ["env".to_owned(), format!("--chdir={}", directory.display())];
    for word in chdir.iter().chain(command) {
        write!(tape, " {}", quoted(word)).expect("writing to a string cannot fail");
    }
    for step in steps {
        tape.push('\n');
        match *step {
            Step::WaitFor(text) => tape.push_str(&format!("Wait+Screen {}", quoted(text))),
            Step::Press(key) if key.len() > 1 => tape.push_str(key),
            Step::Press(text) | Step::Type(text) => {
                tape.push_str(&format!("Type {}", quoted(text)));
            }
        }
    }
    // With `--fast`, the sleep ends when the program exits.
    format!("{tape}\nSleep {seconds}s\n")
}

/// Puts a text into double quotes, or into single quotes if it contains a double quote. Tapes have
/// no escapes.
fn quoted(text: &str) -> String {
    let quote = if text.contains('"') { '\'' } else { '"' };
    format!("{quote}{text}{quote}")
}
