//! Screen sizes, as values of options.

use std::ops::RangeInclusive;

use screentest::core::Size;

/// Parses a number of columns.
pub(crate) fn cols(text: &str) -> Result<u16, String> {
    within(text, Size::COLS, "columns")
}

/// Parses a number of rows.
pub(crate) fn rows(text: &str) -> Result<u16, String> {
    within(text, Size::ROWS, "rows")
}

fn within(text: &str, range: RangeInclusive<u16>, what: &str) -> Result<u16, String> {
    // The message is the same for all invalid values: it gives the valid range.
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("a screen has {least} to {most} {what}")
    })
}
