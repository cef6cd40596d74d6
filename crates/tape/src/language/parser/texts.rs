//! Parser for texts that are typed, copied or waited for.

use super::{Parser, Read};
use crate::language::command::{Pattern, Scope, Wait};
use crate::language::lexer::{Kind, Reach, Token};
use screentest_core::Appeared;
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

impl Parser<'_> {
    /// Reads a text, or several joined with spaces.
    pub(super) fn texts(&mut self, head: &Token) -> Read<String> {
        let example = format!("{} \"some text\"", head.value);
        if !self.dialect.joins_texts() {
            return Ok(self.argument(head, "a text", &example)?.value);
        }
        let mut texts: Vec<String> = Vec::new();
        loop {
            let token = self.lexer.peek(self.reach());
            match token.kind {
                Kind::Quoted(_) => {}
                Kind::Unclosed(sign) if sign != '/' => {
                    return Err(self.unclosed(token.range, sign));
                }
                Kind::Word if !token.first && !is_keyword(&token.value) => {
                    if super::steps::is_command(&token.value) {
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
            let next = self.lexer.peek(Reach::Line);
            if next.kind == Kind::End {
                return Err(self.missing(head, "a text", &example));
            }
            // The next token is meant as the text, but is a command's name, a number or a symbol.
            let end = self.lexer.word(Reach::Line).range.end;
            let meant = self.source.text().get(next.range.start..end);
            let meant = screentest_core::query::truncate::start(meant.unwrap_or_default());
            let message = format!("`{}` needs a text, but `{meant}` is not one", head.value);
            let hint = format!("put it in quotes: `{} \"{meant}\"`", head.value);
            return Err(self.error_with(next.range.start..end, message, hint));
        }
        Ok(texts.join(" "))
    }

    pub(super) fn wait(&mut self, head: &Token) -> Read<Wait> {
        let mut scope = Scope::Line;
        let mut appeared = Appeared::AfterEnter;
        while self.lexer.has('+') {
            let plus = self.lexer.sign();
            self.take_glued(&plus);
            let token = self.lexer.chord_part();
            match token.value.as_str() {
                "Line" => scope = Scope::Line,
                "Screen" => scope = Scope::Screen,
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
            self.take_glued(&token);
        }
        let at = self.lexer.at();
        let timeout = self.at_time(head)?;
        if timeout.is_some_and(|time| time.is_zero()) {
            let range = at..self.lexer.at();
            let hint = "give a longer time, as in `Wait@5s`";
            return Err(self.error_with(range, "a timeout cannot be zero", hint));
        }
        let pattern = self.pattern()?;
        Ok(Wait {
            scope,
            pattern,
            timeout,
            appeared,
        })
    }

    fn pattern(&mut self) -> Read<Option<Pattern>> {
        let token = self.lexer.peek(self.reach());
        match token.kind {
            Kind::Regex => {
                let regex = self.regex(&token, &token.value)?;
                self.take(&token);
                return Ok(Some(Pattern::Regex(regex)));
            }
            Kind::Unclosed('/') if !self.dialect.reads_shell_words() => {
                return Err(self.unclosed(token.range, '/'));
            }
            _ => {}
        }
        let word = self.lexer.word(self.reach());
        match word.kind {
            Kind::Unclosed(sign) => Err(self.unclosed(word.range, sign)),
            Kind::Quoted(_) => self.quoted_pattern(&word).map(Some),
            // A bare word is a text for Betamax, unless it is the next command.
            Kind::Word if self.dialect.reads_shell_words() && !self.begins_command(&word) => {
                self.take(&word);
                Ok(Some(Pattern::Text(word.value)))
            }
            _ => Ok(None),
        }
    }

    fn quoted_pattern(&mut self, word: &Token) -> Read<Pattern> {
        let text = word.value.as_str();
        let inner = text
            .strip_prefix('/')
            .and_then(|text| text.strip_suffix('/'));
        self.take(word);
        match inner {
            Some(inner) if self.dialect.quoted_slashes_are_a_regex() => {
                Ok(Pattern::Regex(self.regex(word, inner)?))
            }
            Some(inner) => {
                let message = "this waits for the text including its slashes";
                let hint = format!("write an expression without quotes: `/{inner}/`");
                self.warn(word.range.clone(), message, hint);
                Ok(Pattern::Text(text.to_owned()))
            }
            None => Ok(Pattern::Text(text.to_owned())),
        }
    }

    /// Returns whether a bare word is, or begins, a command rather than a text.
    fn begins_command(&self, word: &Token) -> bool {
        let name = word.value.split(['@', '+']).next().unwrap_or_default();
        super::steps::is_command(name) || word.value.chars().nth(1).is_none()
    }

    /// Compiles the expression in a token.
    pub(super) fn regex(&mut self, token: &Token, source: &str) -> Read<Regex> {
        let regex = self.expressions.regex(source);
        regex.map_err(|error| match error.hint() {
            Some(hint) => self.error_with(token.range.clone(), error.to_string(), hint),
            None => self.error(token.range.clone(), error.to_string()),
        })
    }
}
