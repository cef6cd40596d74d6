//! Options for the program to start: terminal size, directory, environment, command.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use screentest::App;
use screentest::core::Size;

use super::size;
use crate::failure::Failure;

/// The options for the program.
#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// Columns of the terminal, 2 to 2000
    #[arg(long, value_name = "N", default_value = "80", value_parser = size::cols, allow_hyphen_values = true)]
    pub(crate) cols: u16,
    /// Rows of the terminal, 1 to 2000
    #[arg(long, value_name = "N", default_value = "24", value_parser = size::rows, allow_hyphen_values = true)]
    pub(crate) rows: u16,
    /// Start the program in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Set an environment variable of the program, or remove it (without `=`)
    #[arg(long, value_name = "K[=V]")]
    pub(crate) env: Vec<OsString>,
    /// The program and its arguments
    #[arg(
        last = true,
        required = true,
        value_name = "CMD",
        help_heading = "Arguments"
    )]
    pub(crate) command: Vec<OsString>,
}

impl ProgramArgs {
    /// Returns the size of the terminal.
    pub(crate) fn size(&self) -> Size {
        Size {
            cols: self.cols,
            rows: self.rows,
        }
    }

    /// Returns the value that `--env` gives a variable of the program, or the one that the program
    /// inherits.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        let set = self.env.iter().rev().map(|variable| split(variable));
        match set.into_iter().find(|(known, _)| *known == name) {
            Some((_, value)) => value.map(OsStr::to_owned),
            None => std::env::var_os(name),
        }
    }

    /// Checks the options and returns the program.
    pub(crate) fn app(&self) -> Result<App, Failure> {
        app(&self.command, self.cwd.as_deref(), &self.env)
    }
}

/// Creates the program from the command line, its directory and its environment.
pub(crate) fn app(
    command: &[OsString],
    cwd: Option<&Path>,
    env: &[OsString],
) -> Result<App, Failure> {
    let Some((program, args)) = command.split_first() else {
        return Err(Failure::usage(anyhow!("there is no program to run")));
    };
    if program.is_empty() {
        return Err(Failure::usage(anyhow!("the name of the program is empty"))
            .hint("maybe a variable of a script is not set"));
    }
    let mut app = App::new(program).args(args);
    if let Some(cwd) = cwd {
        app = app.cwd(cwd);
    }
    for variable in env {
        if split(variable).0.is_empty() {
            return Err(
                Failure::usage(anyhow!("`--env {variable:?}`: the variable has no name"))
                    .hint("`--env NAME=value` sets a variable, `--env NAME` removes it"),
            );
        }
        app = match split(variable) {
            (name, Some(value)) => app.env(name, value),
            (name, None) => app.unset_env(name),
        };
    }
    Ok(app)
}

/// Splits `NAME=value`.
fn split(variable: &OsStr) -> (&OsStr, Option<&OsStr>) {
    use std::os::unix::ffi::OsStrExt;
    let bytes = variable.as_bytes();
    match bytes.iter().position(|byte| *byte == b'=') {
        Some(at) => (
            OsStr::from_bytes(&bytes[..at]),
            Some(OsStr::from_bytes(&bytes[at + 1..])),
        ),
        None => (variable, None),
    }
}
