//! A kept screen, read from a file or from stdin.
//!
//! Which format it is in is told by what is in it: a binary snapshot begins with its mark, State JSON is an object with
//! its fields, and any other text is ANSI, since a terminal takes any text. Where the content leaves a doubt the name
//! decides: a program may well have shown `{`. Who knows better says so, and then neither is asked.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str;

use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::state_json::{DefaultStyle, StateJson};
use screentest::core::formats::vt2::{self, Reading};
use screentest::core::{Screen, Size, State};

use crate::failure::{self, Failure};
use crate::format::{self, Format};

/// The most that is read: more than any state that people keep, and `/dev/zero` has no end.
const MOST: u64 = 256 << 20;

/// The size of ANSI text that nobody told: tuispec's own.
const GUESS: Size = Size {
    cols: 134,
    rows: 40,
};

const UNDERSTOOD: &str = "State JSON, VT2 (begins with `VT`) and ANSI text are understood; `--from ansi` takes any bytes as what a program wrote";

/// A file, or stdin.
#[derive(Debug)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

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
}

/// What the caller said about a file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Told {
    /// Its format.
    pub(crate) from: Option<From>,
    /// The size of its screen, which only ANSI text does not have.
    pub(crate) cols: Option<u16>,
    pub(crate) rows: Option<u16>,
}

/// What was read.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The screen.
    pub(crate) state: State,
    /// The colours of what is plain in it, where the format has them.
    pub(crate) colors: Option<DefaultStyle>,
}

impl Source {
    /// By its name on the command line, where `-` is stdin.
    pub(crate) fn named(path: &Path) -> Source {
        match path.as_os_str() == "-" {
            true => Source::Stdin,
            false => Source::File(path.to_owned()),
        }
    }

    /// Reads it.
    pub(crate) fn read(&self, told: Told) -> Result<Kept, Failure> {
        let bytes = self.bytes().map_err(Failure::usage)?;
        let name = self.name();
        let promised = self.path().and_then(Format::promised);
        let from = told.from.unwrap_or_else(|| format(&bytes, promised));
        let sized = match from {
            From::Text | From::Ansi => None,
            From::Json => Some("State JSON"),
            From::Vt2 => Some("VT2"),
        };
        if let Some(format) = sized
            && (told.cols.is_some() || told.rows.is_some())
        {
            return Err(Failure::usage(anyhow!(
                "`--cols` and `--rows` are the size of ANSI text, and {name} is {format}, which has its own"
            )));
        }
        let unreadable = |error| Failure::usage(error).hint(UNDERSTOOD);
        match from {
            From::Json => {
                let (state, colors) = StateJson::parse_with_default_style(&bytes)
                    .with_context(|| format!("{name} is not State JSON"))
                    .map_err(unreadable)?;
                Ok(Kept {
                    state,
                    colors: Some(colors),
                })
            }
            From::Vt2 => {
                let screen = vt2::decode(&bytes, Reading::Strict)
                    .with_context(|| format!("{name} is not a VT2 snapshot"))
                    .map_err(unreadable)?;
                Ok(screen.into())
            }
            From::Text | From::Ansi => {
                let meta = self.meta().map_err(Failure::usage)?;
                let textual = matches!(promised, Some(Format::Text | Format::Ansi));
                if told.from.is_none() && meta.is_none() {
                    // An empty screen is an empty file, but not every empty file is a screen.
                    if bytes.is_empty() && !textual {
                        return Err(Failure::usage(anyhow!("{name} is empty"))
                            .hint("`--from ansi` reads it as a blank screen"));
                    }
                    check_text(&bytes)
                        .with_context(|| format!("{name} is in no known format"))
                        .map_err(unreadable)?;
                }
                Ok(ansi(&name, &bytes, meta.as_ref(), told).into())
            }
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Source::Stdin => None,
            Source::File(path) => Some(path),
        }
    }

