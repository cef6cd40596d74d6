//! `screentest cassette recover`: completes an interrupted recording.

use std::path::PathBuf;

use clap::Args;
use screentest::recording::cassette::{RecoverError, recover};
use screentest::recording::{Cassette, RecordError};

use super::{count, print_text, scrub_rules, status_text};
use crate::failure::{Exit, Failure};
use crate::input::cassette_failure::cassette_failure;

/// Make a cassette from the files of an interrupted recording
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  screentest cassette recover demo.cassette.part")]
pub(super) struct Recover {
    /// The unfinished recording
    #[arg(value_name = "X.cassette.part")]
    path: PathBuf,
    /// Redact the value of this environment variable; repeat the options given to `record`
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
}

pub(super) fn run(args: &Recover) -> Result<(), Failure> {
    let secrets = scrub_rules(&args.secret)?;
    let recovered = recover(&args.path, &secrets).map_err(|error| match error {
        RecoverError::Record(RecordError::SecretLeft { .. } | RecordError::SecretShown { .. }) => {
            Failure::new(Exit::Failed, error)
        }
        RecoverError::Record(RecordError::Exists { .. }) => {
            Failure::usage(error).hint(format!(
                "the cassette gets the name of the unfinished recording; to rename that, run `mv {0} other.cassette.part`, then `screentest cassette recover other.cassette.part`",
                args.path.display()
            ))
        }
        error => Failure::usage(error),
    })?;
    let cassette = Cassette::open(&recovered.path).map_err(cassette_failure)?;
    print_text(&format!(
        "{}: {}, {:.3} s, {} of output\n",
        recovered.path.display(),
        status_text(&recovered.status),
        cassette.manifest().timing.duration_ms.time().as_secs_f64(),
        count(cassette.output_len(), "byte"),
    ))
}
