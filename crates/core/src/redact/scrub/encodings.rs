//! The forms in which a value may be written: unchanged, base64, hexadecimal, percent-encoded (URLs
//! and forms), JSON, HTML.

use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// A form of a value, and the replacement for each of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::redact) struct EncodedValue {
    pub(in crate::redact) bytes: Vec<u8>,
    pub(in crate::redact) cover: Vec<u8>,
}

/// Minimum length of an encoded form. Shorter forms could match other text.
const MIN_LENGTH: usize = 8;

/// Returns every form of a value, each once. Control characters are removed from all: they are not
/// text, and a terminal changes line ends.
pub(in crate::redact) fn of(value: &[u8]) -> Vec<EncodedValue> {
    let mut forms: Vec<(Vec<u8>, Option<u8>)> = vec![(value.to_vec(), None)];
    for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
        for before in 0..3 {
            forms.push((base64(&engine, value, before), Some(b'A')));
        }
    }
    let hex = |value: &[u8]| value.iter().map(|b| format!("{b:02x}")).collect::<String>();
    forms.push((hex(value).into_bytes(), Some(b'0')));
    forms.push((hex(value).to_uppercase().into_bytes(), Some(b'0')));
    for kept in [
        PercentSafe::Unreserved,
        PercentSafe::Slash,
        PercentSafe::BlankAsPlus,
    ] {
        forms.push((percent(value, kept, false), None));
        forms.push((percent(value, kept, true), None));
    }
    for (quote, apostrophe) in [
        ("&quot;", "&#39;"),
        ("&quot;", "&#x27;"),
        ("&#34;", "&#39;"),
    ] {
        forms.push((html(value, quote, apostrophe), None));
    }
    if let Ok(text) = str::from_utf8(value)
        && let Ok(json) = serde_json::to_string(text)
    {
        let inner = json.trim_start_matches('"').trim_end_matches('"');
        forms.push((inner.as_bytes().to_vec(), None));
    }
    let mut encodings: Vec<EncodedValue> = Vec::new();
    for (index, (mut bytes, fill)) in forms.into_iter().enumerate() {
        bytes.retain(|byte| *byte >= 0x20 && *byte != 0x7f);
        let known = encodings.iter().any(|known| known.bytes == bytes);
        if !known && (index == 0 || bytes.len() >= MIN_LENGTH) {
            let cover = match fill {
                Some(fill) => vec![fill; bytes.len()],
                None => replacements(&bytes),
            };
            encodings.push(EncodedValue { bytes, cover });
        }
    }
    encodings
}

/// Returns the part of a value's base64 that does not depend on the surrounding bytes, if `before`
/// bytes of a group precede it.
fn base64(engine: &impl base64::Engine, value: &[u8], before: usize) -> Vec<u8> {
    let bytes = [&vec![0; before], value].concat();
    let first = (before * 8).div_ceil(6);
    let last = bytes.len() * 8 / 6;
    let text = engine.encode(&bytes).into_bytes();
    text.get(first..last).unwrap_or_default().to_vec()
}

/// The characters that percent-encoding keeps, in addition to letters, digits and `-._~`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PercentSafe {
    Unreserved,
    /// Also `/`, as in a path.
    Slash,
    /// A space becomes `+`, as in a form.
    BlankAsPlus,
}

/// Percent-encodes a value: all other bytes become `%XX`.
fn percent(value: &[u8], kept: PercentSafe, lower: bool) -> Vec<u8> {
    let mut text = String::new();
    for byte in value {
        match (byte, kept, lower) {
            (b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~', ..)
            | (b'/', PercentSafe::Slash, _) => {
                text.push(char::from(*byte));
            }
            (b' ', PercentSafe::BlankAsPlus, _) => text.push('+'),
            (.., false) => text.push_str(&format!("%{byte:02X}")),
            (.., true) => text.push_str(&format!("%{byte:02x}")),
        }
    }
    text.into_bytes()
}

/// Escapes a value for HTML. Programs differ in how they write quotes.
fn html(value: &[u8], quote: &str, apostrophe: &str) -> Vec<u8> {
    let mut text = Vec::new();
    for byte in value {
        match byte {
            b'&' => text.extend_from_slice(b"&amp;"),
            b'<' => text.extend_from_slice(b"&lt;"),
            b'>' => text.extend_from_slice(b"&gt;"),
            b'"' => text.extend_from_slice(quote.as_bytes()),
            b'\'' => text.extend_from_slice(apostrophe.as_bytes()),
            byte => text.push(*byte),
        }
    }
    text
}

/// A replacement character.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReplacementChar {
    bytes: usize,
    columns: usize,
    pub(super) sign: char,
}

