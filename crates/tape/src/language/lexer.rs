//! Lexer for tapes, one token at a time.
//!
//! The parser requests the kind of token that the grammar expects next: a `/` begins an expression
//! for one command and a path for another. Tokens record whether and how they were quoted, so that
//! a quoted text is never taken for a command. If the dialects read the same characters
//! differently, a named rule of [`Dialect`] decides.

use std::ops::Range;

use super::Dialect;

/// The kind of quotes around a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Quote {
    Double,
    Single,
    Backtick,
}

impl Quote {
    fn of(c: char) -> Option<Quote> {
        match c {
            '"' => Some(Quote::Double),
            '\'' => Some(Quote::Single),
            '`' => Some(Quote::Backtick),
            _ => None,
        }
    }

    pub(super) fn char(self) -> char {
        match self {
            Quote::Double => '"',
            Quote::Single => '\'',
            Quote::Backtick => '`',
        }
    }
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and characters that occur in paths.
    Word,
    /// Digits and dots.
    Number,
    /// A text in quotes. In a dialect that joins adjacent pieces, a part of it may be unquoted.
    Quoted(Quote),
    /// A regular expression between slashes.
    Regex,
    /// JSON, including its braces.
    Json,
    /// Any other character.
    Character(char),
    /// Something that starts with this character and is not closed.
    Unclosed(char),
    /// No further token before the end of the line or of the tape (see [`Lookahead`]).
    End,
}

/// How far ahead the next token may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookahead {
    /// On this line.
    Line,
    /// Anywhere in the tape.
    Tape,
}

/// A token of a tape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Its byte range, including quotes.
    pub(super) range: Range<usize>,
    /// Its content, without quotes.
    pub(super) value: String,
    /// Whether it is the first on its line.
    pub(super) first_on_line: bool,
}

impl Token {
    pub(super) fn is_quoted(&self) -> bool {
        matches!(self.kind, TokenKind::Quoted(_))
    }
}

