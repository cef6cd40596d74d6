//! Finding what a regular expression describes.
//!
//! Each line is searched on its own, where a line is a row together with the rows in which its text went on because it did
//! not fit. So `^` and `$` are a line's ends, blanks at its end are left out, and nothing crosses from one line to the
//! next: for that there is a text with line ends, or a light pattern. What has no text at all, as `x*` in `abc`, is not found.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::area::{Area, Spot};
use crate::Match;

/// A regular expression in the syntax of the `regex` crate.
#[derive(Clone)]
pub struct Regex {
    /// Shared, so that a copy needs neither a second compilation nor a second cache.
    compiled: Arc<::regex::Regex>,
}

/// Why a regular expression cannot be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is no regular expression: {reason}")]
pub struct RegexError {
    /// As it was written.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Regex {
    /// Compiles a regular expression.
    pub fn new(pattern: &str) -> Result<Regex, RegexError> {
        match ::regex::Regex::new(pattern) {
            Ok(compiled) => Ok(Regex {
                compiled: Arc::new(compiled),
            }),
            Err(error) => Err(RegexError {
                pattern: pattern.to_owned(),
                reason: reason(&error),
            }),
        }
    }

    /// The expression as it was written.
    pub fn as_str(&self) -> &str {
        self.compiled.as_str()
    }

    pub(super) fn all(&self, area: Area<'_>) -> Vec<Match> {
        let mut matches = Vec::new();
        let mut rows = area.rows();
        while let Some(first) = rows.next() {
            let line = Line::new(area, first);
            // The rows in which it goes on are a part of it, and no lines of their own.
            rows.start = line.last_row() + 1;
            self.search(area, &line, &mut matches);
        }
        matches
    }

    fn search(&self, area: Area<'_>, line: &Line<'_>, matches: &mut Vec<Match>) {
        let mut from = 0;
        while let Some(found) = self.compiled.find_at(&line.text, from) {
            if found.is_empty() {
                let behind = line.text.get(found.end()..).and_then(|b| b.chars().next());
                let Some(next) = behind else { break };
                from = found.end() + next.len_utf8();
                continue;
            }
            let end = line.spot(found.end() - 1);
            let end = Spot {
                byte: end.byte + 1,
                ..end
            };
            matches.push(area.between(&(line.spot(found.start())..end)));
            from = line.byte(area.next_cell(end));
        }
    }
}

/// The message of the `regex` crate shows the pattern with a mark below the place; what is wrong stands in its last line.
fn reason(error: &::regex::Error) -> String {
    if let ::regex::Error::CompiledTooBig(limit) = error {
        return format!("it needs more than {limit} bytes");
    }
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

impl PartialEq for Regex {
    fn eq(&self, other: &Regex) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Regex {}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Regex").field(&self.as_str()).finish()
    }
}

/// A row with the rows in which its text goes on.
struct Line<'a> {
    /// Borrowed from the row where there is only one.
    text: Cow<'a, str>,
    first_row: usize,
    /// Where in the text the second row and those after it start.
    starts: Vec<usize>,
}

impl<'a> Line<'a> {
    fn new(area: Area<'a>, first_row: usize) -> Line<'a> {
        let mut strip = area.strip(first_row);
        let mut line = Line {
            text: Cow::Borrowed(strip.trimmed()),
            first_row,
            starts: Vec::new(),
        };
        while strip.goes_on {
            let text = line.text.to_mut();
            text.extend(std::iter::repeat_n(' ', strip.len() - strip.text.len()));
            line.starts.push(text.len());
            strip = area.strip(first_row + line.starts.len());
            text.push_str(strip.trimmed());
        }
        line
    }

    fn last_row(&self) -> usize {
        self.first_row + self.starts.len()
    }

    fn spot(&self, byte: usize) -> Spot {
        let before = self.starts.partition_point(|start| *start <= byte);
        Spot {
            row: self.first_row + before,
            byte: byte - self.start(before),
        }
    }

    fn byte(&self, spot: Spot) -> usize {
        self.start(spot.row - self.first_row) + spot.byte
    }

    fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.starts[before])
    }
}
