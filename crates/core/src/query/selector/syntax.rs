//! The written form of selectors: `"Save" right of "Name:" nth 0`.
//!
//! A selector is a start (text, expression, style, …) followed by qualifiers. Each qualifier
//! applies to everything before it. The text that [`Selector::syntax`] writes parses to the same
//! selector. Rows and columns count from 1, as people count; `nth` counts from 0, as it does
//! everywhere.
//!
//! See also: the description of a selector in errors (`describe.rs`), the parser
//! (`syntax/parser.rs`), and the language's documentation (docs/formats/tape.md).

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::{Expressions, ImageSelector, Link, Relation, Selector, Styled, Underlined};
use crate::{Attributes, Color, Position, Rect, Underline};

mod parser;
#[cfg(test)]
mod tests;

pub use parser::MaskTarget;
#[doc(hidden)]
pub use parser::{TrailingText, parse_mask_target, parse_selector};

/// Largest number of brackets and qualifiers in a selector. Far more than hand-written selectors
/// need, and few enough that even full nesting does not come near to exhausting the stack.
const MAX_PARTS: usize = 256;

/// Error for a text that is not a valid selector, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SelectorSyntaxError {
    /// Byte range of the text that the error is about.
    pub range: Range<usize>,
    /// The error message.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
}

/// Parses `"text"`, `/regex/`, `pattern "a|b"`, `styled bold`, `link "https://…"`, `image hash
/// 3fa4c2d19b07` or `at 3,5`, with qualifiers.
///
/// ```
/// use screentest_core::{Rect, Selector};
///
/// let value: Selector = r#"/\d+/ right of "Total:" in rows 2-4"#.parse()?;
/// assert_eq!(
///     value,
///     Selector::regex(r"\d+").unwrap().right_of("Total:").within(Rect::across(1..4))
/// );
/// # Ok::<(), screentest_core::query::selector::SelectorSyntaxError>(())
/// ```
impl FromStr for Selector {
    type Err = SelectorSyntaxError;

    fn from_str(text: &str) -> Result<Selector, SelectorSyntaxError> {
        parse_selector(text, TrailingText::Nothing, &mut Expressions::default())
            .map(|(selector, _)| selector)
    }
}

impl Selector {
    /// Returns the selector in the syntax of tapes. It parses to the same selector, unless it has
    /// more parts than the parser accepts.
    pub fn syntax(&self) -> SelectorSyntax<'_> {
        SelectorSyntax(self)
    }
}

/// A selector formatted in the syntax of tapes; made by [`Selector::syntax`].
#[derive(Debug, Clone, Copy)]
pub struct SelectorSyntax<'a>(&'a Selector);

impl fmt::Display for SelectorSyntax<'_> {
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
            Selector::Image(image) => write_image(f, image),
            Selector::Within(rect, selector) => {
                write!(f, "{} in ", BeforeQualifier(selector))?;
                block(f, *rect)
            }
            Selector::Nth(index, selector) => {
                write!(f, "{} nth {index}", BeforeQualifier(selector))
            }
            Selector::OnCursorRow(selector) => {
                write!(f, "{} on cursor row", BeforeQualifier(selector))
            }
            Selector::Any(selectors) => any(f, selectors),
            Selector::Related(selector, relation, other) => {
                write!(f, "{} ", BeforeQualifier(selector))?;
                match relation {
                    Relation::Inside => f.write_str("inside")?,
                    Relation::Holding => f.write_str("holding")?,
                    Relation::Apart => f.write_str("apart from")?,
                    Relation::RightOf => f.write_str("right of")?,
                    Relation::LeftOf => f.write_str("left of")?,
                    Relation::Below => f.write_str("below")?,
                    Relation::Above => f.write_str("above")?,
                    Relation::Near(cells) => write!(f, "near {cells}")?,
                }
                write!(f, " {}", RelationOperand(other))
            }
        }
    }
}

/// Writes the expression between slashes if that parses to the same source, otherwise as a quoted
/// text.
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

/// Counts from 1, without overflow for the largest `usize`.
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
    // The last row or column counted from 1 is the sum; if it overflows, corner and size are
    // written instead.
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

fn write_image(f: &mut fmt::Formatter<'_>, image: &ImageSelector) -> fmt::Result {
    let mut said: Vec<String> = Vec::new();
    said.extend(image.kind.map(|kind| kind.name().to_owned()));
    said.extend(image.hash.as_ref().map(|hash| format!("hash {hash}")));
    said.extend(
        image
            .at
            .map(|at| format!("at {},{}", one_up(at.row), one_up(at.col))),
    );
    said.extend(image.cells.map(|cells| format!("cells {cells}")));
    said.extend(image.pixels.map(|pixels| format!("pixels {pixels}")));
    if said.is_empty() {
        return f.write_str("image");
    }
    write!(f, "image {}", said.join(", "))
}

fn any(f: &mut fmt::Formatter<'_>, selectors: &[Selector]) -> fmt::Result {
    match selectors {
        [] => f.write_str("nothing"),
        [only] => write!(f, "any ({})", SelectorSyntax(only)),
        [first, rest @ ..] => {
            write!(f, "{}", BeforeQualifier(first))?;
            rest.iter()
                .try_for_each(|selector| write!(f, " or {}", BeforeQualifier(selector)))
        }
    }
}

/// A selector before a qualifier or an `or`. Only an `or` inside it needs brackets there.
struct BeforeQualifier<'a>(&'a Selector);

impl fmt::Display for BeforeQualifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Selector::Any(several) if several.len() > 1 => {
                write!(f, "({})", SelectorSyntax(self.0))
            }
            selector => SelectorSyntax(selector).fmt(f),
        }
    }
}

/// The other selector of a relation; in brackets if it has more than one part.
struct RelationOperand<'a>(&'a Selector);

impl fmt::Display for RelationOperand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_compound() {
            write!(f, "({})", SelectorSyntax(self.0))
        } else {
            SelectorSyntax(self.0).fmt(f)
        }
    }
}
