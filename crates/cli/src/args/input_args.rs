//! `--no-auto-wait` and `--delay`: how input is sent, for every command that sends some.

use std::time::Duration;

use clap::Args;
use screentest::{AutoWait, InputOptions, InputOverrides};
use serde_json::Value;

use crate::failure::Failure;

/// How input is sent.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct InputArgs {
    /// Send input at once, instead of waiting until the program is ready for it: for up to 5 seconds, or
    /// as SCREENTEST_AUTO_WAIT says
    #[arg(long, help_heading = "Input")]
    no_auto_wait: bool,
    /// Leave at least this many milliseconds, up to 1000, between two keys, and type texts character by
    /// character
    #[arg(long, value_name = "MS", value_parser = delay, allow_negative_numbers = true, help_heading = "Input")]
    delay: Option<u64>,
}

fn delay(text: &str) -> Result<u64, String> {
    let given = text.parse().ok().filter(|delay| *delay <= 1000);
    given.ok_or_else(|| "not a whole number of milliseconds from 0 to 1000".to_owned())
}

impl InputArgs {
    /// The flags of a server. Fails if a value of the environment is not valid: each session would fail
    /// for it later.
    pub(crate) fn checked_overrides(self) -> Result<InputOverrides, Failure> {
        InputOverrides::from_environment().map_err(Failure::usage)?;
        Ok(self.overrides())
    }

    /// The flags, which win over the environment.
    pub(crate) fn overrides(self) -> InputOverrides {
        InputOverrides {
            auto_wait: self.no_auto_wait.then_some(AutoWait::Off),
            delay: self.delay.map(Duration::from_millis),
        }
    }

    /// The flags, and what the environment says besides.
    fn with_environment(self) -> Result<InputOverrides, Failure> {
        let environment = InputOverrides::from_environment().map_err(Failure::usage)?;
        Ok(self.overrides().or(environment))
    }

    /// How input is sent where there are no options of a session.
    pub(crate) fn options(self) -> Result<InputOptions, Failure> {
        Ok(self.with_environment()?.apply(InputOptions::default()))
    }

    /// Adds the flags, and what the environment says besides, to the parameters of a request: the daemon has an
    /// environment of its own.
    pub(crate) fn add_to(self, params: &mut Value) -> Result<(), Failure> {
        let overrides = self.with_environment()?;
        match overrides.auto_wait {
            None => {}
            Some(AutoWait::ON) => params["autoWait"] = true.into(),
            Some(AutoWait::Off) => params["autoWait"] = false.into(),
            Some(AutoWait::UpTo(bound)) => params["autoWait"] = (bound.as_millis() as u64).into(),
        }
        if let Some(delay) = overrides.delay {
            params["delayMs"] = (delay.as_millis() as u64).into();
        }
        Ok(())
    }
}
