//! `screentest cassette recover`: what is left of a recording that was cut off.

use std::path::PathBuf;

use clap::Args;
use screentest::recording::cassette::{RecoverError, recover};
use screentest::{Cassette, RecordError};

use super::{count, refused, say, secrets, status};
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
        RecoverError::Record(RecordError::Exists { .. }) => {
            Failure::usage(error).hint(format!(
                "the cassette is called after what is left: `mv {0} other.cassette.part`, then `screentest cassette recover other.cassette.part`",
                asked.path.display()
            ))
        }
        error => Failure::usage(error),
    })?;
    let cassette = Cassette::open(&recovered.path).map_err(refused)?;
    say(&format!(
        "{}: {}, {:.3} s, {} of output\n",
        recovered.path.display(),
        status(&recovered.status),
        cassette.manifest().timing.duration_ms.time().as_secs_f64(),
        count(cassette.output_len(), "byte"),
    ))
}
