//! Source texts of tapes, and places in them.
//!
//! A place includes its source, so that a message can show the line even if several tapes were
//! combined.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The text of a tape, with its name.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    /// Start of each line.
    lines: Vec<usize>,
}

impl Source {
    /// Creates a source from a text and its name in messages, usually its path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        Source {
            name: name.into(),
            lines: std::iter::once(0).chain(ends.map(|end| end + 1)).collect(),
            text,
        }
    }

    /// Returns its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line that contains a byte, counted from 0, and the start of that line.
    pub(super) fn line_at(&self, byte: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte).max(1) - 1;
        (line, self.lines.get(line).copied().unwrap_or_default())
    }

    /// Returns a line without its line end.
    pub(super) fn line(&self, number: usize) -> &str {
        let start = self.lines.get(number).copied().unwrap_or(self.text.len());
        let end = self.lines.get(number + 1).copied();
        let line = self.text.get(start..end.unwrap_or(self.text.len()));
        line.unwrap_or_default().trim_end_matches(['\n', '\r'])
    }
}

/// A range of a tape's text.
#[derive(Clone, PartialEq, Eq)]
pub struct Span {
    source: Arc<Source>,
    range: Range<usize>,
}

impl Span {
    pub(super) fn new(source: &Arc<Source>, range: Range<usize>) -> Span {
        Span {
            source: Arc::clone(source),
            range,
        }
    }

    /// Returns the tape's source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns its byte range in the source's text.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the text in the range.
    pub fn text(&self) -> &str {
        self.source.text.get(self.range()).unwrap_or_default()
    }

    /// Returns the line of its start, counted from 1.
    pub fn line(&self) -> usize {
        self.source.line_at(self.range.start).0 + 1
    }

    /// Returns the column of its start, in characters, counted from 1.
    pub fn column(&self) -> usize {
        let (_, start) = self.source.line_at(self.range.start);
        let before = self.source.text.get(start..self.range.start);
        before.unwrap_or_default().chars().count() + 1
    }
}

/// Formats it as `demo.tape:3:7`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.source.name, self.line(), self.column())
    }
}

/// Omits the source's text.
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self}, {:?})", self.range)
    }
}

/// A parsed value with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The parsed value.
    pub value: T,
    /// From its first character to its last.
    pub span: Span,
}
