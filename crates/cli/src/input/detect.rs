//! Detects the format of a file.
//!
//! The content decides: a binary snapshot begins with its magic bytes, an asciicast with its
//! header, State JSON is an object with certain fields, and any other text is ANSI text, since a
//! terminal accepts any text. If the content is ambiguous, the file name decides: a program may
//! have printed `{`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::str;

use anyhow::bail;
use clap::ValueEnum;
use screentest::core::formats::cassette;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The formats that can be read. They have the names of the formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    /// Same as ansi
    Text,
    /// State JSON
    Json,
    /// Text with escape sequences, or any other output of a program
    Ansi,
    /// Binary snapshot, version 2
    Vt2,
    /// asciinema recording, version 1, 2 or 3
    #[value(alias = "cast")]
    Asciicast,
    /// Recording made by `screentest record` (a directory)
    Cassette,
}

/// File extensions and their formats; the first one that matches is used.
const EXTENSIONS: [(&str, InputFormat); 7] = [
    (".ansi.txt", InputFormat::Ansi),
    (".ansi", InputFormat::Ansi),
    (".txt", InputFormat::Text),
    (".json", InputFormat::Json),
    (".vt2", InputFormat::Vt2),
    (".cast", InputFormat::Asciicast),
    (".cassette", InputFormat::Cassette),
];

impl InputFormat {
    /// Returns the format that the file name indicates.
    pub(super) fn from_path(path: &Path) -> Option<InputFormat> {
        extension(path).map(|(_, from)| from)
    }

    /// Detects the format from the content and from the format that the file name indicates.
    pub(super) fn detect(bytes: &[u8], indicated: Option<InputFormat>) -> InputFormat {
        match indicated {
            _ if is_vt2(bytes) => InputFormat::Vt2,
            Some(InputFormat::Ansi) => InputFormat::Ansi,
            _ if is_asciicast(bytes) => InputFormat::Asciicast,
            _ if is_state_json(bytes) => InputFormat::Json,
            Some(InputFormat::Text) | None => InputFormat::Ansi,
            Some(indicated) => indicated,
        }
    }

    /// Returns the name, for messages, of a format that stores the screen size.
    pub(super) fn name_if_sized(self) -> Option<&'static str> {
        match self {
            InputFormat::Text | InputFormat::Ansi => None,
            InputFormat::Json => Some("State JSON"),
            InputFormat::Vt2 => Some("VT2"),
            InputFormat::Asciicast => Some("an asciicast"),
            InputFormat::Cassette => Some("a cassette"),
        }
    }
}

/// Returns whether a directory is a cassette, complete or not.
pub(super) fn is_cassette(path: &Path) -> bool {
    let has = |name| path.join(name).symlink_metadata().is_ok();
    has(cassette::MANIFEST) || has(cassette::OUTPUT_RAW)
}

/// Returns the file name without the extension that indicates its format.
pub(super) fn stem(path: &Path) -> Option<&OsStr> {
    let name = path.file_name()?;
    let stem = match extension(path) {
        Some((extension, _)) => name.as_bytes().get(..name.len() - extension.len())?,
        None => return Some(name),
    };
    // A file called `.json` has no other name.
    Some(match stem {
        [] => name,
        stem => OsStr::from_bytes(stem),
    })
}

fn extension(path: &Path) -> Option<(&'static str, InputFormat)> {
    let name = path.file_name()?.as_bytes().to_ascii_lowercase();
    EXTENSIONS
        .into_iter()
        .find(|(extension, _)| name.ends_with(extension.as_bytes()))
}

/// Returns whether the magic bytes are followed by a version or by nothing. Text may begin with the
/// same letters, but continues with other characters.
fn is_vt2(bytes: &[u8]) -> bool {
    let marked = bytes.starts_with(b"VT") || bytes.starts_with(b"TV");
    marked && bytes.get(2).is_none_or(|version| *version < b'\t')
}

/// Returns whether the first JSON value is a header: it has a numeric version, and `width`
/// (versions 1 and 2) or `term` (version 3).
fn is_asciicast(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Header {
        #[expect(dead_code, reason = "only its type is checked")]
        version: u64,
        width: Option<IgnoredAny>,
        term: Option<IgnoredAny>,
    }
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Header>();
    let Some(Ok(header)) = values.next() else {
        return false;
    };
    header.width.is_some() || header.term.is_some()
}

/// Returns whether the text begins an object with fields of State JSON. Two of the first fields are
/// enough, so a file that is damaged further on is still recognised.
fn is_state_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let has = |field: &[u8]| bytes.windows(field.len()).any(|place| place == field);
    bytes.trim_ascii_start().starts_with(b"{") && has(b"\"size\"") && has(b"\"cursor\"")
}

