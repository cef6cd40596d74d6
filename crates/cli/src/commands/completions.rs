//! `screentest completions`: prints a completion script for a shell.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  screentest completions bash > ~/.local/share/bash-completion/completions/screentest
  screentest completions zsh > ~/.zfunc/_screentest
  screentest completions fish > ~/.config/fish/completions/screentest.fish";

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completion script for `command`.
pub(crate) fn run(completions: &Completions, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut command, "screentest", &mut script);
    output::print(&script).map_err(Failure::usage)
}
