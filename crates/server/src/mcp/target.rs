//! What to look for on a screen, as agents write it: a text or a regular expression, and where.

use rmcp::schemars::JsonSchema;
use screentest::Appeared;
use screentest::core::{Rect, Selector};
use serde::Deserialize;

use super::trouble::Trouble;

/// What to look for.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Target {
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

impl Target {
    /// What it looks for.
    pub(super) fn read(&self) -> Result<Selector, Trouble> {
        let mut selector = match (&self.text, &self.regex) {
            (Some(text), None) => Selector::exact(filled("text", text)?),
            (None, Some(pattern)) => regex("regex", pattern)?,
            _ => {
                return Err(Trouble::new(
                    "what to look for is not clear",
                    "give either `text` or `regex`",
                ));
            }
        };
        if let Some(label) = &self.right_of {
            selector = selector.right_of(Selector::exact(filled("right_of", label)?));
        }
        if let Some(label) = &self.below {
            selector = selector.below(Selector::exact(filled("below", label)?));
        }
        if let Some([row, col, rows, cols]) = self.rect {
            let counted = row.checked_sub(1).zip(col.checked_sub(1));
            let Some((row, col)) = counted.filter(|_| rows > 0 && cols > 0) else {
                return Err(Trouble::new(
                    format!("rect [{row}, {col}, {rows}, {cols}] is no part of a screen"),
                    "rows and columns count from 1, and both sides are at least 1",
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

/// Which matches count, as `anytime` says.
pub(super) fn appeared(anytime: Option<bool>) -> Appeared {
    if anytime == Some(true) {
        Appeared::Anytime
    } else {
        Appeared::AfterEnter
    }
}

/// A text that is not empty: nothing is everywhere.
pub(super) fn filled<'a>(field: &str, text: &'a str) -> Result<&'a str, Trouble> {
    match text.is_empty() {
        true => Err(Trouble::new(
            format!("`{field}` is empty"),
            "give the text to look for",
        )),
        false => Ok(text),
    }
}

/// A regular expression.
pub(super) fn regex(field: &str, pattern: &str) -> Result<Selector, Trouble> {
    Selector::regex(filled(field, pattern)?).map_err(|error| {
        Trouble::new(
            format!("`{field}`: {error}"),
            "mend the regular expression, or give the words as `text`",
        )
    })
}
