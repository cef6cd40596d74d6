//! `screentest cassette recover`: what is left of a recording that was cut off.

use std::path::PathBuf;

use clap::Args;
use screentest::RecordError;
use screentest::cassette::{RecoverError, recover};

use super::{say, secrets, status};
use crate::failure::{Exit, Failure};

/// Make a cassette of what a recorder left that was cut off
#[derive(Debug, Args)]
pub(super) struct Recover {
    /// The unfinished recording
    #[arg(value_name = "X.cassette.part")]
    path: PathBuf,
    /// Cover the value of this variable; those that `record` was given must be given again
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
}

pub(super) fn run(asked: &Recover) -> Result<(), Failure> {
    let secrets = secrets(&asked.secret)?;
    let recovered = recover(&asked.path, &secrets).map_err(|error| match error {
        RecoverError::Record(RecordError::SecretLeft { .. } | RecordError::SecretShown { .. }) => {
            Failure::new(Exit::Failed, error)
        }
        error => Failure::usage(error),
    })?;
    say(&format!(
        "{}: {}\n",
        recovered.path.display(),
        status(&recovered.status)
    ))
}
