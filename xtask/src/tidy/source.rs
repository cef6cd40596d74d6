//! Rust text without its comments.

/// The lines of a file, numbered from 1, each without its comment. A `//` inside a string ends the line too: what
/// follows is an address, and no rule looks for those.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| {
        let code = line.split_once("//").map_or(line, |(code, _)| code);
        (index + 1, code)
    })
}

/// Whether `c` may be part of a name.
pub(super) fn in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
