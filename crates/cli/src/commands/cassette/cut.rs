//! `screentest cassette cut`: a part of a recording.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use screentest::recording::cassette::CutError;
use screentest::{Cassette, Moment};

use super::{count, refused, refused_unless, unplayed};
use crate::failure::{self, Failure};
use crate::recording::clamped;

/// Make a part of a recording a cassette of its own
///
/// It shows what was shown, with the same marks, and verifies. What the program wrote before is in it too, as if it had come at once: what a
/// terminal shows depends on it. To leave out a secret, use `scrub`.
#[derive(Debug, Args)]
pub(super) struct Cut {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Where the part begins: seconds since the start, or a mark (`mark:5` for one that is called like a number)
    #[arg(long, value_name = "S|MARK", value_parser = moment, default_value = "0", allow_hyphen_values = true)]
    from: Moment,
    /// Where it ends; without it at the end of the recording
    #[arg(long, value_name = "S|MARK", value_parser = moment, allow_hyphen_values = true)]
    to: Option<Moment>,
    /// Where the part goes
    #[arg(short, long, value_name = "Y.cassette")]
    output: PathBuf,
}

fn moment(text: &str) -> Result<Moment, String> {
    if let Some(name) = text.strip_prefix("mark:") {
        return Ok(Moment::Mark(name.to_owned()));
    }
    match text.parse::<f64>().ok().map(Duration::try_from_secs_f64) {
        None => Ok(Moment::Mark(text.to_owned())),
        Some(Ok(time)) => Ok(Moment::Time(time)),
        Some(Err(_)) => Err("not a number of seconds from 0, nor a mark".to_owned()),
    }
}

pub(super) fn run(asked: &Cut) -> Result<(), Failure> {
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    let within = |moment: &Moment| match moment {
        Moment::Time(time) => {
            let length = cassette.manifest().timing.duration_ms.time();
            // What lies behind the end is refused where it is cut, with the same words for both.
            Moment::Time(clamped(*time, length).unwrap_or(*time))
        }
        moment => moment.clone(),
    };
    let to = asked.to.as_ref().map_or(Moment::End, within);
    let made = cassette.cut(&within(&asked.from), &to, &asked.output);
    let path = made.map_err(|error| match error {
        CutError::Play(error) => unplayed(error),
        CutError::Cassette(error) => refused_unless(
            error,
            "the emulator that derived the frames derives the part",
        ),
        error => Failure::usage(error),
    })?;
    let part = Cassette::open(&path).map_err(refused)?;
    let duration = part.manifest().timing.duration_ms.time();
    failure::note(&format!(
        "wrote {}: {:.3} s, {} of output",
        path.display(),
        duration.as_secs_f64(),
        count(part.output_len(), "byte"),
    ));
    Ok(())
}
