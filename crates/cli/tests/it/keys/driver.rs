//! Plays a script through each interface.

use std::path::Path;
use std::time::Duration;

use super::program::Step;

mod json_rpc;
mod library;
mod mcp;
mod shell;
mod tape;

/// An interface that can drive a program.
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
    /// Returns the name of the test function.
    pub(super) fn name(self) -> &'static str {
        match self {
            Interface::Library => "library",
            Interface::JsonRpc => "json_rpc",
            Interface::Shell => "shell",
            Interface::Mcp => "mcp",
            Interface::Tape => "tape",
        }
    }

    /// Starts a driver of this interface. `patience` is the timeout of each wait.
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
    /// Starts a program in a directory, performs the steps without pauses, and waits until the
    /// program has exited. Ends all its processes in any case. The error names the failed step and
    /// shows the screen.
    fn play(&mut self, command: &[String], steps: &[Step], directory: &Path) -> Result<(), String>;
}

/// Inputs that are sent together, and the text to wait for afterwards. `None` waits for the
/// program's exit.
struct Group<'a> {
    inputs: &'a [Step],
    wait_for: Option<&'static str>,
}

/// Splits a script after each wait.
fn groups(steps: &[Step]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = steps
        .split_inclusive(|step| matches!(step, Step::WaitFor(_)))
        .map(|steps| match steps {
            [inputs @ .., Step::WaitFor(text)] => Group {
                inputs,
                wait_for: Some(text),
            },
            inputs => Group {
                inputs,
                wait_for: None,
            },
        })
        .collect();
    if groups.last().is_some_and(|group| group.wait_for.is_some()) {
        groups.push(Group {
            inputs: &[],
            wait_for: None,
        });
    }
    groups
}
