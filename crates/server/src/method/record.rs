//! Recording what is asked, answered and shown.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Done, Perform};
use crate::recording::Order;
use crate::service::Job;
use crate::wire::Failure;
use crate::wire::nothing::Nothing;
use crate::wire::number::Whole;

/// Starts a recording.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordingStart {
    path: PathBuf,
    frame_interval_ms: Option<Whole>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Started {
    frame_interval_ms: u64,
    ok: bool,
    path: String,
}

/// How often frames are taken unless a client says otherwise.
const INTERVAL: Whole = Whole(200);

impl Perform for RecordingStart {
    type Answer = Started;

    fn perform(self, job: &Job<'_>) -> Result<Started, Failure> {
        // As in the documents that this follows, less than nothing is nothing: no frames.
        let interval = self
            .frame_interval_ms
            .unwrap_or(INTERVAL)
            .0
            .max(0)
            .unsigned_abs();
        let shown = self.path.display().to_string();
        let order = Order {
            path: self.path,
            interval: Duration::from_millis(interval),
            session: job.session.clone(),
            stage: job.stage().ok().map(Arc::clone),
        };
        // What was answered before belongs to the recording before, if to any.
        job.around.caller.outlet.flush();
        let path =
            job.service.recorder.start(order).map_err(|error| {
                Failure::caused(&format!("could not record to `{shown}`"), &error)
            })?;
        Ok(Started {
            frame_interval_ms: interval,
            ok: true,
            path: path.display().to_string(),
        })
    }
}

/// Ends the recording.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct RecordingStop {
    _nothing: Nothing,
}

impl Perform for RecordingStop {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        // What was answered before belongs to it.
        job.around.caller.outlet.flush();
        match job.service.recorder.stop() {
            None => Ok(Done::OK),
            Some(failed) => Err(Failure::failed(format!(
                "the recording ended early: {failed}"
            ))),
        }
    }
}

/// Says whether there is a recording.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct RecordingStatus {
    _nothing: Nothing,
}

#[derive(Debug, Serialize)]
pub(crate) struct Status {
    active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    path: Option<String>,
}

impl Perform for RecordingStatus {
    type Answer = Status;

    fn perform(self, job: &Job<'_>) -> Result<Status, Failure> {
        let status = job.service.recorder.status();
        Ok(Status {
            active: status.path.is_some(),
            error: status.failed,
            path: status.path.map(|path| path.display().to_string()),
        })
    }
}
