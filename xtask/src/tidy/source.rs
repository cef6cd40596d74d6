//! Rust source without comments.

/// Returns the lines of a file, numbered from 1, without comments. A `//` inside a string is
/// treated as a comment too; in practice it is part of a URL, which no rule checks.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| {
        let code = line.split_once("//").map_or(line, |(code, _)| code);
        (index + 1, code)
    })
}

/// Whether `c` may be part of a name.
pub(super) fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
