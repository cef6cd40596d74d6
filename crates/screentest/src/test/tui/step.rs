//! A part of a test that has a name and may be tried again.

use std::time::Duration;

use super::{Tui, TuiError, lock};
use crate::session::wait::WaitError;
use crate::test::failure::Failure;

/// How a step is tried.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct StepOptions {
    /// How often it is tried again; as [`RunOptions::step_retries`](crate::RunOptions::step_retries) says where it is `None`.
    pub max_retries: Option<u32>,
    /// How long to wait before it is tried again.
    pub retry_delay: Duration,
}

impl StepOptions {
    /// Tries again so often.
    pub fn retries(retries: u32) -> StepOptions {
        StepOptions {
            max_retries: Some(retries),
            ..StepOptions::default()
        }
    }

    /// Waits before it tries again.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> StepOptions {
        self.retry_delay = delay;
        self
    }
}

impl Tui {
    /// Does a part of the test under a name, which a failure mentions, and tries it again where the options say so.
    pub fn step<T>(
        &self,
        options: StepOptions,
        label: &str,
        mut body: impl FnMut() -> Result<T, Failure>,
    ) -> Result<T, TuiError> {
        let retries = options
            .max_retries
            .unwrap_or(self.shared.options.step_retries);
        let _under_way = UnderWay::begin(self, label);
        let mut attempts = 0;
        loop {
            attempts += 1;
            let failure = match body() {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            // Without time left, another try would only hide what went wrong in this one.
            let time = self
                .time_left()
                .is_none_or(|left| left > options.retry_delay);
            if attempts > retries || !time || is_over(&failure) {
                return Err(TuiError::Step {
                    label: label.to_owned(),
                    attempts,
                    failure,
                });
            }
            self.shared.clock.pass(options.retry_delay);
        }
    }
}

/// Whether a step failed as the test is over.
fn is_over(failure: &Failure) -> bool {
    match failure.downcast_ref::<TuiError>() {
        Some(TuiError::Over) => true,
        Some(TuiError::Wait { error, .. }) => matches!(error, WaitError::Closed { .. }),
        Some(TuiError::Step { failure, .. }) => is_over(failure),
        _ => false,
    }
}

/// A step that is under way, however it ends.
struct UnderWay<'a>(&'a Tui);

impl UnderWay<'_> {
    fn begin<'a>(tui: &'a Tui, label: &str) -> UnderWay<'a> {
        lock(&tui.shared.steps).push(label.to_owned());
        UnderWay(tui)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        lock(&self.0.shared.steps).pop();
    }
}
