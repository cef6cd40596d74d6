//! Parser for tapes.
//!
//! A command with an error is reported and skipped to the end of its line (one with an unknown name
//! to the next command), so that one pass finds all errors. Besides the commands, the parser
//! records the pieces of text that they consist of, which `format.rs` lays out.
//!
//! See also: the kinds of command (`parser/…`), checks that involve several commands
//! (`resolve.rs`).

use std::ops::Range;
use std::sync::Arc;

use super::command::Command;
use super::diagnostic::{Diagnostic, DiagnosticReport, MAX_REPORTED, Severity};
use super::lexer::{Lexer, Lookahead, Token, TokenKind};
use super::source::{Source, Span, Spanned};
use super::{Dialect, MAX_TAPE_LENGTH, Tape, UnknownDialect};
use screentest_core::query::selector::Expressions;
use screentest_core::query::suggest::nearest;
use screentest_core::query::truncate;

mod arguments;
mod cell_assertions;
mod keys;
mod settings;
mod steps;
mod texts;

#[cfg(test)]
pub(super) use steps::COMMANDS as NAMES;

/// A piece of a tape's text that belongs to a command.
#[derive(Debug, Clone)]
pub(super) struct SourcePiece {
    pub(super) range: Range<usize>,
    /// Its formatted form, if that differs from the text.
    pub(super) written: Option<String>,
    /// Whether it follows the piece before without a space.
    pub(super) is_attached: bool,
}

/// The result of parsing a tape.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) tape: Tape,
    pub(super) report: DiagnosticReport,
    pub(super) pieces: Vec<SourcePiece>,
}

/// Parses a tape. Its dialect is `given`, otherwise the one that it names, otherwise `usual`.
pub(super) fn parse(
    text: &str,
    name: &str,
    given: Option<Dialect>,
    usual: Dialect,
    expressions: &mut Expressions,
) -> Parsed {
    let long = text.len() > MAX_TAPE_LENGTH;
    let source = Arc::new(Source::new(name, if long { "" } else { text }));
    let mut report = DiagnosticReport::default();
    if long {
        let message = format!(
            "the tape has {} bytes, and the limit is {MAX_TAPE_LENGTH}",
            text.len()
        );
        let span = Span::new(&source, 0..0);
        let found = Diagnostic::new(Severity::Error, span, message);
        report.diagnostics.push(found);
    }
    let named = || named_dialect(&source, &mut report);
    let dialect = given.or_else(named).unwrap_or(usual);
    let mut parser = TapeParser {
        source: &source,
        lexer: Lexer::new(source.text(), dialect),
        dialect,
        commands: Vec::new(),
        report,
        pieces: Vec::new(),
        before: None,
        resume: None,
        expressions,
    };
    parser.run();
    let TapeParser {
        commands,
        report,
        pieces,
        ..
    } = parser;
    Parsed {
        tape: Tape {
            source,
            dialect,
            commands,
        },
        report,
        pieces,
    }
}

/// Returns the dialect named by a comment before the first command.
fn named_dialect(source: &Arc<Source>, report: &mut DiagnosticReport) -> Option<Dialect> {
    let text = source.text();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        let line = line.trim_start_matches('\u{feff}').trim_start();
        if !line.is_empty() && !line.starts_with('#') {
            return None;
        }
        let comment = line.trim_start_matches('#').split_once(':');
        let Some((_, after)) = comment.filter(|(word, _)| word.trim() == "dialect") else {
            continue;
        };
        let name = after.split_whitespace().next().unwrap_or_default();
        let error: UnknownDialect = match name.parse() {
            Ok(dialect) => return Some(dialect),
            Err(error) => error,
        };
        let start = end - after.trim_start().len();
        let span = Span::new(source, start..start + name.len());
        let mut found = Diagnostic::new(Severity::Error, span, error.to_string());
        found.nearest = error.nearest.map(str::to_owned);
        report.diagnostics.push(found);
        return None;
    }
    None
}

/// Marks that an error was found and has been reported.
#[derive(Debug)]
struct AlreadyReported;

