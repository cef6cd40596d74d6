//! `--no-auto-wait` and `--delay`: how a command, or the sessions that it starts, send input.

use std::time::Duration;

use clap::Args;
use screentest::AutoWait;
use screentest::session::InputOptions;
use screentest::test::InputOverrides;
use serde_json::Value;

use crate::failure::Failure;

/// How input is sent.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct InputArgs {
    /// Send input at once, without waiting until the program reads it [default: wait up to 5 s, or
    /// SCREENTEST_AUTO_WAIT: on, off, or a number of seconds]
    #[arg(long, help_heading = "Input")]
    no_auto_wait: bool,
    /// Type key by key, with at least MS milliseconds between keys (0 to 1000)
    #[arg(long, value_name = "MS", value_parser = delay, allow_negative_numbers = true, help_heading = "Input")]
    delay: Option<u64>,
}

fn delay(text: &str) -> Result<u64, String> {
    let given = text.parse().ok().filter(|delay| *delay <= 1000);
    given.ok_or_else(|| "expected a whole number of milliseconds from 0 to 1000".to_owned())
}

impl InputArgs {
    /// Returns the flags for a server. Checks the environment too: an invalid value would fail each
    /// session later.
    pub(crate) fn checked_overrides(self) -> Result<InputOverrides, Failure> {
        InputOverrides::from_environment().map_err(Failure::usage)?;
        Ok(self.overrides())
    }

    /// Returns the flags. They have precedence over the environment.
    pub(crate) fn overrides(self) -> InputOverrides {
        InputOverrides {
            auto_wait: self.no_auto_wait.then_some(AutoWait::Off),
            delay: self.delay.map(Duration::from_millis),
        }
    }

    /// Returns the flags, completed by the environment.
    fn with_environment(self) -> Result<InputOverrides, Failure> {
        let environment = InputOverrides::from_environment().map_err(Failure::usage)?;
        Ok(self.overrides().or(environment))
    }

    /// Returns the input options for a session without input options of its own.
    pub(crate) fn options(self) -> Result<InputOptions, Failure> {
        Ok(self.with_environment()?.apply(InputOptions::default()))
    }

    /// Adds flags and environment to the parameters of a request: the daemon has a different
    /// environment.
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