/// Checks that a program could have written these bytes to a terminal as text. A recording may end
/// inside a character.
pub(super) fn check_text(bytes: &[u8]) -> anyhow::Result<()> {
    // Pictures are often stored next to snapshots, so the message names them.
    let pictures: [(&[u8], &str); 4] = [
        (b"\x89PNG\r\n", "a PNG"),
        (b"GIF8", "a GIF"),
        (b"\xff\xd8\xff", "a JPEG"),
        (b"RIFF", "a WebP"),
    ];
    let picture = pictures.iter().find(|(mark, _)| bytes.starts_with(mark));
    let binary = |why: String| match picture {
        Some((_, name)) => anyhow::anyhow!("it looks like {name}, which is a picture, not text"),
        None => anyhow::anyhow!(why),
    };
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        bail!(binary(format!("the byte `0x00` at {offset} is not text")));
    }
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() => {
            let offset = error.valid_up_to();
            let byte = bytes.get(offset).copied().unwrap_or_default();
            bail!(binary(format!(
                "the byte `{byte:#04x}` at {offset} is not UTF-8"
            )));
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_decides_if_the_content_is_ambiguous() {
        let ansi = Some(InputFormat::Ansi);
        let json = Some(InputFormat::Json);
        let vt2 = Some(InputFormat::Vt2);
        let text = Some(InputFormat::Text);
        let state = "{\"size\": 1, \"cursor\"";
        let cast = "{\"version\": 2, \"width\": 80, \"height\": 24}\n[0, \"o\", \"\\\"size\\\" \\\"cursor\\\"\"]";
        for (bytes, indicated, found) in [
            ("VT\x02\0", None, InputFormat::Vt2),
            ("TV\x02\0", ansi, InputFormat::Vt2),
            ("VT\x01", None, InputFormat::Vt2),
            ("VT", None, InputFormat::Vt2),
            ("VT100 is older", None, InputFormat::Ansi),
            ("TV\n", None, InputFormat::Ansi),
            (state, None, InputFormat::Json),
            (&format!(" \n{state}"), None, InputFormat::Json),
            (&format!("\u{feff}{state}"), None, InputFormat::Json),
            (state, vt2, InputFormat::Json),
            (state, text, InputFormat::Json),
            (state, ansi, InputFormat::Ansi),
            ("{}", None, InputFormat::Ansi),
            ("{", None, InputFormat::Ansi),
            ("[1, 2]", None, InputFormat::Ansi),
            ("\"x\"", None, InputFormat::Ansi),
            ("{}", text, InputFormat::Ansi),
            ("{}", json, InputFormat::Json),
            ("[]", json, InputFormat::Json),
            ("", json, InputFormat::Json),
            ("", vt2, InputFormat::Vt2),
            ("plain", None, InputFormat::Ansi),
            ("", None, InputFormat::Ansi),
            (cast, None, InputFormat::Asciicast),
            (cast, json, InputFormat::Asciicast),
            (cast, ansi, InputFormat::Ansi),
            (
                "{\"version\": 3, \"term\": {}}",
                None,
                InputFormat::Asciicast,
            ),
            (
                "{\"version\": \"1.0\", \"width\": 1}",
                None,
                InputFormat::Ansi,
            ),
            ("{\"version\": 1}", None, InputFormat::Ansi),
            ("", Some(InputFormat::Asciicast), InputFormat::Asciicast),
        ] {
            assert_eq!(
                InputFormat::detect(bytes.as_bytes(), indicated),
                found,
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn stem_has_no_format_extension() {
        for (name, found) in [
            ("a/x.ansi.txt", "x"),
            ("x.y.cast", "x.y"),
            ("x.cassette/", "x"),
            ("X.JSON", "X"),
            ("x.log", "x.log"),
            (".json", ".json"),
        ] {
            assert_eq!(stem(Path::new(name)), Some(OsStr::new(found)), "{name}");
        }
        let latin = |bytes| OsStr::from_bytes(bytes);
        let path = Path::new(latin(b"caf\xe9.JSON"));
        assert_eq!(stem(path), Some(latin(b"caf\xe9")));
        assert_eq!(InputFormat::from_path(path), Some(InputFormat::Json));
    }

    #[test]
    fn text_may_end_inside_a_character() {
        let check = |bytes: &[u8]| check_text(bytes).map_err(|error| error.to_string());
        assert_eq!(check("é".as_bytes()), Ok(()));
        assert_eq!(check(b"ab\xc3"), Ok(()));
        let message = "the byte `0xc3` at 2 is not UTF-8";
        assert_eq!(check(b"ab\xc3c"), Err(message.to_owned()));
        let message = "the byte `0x00` at 2 is not text";
        assert_eq!(check(b"ab\0c"), Err(message.to_owned()));
        // Text may begin like a picture.
        assert_eq!(check(b"GIF89a is older"), Ok(()));
    }
}
