//! Errors and warnings of a tape, with their places.
//!
//! All diagnostics are reported together, each with its line and a marker under the relevant
//! characters, as wide as a terminal shows them. No text of a tape is printed raw: control
//! characters in it cannot reach the reader's terminal.

use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use super::source::Span;
use screentest_core::Paint;

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The tape can run, but perhaps not as intended.
    Warning,
    /// The tape cannot run.
    Error,
}

/// An error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The place.
    pub span: Span,
    /// The message.
    pub message: String,
    /// How to fix it.
    pub hint: Option<String>,
    /// The known name that was probably meant.
    pub nearest: Option<String>,
}

impl Diagnostic {
    /// Creates a diagnostic for a place.
    pub fn new(severity: Severity, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            span,
            message: message.into(),
            hint: None,
            nearest: None,
        }
    }

    /// Adds a hint on how to fix it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Formats it for a terminal or a log, with the line and a marker below the place.
    ///
    /// ```text
    /// error: unknown command `Slep`
    ///  --> demo.tape:3:1
    ///   |
    /// 3 | Slep 1s
    ///   | ^^^^ did you mean `Sleep`?
    /// ```
    pub fn render(&self, paint: Paint) -> String {
        let ansi = |codes: &str, text: &str| match paint {
            Paint::Plain => text.to_owned(),
            Paint::Ansi => format!("\x1b[{codes}m{text}\x1b[0m"),
        };
        let (word, color) = match self.severity {
            Severity::Error => ("error", "1;31"),
            Severity::Warning => ("warning", "1;33"),
        };
        let frame = |text: &str| ansi("1;34", text);
        let number = self.span.line().to_string();
        let margin = " ".repeat(number.len());
        let marked_line = MarkedLine::new(&self.span);
        let mark = "^".repeat(marked_line.marked);
        let mark = match &self.nearest {
            Some(name) => format!("{mark} did you mean `{}`?", without_control_chars(name)),
            None => mark,
        };
        let blank = " ".repeat(marked_line.before);
        let mut text = format!(
            "{}{}\n{margin}{} {}\n{margin} {}\n{} {}\n{margin} {} {blank}{}\n",
            ansi(color, word),
            ansi("1", &format!(": {}", without_control_chars(&self.message))),
            frame("-->"),
            without_control_chars(&self.span.to_string()),
            frame("|"),
            frame(&format!("{number} |")),
            marked_line.line,
            frame("|"),
            ansi(color, &mark),
        );
        if let Some(hint) = &self.hint {
            text.push_str(&format!(
                "{margin} {} {}\n",
                frame("="),
                without_control_chars(hint)
            ));
        }
        text
    }
}

/// Formats it as [`Diagnostic::render`] without colours and without the last line end.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(Paint::Plain).trim_end_matches('\n'))
    }
}

