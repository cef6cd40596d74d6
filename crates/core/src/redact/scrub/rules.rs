//! The rules: values to search for, and patterns of tokens.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::byte_pairs::BytePairs;
use super::token_patterns::{TOKEN_PATTERNS, TokenClass};
use super::{RedactedSecret, ScrubOutput, Scrubber, StreamKind, encodings};
use crate::redact::stretch::StretchIndex;

/// The values and token patterns to search for. Values are never shown, not even by `Debug`.
#[derive(Clone)]
pub struct Rules {
    rules: Vec<String>,
    patterns: Vec<RulePattern>,
    /// The patterns, indexed by their first byte.
    by_first: Box<[Vec<usize>; 256]>,
    /// The first two bytes of every pattern.
    pub(super) byte_pairs: BytePairs,
    /// Parts of the values, for text that a program wrapped or reformatted (`stretch.rs`).
    stretches: Arc<StretchIndex>,
}

/// One pattern: one encoding of a value, or one kind of token.
#[derive(Clone)]
pub(super) struct RulePattern {
    pub(super) rule: usize,
    pub(super) prefix: Vec<u8>,
    /// For each number of matched bytes, the number to fall back to if the next byte does not
    /// match.
    pub(super) fallback: Vec<usize>,
    pub(super) tail: PatternTail,
}

/// The part of a pattern after its first bytes.
#[derive(Clone)]
pub(super) enum PatternTail {
    /// Nothing: the first bytes are the secret, and these bytes replace it.
    Literal(Vec<u8>),
    /// The secret: its characters, and the least number of them.
    Body(TokenClass, usize),
}

/// Reason why a value or prefix cannot be searched for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A value that would match everywhere.
    #[error(
        "the value of `{name}` is too short to redact: at least {MIN_CHARS} characters are needed; use a longer value, or leave `{name}` out"
    )]
    TooShort {
        /// Name of the value.
        name: String,
    },
    /// A prefix that would match everywhere.
    #[error(
        "`{prefix}` is too short for the prefix of a secret: at least {MIN_PREFIX} characters are needed"
    )]
    PrefixTooShort {
        /// The prefix.
        prefix: String,
    },
}

/// The least number of characters of a value, without control characters.
pub(in crate::redact) const MIN_CHARS: usize = 4;
/// The least number of characters of a prefix: that of the shortest built-in pattern.
const MIN_PREFIX: usize = 3;
/// The least number of characters after a user-defined prefix: fewer are a word rather than a key.
const MIN_BODY: usize = 8;

impl Rules {
    /// Rules that match nothing.
    pub fn none() -> Rules {
        Rules {
            rules: Vec::new(),
            patterns: Vec::new(),
            by_first: Box::new(std::array::from_fn(|_| Vec::new())),
            byte_pairs: BytePairs::default(),
            stretches: Arc::default(),
        }
    }

    /// Rules for well-known keys and tokens.
    pub fn known_tokens() -> Rules {
        let mut rules = Rules::none();
        for pattern in TOKEN_PATTERNS {
            let rule = rules.rule(pattern.rule);
            rules.add(
                rule,
                pattern.prefix.as_bytes(),
                PatternTail::Body(pattern.class, pattern.least),
            );
        }
        rules
    }

    /// Adds a value, in every form in which it may be written. The report lists it as `name`.
    pub fn and_value(mut self, name: &str, value: &[u8]) -> Result<Rules, RulesError> {
        self.add_value(name, value)?;
        Ok(self)
    }

    /// Like [`Rules::and_value`]. An error changes nothing.
    pub(in crate::redact) fn add_value(
        &mut self,
        name: &str,
        value: &[u8],
    ) -> Result<(), RulesError> {
        let forms = encodings::of(value);
        let short = forms
            .first()
            .is_none_or(|plain| has_fewer_chars(&plain.bytes, MIN_CHARS));
        if short {
            return Err(RulesError::TooShort {
                name: name.to_owned(),
            });
        }
        let rule = self.rule(name);
        for form in forms {
            self.add(rule, &form.bytes, PatternTail::Literal(form.cover));
        }
        Arc::make_mut(&mut self.stretches).add(rule, value);
        Ok(())
    }

    /// Adds a token pattern: the prefix, which is not redacted, followed by 8 or more letters,
    /// digits, or characters of `._~+/=-`. The report lists it by its prefix.
    pub fn and_token_prefix(mut self, prefix: &str) -> Result<Rules, RulesError> {
        if has_fewer_chars(prefix.as_bytes(), MIN_PREFIX) {
            return Err(RulesError::PrefixTooShort {
                prefix: prefix.to_owned(),
            });
        }
        let rule = self.rule(prefix);
        self.add(
            rule,
            prefix.as_bytes(),
            PatternTail::Body(TokenClass::Token, MIN_BODY),
        );
        Ok(self)
    }

    /// Returns the names of the rules; [`RedactedSecret::rule`] is an index into them.
    pub fn names(&self) -> &[String] {
        &self.rules
    }

