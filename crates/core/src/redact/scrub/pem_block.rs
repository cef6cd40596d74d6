//! Classifies the lines of a PEM block: `-----BEGIN …`, lines of base64, `-----END …`.
//!
//! The end may be missing, as after `head key.pem`. Every line is therefore checked on its own, and
//! other lines after the block are not redacted.

/// The longest block, in bytes: a key of 16,384 bits takes 13 KiB.
pub(super) const MAX_LEN: usize = 16 << 10;

/// The start of the line that ends a block.
pub(super) const END: &[u8] = b"-----";

/// Headers that may precede the base64 of a key, each followed by a colon.
const HEADERS: [&str; 7] = [
    "Proc-Type",
    "DEK-Info",
    "Version",
    "Comment",
    "MessageID",
    "Hash",
    "Charset",
];

/// Characters that may surround a line: those of diffs, quotations and lists.
const AROUND: &[u8] = b" ><|#:-+\"',;`()[]{}";

/// The kinds of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PemLine {
    /// Base64, its replacement characters, or an empty line: redacted.
    Key,
    /// A header: not redacted.
    Header,
    /// Not part of a key.
    Other,
}

/// Classifies a line.
pub(super) fn classify_line(line: &[u8]) -> PemLine {
    let name = line.trim_ascii().split(|byte| *byte == b':').next();
    let has_colon = line.contains(&b':');
    if has_colon && HEADERS.iter().any(|known| Some(known.as_bytes()) == name) {
        return PemLine::Header;
    }
    let around = |byte: &u8| AROUND.contains(byte);
    let first = line.iter().position(|byte| !around(byte));
    let last = line.iter().rposition(|byte| !around(byte));
    let inner = match (first, last) {
        (Some(first), Some(last)) => &line[first..=last],
        _ => &[],
    };
    if inner.iter().all(|byte| is_key(*byte)) {
        PemLine::Key
    } else {
        PemLine::Other
    }
}

/// Whether a byte may belong to a line of a key, for a line that cannot be held back until its end.
pub(super) fn may_belong(byte: u8) -> bool {
    is_key(byte) || AROUND.contains(&byte)
}

/// Whether a byte reveals anything: a replacement character and a space do not.
pub(super) fn reveals(byte: u8) -> bool {
    !matches!(byte, b'*' | b' ')
}

/// Whether a byte is base64, part of the `\n` of a block inside a JSON string, or a replacement
/// character.
fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'\\' | b'*')
}
