//! Numbers on the command line that have a range.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use screentest::render::Options;

/// A number within a range, or what would be right.
pub(super) fn within<N>(text: &str, range: &RangeInclusive<N>, what: &str) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{what} from {} to {}", range.start(), range.end()))
}

/// A length in pixels.
pub(super) fn pixels(text: &str) -> Result<usize, String> {
    within(text, &(0..=Options::MOST_AROUND), "a number of pixels is")
}

/// A time, 0 or more.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    // Some write the unit, and mean the same.
    let number = text.strip_suffix('s').unwrap_or(text);
    let seconds = number.parse().ok().map(Duration::try_from_secs_f64);
    match seconds {
        Some(Ok(time)) => Ok(time),
        _ => Err("not a number of seconds, such as 2.5".to_owned()),
    }
}
