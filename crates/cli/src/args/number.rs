//! Parses numeric option values within a range.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use screentest::render::RenderOptions;

/// Parses a number within a range. The error says what is expected.
pub(super) fn within<N>(text: &str, range: &RangeInclusive<N>, what: &str) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {what} from {} to {}", range.start(), range.end()))
}

/// Parses a length in pixels.
pub(super) fn pixels(text: &str) -> Result<usize, String> {
    within(
        text,
        &(0..=RenderOptions::MAX_SURROUND),
        "a number of pixels",
    )
}
