//! Texts of files that anybody may have written, for a terminal.

/// A text that a terminal shows and does not obey: a file may hold anything.
pub(crate) fn shown(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(plain).collect()
}
