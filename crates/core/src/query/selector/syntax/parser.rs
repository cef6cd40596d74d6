//! Parser for the written form of a selector.
//!
//! Reads from left to right without backtracking. An error contains the byte range of the mistake,
//! so that a caller with the whole line can mark it.

use std::ops::Range;

use super::{MAX_PARTS, SelectorSyntaxError};
use crate::query::selector::{Expressions, Link, Pattern, Relation, Selector, Styled};
use crate::query::suggest::nearest;
use crate::{Attributes, Color, Position, Rect, Rgb, Underline};

mod image;

/// Text that may follow a selector, apart from spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum TrailingText {
    /// Only the end of the text.
    Nothing,
    /// A comment that starts with `#`.
    Comment,
}

/// Parses a selector and returns it with the position of its end.
#[doc(hidden)]
pub fn parse_selector(
    text: &str,
    trailing: TrailingText,
    expressions: &mut Expressions,
) -> Result<(Selector, usize), SelectorSyntaxError> {
    let mut reader = SelectorParser::new(text, expressions);
    let selector = reader.alternatives()?;
    let end = reader.end(trailing)?;
    Ok((selector, end))
}

/// A rectangle, or the matches of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MaskTarget {
    /// This rectangle.
    Rect(Rect),
    /// The matches of this selector.
    Matches(Selector),
}

/// Parses a selector, or `in` and a rectangle, and returns it with the position of its end.
#[doc(hidden)]
pub fn parse_mask_target(
    text: &str,
    trailing: TrailingText,
    expressions: &mut Expressions,
) -> Result<(MaskTarget, usize), SelectorSyntaxError> {
    let mut reader = SelectorParser::new(text, expressions);
    let target = if reader.accept_word("in") {
        MaskTarget::Rect(reader.rect()?)
    } else {
        MaskTarget::Matches(reader.alternatives()?)
    };
    let end = reader.end(trailing)?;
    Ok((target, end))
}

const STARTS: [&str; 9] = [
    "pattern",
    "regex",
    "at",
    "styled",
    "link",
    "image",
    "any",
    "nothing",
    "containing",
];
const QUALIFIERS: [&str; 12] = [
    "nth", "in", "on", "inside", "holding", "apart", "right", "left", "below", "above", "near",
    "or",
];
const STYLES: [&str; 15] = [
    "bold",
    "faint",
    "italic",
    "blink",
    "rapid-blink",
    "inverse",
    "invisible",
    "strikethrough",
    "overline",
    "underlined",
    "fg",
    "bg",
    "underline-color",
    "anyhow",
    "not",
];
const UNDERLINES: [(&str, Underline); 5] = [
    ("single", Underline::Single),
    ("double", Underline::Double),
    ("curly", Underline::Curly),
    ("dotted", Underline::Dotted),
    ("dashed", Underline::Dashed),
];
const COLORS: [&str; 8] = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
];

/// A qualifier that restricts the selector before it.
enum Qualifier {
    Nth(usize),
    In(Rect),
    OnCursorRow,
    Related(Relation, Selector),
}

struct SelectorParser<'a> {
    text: &'a str,
    at: usize,
    /// Number of brackets and qualifiers read so far.
    parts: usize,
    expressions: &'a mut Expressions,
}

impl<'a> SelectorParser<'a> {
    fn new(text: &'a str, expressions: &'a mut Expressions) -> SelectorParser<'a> {
        SelectorParser {
            text,
            at: 0,
            parts: 0,
            expressions,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips spaces and returns the next character.
    fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.rest().chars().next()
    }

    /// Skips a character if it is the next one, apart from spaces. Returns whether it was.
    fn accept_char(&mut self, sign: char) -> bool {
        let accepted = self.peek() == Some(sign);
        if accepted {
            self.at += sign.len_utf8();
        }
        accepted
    }

