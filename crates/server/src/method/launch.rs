//! Starting a program.

use std::collections::BTreeMap;

use screentest::core::Selector;
use screentest::{Mark, SpawnError, Terminal, TuiError, WaitError};
use serde::Deserialize;

use super::{Done, Perform};
use crate::program::Program;
use crate::service::Job;
use crate::wire::Failure;
use crate::wire::number::{Whole, millis};
use crate::wire::selector::WireSelector;

/// Starts a program in place of the one before.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Launch {
    command: String,
    #[serde(default)]
    args: Option<Vec<String>>,
    env: Option<BTreeMap<String, Option<String>>>,
    inherit: Option<BTreeMap<String, String>>,
    cwd: Option<String>,
    /// Nothing of the server's environment but what it takes to start.
    hermetic: Option<bool>,
    ready_selector: Option<WireSelector>,
    ready_timeout_ms: Option<Whole>,
    /// Taken for who sends it: a wait is woken by what the program writes.
    #[serde(rename = "readyPollIntervalMs")]
    _ready_poll_interval_ms: Option<Whole>,
}

impl Perform for Launch {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        // All that can be wrong with the words is said before a program starts for nothing.
        let ready = self.ready_selector.as_ref();
        let ready = ready.map(|wire| wire.read().map(|selector| (wire, selector)));
        let ready = ready.transpose()?;
        let timeout = millis("readyTimeoutMs", self.ready_timeout_ms)?;
        if self.command.is_empty() {
            return Err(Failure::params("command cannot be empty"));
        }
        let has_words = self.command.contains(char::is_whitespace);
        let program = Program {
            command: self.command,
            args: self.args,
            env: self.env,
            inherit: self.inherit,
            cwd: self.cwd,
            hermetic: self.hermetic,
        };
        stage.launch(program.app()).map_err(|error| {
            let failure = Failure::of("launch", &error);
            match error {
                TuiError::Launch(SpawnError::NotInPath { .. } | SpawnError::NoSuchFile { .. })
                    if has_words =>
                {
                    failure.and("; `command` is the program alone, `args` has the words behind it")
                }
                _ => failure,
            }
        })?;
        if let Some((wire, ready)) = ready {
            wait(&stage.tui().with(job.waits(timeout)), ready).map_err(|error| {
                let failure = wire.failure("waitFor", &error);
                match error {
                    TuiError::Wait {
                        error: WaitError::TimedOut { .. },
                        ..
                    } => failure.and(
                        "; the program was started and runs, `readyTimeoutMs` gives `readySelector` more time",
                    ),
                    _ => failure,
                }
            })?;
        }
        Ok(Done::OK)
    }
}

/// Waits until the program is ready. It may have said so before anybody waited, and gone on.
fn wait(tui: &Terminal, ready: Selector) -> Result<(), TuiError> {
    let frame = tui.wait_since(&ready, Mark::START)?;
    if ready
        .resolve(&frame.screen, tui.options().ambiguity)
        .is_ok()
    {
        return Ok(());
    }
    // More than one: that one of them is left is for the usual wait to find out, or to explain.
    tui.wait_for_selector(ready).map(drop)
}
