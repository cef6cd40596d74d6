//! `--no-auto-wait` and `--delay`: how input is sent, for every command that sends some.

use std::time::Duration;

use clap::Args;
use screentest::{AutoWait, InputOptions, OptionError};
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
    /// What was asked for, as far as the environment does not say otherwise.
    pub(crate) fn options(self) -> Result<InputOptions, Failure> {
        let options = self.asked().with_environment();
        options.map_err(|error: OptionError| Failure::usage(error))
    }

    /// What was asked for.
    pub(crate) fn asked(self) -> InputOptions {
        InputOptions {
            auto_wait: match self.no_auto_wait {
                true => AutoWait::Off,
                false => AutoWait::ON,
            },
            delay: Duration::from_millis(self.delay.unwrap_or_default()),
        }
    }

    /// Adds what was asked for, or what the environment says, to the parameters of a request: the daemon
    /// has an environment of its own.
    pub(crate) fn add_to(self, params: &mut Value) -> Result<(), Failure> {
        let options = self.options()?;
        match options.auto_wait {
            _ if self.no_auto_wait => params["autoWait"] = false.into(),
            AutoWait::ON => {}
            AutoWait::Off => params["autoWait"] = false.into(),
            AutoWait::UpTo(bound) => params["autoWait"] = (bound.as_millis() as u64).into(),
        }
        // A delay of 0 is one that a session's own should not take the place of.
        let told = !options.delay.is_zero();
        let delay = self
            .delay
            .or(told.then_some(options.delay.as_millis() as u64));
        if let Some(delay) = delay {
            params["delayMs"] = delay.into();
        }
        Ok(())
    }
}
