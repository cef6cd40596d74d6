//! `waitForText`, `waitUntil`, `waitForStable`, `expectVisible` and `expectNotVisible`.
//!
//! A wait is woken by the program's output, so `pollIntervalMs` has no effect. It is accepted
//! because clients of tuispec send it.

use std::time::Duration;

use screentest::Terminal;
use screentest::core::query::condition::{WaitPattern, WaitScope};
use screentest::core::query::selector::Regex;
use screentest::core::{Condition, Selector};
use screentest::session::SessionFrame;
use serde::Deserialize;

use super::{OkResponse, Perform};
use crate::service::MethodContext;
use crate::session::screen_text;
use crate::wire::RpcError;
use crate::wire::number::{WholeNumber, millis};
use crate::wire::selector::{Syntax, WireSelector, add_pattern_hint, ambiguity, syntax};

/// Returns the session's terminal with a timeout. Its waits end when the request is cancelled.
fn tui_with_timeout(
    context: &MethodContext<'_>,
    timeout: Option<Duration>,
    anytime: Option<bool>,
) -> Result<Terminal, RpcError> {
    Ok(context
        .session()?
        .tui()
        .with(context.wait_options_for(timeout, anytime)))
}

/// Waits until a selector has a match.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitForText {
    selector: WireSelector,
    timeout_ms: Option<WholeNumber>,
    /// Accepted for tuispec clients, and ignored.
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<WholeNumber>,
    ambiguity_mode: Option<String>,
    anytime: Option<bool>,
}

impl Perform for WaitForText {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let selector = self.selector.read()?;
        let mut waits =
            context.wait_options_for(millis("timeoutMs", self.timeout_ms)?, self.anytime);
        waits.ambiguity = ambiguity(self.ambiguity_mode.as_deref())?;
        let found = context
            .session()?
            .tui()
            .with(waits)
            .wait_for_selector(selector);
        found.map_err(|error| self.selector.failure("waitFor", &error))?;
        Ok(OkResponse::OK)
    }
}

/// Waits until a pattern matches a line of the screen.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitUntil {
    pattern: String,
    syntax: Option<String>,
    timeout_ms: Option<WholeNumber>,
    /// Accepted for tuispec clients, and ignored.
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<WholeNumber>,
    anytime: Option<bool>,
}

impl Perform for WaitUntil {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let condition = match syntax(self.syntax.as_deref())? {
            Syntax::Light => Condition::visible(Selector::pattern(&self.pattern)),
            Syntax::Full => regex_condition(&self.pattern)?,
        };
        let tui = tui_with_timeout(context, millis("timeoutMs", self.timeout_ms)?, self.anytime)?;
        let shown = tui.wait_for(condition);
        shown.map_err(|error| {
            let failure = RpcError::from_tui("waitUntil", &error);
            add_pattern_hint(failure, &error, &self.pattern, self.syntax.as_deref())
        })?;
        Ok(OkResponse::OK)
    }
}

/// Returns the condition for a regular expression. It is matched against each line, or against all
/// lines together if it contains a line end; `^` and `$` always match at the ends of a line.
/// Empty matches count, such as those of `x*`.
fn regex_condition(pattern: &str) -> Result<Condition, RpcError> {
    let read = |pattern: &str| {
        Regex::new(pattern).map_err(|error| RpcError::invalid_params(format!("pattern: {error}")))
    };
    let mut regex = read(pattern)?;
    if regex.has_line_end() {
        // Across several lines, `^` and `$` match at the ends of each line.
        regex = read(&format!("(?m){pattern}"))?;
    }
    Ok(WaitScope::Screen.condition(WaitPattern::Regex(regex)))
}

/// Waits until the text has not changed for some time.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WaitForStable {
    debounce_ms: WholeNumber,
    timeout_ms: Option<WholeNumber>,
    /// Accepted for tuispec clients, and ignored.
    #[serde(rename = "pollIntervalMs")]
    _poll_interval_ms: Option<WholeNumber>,
}

impl Perform for WaitForStable {
    type Response = OkResponse;

    /// Compares the text only: a blinking cursor or a colour change does not extend the wait.
    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let program = session.program_session("waitForStable")?;
        let debounce = self.debounce_ms.millis("debounceMs")?;
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let timeout = timeout.unwrap_or(session.tui().options().timeout);
        let mut text = None;
        let is_change = |frame: &SessionFrame| {
            let now = Some(screen_text::text(&frame.screen));
            std::mem::replace(&mut text, now.clone()) != now
        };
        let limits = context.interrupt.within(timeout);
        let settled = program.wait_until_settled(debounce, limits, is_change);
        settled.map_err(|error| RpcError::from_wait("waitForStable", &error))?;
        Ok(OkResponse::OK)
    }
}

/// Asserts that a selector has a match. Waits for it with the session's timeout unless another is
/// given.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpectVisible {
    selector: WireSelector,
    timeout_ms: Option<WholeNumber>,
    anytime: Option<bool>,
}

impl Perform for ExpectVisible {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let selector = self.selector.read()?;
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let shown = tui_with_timeout(context, timeout, self.anytime)?.expect_visible(selector);
        shown.map_err(|error| self.selector.failure("waitFor", &error))?;
        Ok(OkResponse::OK)
    }
}

/// Asserts that a selector has no match. Waits for it with the session's timeout unless another is
/// given.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpectNotVisible {
    selector: WireSelector,
    timeout_ms: Option<WholeNumber>,
}

impl Perform for ExpectNotVisible {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let selector = self.selector.read()?;
        let gone = tui_with_timeout(context, millis("timeoutMs", self.timeout_ms)?, None)?
            .expect_not_visible(selector);
        gone.map_err(|error| RpcError::from_tui("waitFor", &error))?;
        Ok(OkResponse::OK)
    }
}
