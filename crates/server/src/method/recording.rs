//! `recording.start`, `recording.stop` and `recording.status`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{OkResponse, Perform};
use crate::service::MethodContext;
use crate::service::recording::RecordingOptions;
use crate::wire::RpcError;
use crate::wire::empty_params::EmptyParams;
use crate::wire::number::WholeNumber;

/// Starts a recording.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordingStart {
    path: PathBuf,
    frame_interval_ms: Option<WholeNumber>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StartResponse {
    frame_interval_ms: u64,
    ok: bool,
    path: String,
}

/// Default interval between frames, in milliseconds.
const DEFAULT_INTERVAL: WholeNumber = WholeNumber(200);

impl Perform for RecordingStart {
    type Response = StartResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<StartResponse, RpcError> {
        // As in tuispec, a negative interval means 0: no frames.
        let interval = self
            .frame_interval_ms
            .unwrap_or(DEFAULT_INTERVAL)
            .0
            .max(0)
            .unsigned_abs();
        let requested = self.path.display().to_string();
        let options = RecordingOptions {
            path: self.path,
            interval: Duration::from_millis(interval),
            session_name: context.session_name.clone(),
            session: context.session().ok().map(Arc::clone),
        };
        // Earlier responses belong to the previous recording, if there is one: write them to it
        // now.
        context.origin.caller.sink.flush();
        let path = context.service.recorder.start(options).map_err(|error| {
            RpcError::with_cause(&format!("could not record to `{requested}`"), &error)
        })?;
        Ok(StartResponse {
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
    _empty: EmptyParams,
}

impl Perform for RecordingStop {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        // Earlier responses belong to the recording: write them before it ends.
        context.origin.caller.sink.flush();
        match context.service.recorder.stop() {
            None => Ok(OkResponse::OK),
            Some(error) => Err(RpcError::failed(format!(
                "the recording ended early: {error}"
            ))),
        }
    }
}

/// Returns whether a recording is active.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct RecordingStatus {
    _empty: EmptyParams,
}

#[derive(Debug, Serialize)]
pub(crate) struct StatusResponse {
    active: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    path: Option<String>,
}

impl Perform for RecordingStatus {
    type Response = StatusResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<StatusResponse, RpcError> {
        let status = context.service.recorder.status();
        Ok(StatusResponse {
            active: status.path.is_some(),
            error: status.error,
            path: status.path.map(|path| path.display().to_string()),
        })
    }
}
