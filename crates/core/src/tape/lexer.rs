//! The signs of a tape, one token at a time.
//!
//! The lexer is asked for what the grammar expects next and never decides by itself: a `/` begins an expression for one
//! command and a path for another. It keeps whether a text stood in quotes, and in which, so that a quoted text is never
//! taken for a command. Where the dialects read the same signs differently, a rule of [`Dialect`] is asked by its name.

use std::ops::Range;

use super::Dialect;

/// Which sign stands around a text.
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

    pub(super) fn sign(self) -> char {
        match self {
            Quote::Double => '"',
            Quote::Single => '\'',
            Quote::Backtick => '`',
        }
    }
}

/// What kind of token it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, digits and what paths are made of.
    Word,
    /// Digits and dots.
    Number,
    /// A text in quotes; in part at least, where the dialect joins pieces.
    Quoted(Quote),
    /// What stands between slashes.
    Regex,
    /// What stands between braces, with them.
    Json,
    /// A sign of its own.
    Sign(char),
    /// Something that was begun with this sign and does not end.
    Unclosed(char),
    /// Nothing more, within reach.
    End,
}

/// How far the next token may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// In this line.
    Line,
    /// Anywhere.
    Tape,
}

/// A piece of a tape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its bytes, with its quotes.
    pub(super) range: Range<usize>,
    /// What it says, without its quotes.
    pub(super) value: String,
    /// Whether it is the first of its line.
    pub(super) first: bool,
}

impl Token {
    pub(super) fn is_quoted(&self) -> bool {
        matches!(self.kind, Kind::Quoted(_))
    }
}

