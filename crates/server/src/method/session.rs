//! Opening and closing sessions.

use std::time::Duration;

use screentest::{ExitCheck, RunOptions, Update};
use serde::{Deserialize, Serialize};

use super::{Done, Perform};
use crate::service::{Job, Named};
use crate::wire::number::Whole;
use crate::wire::{Failure, place, selector, theme};

/// Opens a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Initialize {
    name: Option<String>,
    timeout_seconds: Option<f64>,
    terminal_cols: Option<Whole>,
    terminal_rows: Option<Whole>,
    ambiguity_mode: Option<String>,
    snapshot_theme: Option<String>,
    update_snapshots: Option<WireUpdate>,
    #[serde(default)]
    secrets: Vec<String>,
}

/// Which baselines are written: yes and no, or a word.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected true, false or a string")]
enum WireUpdate {
    Flag(bool),
    Word(String),
}

impl WireUpdate {
    fn read(&self) -> Result<Update, Failure> {
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
            _ => Err(Failure::params(format!(
                "updateSnapshots must be true, false or one of: all, changed, missing, none; not {word}"
            ))),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    artifact_root: String,
    cols: u16,
    rows: u16,
    session_name: String,
    version: &'static str,
}

impl Perform for Initialize {
    type Answer = Opened;

    fn perform(self, job: &Job<'_>) -> Result<Opened, Failure> {
        let service = job.service;
        let name = match (&self.name, &job.session) {
            (Some(name), _) | (None, Some(name)) => name.trim(),
            (None, None) => "session",
        };
        if name.is_empty() {
            return Err(Failure::params("session name cannot be empty"));
        }
        if job
            .session
            .as_deref()
            .is_some_and(|key| key.trim().is_empty())
        {
            return Err(Failure::params("`session` cannot be empty"));
        }
        // What the client calls it later; its name is what its folder is called by.
        let (key, named) = match &job.session {
            Some(session) => (session.as_str(), Named::Yes),
            None => (name, Named::No),
        };
        let options = self.options(job)?;
        let stage = service.open(key, name, named, options)?;
        let tui = stage.tui();
        Ok(Opened {
            artifact_root: tui.artifacts().display().to_string(),
            cols: tui.options().size.cols,
            rows: tui.options().size.rows,
            session_name: name.to_owned(),
            version: super::server::VERSION,
        })
    }
}

impl Initialize {
    /// What the client says wins over what the server was started with, except for how input is sent: there a flag and
    /// the environment win over a session.
    fn options(&self, job: &Job<'_>) -> Result<RunOptions, Failure> {
        let settings = &job.service.settings;
        let mut options = RunOptions::default()
            .artifacts_dir(&settings.artifact_dir)
            .size(place::size(
                self.terminal_cols,
                self.terminal_rows,
                settings.size,
            )?)
            .timeout(settings.timeout)
            .ambiguity(settings.ambiguity)
            .input_overrides(settings.input)
            // A client sees how a program ended and what it left; nobody fails for it.
            .exit_check(ExitCheck::Off);
        options.input = job.send.overrides().apply(options.input);
        if let Some(seconds) = self.timeout_seconds {
            options.timeout = Duration::try_from_secs_f64(seconds)
                .ok()
                .filter(|timeout| !timeout.is_zero() && timeout.as_secs() < u32::MAX.into())
                .ok_or_else(|| {
                    let most = u32::MAX;
                    Failure::params(format!(
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
        for name in &self.secrets {
            let value = std::env::var(name).map_err(|_| {
                Failure::params(format!(
                    "secrets: the server's environment has no text in `{name}`"
                ))
            })?;
            let refused = |error| Failure::params(format!("secrets: {error}"));
            if job.service.secrets().value(name) == Some(&value) {
                continue;
            }
            // What it has shown already is known to whoever asked, and goes on being told.
            if let Some(open) = job.service.any_name() {
                return Err(Failure::params(format!(
                    "secrets: `{name}` is new, and session `{open}` is open, which may show it: name it before, \
                     by `--secret {name}` or in the first `initialize`"
                )));
            }
            job.service.add_secret(name, &value).map_err(refused)?;
        }
        Ok(options.unseen_secrets(job.service.secrets()))
    }
}

/// Closes a session, and ends what runs in it.
#[derive(Debug, Deserialize)]
pub(crate) struct Close {}

impl Perform for Close {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        job.service.close(job.stage()?)?;
        Ok(Done::OK)
    }
}
