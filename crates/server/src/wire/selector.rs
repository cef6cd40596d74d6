//! Selectors, as clients write them.

use screentest::core::query::selector::Pattern;
use screentest::core::{Ambiguity, Selector};
use screentest::{TuiError, WaitError};
use serde::Deserialize;

use super::Failure;
use super::number::Whole;
use super::place::{self, WireRect};

/// A selector; which fields it needs, its type says.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct WireSelector {
    r#type: String,
    text: Option<String>,
    pattern: Option<String>,
    syntax: Option<String>,
    col: Option<Whole>,
    row: Option<Whole>,
    rect: Option<WireRect>,
    index: Option<Whole>,
    selector: Option<Box<WireSelector>>,
}

impl WireSelector {
    /// What it looks for.
    pub(crate) fn read(&self) -> Result<Selector, Failure> {
        let missing = |kind: &str, field: &str| {
            Failure::params(format!("selector.{kind} needs the field `{field}`"))
        };
        let inner = |kind: &str| match &self.selector {
            Some(selector) => selector.read(),
            None => Err(missing(kind, "selector")),
        };
        match self.r#type.to_lowercase().as_str() {
            "exact" => match &self.text {
                Some(text) => Ok(Selector::exact(text)),
                None => Err(missing("exact", "text")),
            },
            "regex" => match &self.pattern {
                Some(pattern) => pattern_selector(pattern, self.syntax.as_deref()),
                None => Err(missing("regex", "pattern")),
            },
            "at" => {
                let col = self.col.ok_or_else(|| missing("at", "col"))?;
                let row = self.row.ok_or_else(|| missing("at", "row"))?;
                place::position(col, row).map(Selector::at).ok_or_else(|| {
                    Failure::params("selector.at uses 1-based coordinates; col/row must be >= 1")
                })
            }
            "within" => {
                let rect = self.rect.ok_or_else(|| missing("within", "rect"))?;
                let rect = rect.rect("selector.within.rect")?;
                Ok(inner("within")?.within(rect))
            }
            "nth" => {
                let index = self.index.ok_or_else(|| missing("nth", "index"))?;
                let index = index.count("selector.nth.index")?;
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                Ok(inner("nth")?.nth(index))
            }
            _ => Err(Failure::params(format!(
                "unknown selector type: {} (one of: exact, regex, at, within, nth)",
                self.r#type
            ))),
        }
    }
}

/// Light patterns that were perhaps meant to be more.
impl WireSelector {
    /// What did not come about while it was looked for.
    pub(crate) fn failure(&self, doing: &str, error: &TuiError) -> Failure {
        self.hint(Failure::of(doing, error), error)
    }

    fn hint(&self, failure: Failure, error: &TuiError) -> Failure {
        match (&self.pattern, &self.selector) {
            (Some(pattern), _) if is_regex(&self.r#type) => {
                light(failure, error, pattern, self.syntax.as_deref())
            }
            (_, Some(inner)) => inner.hint(failure, error),
            _ => failure,
        }
    }
}

fn is_regex(kind: &str) -> bool {
    kind.eq_ignore_ascii_case("regex")
}

/// The same failure, with a hint where a light pattern has signs of a regular expression and found nothing.
pub(crate) fn light(
    failure: Failure,
    error: &TuiError,
    pattern: &str,
    syntax: Option<&str>,
) -> Failure {
    let in_vain = matches!(
        error,
        TuiError::Wait {
            error: WaitError::TimedOut { .. } | WaitError::Ended { .. },
            ..
        }
    );
    let regex = || Pattern::looks_like_regex(pattern) || pattern.contains('(');
    match in_vain && syntax != Some("full") && regex() {
        true => failure.and(
            "; this is a light pattern, in which only `|` and `.*` are more than themselves: `\"syntax\":\"full\"` makes it a regular expression",
        ),
        false => failure,
    }
}

/// Which patterns a client writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Alternatives and gaps; every other sign means itself.
    Light,
    /// A regular expression.
    Full,
}

