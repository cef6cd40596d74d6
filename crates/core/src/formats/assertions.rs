//! Time-coded assertions: the text and state that a cassette must show, and when.
//!
//! They are stored in a file next to the cassette, as TOML or as JSON with the same fields. The
//! file is bound to one recording by the cassette's id and the digest of its manifest; it does not
//! apply to any other. Unknown fields are errors, since a misspelt assertion that asserts nothing
//! would always pass. `docs/formats/assertions.md` gives the fields.
//!
//! See also: `read.rs` (parser), `field_reader.rs` (typed access to fields), `selector.rs`,
//! `screen_property.rs` (cursor, size, title, modes), `template.rs` (creates a first file);
//! `screentest::recording::cassette` checks the assertions.

use std::fmt;
use std::time::Duration;

use super::cassette::{Digest, Millis};
use crate::{Screen, Selector};

mod field_reader;
mod read;
mod screen_property;
mod selector;
mod template;
#[cfg(test)]
mod tests;

pub use read::{AssertionsError, AssertionsSyntax};
pub use screen_property::ScreenProperty;
pub use template::{AssertionsTemplate, rebound};

/// The `format` field of these files.
pub const FORMAT: &str = "screentest-assertions";

/// The version that is written, and the newest that can be read.
pub const VERSION: u64 = 1;

/// The largest file that is read, in bytes: enough for more than a hundred thousand assertions.
pub const MAX_FILE: usize = 16 << 20;

/// The assertions about one cassette.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assertions {
    /// Id of the cassette.
    pub cassette: String,
    /// Digest of the cassette's manifest, which in turn has the digests of all its files.
    pub manifest: Digest,
    /// The assertions, in the order of the file.
    pub assertions: Vec<CassetteAssertion>,
}

/// One assertion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CassetteAssertion {
    /// The line of the file on which it starts, counted from 1.
    pub line: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The frames that it applies to.
    pub frames: FrameRange,
    /// Whether one of these frames must satisfy it, or all of them.
    pub quantifier: Quantifier,
    /// Selectors that must be visible.
    pub visible: Vec<Selector>,
    /// Selectors that must not be visible on any of the frames.
    pub not_visible: Vec<Selector>,
    /// Further conditions: cursor, size, title, modes.
    pub properties: Vec<ScreenProperty>,
    /// How the program must have exited.
    pub exit: Option<ExpectedExit>,
}

/// A moment of a cassette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssertionTime {
    /// A time since the start.
    Time(Millis),
    /// The time of the first mark with this name.
    Mark(String),
}

/// The frames that an assertion applies to. A frame is shown from its time until that of the next
/// one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameRange {
    /// The last frame.
    End,
    /// The frame that is shown at this time.
    At(AssertionTime),
    /// The frames shown from this time on, until the end or for the given duration.
    After(AssertionTime, Option<Duration>),
    /// The frames shown up to this time.
    By(AssertionTime),
    /// The frames shown from the first time to the second.
    Between(AssertionTime, AssertionTime),
}

/// How many of the frames must satisfy an assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    /// At least one.
    Some,
    /// All of them.
    Every,
}

/// How a program must have exited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedExit {
    /// With this exit code.
    Code(i32),
    /// By a signal, such as `SIGTERM`.
    Signal(String),
}

impl Assertions {
    /// Parses a file.
    pub fn parse(text: &str, notation: AssertionsSyntax) -> Result<Assertions, AssertionsError> {
        read::assertions(text, notation)
    }
}

impl CassetteAssertion {
    /// Whether a frame shows everything that must be visible, and all properties hold.
    pub fn met(&self, screen: &Screen) -> bool {
        let seen = |selector: &Selector| selector.is_visible(screen);
        self.visible.iter().all(seen)
            && self
                .properties
                .iter()
                .all(|property| property.holds(screen))
    }

    /// Whether a frame shows nothing that must not be visible. A selector for a position outside
    /// the screen fails, since it cannot be checked there.
    pub fn clean(&self, screen: &Screen) -> bool {
        let gone = |selector: &Selector| {
            selector.check(screen.size).is_ok() && !selector.is_visible(screen)
        };
        self.not_visible.iter().all(gone)
    }

    /// Whether the assertion requires something to be visible or a property to hold.
    pub fn wants(&self) -> bool {
        !self.visible.is_empty() || !self.properties.is_empty()
    }
}

/// `1500 ms` or `` mark `ready` ``.
impl fmt::Display for AssertionTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AssertionTime::Time(time) => write!(f, "{time}"),
            AssertionTime::Mark(name) => write!(f, "mark `{name}`"),
        }
    }
}

/// `at 1500 ms`, ``after mark `ready`, within 200 ms``.
impl fmt::Display for FrameRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameRange::End => f.write_str("at the end"),
            FrameRange::At(when) => write!(f, "at {when}"),
            FrameRange::After(when, None) => write!(f, "after {when}"),
            FrameRange::After(when, Some(within)) => {
                write!(f, "after {when}, within {}", Millis::new(*within))
            }
            FrameRange::By(when) => write!(f, "by {when}"),
            FrameRange::Between(from, by) => write!(f, "after {from}, by {by}"),
        }
    }
}

impl fmt::Display for ExpectedExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectedExit::Code(code) => write!(f, "exit code {code}"),
            ExpectedExit::Signal(name) => write!(f, "killed by {name}"),
        }
    }
}
