//! What an error says was looked for: `text "Save" within rows 2–4`.

use std::fmt;

use super::Selector;

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Exact(text) => write!(f, "text {text:?}"),
            Selector::Pattern(pattern) => write!(f, "pattern {:?}", pattern.as_str()),
            // Not quoted as a text is: that would double every backslash.
            Selector::Regex(regex) => write!(f, "regex `{}`", regex.as_str()),
            Selector::At(position) => write!(f, "a character at {}", position.to_wire()),
            Selector::Styled(style) => write!(f, "text in {style}"),
            Selector::Link(link) => write!(f, "{link}"),
            Selector::Within(rect, selector) => write!(f, "{} within {rect}", Start(selector)),
            Selector::Nth(index, selector) => write!(f, "nth {index} of {}", Part(selector)),
        }
    }
}

impl Selector {
    /// Whether its description is more than one phrase, which a word before it would tear apart.
    pub(crate) fn is_compound(&self) -> bool {
        matches!(self, Selector::Within(..) | Selector::Nth(..))
    }
}

/// A selector behind a word, in brackets where that word would seem to mean only a part of it.
struct Part<'a>(&'a Selector);

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_compound() {
            write!(f, "({})", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// A selector before a word. What follows belongs to all that was said, as in the code, except behind "of" and "or".
struct Start<'a>(&'a Selector);

impl fmt::Display for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Selector::Nth(..) => Part(self.0).fmt(f),
            selector => selector.fmt(f),
        }
    }
}
