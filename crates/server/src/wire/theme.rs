//! Themes, as clients name them.

use screentest::SnapshotTheme;

use super::Failure;
use super::failure::chain;

/// Reads `auto`, a theme by its name, or one as JSON.
pub(crate) fn read(field: &str, text: &str) -> Result<SnapshotTheme, Failure> {
    text.trim()
        .parse()
        .map_err(|error| Failure::params(format!("{field}: {}", chain(&error))))
}
