//! Numbers on the command line that have a range.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use screentest::render::RenderOptions;

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
    within(
        text,
        &(0..=RenderOptions::MAX_SURROUND),
        "a number of pixels is",
    )
}
