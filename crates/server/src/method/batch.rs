//! `batch`: executes several requests in order, until one fails.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Perform;
use crate::limits::{MAX_ANSWER_BYTES, MAX_BATCH_STEPS, UNRESERVED_BYTES};
use crate::service::{MethodContext, Reservation};
use crate::wire::answer::too_large;
use crate::wire::{Answer, ErrorCode, RpcError};

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
    results: Vec<Answer>,
    /// The memory of the small results, which reserve none themselves.
    #[serde(skip)]
    _memory: Reservation,
}

impl Perform for Batch {
    type Response = BatchResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<BatchResponse, RpcError> {
        check_depth(context)?;
        let (mut results, mut bytes) = (Vec::new(), 0);
        let role = context.origin.caller.role;
        let mut memory = context.service.answer_memory.reservation(role);
        for (index, step) in self.steps.unwrap_or_default().into_iter().enumerate() {
            context.check_cancelled()?;
            let done = perform_step(context, step).and_then(|answer| {
                let length = answer.text().len();
                bytes += length;
                // Room for the other fields of the response.
                if bytes + results.len() + 1024 > MAX_ANSWER_BYTES {
                    return Err(too_large());
                }
                // Small results reserve no memory themselves, but many of them together are large.
                if length <= UNRESERVED_BYTES && bytes > UNRESERVED_BYTES {
                    memory.grow(length)?;
                }
                Ok(answer)
            });
            match done {
                Ok(answer) => results.push(answer),
                // A cancelled batch executes no further step.
                Err(failure) if failure.code() == ErrorCode::Cancelled => return Err(failure),
                Err(failure) => {
                    return Ok(BatchResponse {
                        completed: results.len(),
                        error: Some(failure),
                        error_step: Some(index + 1),
                        ok: false,
                        results,
                        _memory: memory,
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
            _memory: memory,
        })
    }
}

fn perform_step(context: &MethodContext<'_>, step: BatchStep) -> Result<Answer, RpcError> {
    if step.method == "server.shutdown" {
        return Err(RpcError::new(
            ErrorCode::ShutdownInBatch,
            "`server.shutdown` must be a separate request",
        ));
    }
    let left = &context.origin.steps_left;
    let taken = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
        left.checked_sub(1)
    });
    taken.map_err(|_| {
        RpcError::failed(format!(
            "a `batch` has at most {MAX_BATCH_STEPS} steps, including those of nested ones: send the others in another request"
        ))
    })?;
    context.service.call_within(
        &step.method,
        step.params,
        context.interrupt,
        context.nested_origin(),
    )
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
