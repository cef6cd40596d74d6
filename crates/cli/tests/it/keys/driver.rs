//! The interfaces through which a program can be driven, and what plays a script through each.

use std::path::Path;
use std::time::Duration;

use super::program::Step;

mod json_rpc;
mod library;
mod mcp;
mod shell;
mod tape;

/// A way to drive a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interface {
    /// The Rust library.
    Library,
    /// `screentest server`.
    JsonRpc,
    /// `screentest open`, `press`, `type`, `wait`.
    Shell,
    /// `screentest mcp`.
    Mcp,
    /// `screentest run --fast`.
    Tape,
}

impl Interface {
    /// As the test is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Interface::Library => "library",
            Interface::JsonRpc => "json_rpc",
            Interface::Shell => "shell",
            Interface::Mcp => "mcp",
            Interface::Tape => "tape",
        }
    }

    /// Starts what plays scripts through this interface; each of its waits takes at most `patience`.
    pub(super) fn driver(self, patience: Duration) -> Box<dyn Driver> {
        match self {
            Interface::Library => Box::new(library::Library { patience }),
            Interface::JsonRpc => Box::new(json_rpc::JsonRpc::start(patience)),
            Interface::Shell => Box::new(shell::Shell::new(patience)),
            Interface::Mcp => Box::new(mcp::Mcp::start(patience)),
            Interface::Tape => Box::new(tape::Tape { patience }),
        }
    }
}

/// Plays scripts.
pub(super) trait Driver {
    /// Starts a program in a directory, does the steps without any pause between them, and waits until the program has
    /// ended. Ends all its processes in any case. The error says which step failed, and what the screen showed.
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String>;
}

/// What is pressed and typed in one go, and the text that is waited for after it, or else the end of the program.
struct Group<'a> {
    inputs: &'a [Step],
    shows: Option<&'static str>,
}

/// Cuts a script after each of its waits.
fn groups(steps: &[Step]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = steps
        .split_inclusive(|step| matches!(step, Step::WaitFor(_)))
        .map(|steps| match steps {
            [inputs @ .., Step::WaitFor(text)] => Group {
                inputs,
                shows: Some(text),
            },
            inputs => Group {
                inputs,
                shows: None,
            },
        })
        .collect();
    if groups.last().is_some_and(|group| group.shows.is_some()) {
        groups.push(Group {
            inputs: &[],
            shows: None,
        });
    }
    groups
}
