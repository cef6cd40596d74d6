//! Times on the command line, in seconds. Some write the unit, and mean the same: `2.5` is `2.5s`.

use std::time::Duration;

/// A moment: 0 or more.
pub(crate) fn moment(text: &str) -> Result<Duration, String> {
    parse(text).ok_or_else(|| "not a number of seconds from 0, such as 2.5".to_owned())
}

/// How long something may take: more than 0.
pub(crate) fn patience(text: &str) -> Result<Duration, String> {
    let time = parse(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "not a number of seconds above 0".to_owned())
}

fn parse(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s').unwrap_or(text);
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}
