//! Times on the command line, in seconds. Some write the unit, and mean the same: `2.5` is `2.5s`.

use std::fmt::Display;
use std::time::Duration;

use anyhow::anyhow;

use crate::failure::Failure;

const HALF_A_MILLI: Duration = Duration::from_micros(500);

/// A moment: 0 or more.
pub(crate) fn moment(text: &str) -> Result<Duration, String> {
    parse(text).ok_or_else(|| "not a number of seconds from 0, such as 2.5".to_owned())
}

/// How long something may take: more than 0.
pub(crate) fn patience(text: &str) -> Result<Duration, String> {
    let time = parse(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "not a number of seconds above 0".to_owned())
}

/// A moment of a recording of this length, or a refusal. Lengths are told in whole milliseconds, up or down: the length as it is told, and the
/// millisecond behind it, are the end.
pub(crate) fn within(
    moment: Duration,
    length: Duration,
    recording: &dyn Display,
) -> Result<Duration, Failure> {
    let told = Duration::from_millis(length.saturating_add(HALF_A_MILLI).as_millis() as u64);
    if moment < told.min(length) {
        return Ok(moment);
    }
    if moment < told.max(length).saturating_add(2 * HALF_A_MILLI) {
        return Ok(length);
    }
    Err(Failure::usage(anyhow!(
        "`--at {}s` lies behind the end of {recording}, which lasts {}s",
        moment.as_secs_f64(),
        length.as_secs_f64()
    )))
}

fn parse(text: &str) -> Option<Duration> {
    let number = text.strip_suffix('s').unwrap_or(text);
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(moment: u64, length: u64, expected: Option<u64>) {
        let [moment, length] = [moment, length].map(Duration::from_micros);
        let found = within(moment, length, &"x").ok();
        assert_eq!(found, expected.map(Duration::from_micros));
    }

    #[test]
    fn the_length_as_it_is_told_is_the_end() {
        check(0, 400, Some(400));
        check(1_000, 600, Some(600));
        check(12_000, 12_345, Some(12_345));
        check(13_000, 12_700, Some(12_700));
        check(13_000, 12_345, Some(12_345));
        check(11_999, 12_345, Some(11_999));
        check(12_000, 12_700, Some(12_000));
        check(14_000, 12_345, None);
        check(14_000, 12_700, None);
    }
}
