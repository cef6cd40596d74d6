//! `screentest cassette scrub`: covering a secret that nobody thought of while recording.

use std::path::PathBuf;

use clap::Args;
use screentest::recording::cassette::ScrubError;
use screentest::{Cassette, RecordError};

use super::{count, refused, refused_unless, secrets};
use crate::failure::{self, Exit, Failure};

/// Cover secrets in a recording that is there already
///
/// What is written is another cassette, in which all that shows a secret is covered as `record` does it, in every file, and which verifies. The
/// first one stays as it is: remove it.
#[derive(Debug, Args)]
pub(super) struct Scrub {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Where the other one goes
    #[arg(short, long, value_name = "Y.cassette")]
    output: PathBuf,
    /// Cover the value that this variable has, wherever it shows up, in whatever form
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// Cover what begins so and goes on with 8 or more letters, digits and `._~+/=-`; the usual keys and tokens are covered anyway
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    shape: Vec<String>,
}

pub(super) fn run(asked: &Scrub) -> Result<(), Failure> {
    let mut secrets = secrets(&asked.secret)?;
    for prefix in &asked.shape {
        secrets = secrets.and_token_prefix(prefix).map_err(Failure::usage)?;
    }
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    let hits = |cassette: &Cassette| -> Result<u64, Failure> {
        let report = cassette.scrub_report().map_err(refused)?;
        Ok(report.rules.values().sum())
    };
    let before = hits(&cassette)?;
    let path = cassette
        .scrub(secrets, &asked.output)
        .map_err(|error| match error {
            ScrubError::Cassette(error) => refused_unless(
                error,
                "the emulator that derived the frames derives them again",
            ),
            ScrubError::Record(
                error @ (RecordError::SecretLeft { .. } | RecordError::SecretShown { .. }),
            ) => Failure::new(Exit::Failed, error),
            error => Failure::usage(error),
        })?;
    let covered = hits(&Cassette::open(&path).map_err(refused)?)?.saturating_sub(before);
    failure::note(&format!(
        "wrote {}: {} covered",
        path.display(),
        count(covered, "secret")
    ));
    Ok(())
}