/// Reads the `syntax` of a pattern.
pub(crate) fn syntax(word: Option<&str>) -> Result<Syntax, Failure> {
    match word {
        None | Some("light") => Ok(Syntax::Light),
        Some("full") => Ok(Syntax::Full),
        Some(other) => Err(Failure::params(format!(
            "syntax must be one of: light, full; not {other}"
        ))),
    }
}

fn pattern_selector(pattern: &str, word: Option<&str>) -> Result<Selector, Failure> {
    match syntax(word)? {
        Syntax::Light => Ok(Selector::pattern(pattern)),
        Syntax::Full => {
            Selector::regex(pattern).map_err(|error| Failure::params(error.to_string()))
        }
    }
}

/// Reads the `ambiguityMode`, where one was given.
pub(crate) fn ambiguity(word: Option<&str>) -> Result<Option<Ambiguity>, Failure> {
    let Some(word) = word else {
        return Ok(None);
    };
    match word.trim().to_lowercase().as_str() {
        "fail" => Ok(Some(Ambiguity::Fail)),
        "first" | "first-visible" => Ok(Some(Ambiguity::First)),
        "last" | "last-visible" => Ok(Some(Ambiguity::Last)),
        _ => Err(Failure::params(format!(
            "ambiguityMode must be one of: fail, first, first-visible, last, last-visible; not {word}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use screentest::core::{Position, Rect};

    use super::*;

    #[track_caller]
    fn check(json: &str, selector: &Selector) {
        let read: WireSelector = serde_json::from_str(json).unwrap();
        assert_eq!(read.read().as_ref(), Ok(selector), "{json}");
    }

    #[test]
    fn places_count_from_one_on_the_wire() {
        let at = Position { row: 1, col: 9 };
        check(r#"{"type":"at","col":10,"row":2}"#, &Selector::at(at));
        let rect = Rect {
            row: 0,
            col: 0,
            rows: 10,
            cols: 40,
        };
        check(
            r#"{"type":"within","rect":{"col":1,"row":1,"width":40,"height":10},"selector":{"type":"exact","text":"Ready"}}"#,
            &Selector::exact("Ready").within(rect),
        );
        check(
            r#"{"type":"NTH","index":1,"selector":{"type":"exact","text":"Task"}}"#,
            &Selector::exact("Task").nth(1),
        );
    }

    #[test]
    fn a_pattern_is_light_unless_it_says_otherwise() {
        let pattern = r"Ready|Done.*";
        check(
            r#"{"type":"regex","pattern":"Ready|Done.*"}"#,
            &Selector::pattern(pattern),
        );
        check(
            r#"{"type":"regex","pattern":"Ready|Done.*","syntax":"full"}"#,
            &Selector::regex(pattern).unwrap(),
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (json, details) in [
            (
                r#"{"type":"at","col":0,"row":2}"#,
                "selector.at uses 1-based coordinates; col/row must be >= 1",
            ),
            (
                r#"{"type":"within","rect":{"col":1,"row":0,"width":4,"height":1},"selector":{"type":"exact","text":"x"}}"#,
                "selector.within.rect uses 1-based col/row coordinates",
            ),
            (
                r#"{"type":"within","rect":{"col":1,"row":1,"width":0,"height":1},"selector":{"type":"exact","text":"x"}}"#,
                "selector.within.rect width/height must be >= 1",
            ),
            (
                r#"{"type":"foo"}"#,
                "unknown selector type: foo (one of: exact, regex, at, within, nth)",
            ),
            (
                r#"{"type":"nth","index":-1,"selector":{"type":"exact","text":"x"}}"#,
                "selector.nth.index must be >= 0, not -1",
            ),
            (
                r#"{"type":"exact"}"#,
                "selector.exact needs the field `text`",
            ),
        ] {
            let read: WireSelector = serde_json::from_str(json).unwrap();
            assert_eq!(read.read().unwrap_err().details(), details);
        }
    }
}
