//! The size of a screen on the command line.

use std::ops::RangeInclusive;

use screentest::core::Size;

/// Columns.
pub(crate) fn cols(text: &str) -> Result<u16, String> {
    within(text, Size::COLS, "columns")
}

/// Rows.
pub(crate) fn rows(text: &str) -> Result<u16, String> {
    within(text, Size::ROWS, "rows")
}

fn within(text: &str, range: RangeInclusive<u16>, what: &str) -> Result<u16, String> {
    // Whatever is wrong with it, what would be right is the same.
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        format!("a screen has {least} to {most} {what}")
    })
}
