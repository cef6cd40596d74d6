//! `batch`: executes several requests in order, until one fails.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Perform;
use crate::service::MethodContext;
use crate::wire::{ErrorCode, RpcError};

/// Maximum nesting depth of requests. Without it, a recording that replays itself would not end.
pub(super) const MAX_DEPTH: usize = 8;

/// Executes several steps.
#[derive(Debug, Deserialize)]
pub(crate) struct Batch {
    steps: Option<Vec<BatchStep>>,
}

#[derive(Debug, Deserialize)]
struct BatchStep {
    method: String,
    #[serde(default)]
    params: Value,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BatchResponse {
    completed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RpcError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_step: Option<usize>,
    ok: bool,
    results: Vec<Value>,
}

impl Perform for Batch {
    type Response = BatchResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<BatchResponse, RpcError> {
        check_depth(context)?;
        let mut results = Vec::new();
        for (index, step) in self.steps.unwrap_or_default().into_iter().enumerate() {
            context.check_cancelled()?;
            let done = match step.method.as_str() {
                "server.shutdown" => Err(RpcError::new(
                    ErrorCode::ShutdownInBatch,
                    "`server.shutdown` must be a separate request",
                )),
                method => {
                    let service = context.service;
                    service.call_within(
                        method,
                        step.params,
                        context.interrupt,
                        context.nested_origin(),
                    )
                }
            };
            match done {
                Ok(result) => results.push(result),
                // A cancelled batch executes no further step.
                Err(failure) if failure.code() == ErrorCode::Cancelled => return Err(failure),
                Err(failure) => {
                    return Ok(BatchResponse {
                        completed: results.len(),
                        error: Some(failure),
                        error_step: Some(index + 1),
                        ok: false,
                        results,
                    });
                }
            }
        }
        Ok(BatchResponse {
            completed: results.len(),
            error: None,
            error_step: None,
            ok: true,
            results,
        })
    }
}

/// Fails if the request must not contain further requests.
pub(super) fn check_depth(context: &MethodContext<'_>) -> Result<(), RpcError> {
    if context.origin.depth < MAX_DEPTH {
        Ok(())
    } else {
        Err(RpcError::failed(format!(
            "`batch` and `replay` are nested more than {MAX_DEPTH} levels deep"
        )))
    }
}
