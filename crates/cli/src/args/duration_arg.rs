//! Durations as values of options: in seconds, as `2.5` or `2.5s`, or in whole milliseconds.

use std::time::Duration;

/// Parses a duration of 0 or more.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    parse(text).ok_or_else(|| "expected a number of seconds, 0 or more, such as 2.5".to_owned())
}

/// Parses a duration above 0.
pub(crate) fn positive_seconds(text: &str) -> Result<Duration, String> {
    let time = parse(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

/// Parses a whole number of milliseconds.
pub(crate) fn milliseconds(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "expected a whole number of milliseconds, such as 300".to_owned())
}

fn parse(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s').unwrap_or(text);
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}
