//! Several steps in one request: one after the other, until one fails.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Perform;
use crate::service::Job;
use crate::wire::{Code, Failure};

/// How many requests may be inside of each other: a recording that replays itself would have no end.
pub(super) const DEEPEST: usize = 8;

/// Does several steps.
#[derive(Debug, Deserialize)]
pub(crate) struct Batch {
    steps: Option<Vec<Step>>,
}

#[derive(Debug, Deserialize)]
struct Step {
    method: String,
    #[serde(default)]
    params: Value,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Steps {
    completed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_step: Option<usize>,
    ok: bool,
    results: Vec<Value>,
}

impl Perform for Batch {
    type Answer = Steps;

    fn perform(self, job: &Job<'_>) -> Result<Steps, Failure> {
        check_depth(job)?;
        let mut results = Vec::new();
        for (index, step) in self.steps.unwrap_or_default().into_iter().enumerate() {
            job.check()?;
            let done = match step.method.as_str() {
                "server.shutdown" => Err(Failure::new(
                    Code::ShutdownInBatch,
                    "`server.shutdown` is a request of its own",
                )),
                method => {
                    let service = job.service;
                    service.call_within(method, step.params, job.interrupt, job.around())
                }
            };
            match done {
                Ok(result) => results.push(result),
                // Who cancelled the request wants none of the rest.
                Err(failure) if failure.code() == Code::Cancelled => return Err(failure),
                Err(failure) => {
                    return Ok(Steps {
                        completed: results.len(),
                        error: Some(failure),
                        error_step: Some(index + 1),
                        ok: false,
                        results,
                    });
                }
            }
        }
        Ok(Steps {
            completed: results.len(),
            error: None,
            error_step: None,
            ok: true,
            results,
        })
    }
}

/// Whether more may be inside.
pub(super) fn check_depth(job: &Job<'_>) -> Result<(), Failure> {
    match job.around.depth < DEEPEST {
        true => Ok(()),
        false => Err(Failure::failed(format!(
            "`batch` and `replay` may be inside of each other {DEEPEST} times, not more"
        ))),
    }
}
