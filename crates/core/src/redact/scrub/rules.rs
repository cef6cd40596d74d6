//! What is looked for: values that somebody named, and shapes.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::pairs::Pairs;
use super::shapes::{Class, SHAPES};
use super::{Covered, Kind, Scrubbed, Scrubber, variants};

/// What is looked for in a recording. Values are never shown, not even by `Debug`.
#[derive(Clone)]
pub struct Rules {
    rules: Vec<String>,
    patterns: Vec<Pattern>,
    /// The patterns by their first byte.
    by_first: Box<[Vec<usize>; 256]>,
    /// The first two bytes of everything.
    pub(super) pairs: Pairs,
}

/// One form of one thing that is looked for.
#[derive(Clone)]
pub(super) struct Pattern {
    pub(super) rule: usize,
    pub(super) first: Vec<u8>,
    /// How far to fall back when the byte after so many does not fit.
    pub(super) fallback: Vec<usize>,
    pub(super) then: Then,
}

/// What follows the first bytes.
#[derive(Clone)]
pub(super) enum Then {
    /// Nothing: they are the secret, and these bytes cover it.
    Covered(Vec<u8>),
    /// The secret itself.
    Body(Class, usize),
}

/// Why a value cannot be looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// It would be found everywhere.
    #[error(
        "the value of `{name}` is too short to be covered: it has fewer than {LEAST} characters; give it a longer one, or leave `{name}` out"
    )]
    TooShort {
        /// What it is called.
        name: String,
    },
    /// It would begin everywhere.
    #[error(
        "`{prefix}` is too short to begin a secret: it has fewer than {LEAST_PREFIX} characters"
    )]
    PrefixTooShort {
        /// How the secret would begin.
        prefix: String,
    },
}

/// How many bytes a value has at least.
const LEAST: usize = 4;
/// How many a beginning has, as the shortest of the shapes that are known.
const LEAST_PREFIX: usize = 3;
/// How many characters follow a beginning that somebody named: less is a word, not a key.
const LEAST_BODY: usize = 8;

impl Rules {
    /// Nothing is looked for.
    pub fn none() -> Rules {
        Rules {
            rules: Vec::new(),
            patterns: Vec::new(),
            by_first: Box::new(std::array::from_fn(|_| Vec::new())),
            pairs: Pairs::default(),
        }
    }

    /// The shapes of well-known keys and tokens.
    pub fn shapes() -> Rules {
        let mut rules = Rules::none();
        for shape in SHAPES {
            let rule = rules.rule(shape.rule);
            rules.add(
                rule,
                shape.prefix.as_bytes(),
                Then::Body(shape.class, shape.least),
            );
        }
        rules
    }

    /// Looks for a value too, in every form in which it may be written. The report calls it `name`.
    pub fn and_value(mut self, name: &str, value: &[u8]) -> Result<Rules, RulesError> {
        let forms = variants::of(value);
        let short = forms.first().is_none_or(|plain| plain.bytes.len() < LEAST);
        if short {
            return Err(RulesError::TooShort {
                name: name.to_owned(),
            });
        }
        let rule = self.rule(name);
        for form in forms {
            self.add(rule, &form.bytes, Then::Covered(form.cover));
        }
        Ok(self)
    }

    /// Looks for a shape too: this beginning, which stays, and behind it 8 or more letters, digits and signs of base64. The report calls it
    /// by its beginning.
    pub fn and_shape(mut self, prefix: &str) -> Result<Rules, RulesError> {
        if prefix.len() < LEAST_PREFIX {
            return Err(RulesError::PrefixTooShort {
                prefix: prefix.to_owned(),
            });
        }
        let rule = self.rule(prefix);
        self.add(
            rule,
            prefix.as_bytes(),
            Then::Body(Class::Token, LEAST_BODY),
        );
        Ok(self)
    }

    /// The rules by name; a [`Covered`] has the number of one.
    pub fn names(&self) -> &[String] {
        &self.rules
    }

    /// What is to be covered in a text that is there as a whole.
    pub fn find(self: &Arc<Self>, text: &[u8]) -> Vec<Covered> {
        self.scrub(text).1
    }

    /// A text with its secrets covered, and what they were.
    pub fn scrub(self: &Arc<Self>, text: &[u8]) -> (Vec<u8>, Vec<Covered>) {
        let mut scrubber = Scrubber::new(Arc::clone(self), Kind::Text);
        let mut out = Scrubbed::default();
        scrubber.push(text, Duration::ZERO, &mut out);
        // The text is whole: what only begins like a secret at its end is none.
        scrubber.give_up(&mut out);
        for (at, cover) in out.patches {
            if let Some(byte) = out.bytes.get_mut(at as usize) {
                *byte = cover;
            }
        }
        (out.bytes, out.covered)
    }

    /// Every form of every value, for a last look at files; shapes are not among them.
    pub fn values(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.patterns
            .iter()
            .filter(|pattern| matches!(pattern.then, Then::Covered(_)))
            .map(|pattern| (pattern.rule, pattern.first.as_slice()))
    }

    pub(super) fn beginning_with(&self, byte: u8) -> &[usize] {
        &self.by_first[usize::from(byte)]
    }

    pub(super) fn pattern(&self, index: usize) -> &Pattern {
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

    fn add(&mut self, rule: usize, first: &[u8], then: Then) {
        let (Some(one), Some(two)) = (first.first(), first.get(1)) else {
            return;
        };
        self.by_first[usize::from(*one)].push(self.patterns.len());
        self.pairs.add(*one, *two);
        self.patterns.push(Pattern {
            rule,
            fallback: fallback(first),
            first: first.to_vec(),
            then,
        });
    }
}

/// For each number of matched bytes, how many of the last of them are also the first: where to go on when the next does not fit.
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