/// A place in a tape from which tokens are read; a copy of it looks ahead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    pub(super) dialect: Dialect,
    at: usize,
    /// Whether nothing but blanks stands before in this line.
    fresh: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Lexer<'a> {
        // An editor may have put a byte order mark there; it is no sign of the language.
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            text,
            dialect,
            at,
            fresh: true,
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes on behind a token.
    pub(super) fn go(&mut self, at: usize) {
        self.at = at;
        self.fresh = false;
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Passes over blanks, comments and, where they are within reach, line ends.
    pub(super) fn skip(&mut self, reach: Reach) {
        while let Some(c) = self.next() {
            match c {
                ' ' | '\t' | '\r' => self.at += 1,
                '\n' if reach == Reach::Tape => {
                    self.at += 1;
                    self.fresh = true;
                }
                '#' => self.at = self.line_end(),
                _ => break,
            }
        }
    }

    /// Where this line ends, before its line end.
    pub(super) fn line_end(&self) -> usize {
        let rest = self.rest();
        let line = rest.split('\n').next().unwrap_or_default();
        self.at + line.trim_end_matches('\r').len()
    }

    /// Goes on in the next line.
    pub(super) fn next_line(&mut self) {
        self.at = self.line_end();
        self.skip(Reach::Tape);
    }

    /// Whether this character stands next: behind blanks too, where the dialect allows for them.
    pub(super) fn has(&self, sign: char) -> bool {
        let mut ahead = *self;
        if self.dialect.joins_over_blanks() {
            ahead.skip(Reach::Line);
        }
        ahead.next() == Some(sign)
    }

    fn token(&self, kind: Kind, end: usize, value: impl Into<String>) -> Token {
        Token {
            kind,
            range: self.at..end,
            value: value.into(),
            first: self.fresh,
        }
    }

    fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// The end of the characters that all fit.
    fn run(&self, fits: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        self.at + rest.find(|c| !fits(c)).unwrap_or(rest.len())
    }

    /// The next token as VHS cuts them: a word ends where a `+` or an `@` begins.
    pub(super) fn peek(mut self, reach: Reach) -> Token {
        self.skip(reach);
        let Some(c) = self.next() else {
            return self.token(Kind::End, self.at, "");
        };
        let second = self.rest().chars().nth(1);
        match c {
            '\n' => self.token(Kind::End, self.at, ""),
            '/' => self.regex(),
            '0'..='9' => self.number(),
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(),
            c if Quote::of(c).is_some() => self.quoted(),
            c if is_word_start(c) => {
                let end = self.run(is_word);
                self.token(Kind::Word, end, self.slice(self.at..end))
            }
            c => self.token(Kind::Sign(c), self.at + c.len_utf8(), c),
        }
    }

    fn number(&self) -> Token {
        let end = self.run(|c| c.is_ascii_digit() || c == '.');
        self.token(Kind::Number, end, self.slice(self.at..end))
    }

    /// The next token as one argument: a text in quotes, or all up to a blank.
    pub(super) fn word(mut self, reach: Reach) -> Token {
        self.skip(reach);
        match self.next() {
            None | Some('\n') => self.token(Kind::End, self.at, ""),
            Some(_) if self.dialect.reads_shell_words() => self.shell_word_here(),
            Some(c) if Quote::of(c).is_some() => self.quoted(),
            Some(_) => {
                let end = self.run(|c| !is_blank(c) && c != '#');
                self.token(Kind::Word, end, self.slice(self.at..end))
            }
        }
    }

    /// The next argument of a program, whatever the dialect.
    pub(super) fn shell_word(mut self) -> Token {
        self.skip(Reach::Line);
        match self.next() {
            None | Some('\n') => self.token(Kind::End, self.at, ""),
            Some(_) => self.shell_word_here(),
        }
    }

    /// A number with what is glued to it, or what stands in its place.
    pub(super) fn time_word(mut self, reach: Reach) -> Token {
        self.skip(reach);
        let end = self.run(|c| c.is_alphanumeric() || matches!(c, '.' | '+' | '-' | '_'));
        if end == self.at {
            return self.token(Kind::End, end, "");
        }
        self.token(Kind::Word, end, self.slice(self.at..end))
    }

    /// One character, whatever it is.
    pub(super) fn sign(mut self) -> Token {
        self.skip_joined();
        match self.next() {
            None | Some('\n' | '\r') => self.token(Kind::End, self.at, ""),
            Some(c) => self.token(Kind::Sign(c), self.at + c.len_utf8(), c),
        }
    }

    /// Passes over the blanks that may stand around a `+` or an `@`.
    fn skip_joined(&mut self) {
        if self.dialect.joins_over_blanks() {
            self.at = self.run(|c| c == ' ' || c == '\t');
        }
    }

    /// A part of a chord: a word, a text in quotes or one character. A `#` is a key here and begins no comment.
    pub(super) fn chord_part(mut self) -> Token {
        self.skip_joined();
        match self.next() {
            None | Some('\n' | '\r' | ' ' | '\t') => self.token(Kind::End, self.at, ""),
            Some(c) if self.dialect.quotes_in_chords() && Quote::of(c).is_some() => self.quoted(),
            Some(c) if c.is_ascii_alphanumeric() => {
                let end = self.run(|c| c.is_ascii_alphanumeric());
                self.token(Kind::Word, end, self.slice(self.at..end))
            }
            Some(c) => self.token(Kind::Sign(c), self.at + c.len_utf8(), c),
        }
    }

    /// A text in quotes, without escapes; it ends in its line.
    fn quoted(&self) -> Token {
        let rest = self.rest();
        let mut chars = rest.chars();
        let Some(quote) = chars.next().and_then(Quote::of) else {
            return self.token(Kind::End, self.at, "");
        };
        let inside = chars.as_str();
        let mut ends = inside.char_indices();
        match ends.find(|(_, c)| *c == quote.sign() || is_line_end(*c)) {
            Some((len, c)) if !is_line_end(c) => {
                let value = inside.get(..len).unwrap_or_default();
                self.token(Kind::Quoted(quote), self.at + 1 + len + 1, value)
            }
            _ => self.unclosed(quote.sign()),
        }
    }

    fn unclosed(&self, sign: char) -> Token {
        let end = self.line_end();
        self.token(Kind::Unclosed(sign), end, self.slice(self.at..end))
    }

    /// What stands between slashes, its backslashes kept. In which line it ends and at which slash, the dialect says.
    fn regex(&self) -> Token {
        let rest = self.rest();
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            if is_line_end(c) {
                break;
            }
            if c == '/' && !escaped {
                let behind = rest.get(at + 1..).unwrap_or_default().chars().next();
                if !self.dialect.regex_ends_before_blank() || behind.is_none_or(is_blank) {
                    let value = rest.get(1..at).unwrap_or_default();
                    return self.token(Kind::Regex, self.at + at + 1, value);
                }
            }
            escaped = c == '\\' && !escaped;
        }
        self.unclosed('/')
    }

    /// From `{` to the `}` that belongs to it, over line ends. Only who expects it asks: it may read the whole tape.
    pub(super) fn json(mut self, reach: Reach) -> Token {
        self.skip(reach);
        let rest = self.rest();
        let mut depth = 0usize;
        let mut in_string = false;
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_string => escaped = true,
                '"' => in_string = !in_string,
                // JSON has no line end in a string: one that is not closed must not take the rest of the tape.
                '\n' => in_string = false,
                '{' if !in_string => depth += 1,
                '}' if !in_string => {
                    depth -= 1;
                    if depth == 0 {
                        let value = rest.get(..=at).unwrap_or_default();
                        return self.token(Kind::Json, self.at + at + 1, value);
                    }
                }
                _ => {}
            }
        }
        self.unclosed('{')
    }

    /// A word as a shell cuts and unquotes it: `a"b c"'d'\ e` is one.
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
                        let begun = Lexer {
                            at: self.at + at,
                            ..*self
                        };
                        return begun.unclosed(c);
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
        let kind = quote.map_or(Kind::Word, Kind::Quoted);
        self.token(kind, end, value)
    }
}

/// Reads up to the closing quote; `false` where there is none.
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

/// What VHS takes for a bare word, and every letter that is not of ASCII.
fn is_word(c: char) -> bool {
    is_word_start(c) || c.is_ascii_digit() || matches!(c, '-' | '_' | '/' | '%')
}
