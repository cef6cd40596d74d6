//! Waiting for what the screen should say.
//!
//! `pollIntervalMs` is taken for who sends it; every wait is woken by what the program writes.

use std::time::Duration;

use screentest::core::query::selector::Regex;
use screentest::core::{Condition, Selector};
use screentest::{Terminal, WaitError};
use screentest_tape::language::{Pattern, Scope};
use serde::Deserialize;

use super::{Done, Perform};
use crate::service::Job;
use crate::view;
use crate::wire::Failure;
use crate::wire::number::{Whole, millis};
use crate::wire::selector::{Syntax, WireSelector, ambiguity, light, syntax};

/// The terminal, whose waits end after so long, or when the request is cancelled.
fn patient(
    job: &Job<'_>,
    timeout: Option<Duration>,
    anytime: Option<bool>,
) -> Result<Terminal, Failure> {
    Ok(job.stage()?.tui().with(job.waits_for(timeout, anytime)))
}

/// Waits until a selector finds its match.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitForText {
    selector: WireSelector,
    timeout_ms: Option<Whole>,
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<Whole>,
    ambiguity_mode: Option<String>,
    anytime: Option<bool>,
}

impl Perform for WaitForText {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let selector = self.selector.read()?;
        let mut waits = job.waits_for(millis("timeoutMs", self.timeout_ms)?, self.anytime);
        waits.ambiguity = ambiguity(self.ambiguity_mode.as_deref())?;
        let found = job.stage()?.tui().with(waits).wait_for_selector(selector);
        found.map_err(|error| self.selector.failure("waitFor", &error))?;
        Ok(Done::OK)
    }
}

/// Waits until a pattern is found in a line of the screen.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitUntil {
    pattern: String,
    syntax: Option<String>,
    timeout_ms: Option<Whole>,
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<Whole>,
    anytime: Option<bool>,
}

impl Perform for WaitUntil {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let condition = match syntax(self.syntax.as_deref())? {
            Syntax::Light => Condition::visible(Selector::pattern(&self.pattern)),
            Syntax::Full => full(&self.pattern)?,
        };
        let tui = patient(job, millis("timeoutMs", self.timeout_ms)?, self.anytime)?;
        let shown = tui.wait_for(condition);
        shown.map_err(|error| {
            let failure = Failure::of("waitUntil", &error);
            light(failure, &error, &self.pattern, self.syntax.as_deref())
        })?;
        Ok(Done::OK)
    }
}

/// A regular expression in one line, or in all of them where it has a line end, in which `^` and `$` are the line's ends. One that matches no text, as `x*` does,
/// holds where a line has such a place.
fn full(pattern: &str) -> Result<Condition, Failure> {
    let read = |pattern: &str| {
        Regex::new(pattern).map_err(|error| Failure::params(format!("pattern: {error}")))
    };
    let mut regex = read(pattern)?;
    if regex.has_line_end() {
        // In an expression over several lines, `^` and `$` are the ends of each.
        regex = read(&format!("(?m){pattern}"))?;
    }
    Ok(Scope::Screen.asks(Pattern::Regex(regex)))
}

/// Waits until the text has stood still.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitForStable {
    debounce_ms: Whole,
    timeout_ms: Option<Whole>,
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<Whole>,
}

impl Perform for WaitForStable {
    type Answer = Done;

    /// Text alone counts: a cursor that blinks or a colour that changes is no reason to wait on.
    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let session = stage.session("waitForStable")?;
        let debounce = self.debounce_ms.millis("debounceMs")?;
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let timeout = timeout.unwrap_or(stage.tui().options().timeout);
        let clock = &job.service.clock;
        let deadline = clock.now().saturating_add(timeout);
        let mut frame = session.frame();
        let mut text = view::text(&frame.screen);
        let mut quiet = clock.now().saturating_add(debounce);
        loop {
            let left = quiet.min(deadline).saturating_sub(clock.now());
            match session.wait_for_frame(frame.mark(), job.interrupt.within(left)) {
                Ok(next) => {
                    frame = next;
                    let now = view::text(&frame.screen);
                    if now != text {
                        text = now;
                        quiet = clock.now().saturating_add(debounce);
                    }
                }
                // A program that has ended changes nothing any more.
                Err(WaitError::Ended { .. }) => return Ok(Done::OK),
                Err(WaitError::TimedOut { .. }) if clock.now() >= quiet => return Ok(Done::OK),
                Err(WaitError::TimedOut { report, .. }) if clock.now() >= deadline => {
                    let condition = format!("a screen unchanged for {debounce:?}");
                    let error = WaitError::TimedOut {
                        condition,
                        waited: timeout,
                        report,
                    };
                    return Err(Failure::of_wait("waitForStable", &error));
                }
                // The clocks of a wait and of ours do not tick together.
                Err(WaitError::TimedOut { .. }) => {}
                Err(error) => return Err(Failure::of_wait("waitForStable", &error)),
            }
        }
    }
}

/// Waits until a selector finds its match, in the session's time unless it is given another.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpectVisible {
    selector: WireSelector,
    timeout_ms: Option<Whole>,
    anytime: Option<bool>,
}

impl Perform for ExpectVisible {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let selector = self.selector.read()?;
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let shown = patient(job, timeout, self.anytime)?.expect_visible(selector);
        shown.map_err(|error| self.selector.failure("waitFor", &error))?;
        Ok(Done::OK)
    }
}

/// Waits until a selector finds nothing, in the session's time unless it is given another.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpectNotVisible {
    selector: WireSelector,
    timeout_ms: Option<Whole>,
}

impl Perform for ExpectNotVisible {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let selector = self.selector.read()?;
        let gone =
            patient(job, millis("timeoutMs", self.timeout_ms)?, None)?.expect_not_visible(selector);
        gone.map_err(|error| Failure::of("waitFor", &error))?;
        Ok(Done::OK)
    }
}
