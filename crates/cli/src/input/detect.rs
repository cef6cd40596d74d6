//! Which format some bytes are in.
//!
//! That is told by what is in them: a binary snapshot begins with its mark, an asciicast with its header, State JSON is
//! an object with its fields, and any other text is ANSI, since a terminal takes any text. Where the content leaves a
//! doubt the name decides: a program may well have shown `{`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::str;

use anyhow::bail;
use clap::ValueEnum;
use screentest::core::formats::cassette;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// The formats that can be read, by the names of those that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// The same as ansi
    Text,
    /// State JSON
    Json,
    /// Text with escape sequences, or anything else that a program wrote
    Ansi,
    /// Binary snapshot, version 2
    Vt2,
    /// Recording of asciinema, version 1, 2 or 3
    #[value(alias = "cast")]
    Asciicast,
    /// Recording of `screentest record`, a directory
    Cassette,
}

/// The endings that promise a format; of those that fit, the first counts.
const ENDINGS: [(&str, From); 7] = [
    (".ansi.txt", From::Ansi),
    (".ansi", From::Ansi),
    (".txt", From::Text),
    (".json", From::Json),
    (".vt2", From::Vt2),
    (".cast", From::Asciicast),
    (".cassette", From::Cassette),
];

impl From {
    /// The format that a file's name promises.
    pub(super) fn promised(path: &Path) -> Option<From> {
        ending(path).map(|(_, from)| from)
    }

    /// The format of some bytes in a file whose name promises one, or not.
    pub(super) fn of(bytes: &[u8], promised: Option<From>) -> From {
        match promised {
            _ if is_vt2(bytes) => From::Vt2,
            Some(From::Ansi) => From::Ansi,
            _ if is_asciicast(bytes) => From::Asciicast,
            _ if is_state_json(bytes) => From::Json,
            Some(From::Text) | None => From::Ansi,
            Some(promised) => promised,
        }
    }

    /// What has a size of its own, by its name for people.
    pub(super) fn sized(self) -> Option<&'static str> {
        match self {
            From::Text | From::Ansi => None,
            From::Json => Some("State JSON"),
            From::Vt2 => Some("VT2"),
            From::Asciicast => Some("an asciicast"),
            From::Cassette => Some("a cassette"),
        }
    }
}

/// Whether a directory is a cassette, or was to be one.
pub(super) fn is_cassette(path: &Path) -> bool {
    let has = |name| path.join(name).symlink_metadata().is_ok();
    has(cassette::MANIFEST) || has(cassette::OUTPUT_RAW)
}

/// The name of a file without what says its format.
pub(super) fn stem(path: &Path) -> Option<&OsStr> {
    let name = path.file_name()?;
    let stem = match ending(path) {
        Some((ending, _)) => name.as_bytes().get(..name.len() - ending.len())?,
        None => return Some(name),
    };
    // A file that is called `.json` has no other name.
    Some(match stem {
        [] => name,
        stem => OsStr::from_bytes(stem),
    })
}

fn ending(path: &Path) -> Option<(&'static str, From)> {
    let name = path.file_name()?.as_bytes().to_ascii_lowercase();
    ENDINGS
        .into_iter()
        .find(|(ending, _)| name.ends_with(ending.as_bytes()))
}

/// Whether the mark is there, and behind it a version: a text may begin with the letters, but goes on with others.
fn is_vt2(bytes: &[u8]) -> bool {
    let marked = bytes.starts_with(b"VT") || bytes.starts_with(b"TV");
    marked && bytes.get(2).is_none_or(|version| *version < b'\t')
}

/// Whether the first value is a header: a version that is a number, and a terminal's size.
fn is_asciicast(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Header {
        #[expect(dead_code, reason = "that it is a number is all there is to know")]
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

/// Whether an object begins here that has fields of State JSON. Two of the first are enough, so that a file which is
/// broken further on is still known for what it should be.
fn is_state_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let has = |field: &[u8]| bytes.windows(field.len()).any(|place| place == field);
    bytes.trim_ascii_start().starts_with(b"{") && has(b"\"size\"") && has(b"\"cursor\"")
}

/// Whether a program could have written this to a terminal as text. What was recorded may end inside a character.
pub(super) fn check_text(bytes: &[u8]) -> anyhow::Result<()> {
    // Pictures are what people have beside their snapshots, so a slip is called what it is.
    let pictures: [(&[u8], &str); 4] = [
        (b"\x89PNG\r\n", "a PNG"),
        (b"GIF8", "a GIF"),
        (b"\xff\xd8\xff", "a JPEG"),
        (b"RIFF", "a WebP"),
    ];
    let picture = pictures.iter().find(|(mark, _)| bytes.starts_with(mark));
    let binary = |why: String| match picture {
        Some((_, name)) => anyhow::anyhow!("it looks like {name}, which is a picture already"),
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
    fn content_tells_the_format_and_the_name_where_it_does_not() {
        let ansi = Some(From::Ansi);
        let json = Some(From::Json);
        let vt2 = Some(From::Vt2);
        let text = Some(From::Text);
        let state = "{\"size\": 1, \"cursor\"";
        let cast = "{\"version\": 2, \"width\": 80, \"height\": 24}\n[0, \"o\", \"\\\"size\\\" \\\"cursor\\\"\"]";
        for (bytes, promised, found) in [
            ("VT\x02\0", None, From::Vt2),
            ("TV\x02\0", ansi, From::Vt2),
            ("VT\x01", None, From::Vt2),
            ("VT", None, From::Vt2),
            ("VT100 is older", None, From::Ansi),
            ("TV\n", None, From::Ansi),
            (state, None, From::Json),
            (&format!(" \n{state}"), None, From::Json),
            (&format!("\u{feff}{state}"), None, From::Json),
            (state, vt2, From::Json),
            (state, text, From::Json),
            (state, ansi, From::Ansi),
            ("{}", None, From::Ansi),
            ("{", None, From::Ansi),
            ("[1, 2]", None, From::Ansi),
            ("\"x\"", None, From::Ansi),
            ("{}", text, From::Ansi),
            ("{}", json, From::Json),
            ("[]", json, From::Json),
            ("", json, From::Json),
            ("", vt2, From::Vt2),
            ("plain", None, From::Ansi),
            ("", None, From::Ansi),
            (cast, None, From::Asciicast),
            (cast, json, From::Asciicast),
            (cast, ansi, From::Ansi),
            ("{\"version\": 3, \"term\": {}}", None, From::Asciicast),
            ("{\"version\": \"1.0\", \"width\": 1}", None, From::Ansi),
            ("{\"version\": 1}", None, From::Ansi),
            ("", Some(From::Asciicast), From::Asciicast),
        ] {
            assert_eq!(From::of(bytes.as_bytes(), promised), found, "{bytes:?}");
        }
    }

    #[test]
    fn a_name_has_its_format_at_its_end() {
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
        assert_eq!(From::promised(path), Some(From::Json));
    }

    #[test]
    fn text_may_end_inside_a_character() {
        let check = |bytes: &[u8]| check_text(bytes).map_err(|error| error.to_string());
        assert_eq!(check("é".as_bytes()), Ok(()));
        assert_eq!(check(b"ab\xc3"), Ok(()));
        let said = "the byte `0xc3` at 2 is not UTF-8";
        assert_eq!(check(b"ab\xc3c"), Err(said.to_owned()));
        let said = "the byte `0x00` at 2 is not text";
        assert_eq!(check(b"ab\0c"), Err(said.to_owned()));
        // Text may begin as pictures do.
        assert_eq!(check(b"GIF89a is older"), Ok(()));
    }
}
