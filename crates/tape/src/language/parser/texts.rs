//! Parser for texts that are typed, copied or waited for.

use super::{ParseResult, TapeParser, steps};
use crate::language::command::{Command, DefaultWait, TapeStep};
use crate::language::lexer::{Lookahead, Token, TokenKind};
use screentest_core::Appeared;
use screentest_core::action::{Action, WaitTarget};
use screentest_core::query::condition::{WaitPattern, WaitScope};
use screentest_core::query::selector::Regex;

/// The names of VHS's commands: a bare word from this list ends a text in VHS, so it must here.
const KEYWORDS: [&str; 33] = [
    "Set",
    "Sleep",
    "Type",
    "Enter",
    "Space",
    "Backspace",
    "Delete",
    "Insert",
    "Ctrl",
    "Alt",
    "Shift",
    "Down",
    "Left",
    "Right",
    "Up",
    "PageUp",
    "PageDown",
    "ScrollUp",
    "ScrollDown",
    "Tab",
    "Escape",
    "End",
    "Hide",
    "Require",
    "Show",
    "Output",
    "Wait",
    "Source",
    "Screenshot",
    "Copy",
    "Paste",
    "Env",
    "Subtitle",
];

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl TapeParser<'_> {
    /// Reads a text, or several joined with spaces.
    pub(super) fn texts(&mut self, head: &Token) -> ParseResult<String> {
        let example = format!("{} \"some text\"", head.value);
        if !self.dialect.joins_texts() {
            return Ok(self.argument(head, "a text", &example)?.value);
        }
        let mut texts: Vec<String> = Vec::new();
        loop {
            let token = self.lexer.peek(self.lookahead());
            match token.kind {
                TokenKind::Quoted(_) => {}
                TokenKind::Unclosed(sign) if sign != '/' => {
                    return Err(self.unclosed(token.range, sign));
                }
                TokenKind::Word if !token.first_on_line && !is_keyword(&token.value) => {
                    if steps::is_command(&token.value) {
                        let message = format!("`{}` is typed as text here", token.value);
                        let hint = "put a command on its own line, and a text in quotes";
                        self.warn(token.range.clone(), message, hint);
                    }
                }
                _ => break,
            }
            self.take(&token);
            texts.push(token.value);
        }
        if texts.is_empty() {
            let next = self.lexer.peek(Lookahead::Line);
            if next.kind == TokenKind::End {
                return Err(self.missing(head, "a text", &example));
            }
            // The next token is meant as the text, but is a command's name, a number or a symbol.
            let end = self.lexer.word(Lookahead::Line).range.end;
            let meant = self.source.text().get(next.range.start..end);
            let meant = screentest_core::query::truncate::start(meant.unwrap_or_default());
            let message = format!("`{}` needs a text, but `{meant}` is not one", head.value);
            let hint = format!("put it in quotes: `{} \"{meant}\"`", head.value);
            return Err(self.error_with_hint(next.range.start..end, message, hint));
        }
        Ok(texts.join(" "))
    }

    pub(super) fn wait(&mut self, head: &Token) -> ParseResult<Command> {
        let mut scope = WaitScope::Line;
        let mut appeared = Appeared::AfterEnter;
        while self.lexer.has('+') {
            let plus = self.lexer.character();
            self.take_attached(&plus);
            let token = self.lexer.chord_part();
            match token.value.as_str() {
                "Line" => scope = WaitScope::Line,
                "Screen" => scope = WaitScope::Screen,
                "Anytime" => appeared = Appeared::Anytime,
                value => {
                    let message = match value {
                        "" => "expected `Line`, `Screen` or `Anytime` after `Wait+`".to_owned(),
                        value => format!(
                            "expected `Line`, `Screen` or `Anytime` after `Wait+`, not `{value}`"
                        ),
                    };
                    let range = match value {
                        "" => plus.range,
                        _ => token.range,
                    };
                    return Err(self.error(range, message));
                }
            };
            self.take_attached(&token);
        }
        let at = self.lexer.at();
        let timeout = self.at_time(head)?;
        if timeout.is_some_and(|time| time.is_zero()) {
            let range = at..self.lexer.at();
            let hint = "give a longer time, as in `Wait@5s`";
            return Err(self.error_with_hint(range, "a timeout cannot be zero", hint));
        }
        match self.pattern()? {
            Some(pattern) => {
                let target = WaitTarget::Line(scope, pattern);
                steps::action(Action::Wait(target, appeared), timeout)
            }
            None => Ok(Command::Step(TapeStep::DefaultWait(DefaultWait {
                scope,
                timeout,
                appeared,
            }))),
        }
    }

    fn pattern(&mut self) -> ParseResult<Option<WaitPattern>> {
        let token = self.lexer.peek(self.lookahead());
        match token.kind {
            TokenKind::Regex => {
                let regex = self.regex(&token, &token.value)?;
                self.take(&token);
                return Ok(Some(WaitPattern::Regex(regex)));
            }
            TokenKind::Unclosed('/') if !self.dialect.reads_shell_words() => {
                return Err(self.unclosed(token.range, '/'));
            }
            _ => {}
        }
        let word = self.lexer.word(self.lookahead());
        match word.kind {
            TokenKind::Unclosed(sign) => Err(self.unclosed(word.range, sign)),
            TokenKind::Quoted(_) => self.quoted_pattern(&word).map(Some),
            // A bare word is a text for Betamax, unless it is the next command.
            TokenKind::Word if self.dialect.reads_shell_words() && !self.begins_command(&word) => {
                self.take(&word);
                Ok(Some(WaitPattern::Text(word.value)))
            }
            _ => Ok(None),
        }
    }

    fn quoted_pattern(&mut self, word: &Token) -> ParseResult<WaitPattern> {
        let text = word.value.as_str();
        let inner = text
            .strip_prefix('/')
            .and_then(|text| text.strip_suffix('/'));
        self.take(word);
        match inner {
            Some(inner) if self.dialect.quoted_slashes_are_a_regex() => {
                Ok(WaitPattern::Regex(self.regex(word, inner)?))
            }
            Some(inner) => {
                let message = "this waits for the text including its slashes";
                let hint = format!("write an expression without quotes: `/{inner}/`");
                self.warn(word.range.clone(), message, hint);
                Ok(WaitPattern::Text(text.to_owned()))
            }
            None => Ok(WaitPattern::Text(text.to_owned())),
        }
    }

    /// Returns whether a bare word is, or begins, a command rather than a text.
    fn begins_command(&self, word: &Token) -> bool {
        let name = word.value.split(['@', '+']).next().unwrap_or_default();
        steps::is_command(name) || word.value.chars().nth(1).is_none()
    }

    /// Compiles the expression in a token.
    pub(super) fn regex(&mut self, token: &Token, source: &str) -> ParseResult<Regex> {
        let regex = self.expressions.regex(source);
        regex.map_err(|error| match error.hint() {
            Some(hint) => self.error_with_hint(token.range.clone(), error.to_string(), hint),
            None => self.error(token.range.clone(), error.to_string()),
        })
    }
}
