//! `screentest cassette scrub`: redacts secrets of an existing recording.

use std::path::PathBuf;

use clap::Args;
use screentest::recording::cassette::ScrubError;
use screentest::recording::{Cassette, RecordError};

use super::{count, scrub_rules};
use crate::failure::{self, Exit, Failure};
use crate::input::cassette_failure::{cassette_failure, cassette_failure_with_hint};

/// Redact secrets in an existing recording
///
/// Writes a new cassette in which the secrets are redacted in every file, as `record` does. The new
/// cassette passes `verify`. The original is not changed: delete it yourself.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  screentest cassette scrub demo.cassette --secret API_TOKEN -o clean.cassette")]
pub(super) struct Scrub {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Path of the new cassette
    #[arg(short, long, value_name = "Y.cassette")]
    output: PathBuf,
    /// Redact the value of this environment variable, also in encoded forms such as base64
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// Redact 8 or more letters, digits and `._~+/=-` that follow PREFIX; common keys and tokens
    /// are always redacted
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    shape: Vec<String>,
}

pub(super) fn run(args: &Scrub) -> Result<(), Failure> {
    let mut rules = scrub_rules(&args.secret)?;
    for prefix in &args.shape {
        rules = rules.and_token_prefix(prefix).map_err(Failure::usage)?;
    }
    let cassette = Cassette::open(&args.path).map_err(cassette_failure)?;
    let hits = |cassette: &Cassette| -> Result<u64, Failure> {
        let report = cassette.scrub_report().map_err(cassette_failure)?;
        Ok(report.rules.values().sum())
    };
    let before = hits(&cassette)?;
    let path = cassette
        .scrub(rules, &args.output)
        .map_err(|error| match error {
            ScrubError::Cassette(error) => cassette_failure_with_hint(
                error,
                "redacting needs the emulator that derived the frames",
            ),
            ScrubError::Record(
                error @ (RecordError::SecretLeft { .. } | RecordError::SecretShown { .. }),
            ) => Failure::new(Exit::Failed, error),
            error => Failure::usage(error),
        })?;
    let redacted = hits(&Cassette::open(&path).map_err(cassette_failure)?)?.saturating_sub(before);
    failure::note(&format!(
        "wrote {}: {} redacted",
        path.display(),
        count(redacted, "secret")
    ));
    Ok(())
}
