//! Which lines belong to a key that is written as a block: `-----BEGIN …`, lines of base64, `-----END …`.
//!
//! The end may be missing, as in `head key.pem`, so that every line has to look like one of a key; what follows is not covered.

/// How many bytes a block has at most: a key of 16,384 bits takes 13 KiB.
pub(super) const MOST: usize = 16 << 10;

/// What the line that ends a block begins with.
pub(super) const END: &[u8] = b"-----";

/// What may stand before the base64 of a key, each with a colon.
const HEADERS: [&str; 7] = [
    "Proc-Type",
    "DEK-Info",
    "Version",
    "Comment",
    "MessageID",
    "Hash",
    "Charset",
];

/// Around a line may stand what shows it: the signs of a comparison, of a quotation, of a list.
const AROUND: &[u8] = b" ><|#:-+\"',;`()[]{}";

/// What is known of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Base64, or what covers it, or nothing: it is covered.
    Key,
    /// A header: it stays as it is.
    Header,
    /// It is no part of a key.
    Other,
}

/// What kind of line this is.
pub(super) fn line(line: &[u8]) -> Line {
    let name = line.trim_ascii().split(|byte| *byte == b':').next();
    let has_colon = line.contains(&b':');
    if has_colon && HEADERS.iter().any(|known| Some(known.as_bytes()) == name) {
        return Line::Header;
    }
    let around = |byte: &u8| AROUND.contains(byte);
    let first = line.iter().position(|byte| !around(byte));
    let last = line.iter().rposition(|byte| !around(byte));
    let inner = match (first, last) {
        (Some(first), Some(last)) => &line[first..=last],
        _ => &[],
    };
    match inner.iter().all(|byte| is_key(*byte)) {
        true => Line::Key,
        false => Line::Other,
    }
}

/// Whether a byte may belong to the line of a key when nothing of it can be waited for.
pub(super) fn may_belong(byte: u8) -> bool {
    is_key(byte) || AROUND.contains(&byte)
}

/// Whether a byte tells something: a cover and a blank do not.
pub(super) fn tells(byte: u8) -> bool {
    !matches!(byte, b'*' | b' ')
}

/// Base64, the `\n` of a block inside a JSON string, and what covers.
fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b'*')
}