/// Replaces control characters, so that no text of a tape can control a terminal.
pub(crate) fn without_control_chars(text: &str) -> String {
    let visible = |c: char| if is_control(c) { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}

/// Whether a character controls the terminal, or shows text in another order.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A line as displayed, with its marker.
struct MarkedLine {
    line: String,
    /// Number of columns before the marker.
    before: usize,
    /// Width of the marker in columns, at least one.
    marked: usize,
}

/// Maximum number of columns of a line that are shown: before the place, and in total.
const MAX_COLUMNS_BEFORE: usize = 40;
const MAX_COLUMNS: usize = 110;

impl MarkedLine {
    fn new(span: &Span) -> MarkedLine {
        let (number, start) = span.source().line_at(span.range().start);
        let line = span.source().line(number);
        let from = (span.range().start - start).min(line.len());
        let to = span.range().end.saturating_sub(start).min(line.len());
        let part = |range: Range<usize>| line.get(range).unwrap_or_default();
        // A long line is shown from a little before the place. Text further away is not measured: a
        // whole tape may be one line, with many errors in it.
        let first = match fit_columns(line.chars(), MAX_COLUMNS) {
            (_, len) if len == line.len() => 0,
            _ => from - fit_columns(part(0..from).chars().rev(), MAX_COLUMNS_BEFORE).1,
        };
        let columns = |range: Range<usize>| fit_columns(part(range).chars(), MAX_COLUMNS).0;
        let before = columns(first..from);
        let marked = columns(from..to.max(from));
        let mut marked_line = String::new();
        let mut used = 0;
        for (c, width) in part(first..line.len()).chars().map(cell) {
            if used + width > MAX_COLUMNS {
                marked_line.push('…');
                break;
            }
            used += width;
            match (c, width) {
                (' ', width) => marked_line.extend(std::iter::repeat_n(' ', width)),
                (c, _) => marked_line.push(c),
            }
        }
        let lead = if first > 0 { "…" } else { "" };
        let before = before + lead.chars().count();
        MarkedLine {
            line: format!("{lead}{marked_line}"),
            before,
            marked: marked.clamp(1, MAX_COLUMNS.saturating_sub(before).max(1)),
        }
    }
}

/// Returns the displayed character and its width in columns.
fn cell(c: char) -> (char, usize) {
    match c {
        '\t' => (' ', 4),
        c if is_control(c) => ('\u{fffd}', 1),
        c => (c, c.width().unwrap_or(1)),
    }
}

/// Returns the number of columns and bytes of the longest prefix that fits into `max_columns`.
fn fit_columns(chars: impl Iterator<Item = char>, max_columns: usize) -> (usize, usize) {
    let mut fit = (0, 0);
    for c in chars {
        let columns = fit.0 + cell(c).1;
        if columns > max_columns {
            break;
        }
        fit = (columns, fit.1 + c.len_utf8());
    }
    fit
}

/// Largest number of errors, and of warnings, reported per tape; a file with more is probably not a
/// tape.
pub(super) const MAX_REPORTED: usize = 100;

/// All errors and warnings of a tape.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DiagnosticReport {
    /// In the order of the tape.
    pub diagnostics: Vec<Diagnostic>,
}

impl DiagnosticReport {
    /// Returns whether the tape cannot run.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|found| found.severity == Severity::Error)
    }

    /// Returns whether there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Returns the number of diagnostics with this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let all = self.diagnostics.iter();
        all.filter(|found| found.severity == severity).count()
    }

    /// Returns the first diagnostics of each severity, up to the limit.
    pub(super) fn truncated(mut self) -> DiagnosticReport {
        let mut counts = [0; 2];
        self.diagnostics.retain(|found| {
            let count = &mut counts[usize::from(found.severity == Severity::Error)];
            *count += 1;
            *count <= MAX_REPORTED
        });
        self
    }

    /// Sorts the diagnostics in reading order: tape by tape, each from its top.
    #[must_use]
    pub fn in_order(mut self) -> DiagnosticReport {
        let mut tapes: Vec<String> = Vec::new();
        for found in &self.diagnostics {
            let name = found.span.source().name();
            if !tapes.iter().any(|known| known == name) {
                tapes.push(name.to_owned());
            }
        }
        self.diagnostics.sort_by_key(|found| {
            let name = found.span.source().name();
            let tape = tapes.iter().position(|known| known == name);
            (tape, found.span.range().start)
        });
        self
    }

    /// Turns each warning into an error.
    #[must_use]
    pub fn strict(mut self) -> DiagnosticReport {
        for found in &mut self.diagnostics {
            found.severity = Severity::Error;
        }
        self
    }

    /// Formats all diagnostics, separated by empty lines.
    pub fn render(&self, paint: Paint) -> String {
        let all: Vec<String> = self
            .diagnostics
            .iter()
            .map(|found| found.render(paint))
            .collect();
        all.join("\n")
    }
}

impl fmt::Display for DiagnosticReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(Paint::Plain).trim_end_matches('\n'))
    }
}

impl std::error::Error for DiagnosticReport {}