type ParseResult<T> = Result<T, AlreadyReported>;

struct TapeParser<'a> {
    source: &'a Arc<Source>,
    lexer: Lexer<'a>,
    dialect: Dialect,
    commands: Vec<Spanned<Command>>,
    report: DiagnosticReport,
    pieces: Vec<SourcePiece>,
    /// The name of the previous command on the same line.
    before: Option<String>,
    /// End of an unknown command's name; errors in the rest of its line may be reported too.
    resume: Option<usize>,
    expressions: &'a mut Expressions,
}

impl TapeParser<'_> {
    fn run(&mut self) {
        loop {
            let token = self.lexer.peek(Lookahead::Tape);
            if token.kind == TokenKind::End {
                return;
            }
            if token.first_on_line {
                self.before = None;
            }
            let start = token.range.start;
            let pieces = self.pieces.len();
            match self.command(token) {
                Ok(value) => {
                    let end = self.lexer.at().max(start);
                    let span = Span::new(self.source, start..end);
                    self.commands.push(Spanned { value, span });
                }
                Err(AlreadyReported) => {
                    self.pieces.truncate(pieces);
                    self.before = None;
                    if self.report.count(Severity::Error) >= MAX_REPORTED {
                        let message = "too many errors, the rest was not read";
                        let end = self.lexer.at().max(start);
                        let found = self.report_diagnostic(Severity::Error, end..end, message);
                        found.hint = Some("fix the errors above first".to_owned());
                        return;
                    }
                    let at = self.lexer.at().max(start);
                    self.lexer.move_to(at);
                    match self.resume.take() {
                        Some(end) => self.resume(end),
                        None => self.lexer.next_line(),
                    }
                }
            }
        }
    }

    /// Continues with the next command on this line, or else on the next line.
    fn resume(&mut self, end: usize) {
        self.lexer.move_to(end);
        loop {
            let token = self.lexer.peek(Lookahead::Line);
            match token.kind {
                TokenKind::End | TokenKind::Unclosed(_) => return self.lexer.next_line(),
                TokenKind::Word if steps::is_command(&token.value) => return,
                _ => self.lexer.move_to(token.range.end),
            }
        }
    }

    fn report_diagnostic(
        &mut self,
        severity: Severity,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let span = Span::new(self.source, range);
        let found = Diagnostic::new(severity, span, message);
        let all = &mut self.report.diagnostics;
        all.push(found);
        all.last_mut().expect("one was pushed")
    }

    fn error(&mut self, range: Range<usize>, message: impl Into<String>) -> AlreadyReported {
        self.report_diagnostic(Severity::Error, range, message);
        AlreadyReported
    }

    fn error_with_hint(
        &mut self,
        range: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> AlreadyReported {
        self.report_diagnostic(Severity::Error, range, message).hint = Some(hint.into());
        AlreadyReported
    }

    /// Reports an unknown name.
    fn unknown<'n>(
        &mut self,
        range: Range<usize>,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> &mut Diagnostic {
        let shown = truncate::start(name);
        let near = nearest(&shown, known).map(str::to_owned);
        let found =
            self.report_diagnostic(Severity::Error, range, format!("unknown {what} `{shown}`"));
        found.nearest = near;
        found
    }

    fn warn(&mut self, range: Range<usize>, message: impl Into<String>, hint: impl Into<String>) {
        if self.report.count(Severity::Warning) < MAX_REPORTED {
            self.report_diagnostic(Severity::Warning, range, message)
                .hint = Some(hint.into());
        }
    }

    /// Records a token as a separate piece.
    fn take(&mut self, token: &Token) {
        self.keep(token.range.clone(), None, false);
    }

    /// Records a token that is attached to the one before.
    fn take_attached(&mut self, token: &Token) {
        self.keep(token.range.clone(), None, true);
    }

    fn keep(&mut self, range: Range<usize>, written: Option<String>, is_attached: bool) {
        self.lexer.move_to(range.end);
        self.pieces.push(SourcePiece {
            range,
            written,
            is_attached,
        });
    }

    /// Returns how far ahead the arguments of a command may be.
    fn lookahead(&self) -> Lookahead {
        if self.dialect.arguments_cross_lines() {
            Lookahead::Tape
        } else {
            Lookahead::Line
        }
    }

    fn command(&mut self, head: Token) -> ParseResult<Command> {
        if let Some(key) = self.character_key(&head) {
            self.take(&key);
            self.before = Some("Enter".to_owned());
            return self.press_character(&key);
        }
        match head.kind {
            TokenKind::Word => {}
            TokenKind::Unclosed(sign) => return Err(self.unclosed(head.range, sign)),
            _ => return Err(self.not_a_command(head)),
        }
        let joined = {
            let mut after = self.lexer;
            after.move_to(head.range.end);
            after.has('+')
        };
        if joined && !matches!(head.value.as_str(), "Wait" | "Expect" | "ExpectNot") {
            return self.chord(&head);
        }
        let command = self.named(&head)?;
        self.before = Some(head.value);
        Ok(command)
    }

    /// Reports a token in the place of a command.
    fn not_a_command(&mut self, token: Token) -> AlreadyReported {
        let shown = self.source.text().get(token.range.clone());
        let shown = truncate::start(shown.unwrap_or_default());
        let message = format!("`{shown}` is not a command");
        match self
            .escape_hint(token.range.start)
            .or_else(|| self.surplus_hint())
        {
            Some(hint) => self.error_with_hint(token.range, message, hint),
            None => self.error_with_hint(
                token.range,
                message,
                "every command begins with its name, as in `Type \"text\"`",
            ),
        }
    }

    /// Returns a hint for text after a command that does not take it.
    fn surplus_hint(&self) -> Option<String> {
        let before = self.before.as_deref()?;
        let quoted = "put quotes around all of it";
        Some(match before {
            "Type" | "Submit" | "Copy" | "Caption" | "Subtitle" => {
                format!("`{before}` does not take this: {quoted}")
            }
            "Wait" => {
                format!("`Wait` takes `/an expression/` or \"a text\": {quoted}")
            }
            "Set" | "Output" | "Require" | "Env" | "Source" | "Screenshot" | "State"
            | "Snapshot" => {
                format!("`{before}` takes one value: put quotes around it if it has spaces")
            }
            _ => format!("`{before}` does not take this"),
        })
    }

    /// Returns a hint for an attempt to escape a quote in a dialect without such escapes.
    fn escape_hint(&self, at: usize) -> Option<String> {
        let (_, start) = self.source.line_at(at);
        let before = self.source.text().get(start..at).unwrap_or_default();
        let escaped = [r#"\""#, r"\'", r"\`"]
            .iter()
            .any(|quote| before.contains(quote));
        (escaped && !self.dialect.reads_shell_words()).then(|| {
            "a backslash does not escape a quote: use another kind of quotes, or write `# dialect: betamax` as the first line".to_owned()
        })
    }

    fn unclosed(&mut self, range: Range<usize>, sign: char) -> AlreadyReported {
        if let Some(hint) = self
            .escape_hint(range.start)
            .filter(|_| sign != '/' && sign != '{')
        {
            let message = format!("the text has no closing `{sign}`");
            return self.error_with_hint(range, message, hint);
        }
        match sign {
            '/' => self.error_with_hint(
                range,
                "the expression has no closing `/`",
                r"write a slash inside it as `\/`",
            ),
            '{' => self.error(range, "the `{` has no closing `}`"),
            quote if self.dialect.reads_shell_words() => self.error_with_hint(
                range,
                format!("the text has no closing `{quote}`"),
                r#"inside `"` quotes, write a quote as `\"`"#,
            ),
            quote => self.error_with_hint(
                range,
                format!("the text has no closing `{quote}`"),
                "a text must end on its line, and it has no escapes: quote it with `\"`, `'` or a backtick, whichever is not in it",
            ),
        }
    }
}
