//! The TEXT argument that selects text on a session's screen.

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use crate::failure::Failure;

/// A text or a regular expression.
#[derive(Debug, Args)]
pub(super) struct SelectorArgs {
    /// Text to find on the screen
    #[arg(id = "text", value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// TEXT is a regular expression; it matches within a line
    #[arg(long)]
    regex: bool,
}

impl SelectorArgs {
    /// Returns the selector as the protocol expects it.
    pub(super) fn selector(&self) -> Result<Option<Value>, Failure> {
        match &self.text {
            None if self.regex => Err(Failure::usage(anyhow!("`--regex` needs TEXT"))),
            None => Ok(None),
            // Empty text is always found; most likely a variable of the script is not set.
            Some(text) if text.is_empty() => Err(Failure::usage(anyhow!("TEXT is empty"))),
            Some(text) => Ok(Some(if self.regex {
                json!({ "type": "regex", "pattern": text, "syntax": "full" })
            } else {
                json!({ "type": "exact", "text": text })
            })),
        }
    }
}
