//! Doing again what a recording has.
//!
//! Its requests are done by this server, one after the other; what they answer is not told. Frames and answers of the recording are
//! passed over.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Perform;
use super::batch::check_depth;
use crate::recording::{Direction, Reader};
use crate::service::{Around, Job};
use crate::wire::message::{self, Call};
use crate::wire::{Code, Failure};

/// Does again what a recording has.
#[derive(Debug, Deserialize)]
pub(crate) struct Replay {
    path: String,
    speed: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Replayed {
    ok: bool,
    path: String,
    replayed_requests: usize,
    speed: &'static str,
}

/// How fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speed {
    AsFastAsPossible,
    RealTime,
}

impl Speed {
    fn read(word: Option<&str>) -> Result<Speed, Failure> {
        match word.map(|word| word.trim().to_lowercase()).as_deref() {
            None | Some("as-fast-as-possible") => Ok(Speed::AsFastAsPossible),
            Some("real-time") => Ok(Speed::RealTime),
            Some(other) => Err(Failure::params(format!(
                "speed must be one of: as-fast-as-possible, real-time; not {other}"
            ))),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Speed::AsFastAsPossible => "as-fast-as-possible",
            Speed::RealTime => "real-time",
        }
    }
}

impl Perform for Replay {
    type Answer = Replayed;

    fn perform(self, job: &Job<'_>) -> Result<Replayed, Failure> {
        check_depth(job)?;
        let speed = Speed::read(self.speed.as_deref())?;
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| PathBuf::from(&self.path));
        let what = format!("could not replay `{}`", path.display());
        let caused = |error: &dyn std::error::Error| Failure::caused(&what, error);
        // A pipe would keep us waiting.
        if !path.metadata().map_err(|error| caused(&error))?.is_file() {
            return Err(Failure::failed(format!("{what}: it is not a file")));
        }
        let recorded = job.service.recorder.status().path;
        if recorded.is_some() && recorded == path.canonicalize().ok() {
            return Err(Failure::failed(format!(
                "{what}: it is being recorded; `recording.stop` ends that"
            )));
        }
        let file = File::open(&path).map_err(|error| caused(&error))?;
        let mut replayed = 0;
        let mut before = None;
        for event in Reader::new(BufReader::new(file)) {
            let event = event.map_err(|error| caused(&error))?;
            if event.direction != Direction::Request {
                continue;
            }
            if speed == Speed::RealTime {
                let now = event.timestamp_micros;
                let pause = now.saturating_sub(before.replace(now).unwrap_or(now));
                // As long as the recording did.
                job.interrupt.pause(Duration::from_micros(pause));
            }
            job.check()?;
            step(job, &event.line, &what)?;
            replayed += 1;
        }
        Ok(Replayed {
            ok: true,
            path: self.path,
            replayed_requests: replayed,
            speed: speed.word(),
        })
    }
}

fn step(job: &Job<'_>, line: &str, what: &str) -> Result<(), Failure> {
    let Call { method, params, .. } = message::read(line.as_bytes())
        .map_err(|refused| Failure::failed(format!("{what}: {}", refused.failure.details())))?;
    let around = Around {
        replayed: true,
        ..job.around()
    };
    let done = job
        .service
        .call_within(&method, params, job.interrupt, around);
    match done {
        Ok(_) => Ok(()),
        Err(failure) if failure.code() == Code::Cancelled => Err(failure),
        Err(failure) => Err(Failure::failed(format!(
            "replay step failed ({method}): {}: {}",
            failure.message(),
            failure.details()
        ))),
    }
}
