//! What `--theme` takes: a name, `auto`, a theme written as JSON, or the path of a file with one.
//!
//! What begins with `{` is a theme itself. A path is known by a `/` in it or by `.json` at its end: no theme has such a name.
//!
//! Elsewhere: the themes and their names (`screentest_core::Theme`), listing them (`themes.rs`).

use std::fs::File;
use std::io::{self, Read};

use screentest::SnapshotTheme;
use screentest::core::{Theme, ThemeError};

/// The most that is read of a file: a thousand times what a theme takes, and `/dev/zero` has no end.
const MOST: u64 = 1 << 20;

/// Reads the value of `--theme`.
pub(crate) fn theme(text: &str) -> Result<Theme, String> {
    if is_path(text) {
        return in_file(text);
    }
    let theme = text.parse().map_err(|error: ThemeError| match &error {
        ThemeError::Unknown(unknown) if unknown.nearest.is_none() => {
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

fn in_file(path: &str) -> Result<Theme, String> {
    let bytes =
        read(path).map_err(|error| format!("could not read the theme `{path}`: {error}"))?;
    if bytes.len() as u64 > MOST {
        return Err(format!("`{path}`: a theme has at most {MOST} bytes"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("`{path}`: a theme is text, and this is not UTF-8"))?;
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Theme::from_json(text).map_err(|error| format!("`{path}`: {error}"))
}

fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_theme_has_the_name_of_a_file() {
        for theme in Theme::all() {
            assert!(!is_path(&theme.name), "{}", theme.name);
        }
    }
}