    /// Returns the word up to the next space or delimiter, with its range.
    fn word(&mut self) -> (&'a str, Range<usize>) {
        self.skip_spaces();
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '(' | ')' | ',');
        let end = rest.find(ends).unwrap_or(rest.len());
        (rest.get(..end).unwrap_or_default(), self.at..self.at + end)
    }

    /// Skips a word if it is the next one. Returns whether it was.
    fn accept_word(&mut self, word: &str) -> bool {
        let (found, range) = self.word();
        let accepted = found == word;
        if accepted {
            self.at = range.end;
        }
        accepted
    }

    fn expect(&mut self, word: &str, after: &str) -> Result<(), SelectorSyntaxError> {
        if self.accept_word(word) {
            return Ok(());
        }
        let hint = format!("write `{after} {word}`");
        Err(self.wrong(format!("expected `{word}` after `{after}`"), Some(hint)))
    }

    /// Returns an error about the next word.
    fn wrong(&mut self, message: impl Into<String>, hint: Option<String>) -> SelectorSyntaxError {
        let (word, mut range) = self.word();
        if word.is_empty() {
            range.end += self.rest().chars().next().map_or(0, char::len_utf8);
        }
        SelectorSyntaxError {
            range,
            message: message.into(),
            hint,
        }
    }

    fn end(&mut self, trailing: TrailingText) -> Result<usize, SelectorSyntaxError> {
        let end = self.at;
        match self.peek() {
            None => return Ok(end),
            Some('#') if trailing == TrailingText::Comment => return Ok(end),
            Some(_) => {}
        }
        let (word, _) = self.word();
        let hint = match nearest(word, QUALIFIERS) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "a selector can continue with `nth`, `in`, `on cursor row`, `inside`, `holding`, `apart from`, `right of`, `left of`, `below`, `above`, `near` or `or`".to_owned(),
        };
        let shown = if word.is_empty() { self.rest() } else { word };
        let shown = crate::query::truncate::start(shown);
        Err(self.wrong(format!("`{shown}` is not part of a selector"), Some(hint)))
    }

    fn alternatives(&mut self) -> Result<Selector, SelectorSyntaxError> {
        let first = self.phrase()?;
        if self.word().0 != "or" {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.accept_word("or") {
            all.push(self.phrase()?);
        }
        Ok(Selector::Any(all))
    }

    fn phrase(&mut self) -> Result<Selector, SelectorSyntaxError> {
        let mut selector = self.atom()?;
        while let Some(qualifier) = self.qualifier()? {
            // Each qualifier wraps the selector before it, so a long chain nests as deeply as the
            // same number of brackets.
            self.deeper()?;
            selector = match qualifier {
                Qualifier::Nth(index) => selector.nth(index),
                Qualifier::In(rect) => selector.within(rect),
                Qualifier::OnCursorRow => selector.on_cursor_row(),
                Qualifier::Related(relation, other) => selector.related(relation, other),
            };
        }
        Ok(selector)
    }

    fn deeper(&mut self) -> Result<(), SelectorSyntaxError> {
        self.parts += 1;
        if self.parts <= MAX_PARTS {
            return Ok(());
        }
        Err(self.wrong(
            format!("the selector has more than {MAX_PARTS} parts"),
            None,
        ))
    }

    fn qualifier(&mut self) -> Result<Option<Qualifier>, SelectorSyntaxError> {
        let (word, range) = self.word();
        let start = self.at;
        self.at = range.end;
        let relation = match word {
            "nth" => return Ok(Some(Qualifier::Nth(self.number("an index, from 0")?))),
            "in" => return Ok(Some(Qualifier::In(self.rect()?))),
            "on" => {
                self.expect("cursor", "on")?;
                self.expect("row", "on cursor")?;
                return Ok(Some(Qualifier::OnCursorRow));
            }
            "inside" => Relation::Inside,
            "holding" => Relation::Holding,
            "apart" => {
                self.expect("from", "apart")?;
                Relation::Apart
            }
            "right" => {
                self.expect("of", "right")?;
                Relation::RightOf
            }
            "left" => {
                self.expect("of", "left")?;
                Relation::LeftOf
            }
            "below" => Relation::Below,
            "above" => Relation::Above,
            "near" => Relation::Near(self.number("a number of cells")?),
            _ => {
                self.at = start;
                return Ok(None);
            }
        };
        Ok(Some(Qualifier::Related(relation, self.atom()?)))
    }

    fn atom(&mut self) -> Result<Selector, SelectorSyntaxError> {
        match self.peek() {
            Some('"' | '\'' | '`') => return Ok(Selector::Exact(self.string()?)),
            Some('/') => return self.slashed(),
            Some('(') => return self.bracketed(),
            _ => {}
        }
        let (word, range) = self.word();
        self.at = range.end;
        match word {
            "pattern" => Ok(Selector::Pattern(Pattern::new(self.string()?))),
            "regex" => {
                let from = self.at;
                let source = self.string()?;
                self.expression(&source, from..self.at)
            }
            "at" => self.place().map(Selector::At),
            "styled" => self.styled().map(Selector::Styled),
            "link" if self.accept_word("containing") => {
                Ok(Selector::Link(Link::Containing(self.string()?)))
            }
            "link" => Ok(Selector::Link(Link::To(self.string()?))),
            "image" => self.image().map(Selector::Image),
            "any" => Ok(Selector::Any(vec![self.bracketed()?])),
            "nothing" => Ok(Selector::Any(Vec::new())),
            "" => {
                let message = "expected a selector";
                let hint = "write a text in quotes, or an expression such as `/re/`";
                Err(self.wrong(message, Some(hint.to_owned())))
            }
            word => {
                let hint = match nearest(word, STARTS) {
                    Some("containing") => "did you mean `link containing`?".to_owned(),
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("put quotes around a text: `{word:?}`"),
                };
                Err(SelectorSyntaxError {
                    range,
                    message: format!(
                        "`{}` is not a selector",
                        crate::query::truncate::start(word)
                    ),
                    hint: Some(hint),
                })
            }
        }
    }

    fn bracketed(&mut self) -> Result<Selector, SelectorSyntaxError> {
        self.deeper()?;
        if !self.accept_char('(') {
            return Err(self.wrong("expected `(`", None));
        }
        let selector = self.alternatives()?;
        if !self.accept_char(')') {
            return Err(self.wrong("expected `)`", None));
        }
        Ok(selector)
    }

    /// Reads a quoted text. In `"` quotes a backslash escapes as in Rust, without `\x41` and line
    /// continuations; in `'` quotes and
    /// backticks it is an ordinary character.
    fn string(&mut self) -> Result<String, SelectorSyntaxError> {
        let Some(quote @ ('"' | '\'' | '`')) = self.peek() else {
            return Err(self.wrong("expected a text in quotes", None));
        };
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        chars.next();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.at += at + 1;
                    return Ok(text);
                }
                '\\' if quote == '"' => {
                    let from = start + at;
                    match escaped(&mut chars) {
                        Some(c) => text.push(c),
                        None => {
                            let end = chars.next().map_or(self.text.len(), |(at, _)| start + at);
                            return Err(SelectorSyntaxError {
                                range: from..end.max(from + 1),
                                message: "unknown escape in a text".to_owned(),
                                hint: Some(r#"`\\`, `\"`, `\n`, `\r`, `\t`, `\0` and `\u{41}` are known; in `'` quotes a backslash is an ordinary character"#.to_owned()),
                            });
                        }
                    }
                }
                c => text.push(c),
            }
        }
        Err(SelectorSyntaxError {
            range: start..self.text.trim_end().len().max(start + 1),
            message: format!("the text has no closing `{quote}`"),
            hint: None,
        })
    }

    fn slashed(&mut self) -> Result<Selector, SelectorSyntaxError> {
        let start = self.at;
        let mut source = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                '/' => {
                    self.at = start + at + 1;
                    return self.expression(&source, start..self.at);
                }
                '\\' => match chars.next() {
                    Some((_, '/')) => source.push('/'),
                    Some((_, c)) => source.extend(['\\', c]),
                    None => source.push('\\'),
                },
                c => source.push(c),
            }
        }
        Err(SelectorSyntaxError {
            range: start..self.text.trim_end().len().max(start + 1),
            message: "the expression has no closing `/`".to_owned(),
            hint: Some(r"write a slash inside it as `\/`".to_owned()),
        })
    }

    fn expression(
        &mut self,
        source: &str,
        range: Range<usize>,
    ) -> Result<Selector, SelectorSyntaxError> {
        let regex = self.expressions.regex(source);
        regex
            .map(Selector::Regex)
            .map_err(|error| SelectorSyntaxError {
                range,
                message: error.to_string(),
                hint: error.hint().map(str::to_owned),
            })
    }

    fn number(&mut self, what: &str) -> Result<usize, SelectorSyntaxError> {
        let (word, range) = self.word();
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        match word.parse() {
            Ok(number) if digits => {
                self.at = range.end;
                Ok(number)
            }
            _ if word.is_empty() => Err(self.wrong(format!("expected {what}"), None)),
            _ => Err(self.wrong(format!("`{word}` is not {what}"), None)),
        }
    }

    /// Converts a row or column, which is written counted from 1, to an index from 0.
    fn counted(&mut self, text: &str, range: &Range<usize>) -> Result<usize, SelectorSyntaxError> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse::<u128>().ok().filter(|_| digits);
        let index = number.and_then(|number| usize::try_from(number.checked_sub(1)?).ok());
        index.ok_or_else(|| SelectorSyntaxError {
            range: range.clone(),
            message: format!("`{text}` is not a row or column (they count from 1)"),
            hint: None,
        })
    }

    /// Parses `3,5`: row and column.
    fn place(&mut self) -> Result<Position, SelectorSyntaxError> {
        let (row, range) = self.word();
        let row = self.counted(row, &range)?;
        self.at = range.end;
        if !self.accept_char(',') {
            return Err(self.wrong("expected `,` and a column", None));
        }
        let (col, range) = self.word();
        let col = self.counted(col, &range)?;
        self.at = range.end;
        Ok(Position { row, col })
    }

    /// Parses `rows 2-4`, `columns 1-10`, or `3,5 10x2`: the row and column of the first cell, then
    /// the number of columns and rows.
    fn rect(&mut self) -> Result<Rect, SelectorSyntaxError> {
        let whole = Rect {
            row: 0,
            col: 0,
            rows: usize::MAX,
            cols: usize::MAX,
        };
        if self.accept_word("rows") || self.accept_word("row") {
            let (row, rows) = self.number_range()?;
            return Ok(Rect { row, rows, ..whole });
        }
        if self.accept_word("columns") || self.accept_word("column") {
            let (col, cols) = self.number_range()?;
            return Ok(Rect { col, cols, ..whole });
        }
        let (word, _) = self.word();
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            let hint = "write `in rows 2-4`, `in columns 1-10` or `in ROW,COLUMN WIDTHxHEIGHT`";
            return Err(self.wrong("expected a rectangle", Some(hint.to_owned())));
        }
        let Position { row, col } = self.place()?;
        let (size, range) = self.word();
        let parsed = size.split_once('x').and_then(|(cols, rows)| {
            let digits = |text: &str| {
                let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                text.parse().ok().filter(|_| digits)
            };
            Some((digits(cols)?, digits(rows)?))
        });
        let Some((cols, rows)) = parsed else {
            let hint = "write columns and rows, as in `10x3`".to_owned();
            return Err(self.wrong(format!("`{size}` is not a size"), Some(hint)));
        };
        self.at = range.end;
        Ok(Rect {
            row,
            col,
            rows,
            cols,
        })
    }

    /// Parses `2-4`, or `2` alone. Returns the first index, from 0, and the length.
    fn number_range(&mut self) -> Result<(usize, usize), SelectorSyntaxError> {
        let (word, range) = self.word();
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        let (first, last) = (self.counted(first, &range)?, self.counted(last, &range)?);
        let Some(more) = last.checked_sub(first) else {
            let hint = "write the smaller number first".to_owned();
            return Err(self.wrong(format!("`{word}` ends before it begins"), Some(hint)));
        };
        self.at = range.end;
        Ok((first, more.saturating_add(1)))
    }

    fn styled(&mut self) -> Result<Styled, SelectorSyntaxError> {
        let mut style = Styled::new();
        loop {
            style = self.style_word(style)?;
            if !self.accept_char(',') {
                return Ok(style);
            }
        }
    }

    fn style_word(&mut self, style: Styled) -> Result<Styled, SelectorSyntaxError> {
        let not = self.accept_word("not");
        let (word, range) = self.word();
        let attribute = Attributes::from_name(&word.to_uppercase().replace('-', "_"))
            .filter(|_| STYLES.contains(&word));
        let start = self.at;
        self.at = range.end;
        Ok(match (word, attribute) {
            (_, Some(attribute)) if not => style.without(attribute),
            (_, Some(attribute)) => style.with(attribute),
            ("underlined", _) if not => style.underline(Underline::None),
            ("underlined", _) => {
                let (kind, range) = self.word();
                match UNDERLINES.iter().find(|(name, _)| *name == kind) {
                    Some((_, line)) => {
                        self.at = range.end;
                        style.underline(*line)
                    }
                    None => style.underlined(),
                }
            }
            ("fg", _) if !not => style.fg(self.color()?),
            ("bg", _) if !not => style.bg(self.color()?),
            ("underline-color", _) if !not => style.underline_color(self.color()?),
            ("anyhow", _) if !not => style,
            _ => {
                self.at = start;
                let hint = nearest(word, STYLES).map(|meant| format!("did you mean `{meant}`?"));
                let hint = hint.unwrap_or_else(|| {
                    "styles are, for example, `bold`, `not faint`, `underlined curly`, `fg red` and `bg #202020`"
                        .to_owned()
                });
                return Err(self.wrong(format!("`{word}` is not a style"), Some(hint)));
            }
        })
    }

    /// Parses `default`, `1`, `red`, `bright-red` or `#ff8800`.
    fn color(&mut self) -> Result<Color, SelectorSyntaxError> {
        let (word, range) = self.word();
        let named = |name: &str| COLORS.iter().zip(0..).find(|(known, _)| **known == name);
        let color = match word {
            "default" => Some(Color::Default),
            word if word.starts_with('#') => Rgb::parse(word).map(Color::Rgb),
            word if word.bytes().all(|b| b.is_ascii_digit()) => {
                word.parse().ok().map(Color::Indexed)
            }
            word => match word.strip_prefix("bright-") {
                Some(name) => named(name).map(|(_, index)| Color::Indexed(index + 8)),
                None => named(word).map(|(_, index)| Color::Indexed(index)),
            },
        };
        let Some(color) = color else {
            let hint = "write `default`, a number from 0 to 255, `red`, `bright-red` or `#ff8800`";
            return Err(self.wrong(format!("`{word}` is not a colour"), Some(hint.to_owned())));
        };
        self.at = range.end;
        Ok(color)
    }
}

/// Decodes the escape after a backslash.
fn escaped(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    Some(match chars.next()?.1 {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        c @ ('\\' | '"' | '\'') => c,
        'u' => {
            let rest = chars.as_str();
            let digits = rest.strip_prefix('{')?.split_once('}')?.0;
            let hex =
                (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
            let c = char::from_u32(code)?;
            chars.nth(digits.len() + 1);
            c
        }
        _ => return None,
    })
}
