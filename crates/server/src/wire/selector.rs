//! Selectors as clients write them.

use screentest::TuiError;
use screentest::core::query::selector::{ImageSelector, Pattern};
use screentest::core::screen::image::HashPrefix;
use screentest::core::{Ambiguity, ImageKind, Selector};
use screentest::session::WaitError;
use serde::Deserialize;

use super::RpcError;
use super::coordinates::{self, WireCells, WirePixels, WireRect};
use super::number::WholeNumber;

/// A selector. Its type determines the fields that it needs.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct WireSelector {
    r#type: String,
    text: Option<String>,
    pattern: Option<String>,
    syntax: Option<String>,
    col: Option<WholeNumber>,
    row: Option<WholeNumber>,
    rect: Option<WireRect>,
    index: Option<WholeNumber>,
    selector: Option<Box<WireSelector>>,
    kind: Option<String>,
    hash: Option<String>,
    cells: Option<WireCells>,
    pixels: Option<WirePixels>,
}

impl WireSelector {
    /// Parses the selector.
    pub(crate) fn read(&self) -> Result<Selector, RpcError> {
        let missing = |kind: &str, field: &str| {
            RpcError::invalid_params(format!("selector.{kind} needs the field `{field}`"))
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
                coordinates::position(col, row)
                    .map(Selector::at)
                    .ok_or_else(|| {
                        RpcError::invalid_params(
                            "selector.at uses 1-based coordinates; col/row must be >= 1",
                        )
                    })
            }
            "within" => {
                let rect = self.rect.ok_or_else(|| missing("within", "rect"))?;
                let rect = rect.rect("selector.within.rect")?;
                Ok(inner("within")?.within(rect))
            }
            "nth" => {
                let index = self.index.ok_or_else(|| missing("nth", "index"))?;
                let index = index.non_negative("selector.nth.index")?;
                let index = usize::try_from(index).unwrap_or(usize::MAX);
                Ok(inner("nth")?.nth(index))
            }
            "image" => self.image(),
            _ => Err(RpcError::invalid_params(format!(
                "unknown selector type: {} (one of: exact, regex, at, within, nth, image)",
                self.r#type
            ))),
        }
    }
}

impl WireSelector {
    fn image(&self) -> Result<Selector, RpcError> {
        let mut image = ImageSelector::new();
        if let Some(name) = &self.kind {
            image.kind = Some(ImageKind::named(name).ok_or_else(|| {
                let kinds = ImageKind::ALL.map(ImageKind::name).join(", ");
                RpcError::invalid_params(format!(
                    "selector.image.kind must be one of: {kinds}; not {name}"
                ))
            })?);
        }
        if let Some(digits) = &self.hash {
            let hash = digits.parse::<HashPrefix>();
            let hash = hash.map_err(|error| RpcError::invalid_params(error.to_string()))?;
            image = image.hash(hash);
        }
        image.at = match (self.col, self.row) {
            (None, None) => None,
            (Some(col), Some(row)) => {
                let at = coordinates::position(col, row).ok_or_else(|| {
                    RpcError::invalid_params(
                        "selector.image uses 1-based coordinates; col/row must be >= 1",
                    )
                })?;
                Some(at)
            }
            _ => {
                return Err(RpcError::invalid_params(
                    "selector.image needs both `col` and `row`, or neither",
                ));
            }
        };
        if let Some(WireCells { cols, rows }) = self.cells {
            // No screen has an image of more cells, so a larger number matches none either.
            let side = |count| u16::try_from(count).unwrap_or(u16::MAX);
            image = image.cells(side(cols), side(rows));
        }
        if let Some(WirePixels { width, height }) = self.pixels {
            image = image.pixels(width, height);
        }
        Ok(Selector::image(image))
    }
}

/// Hints for light patterns that look like regular expressions.
impl WireSelector {
    /// Converts the error of a wait for this selector.
    pub(crate) fn failure(&self, doing: &str, error: &TuiError) -> RpcError {
        self.hint(RpcError::from_tui(doing, error), error)
    }

