//! Formatter for tapes.
//!
//! Only spacing and the spelling of times change: one space between words, none at the ends of
//! lines, at most one empty line in a row, and continuation lines are indented. Comments and texts
//! are not changed, nor is the meaning of the tape.

use std::collections::BTreeSet;

use super::{Dialect, Report, parser};
use screentest_core::query::selector::Expressions;

/// Returns the formatted tape, or its errors: a tape with errors cannot be formatted. Warnings are
/// ignored.
///
/// ```
/// use screentest_tape::language;
///
/// let laid_out = tape::format("  Ctrl + c   3 #stop\n\n\n\nSleep .5", "demo.tape", None);
/// assert_eq!(laid_out.unwrap(), "Ctrl+c 3 # stop\n\nSleep .5s\n");
/// ```
pub fn format(text: &str, name: &str, dialect: Option<Dialect>) -> Result<String, Report> {
    let mut expressions = Expressions::default();
    let parsed = parser::parse(text, name, dialect, Dialect::Vhs, &mut expressions);
    if parsed.report.has_errors() {
        return Err(parsed.report);
    }
    let starts: BTreeSet<usize> = parsed
        .tape
        .commands
        .iter()
        .map(|command| command.place.range().start)
        .collect();
    let mut page = Page::default();
    let mut end = 0;
    for piece in &parsed.pieces {
        page.between(text.get(end..piece.range.start).unwrap_or_default());
        let verbatim = || text.get(piece.range.clone()).unwrap_or_default();
        let written = piece.written.as_deref().unwrap_or_else(verbatim);
        let begins = starts.contains(&piece.range.start);
        page.put(written, piece.glued, begins);
        end = piece.range.end;
    }
    page.between(text.get(end..).unwrap_or_default());
    Ok(page.finish())
}

#[derive(Debug, Default)]
struct Page {
    text: String,
    /// Number of line ends since the last piece that was written.
    breaks: usize,
}

impl Page {
    /// Handles the text between two pieces: whitespace and comments.
    fn between(&mut self, gap: &str) {
        for (index, segment) in gap.split('\n').enumerate() {
            self.breaks += usize::from(index > 0);
            let comment = segment.trim_matches(['\u{feff}', ' ', '\t', '\r']);
            if comment.is_empty() {
                continue;
            }
            let (signs, words) = (comment.trim_start_matches('#'), comment);
            let hashes = words.len() - signs.len();
            // `#word` becomes `# word`; `#!` and rows of symbols are not changed.
            let spaced = signs.starts_with(|c: char| c.is_alphanumeric());
            let written = if spaced {
                format!("{} {signs}", "#".repeat(hashes))
            } else {
                comment.to_owned()
            };
            self.put(&written, false, true);
        }
    }

    fn put(&mut self, written: &str, glued: bool, begins: bool) {
        if self.text.is_empty() {
            self.breaks = 0;
        } else if self.breaks > 0 {
            self.text
                .extend(std::iter::repeat_n('\n', self.breaks.min(2)));
            if !begins {
                self.text.push_str("  ");
            }
        } else if !glued {
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
