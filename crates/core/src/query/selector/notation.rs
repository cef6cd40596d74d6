//! Selectors as people write them: `"Save" right of "Name:" nth 0`.
//!
//! A selector is one thing to look for and then what narrows it down, each qualifier to all that stands before it. What
//! [`Selector::notation`] writes reads back as the same selector. Rows and columns count from 1, as people count; `nth`
//! counts from 0, as everywhere.
//!
//! Elsewhere: what an error says was looked for (`describe.rs`), reading (`notation/read.rs`), and the page that explains it
//! (docs/formats/tape.md).

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::{Expressions, Link, Relation, Selector, Styled, Underlined};
use crate::{Attributes, Color, Position, Rect, Underline};

mod read;
#[cfg(test)]
mod tests;

pub use read::Cover;
pub(crate) use read::{Behind, cover, selector};

/// How many brackets and qualifiers a selector may have: more than anybody writes, and all of them nested in each other are
/// far from what a stack holds.
const MOST: usize = 256;

/// Why a text is no selector, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NotationError {
    /// The bytes of the text that are meant.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Reads `"text"`, `/regex/`, `pattern "a|b"`, `styled bold`, `link "https://…"` or `at 3,5`, with what narrows it down.
///
/// ```
/// use screentest_core::{Rect, Selector};
///
/// let value: Selector = r#"/\d+/ right of "Total:" in rows 2-4"#.parse()?;
/// assert_eq!(
///     value,
///     Selector::regex(r"\d+").unwrap().right_of("Total:").within(Rect::across(1..4))
/// );
/// # Ok::<(), screentest_core::query::selector::NotationError>(())
/// ```
impl FromStr for Selector {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Selector, NotationError> {
        selector(text, Behind::Nothing, &mut Expressions::default()).map(|(selector, _)| selector)
    }
}

impl Selector {
    /// The selector as it is written in tapes; it reads back as the same, unless it has more parts than any that is
    /// read.
    pub fn notation(&self) -> Notation<'_> {
        Notation(self)
    }
}

/// A selector as it is written in tapes; made by [`Selector::notation`].
#[derive(Debug, Clone, Copy)]
pub struct Notation<'a>(&'a Selector);

impl fmt::Display for Notation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Selector::Exact(text) => write!(f, "{text:?}"),
            Selector::Pattern(pattern) => write!(f, "pattern {:?}", pattern.as_str()),
            Selector::Regex(regex) => expression(f, regex.as_str()),
            Selector::At(position) => {
                f.write_str("at ")?;
                place(f, *position)
            }
            Selector::Styled(style) => styled(f, style),
            Selector::Link(Link::To(uri)) => write!(f, "link {uri:?}"),
            Selector::Link(Link::Containing(part)) => write!(f, "link containing {part:?}"),
            Selector::Within(rect, selector) => {
                write!(f, "{} in ", Start(selector))?;
                block(f, *rect)
            }
            Selector::Nth(index, selector) => write!(f, "{} nth {index}", Start(selector)),
            Selector::OnCursorRow(selector) => write!(f, "{} on cursor row", Start(selector)),
            Selector::Any(selectors) => any(f, selectors),
            Selector::Related(selector, relation, other) => {
                write!(f, "{} ", Start(selector))?;
                match relation {
                    Relation::Inside => f.write_str("inside")?,
                    Relation::Holding => f.write_str("holding")?,
                    Relation::Apart => f.write_str("apart from")?,
                    Relation::RightOf => f.write_str("right of")?,
                    Relation::Below => f.write_str("below")?,
                    Relation::Near(cells) => write!(f, "near {cells}")?,
                }
                write!(f, " {}", Part(other))
            }
        }
    }
}

/// Between slashes where that reads back as the same, else as a text.
fn expression(f: &mut fmt::Formatter<'_>, source: &str) -> fmt::Result {
    let mut escaped = false;
    let mut between = String::new();
    let mut plain = !source.is_empty();
    for c in source.chars() {
        plain &= !c.is_control() && (c != '/' || !escaped);
        if c == '/' {
            between.push('\\');
        }
        between.push(c);
        escaped = c == '\\' && !escaped;
    }
    if plain {
        write!(f, "/{between}/")
    } else {
        write!(f, "regex {source:?}")
    }
}

/// Counted from 1, also where a number is as large as it can be.
fn one_up(number: usize) -> u128 {
    number as u128 + 1
}

fn place(f: &mut fmt::Formatter<'_>, at: Position) -> fmt::Result {
    write!(f, "{},{}", one_up(at.row), one_up(at.col))
}

fn block(f: &mut fmt::Formatter<'_>, rect: Rect) -> fmt::Result {
    let Rect {
        row,
        col,
        rows,
        cols,
    } = rect;
    // The last one counted from 1 is the sum; where that is no number, the corner and the size still are.
    let last = |first: usize, count: usize| first.checked_add(count).filter(|_| count > 0);
    if let (0, usize::MAX, Some(last)) = (col, cols, last(row, rows)) {
        return write!(f, "rows {}-{last}", one_up(row));
    }
    if let (0, usize::MAX, Some(last)) = (row, rows, last(col, cols)) {
        return write!(f, "columns {}-{last}", one_up(col));
    }
    place(f, Position { row, col })?;
    write!(f, " {cols}x{rows}")
}

fn styled(f: &mut fmt::Formatter<'_>, style: &Styled) -> fmt::Result {
    let names = |attributes: Attributes| {
        let names = attributes.iter_names();
        names.map(|(name, _)| name.to_lowercase().replace('_', "-"))
    };
    let mut said: Vec<String> = names(style.on).collect();
    said.extend(names(style.off).map(|name| format!("not {name}")));
    said.extend(style.underline.map(|line| match line {
        Underlined::Somehow => "underlined".to_owned(),
        Underlined::By(Underline::None) => "not underlined".to_owned(),
        Underlined::By(line) => format!("underlined {line:?}").to_lowercase(),
    }));
    for (what, color) in [
        ("fg", style.fg),
        ("bg", style.bg),
        ("underline-color", style.underline_color),
    ] {
        said.extend(color.map(|color| match color {
            Color::Default => format!("{what} default"),
            Color::Indexed(index) => format!("{what} {index}"),
            Color::Rgb(rgb) => format!("{what} {rgb}"),
        }));
    }
    if said.is_empty() {
        said.push("anyhow".to_owned());
    }
    write!(f, "styled {}", said.join(", "))
}

fn any(f: &mut fmt::Formatter<'_>, selectors: &[Selector]) -> fmt::Result {
    match selectors {
        [] => f.write_str("nothing"),
        [only] => write!(f, "any ({})", Notation(only)),
        [first, rest @ ..] => {
            write!(f, "{}", Start(first))?;
            rest.iter()
                .try_for_each(|selector| write!(f, " or {}", Start(selector)))
        }
    }
}

/// What stands before a qualifier or an `or`: only another `or` would be torn apart there.
struct Start<'a>(&'a Selector);

impl fmt::Display for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Selector::Any(several) if several.len() > 1 => write!(f, "({})", Notation(self.0)),
            selector => Notation(selector).fmt(f),
        }
    }
}

/// What a relation points to: one thing, or brackets.
struct Part<'a>(&'a Selector);

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_compound() {
            write!(f, "({})", Notation(self.0))
        } else {
            Notation(self.0).fmt(f)
        }
    }
}
