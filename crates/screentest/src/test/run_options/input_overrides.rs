//! Input options that override those of a session, a run or a tape.

use std::time::Duration;

use super::OptionError;
use super::overrides::read_input;
use crate::environment::{Variables, environment};
use crate::session::{AutoWait, InputOptions};

/// Input options that override those of a session, a run or a tape. `None` keeps their value.
///
/// ```
/// use screentest::AutoWait;
/// use screentest::session::InputOptions;
/// use screentest::test::InputOverrides;
///
/// let flags = InputOverrides {
///     auto_wait: Some(AutoWait::Off),
///     delay: None,
/// };
/// let options = flags.apply(InputOptions::default());
/// assert_eq!(options, InputOptions::AT_ONCE);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct InputOverrides {
    /// Whether to wait before input until the program is ready.
    pub auto_wait: Option<AutoWait>,
    /// The pause between keys.
    pub delay: Option<Duration>,
}

impl InputOverrides {
    /// Reads `SCREENTEST_AUTO_WAIT` and `SCREENTEST_INPUT_DELAY_MS`.
    pub fn from_environment() -> Result<InputOverrides, OptionError> {
        InputOverrides::from_variables(&environment)
    }

    pub(super) fn from_variables(
        variables: &impl Variables,
    ) -> Result<InputOverrides, OptionError> {
        let (auto_wait, delay) = read_input(variables)?;
        Ok(InputOverrides { auto_wait, delay })
    }

    /// Fills the unset values from weaker overrides.
    #[must_use]
    pub fn or(self, weaker: InputOverrides) -> InputOverrides {
        InputOverrides {
            auto_wait: self.auto_wait.or(weaker.auto_wait),
            delay: self.delay.or(weaker.delay),
        }
    }

    /// Applies these overrides to options.
    #[must_use]
    pub fn apply(self, options: InputOptions) -> InputOptions {
        InputOptions {
            auto_wait: self.auto_wait.unwrap_or(options.auto_wait),
            delay: self.delay.unwrap_or(options.delay),
        }
    }
}
