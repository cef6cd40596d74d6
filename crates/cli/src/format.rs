//! The formats by name, and a state written in one.
//!
//! Elsewhere: which one a file is in (`input.rs`), where the bytes go (`output.rs`), the formats themselves
//! (`screentest_core::formats`).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2::{self, Header};
use screentest::core::{State, Theme};

/// How a screen is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The rows as plain text
    Text,
    /// State JSON: text, styles, cursor, scrollback
    Json,
    /// Text with escape sequences for colours and styles
    Ansi,
    /// Binary snapshot, version 2
    Vt2,
    /// The text with `|` before the cell that the cursor is on, unless it is hidden
    Picture,
}

impl Format {
    /// The endings of file names that promise a format; of those that fit, the first counts.
    const ENDINGS: [(&str, Format); 5] = [
        (".ansi.txt", Format::Ansi),
        (".ansi", Format::Ansi),
        (".txt", Format::Text),
        (".json", Format::Json),
        (".vt2", Format::Vt2),
    ];

    /// The format that a file's name promises.
    pub(crate) fn promised(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_string_lossy();
        let fits = |(ending, _): &&(&str, Format)| name.ends_with(ending);
        Format::ENDINGS.iter().find(fits).map(|(_, format)| *format)
    }

    /// The endings, for a sentence.
    pub(crate) fn endings() -> String {
        Format::ENDINGS
            .map(|(ending, _)| format!("`{ending}`"))
            .join(", ")
    }

    /// Writes a state.
    pub(crate) fn write(self, state: &State, theme: &Theme) -> Written {
        let screen = &state.screen;
        match self {
            Format::Text => screen.text().into(),
            Format::Picture => screen.picture().into(),
            Format::Json => {
                // The state has as many rows as somebody asked for.
                let options = state_json::Options {
                    theme: theme.clone(),
                    scrollback: state_json::MAX_SCROLLBACK,
                };
                StateJson::from_state(state, &options).to_string().into()
            }
            Format::Ansi => Written {
                meta: Some(Meta::new(screen.size).with_cursor(&screen.cursor)),
                ..ansi::write(screen).into()
            },
            Format::Vt2 => {
                let encoded = vt2::encode(screen, Header::default());
                Written {
                    bytes: encoded.bytes,
                    meta: None,
                    cut: encoded.cut,
                }
            }
        }
    }
}

/// A state in some format.
#[derive(Debug)]
pub(crate) struct Written {
    /// The file.
    pub(crate) bytes: Vec<u8>,
    /// What belongs into a file beside it.
    pub(crate) meta: Option<Meta>,
    /// How many cells lost the marks that joined their character, for which the format has no room.
    pub(crate) cut: usize,
}

impl From<String> for Written {
    fn from(text: String) -> Written {
        Written {
            bytes: text.into_bytes(),
            meta: None,
            cut: 0,
        }
    }
}

/// Where the size of an ANSI snapshot stands: `x.meta.json` beside `x.ansi.txt` or `x.ansi`, and beside no other file,
/// since that name is one that others use too.
pub(crate) fn meta_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_bytes();
    let stem = [".ansi.txt", ".ansi"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending.as_bytes()))?;
    let mut meta = OsStr::from_bytes(stem).to_owned();
    meta.push(".meta.json");
    Some(path.with_file_name(meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_ending_counts() {
        for (name, format) in [
            ("x.ansi.txt", Some(Format::Ansi)),
            ("a/x.ansi", Some(Format::Ansi)),
            ("x.txt", Some(Format::Text)),
            ("x.y.json", Some(Format::Json)),
            ("x.vt2", Some(Format::Vt2)),
            ("x.png", None),
            ("x", None),
            ("/", None),
        ] {
            assert_eq!(Format::promised(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn the_size_stands_beside_the_text() {
        for (text, meta) in [
            ("a/x.ansi.txt", Some("a/x.meta.json")),
            ("x.y.ansi", Some("x.y.meta.json")),
            (".ansi.txt", Some(".meta.json")),
            ("x.txt", None),
            ("raw", None),
        ] {
            let meta = meta.map(PathBuf::from);
            assert_eq!(meta_beside(Path::new(text)), meta, "{text}");
        }
    }
}
