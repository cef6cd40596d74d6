//! `screentest cassette cut`: copies a part of a recording.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use screentest::recording::cassette::CutError;
use screentest::recording::{Cassette, Moment};

use super::count;
use crate::failure::{self, Failure};
use crate::input::cassette_failure::{cassette_failure, cassette_failure_with_hint, play_failure};
use crate::input::recording::clamp_moment;

/// Copy a part of a recording into a new cassette
///
/// The part shows the same screens, has the same marks, and passes `verify`. Earlier output is
/// included, as if it had been written at once: the screen depends on it. To remove a secret, use
/// `scrub` instead.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  screentest cassette cut demo.cassette --from 2.5 --to saved -o part.cassette")]
pub(super) struct Cut {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Start: a second or a mark (`mark:5` for a mark whose name is a number)
    #[arg(long, value_name = "S|MARK", value_parser = parse_moment, default_value = "0", allow_hyphen_values = true)]
    from: Moment,
    /// End: a second or a mark [default: end of the recording]
    #[arg(long, value_name = "S|MARK", value_parser = parse_moment, allow_hyphen_values = true)]
    to: Option<Moment>,
    /// Path of the new cassette
    #[arg(short, long, value_name = "Y.cassette")]
    output: PathBuf,
}

fn parse_moment(text: &str) -> Result<Moment, String> {
    if let Some(name) = text.strip_prefix("mark:") {
        return Ok(Moment::Mark(name.to_owned()));
    }
    match text.parse::<f64>().ok().map(Duration::try_from_secs_f64) {
        None => Ok(Moment::Mark(text.to_owned())),
        Some(Ok(time)) => Ok(Moment::Time(time)),
        Some(Err(_)) => Err("expected a number of seconds, 0 or more, or a mark".to_owned()),
    }
}

pub(super) fn run(args: &Cut) -> Result<(), Failure> {
    let cassette = Cassette::open(&args.path).map_err(cassette_failure)?;
    let within = |moment: &Moment| match moment {
        Moment::Time(time) => {
            let length = cassette.manifest().timing.duration_ms.time();
            // `Cassette::cut` refuses a moment after the end, with the same message for both
            // options.
            Moment::Time(clamp_moment(*time, length).unwrap_or(*time))
        }
        moment => moment.clone(),
    };
    let to = args.to.as_ref().map_or(Moment::End, within);
    let made = cassette.cut(&within(&args.from), &to, &args.output);
    let path = made.map_err(|error| match error {
        CutError::Play(error) => play_failure(error),
        CutError::Cassette(error) => {
            cassette_failure_with_hint(error, "cutting needs the emulator that derived the frames")
        }
        error => Failure::usage(error),
    })?;
    let part = Cassette::open(&path).map_err(cassette_failure)?;
    let duration = part.manifest().timing.duration_ms.time();
    failure::note(&format!(
        "wrote {}: {:.3} s, {} of output",
        path.display(),
        duration.as_secs_f64(),
        count(part.output_len(), "byte"),
    ));
    Ok(())
}