    fn name(&self) -> String {
        match self {
            Source::Stdin => "stdin".to_owned(),
            Source::File(path) => format!("`{}`", path.display()),
        }
    }

    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        let name = self.name();
        let mut bytes = Vec::new();
        match self {
            Source::Stdin => io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
            Source::File(path) if path.is_dir() => bail!("{name} is a directory"),
            Source::File(path) => {
                File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes))
            }
        }
        .with_context(|| format!("could not read {name}"))?;
        match bytes.len() as u64 > MOST {
            true => bail!("{name} is larger than the {MOST} bytes that are read"),
            false => Ok(bytes),
        }
    }

    /// The size that stands in a file beside ANSI text. One that cannot be read is not passed over: another size would
    /// break the rows elsewhere.
    fn meta(&self) -> anyhow::Result<Option<Meta>> {
        let Some(beside) = self.path().and_then(format::meta_beside) else {
            return Ok(None);
        };
        let json = match fs::read(&beside) {
            Ok(json) => json,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(anyhow!(error))
                    .with_context(|| format!("could not read `{}`", beside.display()));
            }
        };
        let meta = Meta::parse(json);
        let meta = meta.with_context(|| format!("`{}` gives no size", beside.display()))?;
        Ok(Some(meta))
    }
}

impl std::convert::From<Screen> for Kept {
    fn from(screen: Screen) -> Kept {
        Kept {
            state: State {
                screen,
                scrollback: Vec::new(),
            },
            colors: None,
        }
    }
}

/// Reads ANSI text. What the caller said of its size counts first, then what stands beside it.
fn ansi(name: &str, bytes: &[u8], meta: Option<&Meta>, told: Told) -> Screen {
    let known = meta.map(Meta::size);
    let cols = told.cols.or(known.map(|size| size.cols));
    let rows = told.rows.or(known.map(|size| size.rows));
    let guessed = Size {
        cols: cols.unwrap_or(GUESS.cols),
        rows: rows.unwrap_or(GUESS.rows),
    };
    let mut screen = ansi::read(bytes, guessed);
    // Whatever did not fit shows where there is more room.
    let larger = Size {
        cols: cols.unwrap_or(GUESS.cols * 4),
        rows: rows.unwrap_or(GUESS.rows * 4),
    };
    if larger != guessed && ansi::read(bytes, larger).text() != screen.text() {
        failure::note(&format!(
            "the size of {name} was guessed as {guessed}, and a larger screen shows more of it: `--cols` and `--rows` give it"
        ));
    }
    if let Some(meta) = meta {
        meta.place_cursor(&mut screen);
    }
    screen
}

/// The format of some bytes in a file whose name promises one, or not.
fn format(bytes: &[u8], promised: Option<Format>) -> From {
    match promised {
        _ if is_vt2(bytes) => From::Vt2,
        Some(Format::Ansi) => From::Ansi,
        _ if is_state_json(bytes) => From::Json,
        Some(Format::Json) => From::Json,
        Some(Format::Vt2) => From::Vt2,
        _ => From::Ansi,
    }
}

/// Whether the mark is there, and behind it a version: a text may begin with the letters, but goes on with others.
fn is_vt2(bytes: &[u8]) -> bool {
    let marked = bytes.starts_with(b"VT") || bytes.starts_with(b"TV");
    marked && bytes.get(2).is_none_or(|version| *version < b'\t')
}

/// Whether an object begins here that has fields of State JSON. Two of the first are enough, so that a file which is
/// broken further on is still known for what it should be.
fn is_state_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let has = |field: &[u8]| bytes.windows(field.len()).any(|place| place == field);
    bytes.trim_ascii_start().starts_with(b"{") && has(b"\"size\"") && has(b"\"cursor\"")
}

/// Whether a program could have written this to a terminal as text. What was recorded may end inside a character.
fn check_text(bytes: &[u8]) -> anyhow::Result<()> {
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        bail!("the byte `0x00` at {offset} is not text");
    }
    match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() => {
            let offset = error.valid_up_to();
            let byte = bytes.get(offset).copied().unwrap_or_default();
            bail!("the byte `{byte:#04x}` at {offset} is not UTF-8");
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_the_format_and_the_name_where_it_does_not() {
        let ansi = Some(Format::Ansi);
        let json = Some(Format::Json);
        let vt2 = Some(Format::Vt2);
        let state = "{\"size\": 1, \"cursor\"";
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
            (state, Some(Format::Text), From::Json),
            (state, ansi, From::Ansi),
            ("{}", None, From::Ansi),
            ("{", None, From::Ansi),
            ("[1, 2]", None, From::Ansi),
            ("\"x\"", None, From::Ansi),
            ("{}", Some(Format::Text), From::Ansi),
            ("{}", json, From::Json),
            ("[]", json, From::Json),
            ("", json, From::Json),
            ("", vt2, From::Vt2),
            ("plain", None, From::Ansi),
            ("", None, From::Ansi),
        ] {
            assert_eq!(format(bytes.as_bytes(), promised), found, "{bytes:?}");
        }
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
    }
}
