//! Which cassette is played as a program, and how.

use std::io;
use std::path::{Path, PathBuf};

use screentest_core::Size;

use crate::recording::cassette::CassetteError;
use crate::recording::player::Pace;

/// Which cassette is played as a program, and how. [`App::cassette`](crate::App::cassette) has all as usual.
///
/// ```no_run
/// use screentest::recording::fake_program::Chunks;
/// use screentest::recording::fake_program::Impersonation;
/// use screentest::{App, Options, Session};
///
/// let vim = Impersonation::of("tests/vim.cassette").chunks(Chunks::EveryByte);
/// let session = Session::start(&App::from(vim), Options::default())?;
/// # Ok::<(), screentest::SpawnError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Impersonation {
    pub(crate) path: PathBuf,
    pub(super) matching: Matching,
    pub(super) patterns: Vec<String>,
    pub(super) chunks: Chunks,
    pub(super) pace: Pace,
    pub(super) sizes: Sizes,
    pub(super) emulator: Emulator,
    pub(super) replies: Replies,
}

/// Which input is the recorded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matching {
    /// The same bytes, in pieces of any size.
    #[default]
    Exact,
    /// As many keys, whichever they are.
    Any,
}

/// In which pieces the output is written. A driver must not care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chunks {
    /// As they came when it was recorded.
    #[default]
    Original,
    /// Every byte alone, so that every sequence and every character is torn.
    EveryByte,
    /// All at once up to the next input.
    Coalesced,
    /// Cut at random; the same number gives the same pieces.
    Random(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    Recorded,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emulator {
    Pinned,
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replies {
    Expected,
    Ignored,
}

impl Impersonation {
    /// The program that was recorded here: the same input, as fast as possible, in the pieces in which it came.
    pub fn of(cassette: impl Into<PathBuf>) -> Impersonation {
        Impersonation {
            path: cassette.into(),
            matching: Matching::default(),
            patterns: Vec::new(),
            chunks: Chunks::default(),
            pace: Pace::Collapsed,
            sizes: Sizes::Recorded,
            emulator: Emulator::Pinned,
            replies: Replies::Expected,
        }
    }

    /// The cassette.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which input is the recorded one.
    #[must_use]
    pub fn matching(mut self, matching: Matching) -> Impersonation {
        self.matching = matching;
        self
    }

    /// Where a part of one recorded input matches this regular expression, whatever matches it is as good: a date, a name, a
    /// number. The rest stays as it was.
    #[must_use]
    pub fn pattern(mut self, regex: impl Into<String>) -> Impersonation {
        self.patterns.push(regex.into());
        self
    }

    /// In which pieces the output is written.
    #[must_use]
    pub fn chunks(mut self, chunks: Chunks) -> Impersonation {
        self.chunks = chunks;
        self
    }

    /// How long after each input its output comes: at once, as it was, or so many times as fast.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Impersonation {
        self.pace = pace;
        self
    }

    /// Plays in a terminal of any size, and waits for no resize. What was recorded was drawn for the recorded sizes.
    #[must_use]
    pub fn any_size(mut self) -> Impersonation {
        self.sizes = Sizes::Any;
        self
    }

    /// Plays to any emulator, though another than the recorded one may show something else.
    #[must_use]
    pub fn any_emulator(mut self) -> Impersonation {
        self.emulator = Emulator::Any;
        self
    }

    /// Waits for no answers of the terminal. Otherwise each that was recorded is waited for, for at most a second; what it says may
    /// differ.
    #[must_use]
    pub fn without_replies(mut self) -> Impersonation {
        self.replies = Replies::Ignored;
        self
    }
}

/// Two paces are the same where they are written in the same way.
impl PartialEq for Impersonation {
    fn eq(&self, other: &Impersonation) -> bool {
        let plain = |of: &Impersonation| {
            let pace = match of.pace {
                Pace::Collapsed => None,
                Pace::Real => Some(1f64.to_bits()),
                Pace::Scaled(times) => Some(times.to_bits()),
            };
            let how = (
                of.matching,
                of.chunks,
                pace,
                of.sizes,
                of.emulator,
                of.replies,
            );
            (of.path.clone(), of.patterns.clone(), how)
        };
        plain(self) == plain(other)
    }
}

impl Eq for Impersonation {}

/// Why a cassette cannot be played as a program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImpersonateError {
    /// It is not whole.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The emulator that would show it is not the one that was recorded.
    #[error("`{path}` was recorded with the emulator `{recorded}`, and here is {here}: what it shows may differ", path = path.display())]
    Emulator {
        /// The cassette.
        path: PathBuf,
        /// The recorded one.
        recorded: String,
        /// What there is.
        here: String,
    },
    /// The terminal has another size.
    #[error("`{path}` was recorded in a terminal of {recorded}, and this one has {here}", path = path.display())]
    Size {
        /// The cassette.
        path: PathBuf,
        /// The recorded one.
        recorded: Size,
        /// That of the terminal.
        here: Size,
    },
    /// A pattern is no regular expression, or too large a one.
    #[error("the pattern `{pattern}` cannot be used: {problem}")]
    Pattern {
        /// As it was given.
        pattern: String,
        /// What is wrong.
        problem: String,
    },
    /// A terminal could not be spoken to.
    #[error("could not speak to the terminal")]
    Terminal(#[from] io::Error),
}
