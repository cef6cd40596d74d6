//! The patterns of waits that look for a line of text: a text or a regular expression, in the
//! cursor's line or in any line.
//!
//! A selector matches cells, and its regular expressions match within one line. It therefore cannot
//! match the empty text, or an expression that contains a line end. Such patterns are matched with
//! the text of the lines instead.

use std::fmt;
use std::ops::Range;

use super::Condition;
use crate::query::new_text;
use crate::query::selector::Regex;
use crate::{Changes, Match, Rect, Screen, Selector};

/// The part of the screen that a wait reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WaitScope {
    /// The cursor's line: its row and all rows joined with it by wrapping, above and below, without
    /// trailing spaces.
    Line,
    /// Every line of the screen.
    Screen,
}

/// The pattern of a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitPattern {
    /// This text, anywhere.
    Text(String),
    /// A match of this expression.
    Regex(Regex),
}

impl WaitPattern {
    /// Returns whether a text contains a match.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            WaitPattern::Text(part) => text.contains(part.as_str()),
            WaitPattern::Regex(regex) => regex.is_in(text),
        }
    }
}

impl WaitScope {
    /// Returns a condition that holds if the pattern matches in this scope.
    pub fn condition(self, pattern: WaitPattern) -> Condition {
        match (self, pattern) {
            (WaitScope::Screen, WaitPattern::Regex(regex)) if regex.has_line_end() => {
                let what = format!("regex `{}`", regex.as_str());
                Condition::of_changes(what, move |changes| across_lines(&regex, changes))
            }
            // A selector can report closest matches, but finds only matches that have cells.
            (WaitScope::Screen, pattern) if !pattern.is_in("") => Condition::visible(pattern),
            (WaitScope::Screen, pattern) => {
                Condition::of_changes(pattern.to_string(), move |changes| {
                    let screen = changes.screen();
                    let mut lines = new_text::lines(screen);
                    lines.any(|line| pattern.is_new_in(line, changes))
                })
            }
            (WaitScope::Line, pattern) => {
                let what = format!("{pattern} in the cursor's line");
                Condition::of_changes(what, move |changes| {
                    let screen = changes.screen();
                    let line = screen.line(screen.cursor.position.row);
                    pattern.is_new_in(line, changes)
                })
            }
        }
    }
}

/// Returns whether an expression that contains a line end matches the lines of a screen, with a new
/// row in at least one line of the match.
fn across_lines(regex: &Regex, changes: &Changes<'_>) -> bool {
    let screen = changes.screen();
    let mut text = String::new();
    let mut lines = Vec::new();
    for line in new_text::lines(screen) {
        let start = text.len();
        text.push_str(new_text::text(screen, line.clone()).trim_end_matches(' '));
        text.push('\n');
        lines.push((start..text.len(), line));
    }
    let is_new = |found: &Range<usize>| {
        let overlaps = |span: &Range<usize>| span.start < found.end && found.start < span.end;
        let mut overlapping = lines.iter().filter(|(span, _)| overlaps(span));
        overlapping.any(|(_, line)| changes.has_new_row(line.clone()))
    };
    regex.ranges(&text).any(|found| is_new(&found))
}

impl WaitPattern {
    /// Returns whether a line matches and a row of the match is new.
    fn is_new_in(&self, line: Range<usize>, changes: &Changes<'_>) -> bool {
        // A match of the empty text has no cells, so the rows of the line decide whether it is new.
        if self.is_in("") {
            let text = new_text::text(changes.screen(), line.clone());
            return self.is_in(&text) && changes.has_new_row(line);
        }
        let matches = Selector::from(self.clone()).matches_in_rect(changes, Rect::across(line));
        !matches.is_empty()
    }

    /// Returns the last match outside the cursor's line; a new one, if there is any.
    pub fn elsewhere(&self, changes: &Changes<'_>) -> Option<MatchElsewhere> {
        let screen = changes.screen();
        let line = screen.line(screen.cursor.position.row);
        let selector = Selector::from(self.clone());
        let last = |matches: Vec<Match>| {
            let mut rows = matches.into_iter().map(|found| found.position().row);
            rows.rfind(|row| !line.contains(row))
        };
        let row = |row, is_new| MatchElsewhere { row, is_new };
        match last(selector.matches_in(changes)) {
            Some(new) => Some(row(new, true)),
            None => last(selector.matches(screen)).map(|old| row(old, false)),
        }
    }

    /// Returns whether the cursor's line matches, new or not.
    pub fn matches_cursor_line(&self, screen: &Screen) -> bool {
        WaitScope::Line.condition(self.clone()).holds(screen)
    }
}

/// A match outside the cursor's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchElsewhere {
    /// The row of the match.
    pub row: usize,
    /// Whether it appeared after Enter.
    pub is_new: bool,
}

impl From<WaitPattern> for Selector {
    fn from(pattern: WaitPattern) -> Selector {
        match pattern {
            WaitPattern::Text(text) => Selector::Exact(text),
            WaitPattern::Regex(regex) => Selector::Regex(regex),
        }
    }
}

/// The form in messages: `text "Ready"`, `regex /re/`.
impl fmt::Display for WaitPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaitPattern::Text(text) => write!(f, "text {text:?}"),
            WaitPattern::Regex(regex) => write!(f, "regex /{}/", regex.as_str()),
        }
    }
}

#[cfg(test)]
mod tests;
