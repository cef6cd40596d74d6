//! The value of `--theme`: a name, `auto`, a theme as JSON, or the path of a JSON file.
//!
//! A value that begins with `{` is JSON. A value with a `/` or with the extension `.json` is a
//! path: no theme has such a name.
//!
//! See also: `screentest_core::Theme` (themes and their names), `commands/themes.rs` (the list).

use std::fs::File;
use std::io::{self, Read};

use screentest::SnapshotTheme;
use screentest::core::{Theme, ThemeError};

use crate::failure::Failure;
use crate::output::sanitize::replace_controls;

/// Maximum file size: a thousand times the size of a theme. It also bounds endless devices such as
/// `/dev/zero`.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the theme of commands that use `auto` if none is given: that of
/// `SCREENTEST_SNAPSHOT_THEME` or `TUISPEC_SNAPSHOT_THEME`, otherwise dark or light by `COLORFGBG`.
pub(crate) fn from_environment() -> Result<Theme, Failure> {
    let theme = SnapshotTheme::from_environment().map_err(Failure::usage)?;
    Ok(theme.resolved())
}

/// Parses the value of `--theme`.
pub(crate) fn theme(text: &str) -> Result<Theme, String> {
    if is_path(text) {
        return read_theme(text);
    }
    let theme = text.parse().map_err(|error: ThemeError| match &error {
        ThemeError::Unknown(unknown) if unknown.close.is_empty() => {
            format!("{error}; `screentest themes` lists all")
        }
        _ => error.to_string(),
    });
    theme.map(|theme: SnapshotTheme| theme.resolved())
}

fn is_path(text: &str) -> bool {
    let inline = text.trim_start().starts_with('{');
    !inline && (text.contains('/') || text.to_ascii_lowercase().ends_with(".json"))
}

fn read_theme(path: &str) -> Result<Theme, String> {
    let bytes =
        read(path).map_err(|error| format!("could not read the theme `{path}`: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("`{path}`: a theme has at most {MAX_BYTES} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("`{path}` is not valid UTF-8"))?;
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // clap prints the message as it is.
    Theme::from_json(text).map_err(|error| replace_controls(&format!("`{path}`: {error}")))
}

fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use screentest::core::ThemeCollection;

    use super::*;

    #[test]
    fn theme_names_are_not_paths() {
        for theme in ThemeCollection::ALL
            .iter()
            .flat_map(|(_, all)| all.themes())
        {
            assert!(!is_path(&theme.name), "{}", theme.name);
        }
    }
}
