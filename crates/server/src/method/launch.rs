//! `launch`: starts a program.

use std::collections::BTreeMap;

use screentest::core::Selector;
use screentest::pty::SpawnError;
use screentest::session::WaitError;
use screentest::{Mark, Terminal, TuiError};
use serde::Deserialize;

use super::{OkResponse, Perform};
use crate::service::MethodContext;
use crate::service::app_spec::AppSpec;
use crate::wire::RpcError;
use crate::wire::number::{WholeNumber, millis};
use crate::wire::selector::WireSelector;

/// Starts a program. Replaces the program before it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Launch {
    command: String,
    #[serde(default)]
    args: Option<Vec<String>>,
    env: Option<BTreeMap<String, Option<String>>>,
    inherit: Option<BTreeMap<String, String>>,
    cwd: Option<String>,
    /// Isolates the program from the user's settings: it inherits only the variables that it needs.
    hermetic: Option<bool>,
    ready_selector: Option<WireSelector>,
    ready_timeout_ms: Option<WholeNumber>,
    /// Accepted for tuispec clients, and ignored.
    #[serde(rename = "readyPollIntervalMs")]
    _ready_poll_interval_ms: Option<WholeNumber>,
}

impl Perform for Launch {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        // Report invalid parameters before the program is started.
        let ready = self.ready_selector.as_ref();
        let ready = ready.map(|wire| wire.read().map(|selector| (wire, selector)));
        let ready = ready.transpose()?;
        let timeout = millis("readyTimeoutMs", self.ready_timeout_ms)?;
        if self.command.is_empty() {
            return Err(RpcError::invalid_params("command cannot be empty"));
        }
        let has_spaces = self.command.contains(char::is_whitespace);
        let app = AppSpec {
            command: self.command,
            args: self.args,
            env: self.env,
            inherit: self.inherit,
            cwd: self.cwd,
            hermetic: self.hermetic,
        };
        session.launch(app.into_app()).map_err(|error| {
            let failure = RpcError::from_tui("launch", &error);
            match error {
                TuiError::Launch(SpawnError::NotInPath { .. } | SpawnError::NoSuchFile { .. })
                    if has_spaces =>
                {
                    failure
                        .append("; `command` is the program only, its arguments belong in `args`")
                }
                _ => failure,
            }
        })?;
        if let Some((wire, ready)) = ready {
            wait(&session.tui().with(context.wait_options(timeout)), ready).map_err(|error| {
                let failure = wire.failure("waitFor", &error);
                match error {
                    TuiError::Wait {
                        error: WaitError::TimedOut { .. },
                        ..
                    } => failure.append(
                        "; the program was started and is running; give `readySelector` more time with `readyTimeoutMs`",
                    ),
                    _ => failure,
                }
            })?;
        }
        Ok(OkResponse::OK)
    }
}

/// Waits until the program is ready. Its text may have appeared and vanished before the wait.
fn wait(tui: &Terminal, ready: Selector) -> Result<(), TuiError> {
    let frame = tui.wait_since(&ready, Mark::START)?;
    if ready
        .resolve(&frame.screen, tui.options().ambiguity)
        .is_ok()
    {
        return Ok(());
    }
    // The selector is ambiguous. The usual wait ends once one match is left, or fails with an
    // explanation.
    tui.wait_for_selector(ready).map(drop)
}
