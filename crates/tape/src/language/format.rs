//! Formatter for tapes.
//!
//! Only spacing and the spelling of times change: one space between words, none at the ends of
//! lines, at most one empty line in a row, and continuation lines are indented. A comment `#word`
//! becomes `# word`. The words of comments, the texts and the meaning of the tape are not changed.

use std::collections::BTreeSet;

use super::{DiagnosticReport, Dialect, parser};
use screentest_core::query::selector::Expressions;

/// Returns the formatted tape, or its errors: a tape with errors cannot be formatted. Warnings are
/// ignored.
///
/// ```
/// use screentest_tape::language;
///
/// let laid_out = language::format("  Ctrl + c   3 #stop\n\n\n\nSleep .5", "demo.tape", None);
/// assert_eq!(laid_out.unwrap(), "Ctrl+c 3 # stop\n\nSleep .5s\n");
/// ```
pub fn format(
    text: &str,
    name: &str,
    dialect: Option<Dialect>,
) -> Result<String, DiagnosticReport> {
    let mut expressions = Expressions::default();
    let parsed = parser::parse(text, name, dialect, Dialect::Vhs, &mut expressions);
    if parsed.report.has_errors() {
        return Err(parsed.report);
    }
    let starts: BTreeSet<usize> = parsed
        .tape
        .commands
        .iter()
        .map(|command| command.span.range().start)
        .collect();
    let mut formatter = Formatter::default();
    let mut end = 0;
    for piece in &parsed.pieces {
        formatter.write_gap(text.get(end..piece.range.start).unwrap_or_default());
        let verbatim = || text.get(piece.range.clone()).unwrap_or_default();
        let written = piece.written.as_deref().unwrap_or_else(verbatim);
        let starts_command = starts.contains(&piece.range.start);
        formatter.write(written, piece.is_attached, starts_command);
        end = piece.range.end;
    }
    formatter.write_gap(text.get(end..).unwrap_or_default());
    Ok(formatter.finish())
}

#[derive(Debug, Default)]
struct Formatter {
    text: String,
    /// Number of line ends since the last piece that was written.
    breaks: usize,
}

impl Formatter {
    /// Handles the text between two pieces: whitespace and comments.
    fn write_gap(&mut self, gap: &str) {
        for (index, segment) in gap.split('\n').enumerate() {
            self.breaks += usize::from(index > 0);
            let comment = segment.trim_matches(['\u{feff}', ' ', '\t', '\r']);
            if comment.is_empty() {
                continue;
            }
            let words = comment.trim_start_matches('#');
            let hashes = comment.len() - words.len();
            // `#word` becomes `# word`; `#!` and rows of symbols are not changed.
            let spaced = words.starts_with(|c: char| c.is_alphanumeric());
            let written = if spaced {
                format!("{} {words}", "#".repeat(hashes))
            } else {
                comment.to_owned()
            };
            self.write(&written, false, true);
        }
    }

    fn write(&mut self, written: &str, is_attached: bool, starts_command: bool) {
        if self.text.is_empty() {
            self.breaks = 0;
        } else if self.breaks > 0 {
            self.text
                .extend(std::iter::repeat_n('\n', self.breaks.min(2)));
            if !starts_command {
                self.text.push_str("  ");
            }
        } else if !is_attached {
            self.text.push(' ');
        }
        self.breaks = 0;
        self.text.push_str(written);
    }

    fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}
