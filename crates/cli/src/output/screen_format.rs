//! Writes a screen as text or data, which can be read again or compared.
//!
//! See also: `screen_format/losses.rs` (what a format cannot represent), `format.rs` (names and
//! extensions), `picture.rs` (pictures), `screentest_core::formats` (the formats themselves).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use screentest::core::formats::ansi::{self, Meta};
use screentest::core::formats::state_json::{self, StateJson};
use screentest::core::formats::vt2::{self, HeaderLength};
use screentest::core::{Paint, State, Theme};

use losses::Losses;

mod losses;

/// A text or data format of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScreenFormat {
    /// Rows as plain text
    Text,
    /// State JSON: text, styles, cursor, scrollback
    Json,
    /// Text with escape sequences for colours and styles
    Ansi,
    /// Binary snapshot, version 2
    Vt2,
    /// Plain text with `|` before the cursor's cell, unless the cursor is hidden
    Sketch,
}

impl ScreenFormat {
    /// Encodes a state.
    pub(crate) fn write(self, state: &State, theme: &Theme) -> EncodedScreen {
        let screen = &state.screen;
        match self {
            ScreenFormat::Text => screen.text().into(),
            ScreenFormat::Sketch => screen.picture().into(),
            ScreenFormat::Json => {
                // The state already has the requested number of scrollback rows.
                let options = state_json::StateJsonOptions {
                    theme: theme.clone(),
                    scrollback: state_json::MAX_SCROLLBACK,
                };
                EncodedScreen {
                    losses: Losses::of_json(state),
                    ..StateJson::from_state(state, &options).to_string().into()
                }
            }
            ScreenFormat::Ansi => EncodedScreen {
                meta: Some(Meta::new(screen.size).with_cursor(&screen.cursor)),
                for_terminal: Some(screen.painted(Paint::Ansi)),
                ..ansi::write(screen).into()
            },
            ScreenFormat::Vt2 => {
                let encoded = vt2::encode(screen, HeaderLength::default());
                EncodedScreen {
                    losses: Losses::of_vt2(screen, encoded.cut),
                    ..encoded.bytes.into()
                }
            }
        }
    }
}

/// Maximum size of a size file: far more than it contains.
pub(crate) const MAX_META_BYTES: u64 = 64 << 10;

/// An encoded screen.
#[derive(Debug)]
pub(crate) struct EncodedScreen {
    /// The content of the file.
    pub(crate) bytes: Vec<u8>,
    /// The content of the `.meta.json` file next to it.
    pub(crate) meta: Option<Meta>,
    /// What a terminal on stdout receives instead: the same, without changing the terminal's
    /// colours.
    pub(crate) for_terminal: Option<String>,
    /// Visible properties that the format cannot represent.
    pub(crate) losses: Losses,
}

impl From<Vec<u8>> for EncodedScreen {
    fn from(bytes: Vec<u8>) -> EncodedScreen {
        EncodedScreen {
            bytes,
            meta: None,
            for_terminal: None,
            losses: Losses::default(),
        }
    }
}

impl From<String> for EncodedScreen {
    fn from(text: String) -> EncodedScreen {
        text.into_bytes().into()
    }
}

/// Returns the path of the size file of an ANSI snapshot: `x.meta.json` for `x.ansi.txt` or
/// `x.ansi`. Files with other names have no size file, since other programs also write `.meta.json`
/// files.
pub(crate) fn meta_path(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_bytes();
    let stem = [".ansi.txt", ".ansi"].iter().find_map(|extension| {
        let (stem, end) = name.split_at_checked(name.len().checked_sub(extension.len())?)?;
        end.eq_ignore_ascii_case(extension.as_bytes())
            .then_some(stem)
    })?;
    let mut meta = OsStr::from_bytes(stem).to_owned();
    meta.push(".meta.json");
    Some(path.with_file_name(meta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_file_has_the_name_of_the_text() {
        for (text, meta) in [
            ("a/x.ansi.txt", Some("a/x.meta.json")),
            ("x.y.ansi", Some("x.y.meta.json")),
            ("X.ANSI", Some("X.meta.json")),
            (".ansi.txt", Some(".meta.json")),
            ("x.txt", None),
            ("raw", None),
        ] {
            let meta = meta.map(PathBuf::from);
            assert_eq!(meta_path(Path::new(text)), meta, "{text}");
        }
    }
}
