//! `replay`: executes the requests of a recording.
//!
//! The requests are executed in order by this server. Their results are discarded. Frames,
//! responses and notifications in the recording are skipped.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Perform;
use super::batch::check_depth;
use crate::limits::MAX_BATCH_STEPS;
use crate::service::recording::{Direction, EventReader};
use crate::service::{MethodContext, RequestOrigin};
use crate::wire::message::{self, RpcRequest};
use crate::wire::{ErrorCode, RpcError};

/// Executes the requests of a recording.
#[derive(Debug, Deserialize)]
pub(crate) struct Replay {
    path: String,
    speed: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReplayResponse {
    ok: bool,
    path: String,
    replayed_requests: usize,
    speed: &'static str,
}

/// Whether to keep the pauses between requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplaySpeed {
    AsFastAsPossible,
    RealTime,
}

impl ReplaySpeed {
    fn read(word: Option<&str>) -> Result<ReplaySpeed, RpcError> {
        match word.map(|word| word.trim().to_lowercase()).as_deref() {
            None | Some("as-fast-as-possible") => Ok(ReplaySpeed::AsFastAsPossible),
            Some("real-time") => Ok(ReplaySpeed::RealTime),
            Some(other) => Err(RpcError::invalid_params(format!(
                "speed must be one of: as-fast-as-possible, real-time; not {other}"
            ))),
        }
    }

    fn word(self) -> &'static str {
        match self {
            ReplaySpeed::AsFastAsPossible => "as-fast-as-possible",
            ReplaySpeed::RealTime => "real-time",
        }
    }
}

impl Perform for Replay {
    type Response = ReplayResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<ReplayResponse, RpcError> {
        check_depth(context)?;
        let speed = ReplaySpeed::read(self.speed.as_deref())?;
        let path = std::path::absolute(&self.path).unwrap_or_else(|_| PathBuf::from(&self.path));
        let what = format!("could not replay `{}`", path.display());
        let caused = |error: &dyn std::error::Error| RpcError::with_cause(&what, error);
        // Reading a pipe may block.
        if !path.metadata().map_err(|error| caused(&error))?.is_file() {
            return Err(RpcError::failed(format!("{what}: it is not a file")));
        }
        let recorded = context.service.recorder.status().path;
        if recorded.is_some() && recorded == path.canonicalize().ok() {
            return Err(RpcError::failed(format!(
                "{what}: it is being recorded; stop it with `recording.stop`"
            )));
        }
        let file = File::open(&path).map_err(|error| caused(&error))?;
        let mut replayed = 0;
        let mut before = None;
        for event in EventReader::new(BufReader::new(file)) {
            let event = event.map_err(|error| caused(&error))?;
            if event.direction != Direction::Request {
                continue;
            }
            if speed == ReplaySpeed::RealTime {
                let now = event.timestamp_micros;
                let pause = now.saturating_sub(before.replace(now).unwrap_or(now));
                // Pause as long as the recording did.
                context.interrupt.pause(Duration::from_micros(pause));
            }
            context.check_cancelled()?;
            step(context, &event.line, &what)?;
            replayed += 1;
        }
        Ok(ReplayResponse {
            ok: true,
            path: self.path,
            replayed_requests: replayed,
            speed: speed.word(),
        })
    }
}

fn step(context: &MethodContext<'_>, line: &str, what: &str) -> Result<(), RpcError> {
    let RpcRequest { method, params, .. } = message::parse_request(line.as_bytes())
        .map_err(|invalid| RpcError::failed(format!("{what}: {}", invalid.error.details())))?;
    let origin = RequestOrigin {
        replayed: true,
        // Each recorded request has the limit that it had when it was recorded.
        steps_left: Arc::new(AtomicUsize::new(MAX_BATCH_STEPS)),
        ..context.nested_origin()
    };
    let done = context
        .service
        .call_within(&method, params, context.interrupt, origin);
    match done {
        Ok(_) => Ok(()),
        Err(failure) if failure.code() == ErrorCode::Cancelled => Err(failure),
        Err(failure) => Err(RpcError::failed(format!(
            "replay step failed ({method}): {}: {}",
            failure.message(),
            failure.details()
        ))),
    }
}