/// A reading position in a tape; copies are used to look ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    pub(super) dialect: Dialect,
    at: usize,
    /// Whether only spaces precede the position on its line.
    at_line_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Lexer<'a> {
        // Editors may add a byte order mark, which is not part of the language.
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            text,
            dialect,
            at,
            at_line_start: true,
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to the end of a token.
    pub(super) fn move_to(&mut self, at: usize) {
        self.at = at;
        self.at_line_start = false;
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips spaces and comments, and with [`Lookahead::Tape`] also line ends.
    pub(super) fn skip(&mut self, lookahead: Lookahead) {
        while let Some(c) = self.next() {
            match c {
                ' ' | '\t' | '\r' => self.at += 1,
                '\n' if lookahead == Lookahead::Tape => {
                    self.at += 1;
                    self.at_line_start = true;
                }
                '#' => self.at = self.line_end(),
                _ => break,
            }
        }
    }

    /// Returns the position after the last character of this line, before its LF or CR LF.
    pub(super) fn line_end(&self) -> usize {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        self.at + line.trim_end_matches('\r').len()
    }

    /// Moves past this line, and past empty lines and comments after it.
    pub(super) fn next_line(&mut self) {
        self.at = self.line_end();
        self.skip(Lookahead::Tape);
    }

    /// Returns whether this character is next. Skips spaces before it if the dialect allows them.
    pub(super) fn has(&self, sign: char) -> bool {
        let mut ahead = *self;
        if self.dialect.allows_spaces_in_chords() {
            ahead.skip(Lookahead::Line);
        }
        ahead.next() == Some(sign)
    }

    fn token(&self, kind: TokenKind, end: usize, value: impl Into<String>) -> Token {
        Token {
            kind,
            range: self.at..end,
            value: value.into(),
            first_on_line: self.at_line_start,
        }
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the end of the characters for which `fits` is true.
    fn run(&self, fits: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        self.at + rest.find(|c| !fits(c)).unwrap_or(rest.len())
    }

    /// Returns the next token, split as in VHS: a word ends at a `+` or an `@`.
    pub(super) fn peek(mut self, lookahead: Lookahead) -> Token {
        self.skip(lookahead);
        let Some(c) = self.next() else {
            return self.token(TokenKind::End, self.at, "");
        };
        let second = self.rest().chars().nth(1);
        match c {
            '\n' => self.token(TokenKind::End, self.at, ""),
            '/' => self.regex(),
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(),
            c if Quote::of(c).is_some() => self.quoted(),
            c if is_word_start(c) => {
                let end = self.run(is_word);
                self.token(TokenKind::Word, end, self.slice(self.at..end))
            }
            c => self.token(TokenKind::Character(c), self.at + c.len_utf8(), c),
        }
    }

    fn number(&self) -> Token {
        let end = self.run(|c| c.is_ascii_digit() || c == '.');
        self.token(TokenKind::Number, end, self.slice(self.at..end))
    }

    /// Returns the next argument: a text in quotes, or everything up to a space or a `#`. In a
    /// dialect with shell words, a shell word.
    pub(super) fn word(mut self, lookahead: Lookahead) -> Token {
        self.skip(lookahead);
        match self.next() {
            None | Some('\n') => self.token(TokenKind::End, self.at, ""),
            Some(_) if self.dialect.reads_shell_words() => self.shell_word_here(),
            Some(c) if Quote::of(c).is_some() => self.quoted(),
            Some(_) => {
                let end = self.run(|c| !is_blank(c) && c != '#');
                self.token(TokenKind::Word, end, self.slice(self.at..end))
            }
        }
    }

    /// Returns the next argument of a program, independent of the dialect.
    pub(super) fn shell_word(mut self) -> Token {
        self.skip(Lookahead::Line);
        match self.next() {
            None | Some('\n') => self.token(TokenKind::End, self.at, ""),
            Some(_) => self.shell_word_here(),
        }
    }

    /// Returns a number with the unit attached to it, or the word in its place.
    pub(super) fn time_word(mut self, lookahead: Lookahead) -> Token {
        self.skip(lookahead);
        let end = self.run(|c| c.is_alphanumeric() || matches!(c, '.' | '+' | '-' | '_'));
        if end == self.at {
            return self.token(TokenKind::End, end, "");
        }
        self.token(TokenKind::Word, end, self.slice(self.at..end))
    }

    /// Returns a single character of any kind.
    pub(super) fn character(mut self) -> Token {
        self.skip_chord_spaces();
        match self.next() {
            None | Some('\n' | '\r') => self.token(TokenKind::End, self.at, ""),
            Some(c) => self.token(TokenKind::Character(c), self.at + c.len_utf8(), c),
        }
    }

    /// Skips spaces around a `+` or an `@`, if the dialect allows them.
    fn skip_chord_spaces(&mut self) {
        if self.dialect.allows_spaces_in_chords() {
            self.at = self.run(|c| c == ' ' || c == '\t');
        }
    }

    /// Returns a part of a chord: a word, a text in quotes or one character. A `#` is a key here
    /// and does not begin a comment.
    pub(super) fn chord_part(mut self) -> Token {
        self.skip_chord_spaces();
        match self.next() {
            None | Some('\n' | '\r' | ' ' | '\t') => self.token(TokenKind::End, self.at, ""),
            Some(c) if self.dialect.quotes_in_chords() && Quote::of(c).is_some() => self.quoted(),
            Some(c) if c.is_ascii_alphanumeric() => {
                let end = self.run(|c| c.is_ascii_alphanumeric());
                self.token(TokenKind::Word, end, self.slice(self.at..end))
            }
            Some(c) => self.token(TokenKind::Character(c), self.at + c.len_utf8(), c),
        }
    }

    /// Reads a text in quotes, without escapes. It must end on the line on which it begins.
    fn quoted(&self) -> Token {
        let rest = self.rest();
        let mut chars = rest.chars();
        let Some(quote) = chars.next().and_then(Quote::of) else {
            return self.token(TokenKind::End, self.at, "");
        };
        let inside = chars.as_str();
        let mut ends = inside.char_indices();
        match ends.find(|(_, c)| *c == quote.char() || is_line_end(*c)) {
            Some((len, c)) if !is_line_end(c) => {
                let value = inside.get(..len).unwrap_or_default();
                self.token(TokenKind::Quoted(quote), self.at + 1 + len + 1, value)
            }
            _ => self.unclosed(quote.char()),
        }
    }

    fn unclosed(&self, sign: char) -> Token {
        let end = self.line_end();
        self.token(TokenKind::Unclosed(sign), end, self.slice(self.at..end))
    }

    /// Reads an expression between slashes, keeping its backslashes. The dialect decides which
    /// slash ends it. It must end on the line on which it begins.
    fn regex(&self) -> Token {
        let rest = self.rest();
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            if is_line_end(c) {
                break;
            }
            if c == '/' && !escaped {
                let after = rest.get(at + 1..).unwrap_or_default().chars().next();
                if !self.dialect.regex_ends_before_blank() || after.is_none_or(is_blank) {
                    let value = rest.get(1..at).unwrap_or_default();
                    return self.token(TokenKind::Regex, self.at + at + 1, value);
                }
            }
            escaped = c == '\\' && !escaped;
        }
        self.unclosed('/')
    }

    /// Reads from `{` to the matching `}`, across line ends. Call it only at a `{` and only where
    /// JSON is expected: it may read the whole tape.
    pub(super) fn json(mut self, lookahead: Lookahead) -> Token {
        self.skip(lookahead);
        let rest = self.rest();
        let mut depth = 0usize;
        let mut in_string = false;
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_string => escaped = true,
                '"' => in_string = !in_string,
                // JSON strings cannot contain a line end: an unclosed string must not consume the
                // rest of the tape.
                '\n' => in_string = false,
                '{' if !in_string => depth += 1,
                '}' if !in_string => {
                    depth -= 1;
                    if depth == 0 {
                        let value = rest.get(..=at).unwrap_or_default();
                        return self.token(TokenKind::Json, self.at + at + 1, value);
                    }
                }
                _ => {}
            }
        }
        self.unclosed('{')
    }

    /// Reads a word, splitting and unquoting as a shell does: `a"b c"'d'\ e` is one word.
    fn shell_word_here(&self) -> Token {
        let mut value = String::new();
        let mut quote = None;
        let mut chars = self.rest().char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if is_blank(c) => {
                    return self.shell_token(self.at + at, value, quote);
                }
                '\'' | '"' => {
                    quote = quote.or(Quote::of(c));
                    if !unquote(c, &mut chars, &mut value) {
                        let from_quote = Lexer {
                            at: self.at + at,
                            ..*self
                        };
                        return from_quote.unclosed(c);
                    }
                }
                '\\' => match chars.clone().next() {
                    Some((_, c)) if !is_line_end(c) => {
                        value.push(c);
                        chars.next();
                    }
                    _ => value.push('\\'),
                },
                c => value.push(c),
            }
        }
        self.shell_token(self.text.len(), value, quote)
    }

    fn shell_token(&self, end: usize, value: String, quote: Option<Quote>) -> Token {
        let kind = quote.map_or(TokenKind::Word, TokenKind::Quoted);
        self.token(kind, end, value)
    }
}

/// Reads up to the closing quote; returns `false` if there is none.
fn unquote(quote: char, chars: &mut std::str::CharIndices<'_>, value: &mut String) -> bool {
    while let Some((_, c)) = chars.next() {
        match c {
            c if c == quote => return true,
            c if is_line_end(c) => return false,
            '\\' if quote == '"' => match chars.next() {
                Some((_, c @ ('$' | '`' | '"' | '\\'))) => value.push(c),
                Some((_, c)) if !is_line_end(c) => value.extend(['\\', c]),
                _ => return false,
            },
            c => value.push(c),
        }
    }
    false
}

pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_line_end(c: char) -> bool {
    c == '\n' || c == '\r'
}

fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '.' || (!c.is_ascii() && !c.is_control())
}

/// Characters of a bare word in VHS, and all characters outside ASCII except control characters.
fn is_word(c: char) -> bool {
    is_word_start(c) || c.is_ascii_digit() || matches!(c, '-' | '_' | '/' | '%')
}
