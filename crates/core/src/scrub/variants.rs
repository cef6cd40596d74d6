//! The forms in which a value may be written: as it is, in base64, as hexadecimal digits, in an address, in JSON.

use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// A form of a value, and what covers each of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) bytes: Vec<u8>,
    pub(super) cover: Vec<u8>,
}

/// Shorter forms than this could be anything.
const LEAST: usize = 8;

/// Every form of a value, each once. Control characters are left out of all: they are no text, and a terminal changes line ends.
pub(super) fn of(value: &[u8]) -> Vec<Variant> {
    let mut forms: Vec<(Vec<u8>, Option<u8>)> = vec![(value.to_vec(), None)];
    for engine in [STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
        for before in 0..3 {
            forms.push((base64(&engine, value, before), Some(b'A')));
        }
    }
    let hex = |value: &[u8]| value.iter().map(|b| format!("{b:02x}")).collect::<String>();
    forms.push((hex(value).into_bytes(), Some(b'0')));
    forms.push((hex(value).to_uppercase().into_bytes(), Some(b'0')));
    forms.push((percent(value, false), None));
    forms.push((percent(value, true), None));
    if let Ok(text) = str::from_utf8(value)
        && let Ok(json) = serde_json::to_string(text)
    {
        let inner = json.trim_start_matches('"').trim_end_matches('"');
        forms.push((inner.as_bytes().to_vec(), None));
    }
    let mut variants: Vec<Variant> = Vec::new();
    for (index, (mut bytes, fill)) in forms.into_iter().enumerate() {
        bytes.retain(|byte| *byte >= 0x20 && *byte != 0x7f);
        let known = variants.iter().any(|known| known.bytes == bytes);
        if !known && (index == 0 || bytes.len() >= LEAST) {
            let cover = match fill {
                Some(fill) => vec![fill; bytes.len()],
                None => covers(&bytes),
            };
            variants.push(Variant { bytes, cover });
        }
    }
    variants
}

/// What of a value's base64 is the same whatever stands around it, where `before` bytes of a group came before.
fn base64(engine: &impl base64::Engine, value: &[u8], before: usize) -> Vec<u8> {
    let bytes = [&vec![0; before], value].concat();
    let first = (before * 8).div_ceil(6);
    let last = bytes.len() * 8 / 6;
    let text = engine.encode(&bytes).into_bytes();
    text.get(first..last).unwrap_or_default().to_vec()
}

/// As in an address: everything but letters, digits and `-._~` as `%XX`.
fn percent(value: &[u8], lower: bool) -> Vec<u8> {
    let mut text = String::new();
    for byte in value {
        match (byte, lower) {
            (b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~', _) => {
                text.push(char::from(*byte));
            }
            (_, false) => text.push_str(&format!("%{byte:02X}")),
            (_, true) => text.push_str(&format!("%{byte:02x}")),
        }
    }
    text.into_bytes()
}

/// Characters that take as many bytes and as many columns as those they cover.
pub(super) fn covers(bytes: &[u8]) -> Vec<u8> {
    let mut covers = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let columns = crate::measured::columns(c).unwrap_or(0);
            covers.extend_from_slice(match (c.len_utf8(), columns) {
                (1, _) => "*".as_bytes(),
                // Without a column of their own they join the character before, which is covered.
                (2, 0) => "\u{34f}".as_bytes(),
                (3, 0) => "\u{200b}".as_bytes(),
                (4, 0) => "\u{e0100}".as_bytes(),
                (2, _) => "×".as_bytes(),
                (3, 1) => "•".as_bytes(),
                (3, _) => "＊".as_bytes(),
                (_, 1) => "\u{1d7ce}".as_bytes(),
                _ => "🔒".as_bytes(),
            });
        }
        covers.extend(chunk.invalid().iter().map(|_| b'*'));
    }
    covers
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;
    use crate::measured::columns;

    #[test]
    fn a_value_is_known_in_its_forms() {
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
    fn base64_is_known_wherever_a_value_stands_in_it() {
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
    fn covers_take_the_same_room() {
        let text = "aé界─😀e\u{301}\u{feff}𝐀\u{e0101}";
        let cover = String::from_utf8(covers(text.as_bytes())).unwrap();
        assert_eq!(cover.len(), text.len());
        for (c, cover) in text.chars().zip(cover.chars()) {
            assert_eq!(c.len_utf8(), cover.len_utf8(), "{c:?}");
            assert_eq!(columns(c), columns(cover), "{c:?} as {cover:?}");
        }
        assert_eq!(covers(b"a\xffb"), b"***");
    }
}
