//! Parser for the arguments of commands: texts, words, numbers, times, selectors.

use std::ops::Range;
use std::time::Duration;

use super::texts::is_keyword;
use super::{AlreadyReported, ParseResult, TapeParser};
use crate::language::lexer::{Lookahead, Token, TokenKind};
use crate::language::time::{self, TimeError};
use screentest_core::Selector;
use screentest_core::query::selector::syntax::TrailingText;
use screentest_core::query::selector::{Expressions, MaskTarget, SelectorSyntaxError, syntax};
use screentest_core::query::truncate;

impl TapeParser<'_> {
    /// Reports a command that is not complete.
    pub(super) fn missing(&mut self, head: &Token, what: &str, example: &str) -> AlreadyReported {
        let message = format!("`{}` needs {what}", head.value);
        self.error_with_hint(head.range.clone(), message, format!("as in `{example}`"))
    }

    /// Reads one text or word.
    pub(super) fn argument(
        &mut self,
        head: &Token,
        what: &str,
        example: &str,
    ) -> ParseResult<Token> {
        let token = self.lexer.word(self.lookahead());
        let missing = match token.kind {
            TokenKind::End => true,
            TokenKind::Unclosed(sign) => return Err(self.unclosed(token.range, sign)),
            TokenKind::Quoted(_) => false,
            // The next command is not an argument of this one.
            _ => token.first_on_line || (self.dialect.joins_texts() && is_keyword(&token.value)),
        };
        if missing {
            return Err(self.missing(head, what, example));
        }
        self.take(&token);
        Ok(token)
    }

    /// Reads one text or word that is not empty.
    pub(super) fn name(&mut self, head: &Token, what: &str, example: &str) -> ParseResult<String> {
        let token = self.argument(head, what, example)?;
        if token.value.trim().is_empty() {
            let message = format!("`{}` needs {what}, but this is empty", head.value);
            return Err(self.error_with_hint(token.range, message, format!("as in `{example}`")));
        }
        Ok(token.value)
    }

    /// Reads a whole number on this line.
    pub(super) fn number(
        &mut self,
        head: &Token,
        what: &str,
        example: &str,
        max: u16,
    ) -> ParseResult<u16> {
        let token = self.lexer.word(Lookahead::Line);
        if token.kind == TokenKind::End {
            return Err(self.missing(head, what, example));
        }
        let number = digits(&token.value).filter(|number| *number <= u64::from(max));
        let Some(number) = number else {
            let shown = truncate::start(&token.value);
            let message = format!("`{shown}` is not {what} from 0 to {max}");
            return Err(self.error_with_hint(token.range, message, format!("as in `{example}`")));
        };
        self.take(&token);
        Ok(number as u16)
    }

    /// Reads `@` and a time, if the command has them.
    pub(super) fn at_time(&mut self, head: &Token) -> ParseResult<Option<Duration>> {
        if !self.lexer.has('@') {
            return Ok(None);
        }
        let at = self.lexer.character();
        self.take_attached(&at);
        let (time, _) = self.time_after(head, true)?;
        Ok(Some(time))
    }

    /// Reads a time, and returns its place too.
    pub(super) fn time(&mut self, head: &Token) -> ParseResult<(Duration, Range<usize>)> {
        self.time_after(head, false)
    }

    fn time_after(
        &mut self,
        head: &Token,
        is_attached: bool,
    ) -> ParseResult<(Duration, Range<usize>)> {
        let lookahead = if is_attached {
            Lookahead::Line
        } else {
            self.lookahead()
        };
        let token = self.lexer.time_word(lookahead);
        let number = token.value.starts_with(|c: char| !c.is_alphabetic());
        if token.kind == TokenKind::End || (token.first_on_line && !number) {
            let example = match (is_attached, head.value.as_str()) {
                (true, name) => format!("{name}@500ms"),
                (false, "Set") => "Set TypingSpeed 50ms".to_owned(),
                (false, name) => format!("{name} 500ms"),
            };
            let what = if is_attached {
                "a time after `@`"
            } else {
                "a time"
            };
            return Err(self.missing(head, what, &example));
        }
        let Token {
            value: mut text,
            mut range,
            ..
        } = token;
        let (_, unit) = time::split(&text);
        if unit.is_empty() {
            let mut after = self.lexer;
            after.move_to(range.end);
            let next = after.peek(Lookahead::Line);
            // After `@`, a longer word may be the text to type.
            let short = matches!(next.value.as_str(), "ms" | "s" | "m");
            let unit = next.kind == TokenKind::Word && time::is_unit(&next.value);
            if unit && (!is_attached || (short && self.dialect.allows_spaces_in_chords())) {
                text.push_str(&next.value);
                range.end = next.range.end;
            }
        }
        match time::parse(&text) {
            Ok(time) => {
                let (number, unit) = time::split(&text);
                let written = format!("{number}{}", time::short(unit));
                self.keep(range.clone(), Some(written), is_attached);
                Ok((time, range))
            }
            Err(error) => Err(self.error_with_hint(range, error.to_string(), TimeError::HINT)),
        }
    }

    /// Reads a count, if there is one.
    pub(super) fn times(&mut self, head: &Token) -> ParseResult<u16> {
        let token = self.lexer.peek(self.lookahead());
        let mut after = self.lexer;
        after.move_to(token.range.start);
        let word = after.word(Lookahead::Line);
        let below = word.value.strip_prefix('-').and_then(digits).is_some();
        if token.kind != TokenKind::Number && !below {
            return Ok(1);
        }
        let count = digits(&word.value).and_then(|count| u16::try_from(count).ok());
        let Some(count) = count else {
            let shown = truncate::start(&word.value);
            let message = format!("`{shown}` is not a count from 1 to {}", u16::MAX);
            let hint = match time::parse(&word.value) {
                Ok(_) if digits(&word.value).is_none() => {
                    format!("write a time after `@`: `{}@{shown}`", head.value)
                }
                _ => format!("as in `{} 3`", head.value),
            };
            return Err(self.error_with_hint(word.range, message, hint));
        };
        self.take(&word);
        if count == 0 {
            let message = format!("`{} 0` does nothing", head.value);
            self.warn(word.range, message, "remove it, or give a count");
        }
        Ok(count)
    }

    /// Reads the rest of the line as a selector.
    pub(super) fn selector(&mut self, head: &Token) -> ParseResult<Selector> {
        self.parse_notation(head, syntax::parse_selector)
    }

    /// Reads the rest of the line as a selector or a rectangle.
    pub(super) fn cover(&mut self, head: &Token) -> ParseResult<MaskTarget> {
        self.parse_notation(head, syntax::parse_mask_target)
    }

    fn parse_notation<T>(
        &mut self,
        head: &Token,
        read: impl FnOnce(
            &str,
            TrailingText,
            &mut Expressions,
        ) -> Result<(T, usize), SelectorSyntaxError>,
    ) -> ParseResult<T> {
        let mut lexer = self.lexer;
        lexer.skip(Lookahead::Line);
        let start = lexer.at();
        let text = self.source.text().get(start..lexer.line_end());
        let text = text.unwrap_or_default();
        if text.is_empty() {
            let example = format!("{} \"text\"", head.value);
            return Err(self.missing(head, "a selector", &example));
        }
        match read(text, TrailingText::Comment, self.expressions) {
            Ok((value, end)) => {
                let len = text.get(..end).unwrap_or_default().trim_end().len();
                self.keep(start..start + len, None, false);
                Ok(value)
            }
            Err(error) => {
                let range = start + error.range.start..start + error.range.end;
                let found =
                    self.report_diagnostic(crate::language::Severity::Error, range, error.message);
                found.hint = error.hint;
                Err(AlreadyReported)
            }
        }
    }
}

/// Parses a number that consists only of digits.
pub(super) fn digits(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
