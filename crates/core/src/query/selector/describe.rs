//! The description of a selector in errors: `text "Save" within rows 2–4`.

use std::fmt;

use super::Selector;

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Exact(text) => write!(f, "text {text:?}"),
            Selector::Pattern(pattern) => write!(f, "pattern {:?}", pattern.as_str()),
            // Not formatted with `{:?}`, which would double every backslash.
            Selector::Regex(regex) => write!(f, "regex `{}`", regex.as_str()),
            Selector::At(position) => write!(f, "a character at {}", position.to_wire()),
            Selector::Styled(style) => write!(f, "{style}"),
            Selector::Link(link) => write!(f, "{link}"),
            Selector::Image(image) => write!(f, "{image}"),
            Selector::Within(rect, selector) => write!(f, "{} within {rect}", BeforeWord(selector)),
            Selector::Nth(index, selector) => write!(f, "nth {index} of {}", AfterWord(selector)),
            Selector::OnCursorRow(selector) => {
                write!(f, "{} on the cursor's row", BeforeWord(selector))
            }
            Selector::Any(selectors) => any(f, selectors),
            Selector::Related(selector, relation, other) => {
                write!(
                    f,
                    "{} {relation} {}",
                    BeforeWord(selector),
                    AfterWord(other)
                )
            }
        }
    }
}

impl Selector {
    /// Returns whether the description of this selector has several parts. A word before such a
    /// description would apply to its first part only.
    pub(crate) fn is_compound(&self) -> bool {
        match self {
            Selector::Within(..)
            | Selector::Nth(..)
            | Selector::OnCursorRow(_)
            | Selector::Related(..) => true,
            Selector::Any(selectors) => match selectors.as_slice() {
                [only] => only.is_compound(),
                several => !several.is_empty(),
            },
            _ => false,
        }
    }
}

fn any(f: &mut fmt::Formatter<'_>, selectors: &[Selector]) -> fmt::Result {
    match selectors {
        [] => f.write_str("any of no selectors"),
        // A single selector needs neither the word "or" nor brackets.
        [only] => write!(f, "{only}"),
        [first, rest @ ..] => {
            write!(f, "{}", AfterWord(first))?;
            rest.iter()
                .try_for_each(|selector| write!(f, " or {}", AfterWord(selector)))
        }
    }
}

/// Writes a selector that follows a word such as "of". Compound selectors get brackets, since the
/// word would otherwise apply to their first part only.
struct AfterWord<'a>(&'a Selector);

impl fmt::Display for AfterWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_compound() {
            write!(f, "({})", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// Writes a selector that precedes a qualifier such as "within". A qualifier applies to everything
/// before it, so only selectors with "of" or "or" need brackets.
struct BeforeWord<'a>(&'a Selector);

impl fmt::Display for BeforeWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Selector::Nth(..) | Selector::Any(_) => AfterWord(self.0).fmt(f),
            selector => selector.fmt(f),
        }
    }
}
