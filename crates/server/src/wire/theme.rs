//! Themes as clients name them.

use screentest::SnapshotTheme;

use super::RpcError;
use super::rpc_error::chain;

/// Parses `auto`, the name of a theme, or a theme as JSON.
pub(crate) fn read(field: &str, text: &str) -> Result<SnapshotTheme, RpcError> {
    text.trim()
        .parse()
        .map_err(|error| RpcError::invalid_params(format!("{field}: {}", chain(&error))))
}