const fn replacement(bytes: usize, columns: usize, sign: char) -> ReplacementChar {
    ReplacementChar {
        bytes,
        columns,
        sign,
    }
}

/// One for each number of bytes and of columns. Those of width zero combine with the character
/// before, which is redacted too.
pub(super) const REPLACEMENTS: [ReplacementChar; 9] = [
    replacement(1, 1, '*'),
    replacement(2, 0, '\u{34f}'),
    replacement(2, 1, '×'),
    replacement(3, 0, '\u{200b}'),
    replacement(3, 1, '•'),
    replacement(3, 2, '＊'),
    replacement(4, 0, '\u{e0100}'),
    replacement(4, 1, '\u{1d7ce}'),
    replacement(4, 2, '🔒'),
];

/// Returns replacement characters with the same number of bytes and columns as the given text.
pub(super) fn replacements(bytes: &[u8]) -> Vec<u8> {
    let mut covers = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let columns = crate::screen::text_width::columns(c).unwrap_or(0);
            let mut fitting = REPLACEMENTS
                .iter()
                .filter(|cover| cover.bytes == c.len_utf8());
            // The number of bytes must be equal. If no replacement of that length has the right
            // width, use the widest.
            let fitting = fitting
                .clone()
                .find(|cover| cover.columns == columns)
                .or(fitting.next_back());
            let cover = fitting.map_or('*', |cover| cover.sign);
            covers.extend_from_slice(cover.encode_utf8(&mut [0; 4]).as_bytes());
        }
        covers.extend(chunk.invalid().iter().map(|_| b'*'));
    }
    covers
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;
    use crate::screen::text_width::columns;

    #[test]
    fn a_value_has_base64_hex_url_and_json_forms() {
        let forms: Vec<String> = of(b"pa\"s sw\xc3\xb6rd")
            .into_iter()
            .map(|form| String::from_utf8_lossy(&form.bytes).into_owned())
            .collect();
        for form in [
            "pa\"s swörd",
            "cGEicyBzd8O2cm",
            "70612273207377c3b67264",
            "70612273207377C3B67264",
            "pa%22s%20sw%C3%B6rd",
            "pa%22s%20sw%c3%b6rd",
            "pa\\\"s swörd",
        ] {
            assert!(forms.contains(&form.to_owned()), "{form}: {forms:?}");
        }
    }

    #[test]
    fn a_value_has_path_form_and_html_forms() {
        let forms: Vec<Vec<u8>> = of(b"p@ss/w0rd+x\"y z'<&>")
            .into_iter()
            .map(|form| form.bytes)
            .collect();
        for form in [
            "p%40ss/w0rd%2Bx%22y%20z%27%3C%26%3E",
            "p%40ss%2Fw0rd%2Bx%22y+z%27%3C%26%3E",
            "p%40ss%2fw0rd%2bx%22y+z%27%3c%26%3e",
            "p@ss/w0rd+x&quot;y z&#39;&lt;&amp;&gt;",
            "p@ss/w0rd+x&quot;y z&#x27;&lt;&amp;&gt;",
            "p@ss/w0rd+x&#34;y z&#39;&lt;&amp;&gt;",
        ] {
            assert!(forms.iter().any(|known| known == form.as_bytes()), "{form}");
        }
    }

    #[test]
    fn base64_forms_are_found_at_every_offset() {
        for before in ["", "u", "us", "user:", "a longer name:"] {
            for after in ["", "x", "xy", "xyz"] {
                let text = STANDARD_NO_PAD.encode(format!("{before}hunter2hunter2{after}"));
                let forms = of(b"hunter2hunter2");
                let found = forms
                    .iter()
                    .any(|form| memchr::memmem::find(text.as_bytes(), &form.bytes).is_some());
                assert!(found, "{before}…{after}: {text}");
            }
        }
    }

    #[test]
    fn replacements_have_the_same_bytes_and_columns() {
        let text = "aé界─😀e\u{301}\u{feff}𝐀\u{e0101}";
        let cover = String::from_utf8(replacements(text.as_bytes())).unwrap();
        assert_eq!(cover.len(), text.len());
        for (c, cover) in text.chars().zip(cover.chars()) {
            assert_eq!(c.len_utf8(), cover.len_utf8(), "{c:?}");
            assert_eq!(columns(c), columns(cover), "{c:?} as {cover:?}");
        }
        assert_eq!(replacements(b"a\xffb"), b"***");
    }
}
