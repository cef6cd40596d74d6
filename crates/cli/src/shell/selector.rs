//! What is looked for on a session's screen, as the command line says it.

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use crate::failure::Failure;

/// A text, or a pattern.
#[derive(Debug, Args)]
pub(super) struct Sought {
    /// What to look for: a text that stands on the screen
    #[arg(id = "text", value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// TEXT is a regular expression, in one line
    #[arg(long)]
    regex: bool,
}

impl Sought {
    /// As the protocol has it.
    pub(super) fn selector(&self) -> Result<Option<Value>, Failure> {
        match &self.text {
            None if self.regex => Err(Failure::usage(anyhow!(
                "`--regex` says what TEXT is, and there is none"
            ))),
            None => Ok(None),
            // It would always be there: a variable of a script was not set.
            Some(text) if text.is_empty() => {
                Err(Failure::usage(anyhow!("the text to look for is empty")))
            }
            Some(text) => Ok(Some(match self.regex {
                true => json!({ "type": "regex", "pattern": text, "syntax": "full" }),
                false => json!({ "type": "exact", "text": text }),
            })),
        }
    }
}
