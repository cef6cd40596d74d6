//! The parameters `autoWait` and `delayMs`, which `initialize` and every method that sends input
//! accept.

use std::time::Duration;

use screentest::test::InputOverrides;
use screentest::{AutoWait, WaitOptions};
use serde::Deserialize;
use serde_json::Value;

use super::RpcError;
use super::number::WholeNumber;

/// A request's options for sending input. `None` selects the session's setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SendOptions {
    pub(crate) auto_wait: Option<AutoWait>,
    pub(crate) delay: Option<Duration>,
}

impl SendOptions {
    /// Parses the two parameters.
    pub(crate) fn read(params: &Value) -> Result<SendOptions, RpcError> {
        let given = |name: &str| params.get(name).filter(|value| !value.is_null());
        let auto_wait = given("autoWait").map(parse_auto_wait).transpose()?;
        let delay = given("delayMs").map(|value| {
            let number = WholeNumber::deserialize(value);
            let number = number.map_err(|_| RpcError::invalid_params(DELAY))?;
            let delay = number.millis("delayMs")?;
            if delay <= MAX_DELAY {
                Ok(delay)
            } else {
                Err(RpcError::invalid_params(DELAY))
            }
        });
        Ok(SendOptions {
            auto_wait,
            delay: delay.transpose()?,
        })
    }

    /// Creates options from parsed values. Returns `None` if the delay is too long.
    pub(crate) fn of(auto_wait: Option<bool>, delay_ms: Option<u64>) -> Option<SendOptions> {
        let delay = delay_ms.map(Duration::from_millis);
        let fits = delay.is_none_or(|delay| delay <= MAX_DELAY);
        fits.then_some(SendOptions {
            auto_wait: auto_wait.map(|wanted| if wanted { AutoWait::ON } else { AutoWait::Off }),
            delay,
        })
    }

    /// Returns the options as overrides for a session.
    pub(crate) fn overrides(self) -> InputOverrides {
        InputOverrides {
            auto_wait: self.auto_wait,
            delay: self.delay,
        }
    }

    /// Applies the options to a wait.
    pub(crate) fn apply(self, mut waits: WaitOptions) -> WaitOptions {
        waits.auto_wait = self.auto_wait;
        waits.delay = self.delay;
        waits
    }
}

/// Maximum value of `delayMs`.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// Message for an invalid `autoWait`.
const AUTO_WAIT: &str =
    "`autoWait`: expected true, false, or a timeout in milliseconds up to 600000";
/// Message for an invalid `delayMs`.
const DELAY: &str = "`delayMs`: expected a whole number of milliseconds from 0 to 1000";

fn parse_auto_wait(value: &Value) -> Result<AutoWait, RpcError> {
    match value {
        Value::Bool(true) => Ok(AutoWait::ON),
        Value::Bool(false) => Ok(AutoWait::Off),
        value => {
            let number =
                WholeNumber::deserialize(value).map_err(|_| RpcError::invalid_params(AUTO_WAIT))?;
            match number.millis("autoWait")? {
                Duration::ZERO => Ok(AutoWait::Off),
                time if time <= AutoWait::LONGEST => Ok(AutoWait::UpTo(time)),
                _ => Err(RpcError::invalid_params(AUTO_WAIT)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_are_parsed_and_invalid_ones_rejected() {
        let read = |params: Value| SendOptions::read(&params);
        assert_eq!(read(json!({})).unwrap(), SendOptions::default());
        let off = read(json!({ "autoWait": false, "delayMs": 5 })).unwrap();
        assert_eq!(off.auto_wait, Some(AutoWait::Off));
        assert_eq!(off.delay, Some(Duration::from_millis(5)));
        let short = read(json!({ "autoWait": 250 })).unwrap();
        assert_eq!(
            short.auto_wait,
            Some(AutoWait::UpTo(Duration::from_millis(250)))
        );
        let on = read(json!({ "autoWait": true, "delayMs": null })).unwrap();
        assert_eq!(on.auto_wait, Some(AutoWait::ON));
        for (params, details) in [
            (json!({ "autoWait": "no" }), AUTO_WAIT),
            (json!({ "autoWait": 600_001 }), AUTO_WAIT),
            (json!({ "delayMs": 1.5 }), DELAY),
            (json!({ "delayMs": 1001 }), DELAY),
        ] {
            assert_eq!(read(params).unwrap_err().details(), details);
        }
    }
}
