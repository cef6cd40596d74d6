//! A state written down, so that it can be read or compared.
//!
//! Elsewhere: what gets lost on the way (`notation/losses.rs`), the names of formats and files (`format.rs`), screens that
//! are drawn instead (`picture.rs`), the formats themselves (`screentest_core::formats`).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2::{self, HeaderLength};
use screentest::core::{State, Theme};

use losses::Losses;

mod losses;

/// How a screen is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// The rows as plain text
    Text,
    /// State JSON: text, styles, cursor, scrollback
    Json,
    /// Text with escape sequences for colours and styles
    Ansi,
    /// Binary snapshot, version 2
    Vt2,
    /// The text with `|` before the cell that the cursor is on, unless it is hidden
    Sketch,
}

impl Notation {
    /// Writes a state.
    pub(crate) fn write(self, state: &State, theme: &Theme) -> Written {
        let screen = &state.screen;
        match self {
            Notation::Text => screen.text().into(),
            Notation::Sketch => screen.picture().into(),
            Notation::Json => {
                // The state has as many rows as somebody asked for.
                let options = state_json::StateJsonOptions {
                    theme: theme.clone(),
                    scrollback: state_json::MAX_SCROLLBACK,
                };
                Written {
                    losses: Losses::of_json(state),
                    ..StateJson::from_state(state, &options).to_string().into()
                }
            }
            Notation::Ansi => Written {
                meta: Some(Meta::new(screen.size).with_cursor(&screen.cursor)),
                ..ansi::write(screen).into()
            },
            Notation::Vt2 => {
                let encoded = vt2::encode(screen, HeaderLength::default());
                Written {
                    losses: Losses::of_vt2(screen, encoded.cut),
                    ..encoded.bytes.into()
                }
            }
        }
    }
}

/// A state in some format, as bytes.
#[derive(Debug)]
pub(crate) struct Written {
    /// The file.
    pub(crate) bytes: Vec<u8>,
    /// What belongs into a file beside it.
    pub(crate) meta: Option<Meta>,
    /// What the format has no room for, although it is seen.
    pub(crate) losses: Losses,
}

impl From<Vec<u8>> for Written {
    fn from(bytes: Vec<u8>) -> Written {
        Written {
            bytes,
            meta: None,
            losses: Losses::default(),
        }
    }
}

impl From<String> for Written {
    fn from(text: String) -> Written {
        text.into_bytes().into()
    }
}

/// Where the size of an ANSI snapshot stands: `x.meta.json` beside `x.ansi.txt` or `x.ansi`, and beside no other file,
/// since that name is one that others use too.
pub(crate) fn meta_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_bytes();
    let stem = [".ansi.txt", ".ansi"].iter().find_map(|ending| {
        let (stem, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
        end.eq_ignore_ascii_case(ending.as_bytes()).then_some(stem)
    })?;
    let mut meta = OsStr::from_bytes(stem).to_owned();
    meta.push(".meta.json");
    Some(path.with_file_name(meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_stands_beside_the_text() {
        for (text, meta) in [
            ("a/x.ansi.txt", Some("a/x.meta.json")),
            ("x.y.ansi", Some("x.y.meta.json")),
            ("X.ANSI", Some("X.meta.json")),
            (".ansi.txt", Some(".meta.json")),
            ("x.txt", None),
            ("raw", None),
        ] {
            let meta = meta.map(PathBuf::from);
            assert_eq!(meta_beside(Path::new(text)), meta, "{text}");
        }
    }
}
