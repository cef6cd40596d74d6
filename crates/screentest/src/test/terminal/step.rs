//! Named parts of a test that can be retried.

use std::time::Duration;

use super::{Terminal, TuiError, lock};
use crate::session::wait::WaitError;
use crate::test::failure::Failure;

/// Options of a step.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct StepOptions {
    /// Number of retries; `None` takes
    /// [`RunOptions::step_retries`](crate::RunOptions::step_retries).
    pub max_retries: Option<u32>,
    /// Pause before a retry.
    pub retry_delay: Duration,
}

impl StepOptions {
    /// Returns options with this number of retries.
    pub fn retries(retries: u32) -> StepOptions {
        StepOptions {
            max_retries: Some(retries),
            ..StepOptions::default()
        }
    }

    /// Sets the pause before a retry.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> StepOptions {
        self.retry_delay = delay;
        self
    }
}

impl Terminal {
    /// Runs a part of the test under a name that failures mention, and retries it as the options
    /// say.
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
            // Without time left, another attempt would only hide the error of this one.
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

/// Returns whether a step failed because the test is over.
fn is_over(failure: &Failure) -> bool {
    match failure.downcast_ref::<TuiError>() {
        Some(TuiError::Over) => true,
        Some(TuiError::Wait { error, .. }) => matches!(error, WaitError::Closed { .. }),
        Some(TuiError::Step { failure, .. }) => is_over(failure),
        _ => false,
    }
}

/// Registration of a running step, removed on drop.
struct UnderWay<'a>(&'a Terminal);

impl UnderWay<'_> {
    fn begin<'a>(tui: &'a Terminal, label: &str) -> UnderWay<'a> {
        lock(&tui.shared.steps).push(label.to_owned());
        UnderWay(tui)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        lock(&self.0.shared.steps).pop();
    }
}
