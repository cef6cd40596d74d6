//! Selectors as agents write them: a text or a regular expression, and where it must be.

use rmcp::schemars::JsonSchema;
use screentest::Appeared;
use screentest::core::{Rect, Selector};
use serde::Deserialize;

use crate::mcp::error::ToolError;

/// The arguments that select a match.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct TargetArgs {
    /// Exact
    text: Option<String>,
    /// In one line
    regex: Option<String>,
    /// Which match, from 0
    nth: Option<usize>,
    /// [row, col, rows, cols]
    rect: Option<[usize; 4]>,
    /// Label in the same row
    right_of: Option<String>,
    /// Heading
    below: Option<String>,
}

impl TargetArgs {
    /// Parses the selector.
    pub(super) fn parse(&self) -> Result<Selector, ToolError> {
        let mut selector = match (&self.text, &self.regex) {
            (Some(text), None) => Selector::exact(non_empty("text", text)?),
            (None, Some(pattern)) => regex("regex", pattern)?,
            _ => {
                return Err(ToolError::new(
                    "the text to find is missing or ambiguous",
                    "give either `text` or `regex`",
                ));
            }
        };
        if let Some(label) = &self.right_of {
            selector = selector.right_of(Selector::exact(non_empty("right_of", label)?));
        }
        if let Some(label) = &self.below {
            selector = selector.below(Selector::exact(non_empty("below", label)?));
        }
        if let Some([row, col, rows, cols]) = self.rect {
            let counted = row.checked_sub(1).zip(col.checked_sub(1));
            let Some((row, col)) = counted.filter(|_| rows > 0 && cols > 0) else {
                return Err(ToolError::new(
                    format!("rect [{row}, {col}, {rows}, {cols}] is outside of any screen"),
                    "rows and columns count from 1, and both sizes are at least 1",
                ));
            };
            selector = selector.within(Rect {
                row,
                col,
                rows,
                cols,
            });
        }
        Ok(match self.nth {
            Some(nth) => selector.nth(nth),
            None => selector,
        })
    }
}

/// Converts `anytime`.
pub(in crate::mcp) fn appeared(anytime: Option<bool>) -> Appeared {
    if anytime == Some(true) {
        Appeared::Anytime
    } else {
        Appeared::AfterEnter
    }
}

/// Fails for an empty text, which would match everywhere.
pub(in crate::mcp) fn non_empty<'a>(field: &str, text: &'a str) -> Result<&'a str, ToolError> {
    if text.is_empty() {
        Err(ToolError::new(
            format!("`{field}` is empty"),
            "give the text to find",
        ))
    } else {
        Ok(text)
    }
}

/// Parses a regular expression.
pub(in crate::mcp) fn regex(field: &str, pattern: &str) -> Result<Selector, ToolError> {
    Selector::regex(non_empty(field, pattern)?).map_err(|error| {
        ToolError::new(
            format!("`{field}`: {error}"),
            "correct the regular expression, or give literal text as `text`",
        )
    })
}