    /// Returns the secrets in a complete text of one or more lines.
    pub fn find(self: &Arc<Self>, text: &[u8]) -> Vec<RedactedSecret> {
        self.scrub(text).1
    }

    /// Returns a complete text with its secrets redacted, and the secrets' positions.
    pub fn scrub(self: &Arc<Self>, text: &[u8]) -> (Vec<u8>, Vec<RedactedSecret>) {
        let (mut text, mut covered) = self.scrub_patterns(text, StreamKind::Text);
        covered.extend(self.scrub_stretches(&mut text));
        (text, covered)
    }

    /// Returns complete output of a program with its secrets redacted.
    pub fn scrub_output(self: &Arc<Self>, output: &[u8]) -> Vec<u8> {
        let (mut output, _) = self.scrub_patterns(output, StreamKind::Output);
        self.scrub_stretches(&mut output);
        output
    }

    /// Redacts whole values and tokens.
    fn scrub_patterns(
        self: &Arc<Self>,
        text: &[u8],
        kind: StreamKind,
    ) -> (Vec<u8>, Vec<RedactedSecret>) {
        let mut scrubber = Scrubber::new(Arc::clone(self), kind);
        let mut out = ScrubOutput::default();
        scrubber.push(text, Duration::ZERO, &mut out);
        // The text is complete, so an incomplete secret at its end is not a secret.
        scrubber.end_searches(&mut out);
        for (at, cover) in out.patches {
            if let Some(byte) = out.bytes.get_mut(at as usize) {
                *byte = cover;
            }
        }
        (out.bytes, out.covered)
    }

    /// Redacts stretches of at least 8 characters of the values, or whole shorter values, in a text
    /// of one or more lines, which may contain escape sequences. Returns their positions.
    pub fn scrub_stretches(&self, text: &mut [u8]) -> Vec<RedactedSecret> {
        let found = self.find_stretches(text);
        for piece in found.iter().flat_map(|secret| &secret.pieces) {
            let piece = piece.start as usize..piece.end as usize;
            let cover = super::replacements(&text[piece.clone()]);
            text[piece].copy_from_slice(&cover);
        }
        found
    }

    /// Returns whole values and tokens in a complete text.
    pub(in crate::redact) fn find_patterns(self: &Arc<Self>, text: &[u8]) -> Vec<RedactedSecret> {
        self.scrub_patterns(text, StreamKind::Text).1
    }

    /// Returns the stretches of values in a text of one or more lines.
    pub(in crate::redact) fn find_stretches(&self, text: &[u8]) -> Vec<RedactedSecret> {
        let found = self.stretches.find(text).into_iter();
        let found = found.map(|stretch| RedactedSecret {
            rule: stretch.owner,
            pieces: stretch
                .pieces
                .into_iter()
                .map(|piece| piece.start as u64..piece.end as u64)
                .collect(),
        });
        found.collect()
    }

    /// Whether there are values, and not only token patterns.
    pub fn has_values(&self) -> bool {
        self.values().next().is_some()
    }

    /// Returns every form of every value, for a final scan of files; token patterns are not
    /// included.
    pub fn values(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.patterns
            .iter()
            .filter(|pattern| matches!(pattern.tail, PatternTail::Literal(_)))
            .map(|pattern| (pattern.rule, pattern.prefix.as_slice()))
    }

    pub(super) fn beginning_with(&self, byte: u8) -> &[usize] {
        &self.by_first[usize::from(byte)]
    }

    pub(super) fn pattern(&self, index: usize) -> &RulePattern {
        &self.patterns[index]
    }

    fn rule(&mut self, name: &str) -> usize {
        match self.rules.iter().position(|known| known == name) {
            Some(rule) => rule,
            None => {
                self.rules.push(name.to_owned());
                self.rules.len() - 1
            }
        }
    }

    fn add(&mut self, rule: usize, first: &[u8], tail: PatternTail) {
        let (Some(one), Some(two)) = (first.first(), first.get(1)) else {
            return;
        };
        self.by_first[usize::from(*one)].push(self.patterns.len());
        self.byte_pairs.add(*one, *two);
        self.patterns.push(RulePattern {
            rule,
            fallback: fallback(first),
            prefix: first.to_vec(),
            tail,
        });
    }
}

/// Returns whether a text has fewer characters. Each invalid sequence counts as one.
fn has_fewer_chars(text: &[u8], least: usize) -> bool {
    String::from_utf8_lossy(text)
        .chars()
        .nth(least - 1)
        .is_none()
}

/// Computes for each number of matched bytes the longest proper suffix of them that is also a
/// prefix (the failure function of Knuth, Morris and Pratt).
fn fallback(bytes: &[u8]) -> Vec<usize> {
    let mut table = vec![0; bytes.len() + 1];
    let mut matched = 0;
    for at in 1..bytes.len() {
        while matched > 0 && bytes[at] != bytes[matched] {
            matched = table[matched];
        }
        if bytes[at] == bytes[matched] {
            matched += 1;
        }
        table[at + 1] = matched;
    }
    table
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
