//! Search with regular expressions.
//!
//! Each line is searched on its own; a line is a row together with its wrapped continuation rows.
//! So `^` and `$` match at a line's ends, trailing spaces are left out, and no match crosses from
//! one line to the next: use a text with line ends or a simple pattern for that. Empty matches,
//! such as those of `x*` in `abc`, are dropped.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::region::{Region, TextPosition};
use crate::{Match, Rect, Screen};

/// A regular expression in the syntax of the `regex` crate.
#[derive(Clone)]
pub struct Regex {
    /// Shared, so that a clone needs neither a second compilation nor a second cache.
    compiled: Arc<::regex::Regex>,
}

/// Error for an invalid regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid regular expression `{pattern}`: {reason}")]
pub struct RegexError {
    /// The expression as written.
    pub pattern: String,
    /// The reason, as given by the `regex` crate.
    pub reason: String,
}

impl Regex {
    /// Compiles a regular expression.
    pub fn new(pattern: &str) -> Result<Regex, RegexError> {
        Regex::compiled(pattern, ::regex::Regex::new(pattern))
    }

    /// Compiles a regular expression; `None` if that would need more than `bytes` bytes.
    pub(super) fn within(pattern: &str, bytes: usize) -> Option<Result<Regex, RegexError>> {
        let compiled = ::regex::RegexBuilder::new(pattern)
            .size_limit(bytes)
            .build();
        match compiled {
            Err(::regex::Error::CompiledTooBig(_)) => None,
            compiled => Some(Regex::compiled(pattern, compiled)),
        }
    }

    fn compiled(
        pattern: &str,
        compiled: Result<::regex::Regex, ::regex::Error>,
    ) -> Result<Regex, RegexError> {
        match compiled {
            Ok(compiled) => Ok(Regex {
                compiled: Arc::new(compiled),
            }),
            Err(error) => Err(RegexError {
                pattern: pattern.to_owned(),
                reason: reason(&error),
            }),
        }
    }

    /// Returns the expression as written.
    pub fn as_str(&self) -> &str {
        self.compiled.as_str()
    }

    /// Returns whether both share one compilation.
    #[doc(hidden)]
    pub fn shares(&self, other: &Regex) -> bool {
        Arc::ptr_eq(&self.compiled, &other.compiled)
    }

    /// Returns whether it matches a part of a text, which need not come from a screen.
    pub fn is_in(&self, text: &str) -> bool {
        self.compiled.is_match(text)
    }

    /// Returns whether it contains `\n` or a literal line end, and so is meant for several lines.
    /// These do not count: an escaped backslash before an `n`, as in `C:\\new`, and a line end that
    /// a class excludes, as in `[^\n]`.
    pub fn has_line_end(&self) -> bool {
        // Whether each of the enclosing classes is negated.
        let mut classes: Vec<bool> = Vec::new();
        let mut chars = self.as_str().chars().peekable();
        while let Some(c) = chars.next() {
            let is_end = match c {
                '\\' => chars.next() == Some('n'),
                '[' => {
                    classes.push(chars.next_if_eq(&'^').is_some());
                    // At the start of a class, a bracket is an ordinary character.
                    chars.next_if_eq(&']');
                    false
                }
                ']' => {
                    classes.pop();
                    false
                }
                c => c == '\n',
            };
            let negations = classes.iter().filter(|is_negated| **is_negated).count();
            if is_end && negations % 2 == 0 {
                return true;
            }
        }
        false
    }

    /// Returns the range of every match in a text.
    #[doc(hidden)]
    pub fn ranges<'t>(&self, text: &'t str) -> impl Iterator<Item = Range<usize>> + use<'_, 't> {
        self.compiled.find_iter(text).map(|found| found.range())
    }

    pub(super) fn all(&self, region: Region<'_>) -> Vec<Match> {
        let mut matches = Vec::new();
        for line in lines(region) {
            let mut from = Some(0);
            while let Some(found) = from.and_then(|from| self.compiled.find_at(&line.text, from)) {
                if !found.is_empty() {
                    matches.push(line.matched(region, found.range()));
                }
                from = line.behind(region, found.range());
            }
        }
        matches
    }

    /// Returns every match of [`Regex::all`] with its groups: group 0 is the match itself; a group
    /// that did not take part is `None`. Returns `None` if there are more than `most` groups.
    pub(crate) fn groups(
        &self,
        screen: &Screen,
        rect: Rect,
        most: usize,
    ) -> Option<Vec<Vec<Option<Match>>>> {
        let region = Region::whole(screen).part(rect);
        let mut matches = Vec::new();
        if region.is_empty() {
            return Some(matches);
        }
        let mut groups = self.compiled.capture_locations();
        for line in lines(region) {
            let mut from = Some(0);
            while let Some(found) = from.and_then(|from| {
                self.compiled
                    .captures_read_at(&mut groups, &line.text, from)
            }) {
                if !found.is_empty() {
                    if (matches.len() + 1).saturating_mul(groups.len()) > most {
                        return None;
                    }
                    let group = |number| {
                        let (start, end) = groups.get(number)?;
                        Some(line.matched(region, start..end))
                    };
                    matches.push((0..groups.len()).map(group).collect());
                }
                from = line.behind(region, found.range());
            }
        }
        Some(matches)
    }

    /// Returns the matches of its groups in a rectangle, each as a separate match; the whole
    /// match if the expression has no groups.
    ///
    /// The search continues after the last group and not after the match, so that the text after
    /// the last group can also begin the next match. For example, `(?:^| )([0-9]+)(?: |$)` has two
    /// matches in `1 2`, and both need the space.
    pub(crate) fn parts(&self, screen: &Screen, rect: Rect) -> Vec<Match> {
        let region = Region::whole(screen).part(rect);
        if region.is_empty() {
            return Vec::new();
        }
        if self.compiled.captures_len() == 1 {
            return self.all(region);
        }
        let mut matches = Vec::new();
        for line in lines(region) {
            let mut from = Some(0);
            while let Some((start, found)) =
                from.and_then(|from| Some((from, self.compiled.captures_at(&line.text, from)?)))
            {
                let groups = found.iter().skip(1).flatten();
                let groups: Vec<_> = groups.filter(|group| !group.is_empty()).collect();
                matches.extend(
                    groups
                        .iter()
                        .map(|group| line.matched(region, group.range())),
                );
                let last = groups.iter().max_by_key(|group| group.end());
                let taken = last.map_or(found.get_match().range(), |group| group.range());
                // A group that ends where the search began would be found again forever.
                from = line
                    .behind(region, taken)
                    .filter(|behind| *behind > start)
                    .or_else(|| line.behind(region, start..start));
            }
        }
        matches
    }

    /// Returns the names of the groups by number; most have none.
    pub(crate) fn group_names(&self) -> impl Iterator<Item = Option<&str>> {
        self.compiled.capture_names()
    }
}

