//! Removes control characters from untrusted text before it reaches a terminal.

/// Replaces control characters with U+FFFD, so that a terminal shows the text without interpreting
/// it.
pub(crate) fn replace_controls(text: &str) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}