    fn hint(&self, failure: RpcError, error: &TuiError) -> RpcError {
        match (&self.pattern, &self.selector) {
            (Some(pattern), _) if is_regex_type(&self.r#type) => {
                add_pattern_hint(failure, error, pattern, self.syntax.as_deref())
            }
            (_, Some(inner)) => inner.hint(failure, error),
            _ => failure,
        }
    }
}

fn is_regex_type(kind: &str) -> bool {
    kind.eq_ignore_ascii_case("regex")
}

/// Appends a hint if a light pattern found nothing and looks like a regular expression.
pub(crate) fn add_pattern_hint(
    failure: RpcError,
    error: &TuiError,
    pattern: &str,
    syntax: Option<&str>,
) -> RpcError {
    let found_nothing = matches!(
        error,
        TuiError::Wait {
            error: WaitError::TimedOut { .. } | WaitError::Ended { .. },
            ..
        }
    );
    let regex = || Pattern::looks_like_regex(pattern) || pattern.contains('(');
    if found_nothing && syntax != Some("full") && regex() {
        failure.append(
            "; this is a light pattern, in which only `|` and `.*` are special: set `\"syntax\":\"full\"` for a regular expression",
        )
    } else {
        failure
    }
}

/// The syntax of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Alternatives (`|`) and gaps (`.*`). All other characters are literal.
    Light,
    /// A regular expression.
    Full,
}

/// Parses the `syntax` of a pattern.
pub(crate) fn syntax(word: Option<&str>) -> Result<Syntax, RpcError> {
    match word {
        None | Some("light") => Ok(Syntax::Light),
        Some("full") => Ok(Syntax::Full),
        Some(other) => Err(RpcError::invalid_params(format!(
            "syntax must be one of: light, full; not {other}"
        ))),
    }
}

fn pattern_selector(pattern: &str, word: Option<&str>) -> Result<Selector, RpcError> {
    match syntax(word)? {
        Syntax::Light => Ok(Selector::pattern(pattern)),
        Syntax::Full => {
            Selector::regex(pattern).map_err(|error| RpcError::invalid_params(error.to_string()))
        }
    }
}

/// Parses an optional `ambiguityMode`.
pub(crate) fn ambiguity(word: Option<&str>) -> Result<Option<Ambiguity>, RpcError> {
    let Some(word) = word else {
        return Ok(None);
    };
    match word.trim().to_lowercase().as_str() {
        "fail" => Ok(Some(Ambiguity::Fail)),
        "first" | "first-visible" => Ok(Some(Ambiguity::First)),
        "last" | "last-visible" => Ok(Some(Ambiguity::Last)),
        _ => Err(RpcError::invalid_params(format!(
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
    fn wire_coordinates_are_one_based() {
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
    fn images_have_requirements() {
        check(r#"{"type":"image"}"#, &ImageSelector::new().into());
        let image = ImageSelector::new()
            .kind(ImageKind::Kitty)
            .hash("3fa4".parse::<HashPrefix>().expect("hex digits"))
            .at(Position { row: 1, col: 9 })
            .cells(6, 2)
            .pixels(48, 32);
        check(
            r#"{"type":"image","kind":"kitty","hash":"3FA4","col":10,"row":2,"cells":{"cols":6,"rows":2},"pixels":{"width":48,"height":32}}"#,
            &image.into(),
        );
    }

    #[test]
    fn patterns_are_light_by_default() {
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
    fn errors_name_the_field() {
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
                "unknown selector type: foo (one of: exact, regex, at, within, nth, image)",
            ),
            (
                r#"{"type":"nth","index":-1,"selector":{"type":"exact","text":"x"}}"#,
                "selector.nth.index must be >= 0, not -1",
            ),
            (
                r#"{"type":"image","kind":"png"}"#,
                "selector.image.kind must be one of: sixel, kitty, iterm; not png",
            ),
            (
                r#"{"type":"image","hash":"xyz"}"#,
                "`xyz` is not the hash of an image: expected 4 to 64 hexadecimal digits",
            ),
            (
                r#"{"type":"image","row":1}"#,
                "selector.image needs both `col` and `row`, or neither",
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
