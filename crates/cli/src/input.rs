//! A kept screen, read from a file or from stdin.
//!
//! Which format it is in is told by what is in it: a binary snapshot begins with its mark, State JSON with `{`, and any
//! other text is ANSI, since a terminal takes any text. Where the content leaves a doubt the name decides: a program may
//! well have shown `{`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str;

use anyhow::{Context, anyhow, bail};
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::state_json::StateJson;
use screentest::core::formats::vt2::{self, Reading};
use screentest::core::{Screen, Size, State};

use crate::failure::Failure;
use crate::format::{self, Format};

/// The most that is read: more than any state that people keep, and `/dev/zero` has no end.
const MOST: u64 = 256 << 20;

const UNDERSTOOD: &str =
    "State JSON (begins with `{`), VT2 (begins with `VT`) and ANSI text are understood";

/// A file, or stdin.
#[derive(Debug)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

/// The formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kept {
    Json,
    Vt2,
    Ansi,
}

impl Source {
    /// By its name on the command line, where `-` is stdin.
    pub(crate) fn named(path: &Path) -> Source {
        match path.as_os_str() == "-" {
            true => Source::Stdin,
            false => Source::File(path.to_owned()),
        }
    }

    /// Reads it; `size` is that of ANSI text which has none beside it.
    pub(crate) fn read(&self, size: Size) -> Result<State, Failure> {
        let bytes = self.bytes().map_err(Failure::usage)?;
        self.state(&bytes, size)
            .map_err(|error| Failure::usage(error).hint(UNDERSTOOD))
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

    fn state(&self, bytes: &[u8], size: Size) -> anyhow::Result<State> {
        let name = self.name();
        match kept(bytes, self.path().and_then(Format::promised)) {
            Kept::Json => {
                StateJson::parse(bytes).with_context(|| format!("{name} is not State JSON"))
            }
            Kept::Vt2 => {
                let screen = vt2::decode(bytes, Reading::Strict);
                let screen = screen.with_context(|| format!("{name} is not a VT2 snapshot"))?;
                Ok(alone(screen))
            }
            Kept::Ansi => match self.meta()? {
                Some(meta) => {
                    let mut screen = ansi::read(bytes, meta.size());
                    meta.place_cursor(&mut screen);
                    Ok(alone(screen))
                }
                // An empty screen is an empty file, but not every empty file is a screen.
                None if bytes.is_empty() => bail!("{name} is empty"),
                None if !is_text(bytes) => bail!("{name} is in no known format"),
                None => Ok(alone(ansi::read(bytes, size))),
            },
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

/// A screen without what is above it.
fn alone(screen: Screen) -> State {
    State {
        screen,
        scrollback: Vec::new(),
    }
}

/// The format of some bytes in a file whose name promises one, or not.
fn kept(bytes: &[u8], promised: Option<Format>) -> Kept {
    let first = bytes.trim_ascii_start().first();
    match promised {
        _ if is_vt2(bytes) => Kept::Vt2,
        Some(Format::Ansi) => Kept::Ansi,
        _ if first == Some(&b'{') => Kept::Json,
        Some(Format::Json) => Kept::Json,
        Some(Format::Vt2) => Kept::Vt2,
        _ => Kept::Ansi,
    }
}

/// Whether the mark is there, and behind it a version: a text may begin with the letters, but goes on with others.
fn is_vt2(bytes: &[u8]) -> bool {
    let marked = bytes.starts_with(b"VT") || bytes.starts_with(b"TV");
    marked && bytes.get(2).is_none_or(|version| *version < b'\t')
}

/// Whether a program could have written this to a terminal. What was recorded may end inside a character.
fn is_text(bytes: &[u8]) -> bool {
    let utf8 = match str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    utf8 && !bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells_the_format_and_the_name_where_it_does_not() {
        let ansi = Some(Format::Ansi);
        let json = Some(Format::Json);
        let vt2 = Some(Format::Vt2);
        for (bytes, promised, found) in [
            ("VT\x02\0", None, Kept::Vt2),
            ("TV\x02\0", ansi, Kept::Vt2),
            ("VT\x01", None, Kept::Vt2),
            ("VT", None, Kept::Vt2),
            ("VT100 is older", None, Kept::Ansi),
            ("TV\n", None, Kept::Ansi),
            (" \n{}", None, Kept::Json),
            ("{}", vt2, Kept::Json),
            ("{}", Some(Format::Text), Kept::Json),
            ("{\"shown\": 1}", ansi, Kept::Ansi),
            ("[]", json, Kept::Json),
            ("", json, Kept::Json),
            ("", vt2, Kept::Vt2),
            ("plain", None, Kept::Ansi),
            ("", None, Kept::Ansi),
        ] {
            assert_eq!(kept(bytes.as_bytes(), promised), found, "{bytes:?}");
        }
    }

    #[test]
    fn text_may_end_inside_a_character() {
        assert!(is_text("é".as_bytes()));
        assert!(is_text(b"ab\xc3"));
        assert!(!is_text(b"ab\xc3c"));
        assert!(!is_text(b"ab\0c"));
    }
}
