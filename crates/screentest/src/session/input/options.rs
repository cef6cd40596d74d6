//! Options of input: whether the session waits for the program first, and the delay between keys.

use std::time::Duration;

/// The default bound of auto-wait.
const USUAL: Duration = Duration::from_secs(5);

/// Options of input.
///
/// ```
/// use std::time::Duration;
/// use screentest::AutoWait;
/// use screentest::session::InputOptions;
///
/// let options = InputOptions::default();
/// assert_eq!(options.auto_wait, AutoWait::UpTo(Duration::from_secs(5)));
/// assert_eq!(options.delay, Duration::ZERO);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputOptions {
    /// Whether to wait, before each input, until the program is ready for it.
    pub auto_wait: AutoWait,
    /// Minimum time between two inputs, such as keys. With a delay, text is sent character by
    /// character.
    pub delay: Duration,
}

/// Whether to wait, before input is sent, until the program has read what was sent before and waits
/// for input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AutoWait {
    /// Wait at most this long. Then the input is sent anyway, and reports and recordings note it.
    UpTo(Duration),
    /// Send at once, whatever the program does.
    Off,
}

impl AutoWait {
    /// The default: wait up to 5 seconds.
    pub const ON: AutoWait = AutoWait::UpTo(USUAL);

    /// The longest bound that interfaces and the environment accept.
    pub const LONGEST: Duration = Duration::from_secs(600);
}

impl Default for AutoWait {
    fn default() -> AutoWait {
        AutoWait::ON
    }
}

impl Default for InputOptions {
    fn default() -> InputOptions {
        InputOptions {
            auto_wait: AutoWait::ON,
            delay: Duration::ZERO,
        }
    }
}

impl InputOptions {
    /// Input that is sent at once, for callers that pass on a person's keys.
    pub const AT_ONCE: InputOptions = InputOptions {
        auto_wait: AutoWait::Off,
        delay: Duration::ZERO,
    };
}
