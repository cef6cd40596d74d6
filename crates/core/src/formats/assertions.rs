//! Time-coded assertions: what a cassette must show, and when.
//!
//! They stand in a file beside the cassette, as TOML or as JSON with the same fields, and are bound to it by its id and by the digest of its
//! manifest: said of one recording, they say nothing of another. What is misspelt is refused, since an assertion that asserts nothing
//! would pass for ever. `docs/formats/assertions.md` gives the fields.
//!
//! Elsewhere: reading the file (`assertions/read.rs`), fields one by one (`assertions/fields.rs`), selectors (`assertions/selector.rs`), what
//! is known of a screen besides its text (`assertions/fact.rs`), a file to begin with (`assertions/write.rs`); checking them (`screentest::recording::cassette`).

use std::fmt;
use std::time::Duration;

use super::cassette::{Digest, Millis};
use crate::{Screen, Selector};

mod fact;
mod fields;
mod read;
mod selector;
#[cfg(test)]
mod tests;
mod write;

pub use fact::Fact;
pub use read::{AssertionsError, Notation};
pub use write::{Beginning, rebound};

/// What says that a file is one of ours.
pub const FORMAT: &str = "screentest-assertions";

/// The version that is written, and the newest that is read.
pub const VERSION: u64 = 1;

/// The largest file that is read: some hundred thousand assertions.
pub const MAX_FILE: usize = 16 << 20;

/// What a cassette must show.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assertions {
    /// The cassette of which they are said, by its id.
    pub cassette: String,
    /// The digest of its manifest, and with that of all its files.
    pub manifest: Digest,
    /// Each of them, in the order of the file.
    pub assertions: Vec<Assertion>,
}

/// One thing that must be shown.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assertion {
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// What it is called.
    pub name: Option<String>,
    /// Which frames it is about.
    pub stretch: Stretch,
    /// Whether one of them must be so, or every one.
    pub reach: Reach,
    /// What must be seen.
    pub visible: Vec<Selector>,
    /// What must not be seen on any of them.
    pub not_visible: Vec<Selector>,
    /// What else must be so.
    pub facts: Vec<Fact>,
    /// How the program must have ended.
    pub exit: Option<Exit>,
}

/// A moment of a cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum When {
    /// So long after the start.
    Time(Millis),
    /// When the first mark of this name was set.
    Mark(String),
}

/// Which frames an assertion is about. A frame is shown from its time until that of the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stretch {
    /// The last one.
    End,
    /// The one that was shown then.
    At(When),
    /// Those shown from then on, up to the end or so much later.
    After(When, Option<Duration>),
    /// Those shown up to then.
    By(When),
    /// Those shown from the first moment to the second.
    Between(When, When),
}

/// How many frames of a stretch must be so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// At least one.
    Some,
    /// All of them.
    Every,
}

/// How a program must have ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// On its own, with this code.
    Code(i32),
    /// By a signal, such as `SIGTERM`.
    Signal(String),
}

impl Assertions {
    /// Reads a file.
    pub fn parse(text: &str, notation: Notation) -> Result<Assertions, AssertionsError> {
        read::assertions(text, notation)
    }
}

impl Assertion {
    /// Whether a frame shows all that must be shown.
    pub fn met(&self, screen: &Screen) -> bool {
        let seen = |selector: &Selector| selector.is_visible(screen);
        self.visible.iter().all(seen) && self.facts.iter().all(|fact| fact.holds(screen))
    }

    /// Whether a frame shows nothing that must not be shown. A place that is not on the screen is no place to be sure of.
    pub fn clean(&self, screen: &Screen) -> bool {
        let gone = |selector: &Selector| {
            selector.check(screen.size).is_ok() && !selector.is_visible(screen)
        };
        self.not_visible.iter().all(gone)
    }

    /// Whether it says what must be shown.
    pub fn wants(&self) -> bool {
        !self.visible.is_empty() || !self.facts.is_empty()
    }
}

/// `1500 ms` or `` mark `ready` ``.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            When::Time(time) => write!(f, "{time}"),
            When::Mark(name) => write!(f, "mark `{name}`"),
        }
    }
}

/// `at 1500 ms`, ``after mark `ready`, within 200 ms``.
impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stretch::End => f.write_str("at the end"),
            Stretch::At(when) => write!(f, "at {when}"),
            Stretch::After(when, None) => write!(f, "after {when}"),
            Stretch::After(when, Some(within)) => {
                write!(f, "after {when}, within {}", Millis::new(*within))
            }
            Stretch::By(when) => write!(f, "by {when}"),
            Stretch::Between(from, by) => write!(f, "after {from}, by {by}"),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(name) => write!(f, "killed by {name}"),
        }
    }
}