/// Returns the lines of a region, from the top.
fn lines(region: Region<'_>) -> impl Iterator<Item = WrappedLine<'_>> {
    let mut rows = region.rows();
    std::iter::from_fn(move || {
        let line = WrappedLine::new(region, rows.next()?);
        // The rows in which it continues are part of this line, not separate lines.
        rows.start = line.last_row() + 1;
        Some(line)
    })
}

/// Returns the reason from a message of the `regex` crate: the message shows the pattern with a
/// marker below the place; the reason is its last line.
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

/// A row with its wrapped continuation rows.
struct WrappedLine<'a> {
    /// Borrowed from the row if there is only one.
    text: Cow<'a, str>,
    first_row: usize,
    /// Where in the text the second and later rows start.
    starts: Vec<usize>,
}

impl<'a> WrappedLine<'a> {
    fn new(region: Region<'a>, first_row: usize) -> WrappedLine<'a> {
        let mut region_row = region.region_row(first_row);
        let mut line = WrappedLine {
            text: Cow::Borrowed(region_row.trimmed()),
            first_row,
            starts: Vec::new(),
        };
        while region_row.wraps {
            let text = line.text.to_mut();
            text.extend(std::iter::repeat_n(
                ' ',
                region_row.len() - region_row.text.len(),
            ));
            line.starts.push(text.len());
            region_row = region.region_row(first_row + line.starts.len());
            text.push_str(region_row.trimmed());
        }
        line
    }

    fn last_row(&self) -> usize {
        self.first_row + self.starts.len()
    }

    /// Returns the match of a byte range; it has no cells if the range is empty.
    fn matched(&self, region: Region<'_>, bytes: Range<usize>) -> Match {
        let start = self.spot(bytes.start);
        let end = if bytes.is_empty() {
            start
        } else {
            self.end(&bytes)
        };
        region.match_of(&(start..end))
    }

    /// Returns where to continue the search after a byte range, at the next whole cell; `None` at
    /// the line's end.
    fn behind(&self, region: Region<'_>, bytes: Range<usize>) -> Option<usize> {
        if bytes.is_empty() {
            let next = self.text.get(bytes.end..)?.chars().next()?;
            return Some(bytes.end + next.len_utf8());
        }
        Some(self.byte(region.next_cell(self.end(&bytes))))
    }

    /// Returns the place after the last of some bytes, in the row of that byte.
    fn end(&self, bytes: &Range<usize>) -> TextPosition {
        let last = self.spot(bytes.end - 1);
        TextPosition {
            byte: last.byte + 1,
            ..last
        }
    }

    fn spot(&self, byte: usize) -> TextPosition {
        let before = self.starts.partition_point(|start| *start <= byte);
        TextPosition {
            row: self.first_row + before,
            byte: byte - self.start(before),
        }
    }

    fn byte(&self, spot: TextPosition) -> usize {
        self.start(spot.row - self.first_row) + spot.byte
    }

    fn start(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.starts[before])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_is_written_as_itself_or_as_an_escape() {
        for (pattern, has) in [
            ("one", false),
            (r"one\ntwo", true),
            ("one\ntwo", true),
            (r"C:\\new", false),
            (r"C:\\\n", true),
            (r"^done[^\n]*$", false),
            (r"[^]\n]", false),
            (r"[^\]\n]", false),
            (r"[^a-z&&[^\n]]", true),
            (r"[ \n]", true),
            (r"[^ ]\n", true),
        ] {
            let regex = Regex::new(pattern).unwrap();
            assert_eq!(regex.has_line_end(), has, "{pattern:?}");
        }
    }
}
