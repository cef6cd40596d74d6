//! `initialize` and `close`: open and close sessions.

use std::time::Duration;

use screentest::{ExitCheck, RunOptions, Update};
use serde::{Deserialize, Serialize};

use super::{OkResponse, Perform};
use crate::service::{KeySource, MethodContext};
use crate::wire::number::WholeNumber;
use crate::wire::{RpcError, coordinates, selector, session_name, theme};

/// Opens a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    name: Option<String>,
    timeout_seconds: Option<f64>,
    terminal_cols: Option<WholeNumber>,
    terminal_rows: Option<WholeNumber>,
    ambiguity_mode: Option<String>,
    snapshot_theme: Option<String>,
    update_snapshots: Option<WireUpdate>,
    secrets: Option<Vec<String>>,
}

/// Which baselines are written: a flag or a word.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false or a string")]
enum WireUpdate {
    Flag(bool),
    Word(String),
}

impl WireUpdate {
    fn read(&self) -> Result<Update, RpcError> {
        let word = match self {
            WireUpdate::Flag(true) => return Ok(Update::All),
            WireUpdate::Flag(false) => return Ok(Update::Missing),
            WireUpdate::Word(word) => word,
        };
        match word.trim().to_lowercase().as_str() {
            "all" => Ok(Update::All),
            "changed" => Ok(Update::Changed),
            "missing" => Ok(Update::Missing),
            "none" => Ok(Update::None),
            _ => Err(RpcError::invalid_params(format!(
                "updateSnapshots must be true, false or one of: all, changed, missing, none; not {word}"
            ))),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InitializeResponse {
    artifact_root: String,
    cols: u16,
    rows: u16,
    session_name: String,
    version: &'static str,
}

impl Perform for Initialize {
    type Response = InitializeResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<InitializeResponse, RpcError> {
        let service = context.service;
        let name = match (&self.name, &context.session_name) {
            (Some(name), _) | (None, Some(name)) => name.trim(),
            (None, None) => "session",
        };
        if name.is_empty() {
            return Err(RpcError::invalid_params("session name cannot be empty"));
        }
        session_name::check("name", name)?;
        // The client addresses the session by the key. The name is the name of its artifact folder.
        let (key, source) = match &context.session_name {
            Some(session) => (session.as_str(), KeySource::Client),
            None => (name, KeySource::Default),
        };
        let options = self.options(context)?;
        let session = service.open(key, name, source, options)?;
        let tui = session.tui();
        Ok(InitializeResponse {
            artifact_root: tui.artifacts().display().to_string(),
            cols: tui.options().size.cols,
            rows: tui.options().size.rows,
            session_name: name.to_owned(),
            version: super::server::VERSION,
        })
    }
}

impl Initialize {
    /// Returns the session's options. The client's parameters override the server's settings,
    /// except for how input is sent: there a flag takes precedence. Opening the session then
    /// applies the environment, which overrides everything but the flag.
    fn options(&self, context: &MethodContext<'_>) -> Result<RunOptions, RpcError> {
        let settings = &context.service.settings;
        let size = coordinates::size(self.terminal_cols, self.terminal_rows, settings.size)?;
        let mut options = RunOptions::default()
            .artifacts_dir(&settings.artifact_dir)
            .size(size.cols, size.rows)
            .timeout(settings.timeout)
            .ambiguity(settings.ambiguity)
            .input_overrides(settings.input)
            // A client checks the exit status and the terminal state itself.
            .exit_check(ExitCheck::Off);
        options.input = context.send.overrides().apply(options.input);
        if let Some(seconds) = self.timeout_seconds {
            options.timeout = Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|timeout| !timeout.is_zero() && timeout.as_secs() < u32::MAX.into())
                .ok_or_else(|| {
                    let most = u32::MAX;
                    RpcError::invalid_params(format!(
                        "timeoutSeconds must be above 0 and below {most}, not {seconds:?}"
                    ))
                })?;
        }
        if let Some(ambiguity) = selector::ambiguity(self.ambiguity_mode.as_deref())? {
            options.ambiguity = ambiguity;
        }
        if let Some(text) = &self.snapshot_theme {
            options.snapshot_theme = theme::read("snapshotTheme", text)?;
        }
        if let Some(update) = &self.update_snapshots {
            options.update_snapshots = update.read()?;
        }
        for name in self.secrets.iter().flatten() {
            let value = std::env::var(name).map_err(|_| {
                RpcError::invalid_params(format!(
                    "secrets: the server's environment has no UTF-8 variable `{name}`"
                ))
            })?;
            let refused = |error| RpcError::invalid_params(format!("secrets: {error}"));
            if context.service.secrets().value(name) == Some(&value) {
                continue;
            }
            // The open session may have shown the secret already, and may show it again.
            if let Some(open) = context.service.any_session_name() {
                return Err(RpcError::invalid_params(format!(
                    "secrets: cannot add `{name}` while session `{open}` is open, because it may show the secret: \
                     declare it with `--secret {name}` or in the first `initialize`"
                )));
            }
            context.service.add_secret(name, &value).map_err(refused)?;
        }
        Ok(options.masked_secrets(context.service.secrets()))
    }
}

/// Closes a session and ends its program.
#[derive(Debug, Deserialize)]
pub(crate) struct Close {}

impl Perform for Close {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        context.service.close(context.session()?)?;
        Ok(OkResponse::OK)
    }
}
