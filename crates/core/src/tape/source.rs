//! Where in which file something stands.
//!
//! A place carries its file, so that a message about it can show the line even when several tapes were put together.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The text of a tape, with its name.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Source {
    /// A text with the name that messages give it, as a rule its path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        Source {
            name: name.into(),
            lines: std::iter::once(0).chain(ends.map(|end| end + 1)).collect(),
            text,
        }
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line that a byte is in, counted from 0, and where that line begins.
    pub(super) fn line_at(&self, byte: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte).max(1) - 1;
        (line, self.lines.get(line).copied().unwrap_or_default())
    }

    /// A line without its end.
    pub(super) fn line(&self, number: usize) -> &str {
        let start = self.lines.get(number).copied().unwrap_or(self.text.len());
        let end = self.lines.get(number + 1).copied();
        let line = self.text.get(start..end.unwrap_or(self.text.len()));
        line.unwrap_or_default().trim_end_matches(['\n', '\r'])
    }
}

/// A stretch of a tape's text.
#[derive(Clone, PartialEq, Eq)]
pub struct Place {
    source: Arc<Source>,
    range: Range<usize>,
}

impl Place {
    pub(super) fn new(source: &Arc<Source>, range: Range<usize>) -> Place {
        Place {
            source: Arc::clone(source),
            range,
        }
    }

    /// The tape.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The bytes of its text.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What stands there.
    pub fn text(&self) -> &str {
        self.source.text.get(self.range()).unwrap_or_default()
    }

    /// The line it begins in, counted from 1.
    pub fn line(&self) -> usize {
        self.source.line_at(self.range.start).0 + 1
    }

    /// The character of its line that it begins with, counted from 1.
    pub fn column(&self) -> usize {
        let (_, start) = self.source.line_at(self.range.start);
        let before = self.source.text.get(start..self.range.start);
        before.unwrap_or_default().chars().count() + 1
    }
}

/// Writes `demo.tape:3:7`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.source.name, self.line(), self.column())
    }
}

/// Without the whole text.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self}, {:?})", self.range)
    }
}

/// Something that was read, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    /// What was read.
    pub value: T,
    /// From its first sign to its last.
    pub place: Place,
}
