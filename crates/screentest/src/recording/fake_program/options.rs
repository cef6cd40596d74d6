//! Options of a fake program: the cassette and how to replay it.

use std::io;
use std::path::{Path, PathBuf};

use screentest_core::Size;

use crate::recording::cassette::CassetteError;
use crate::recording::player::Pace;

/// The cassette that a fake program replays, and how. [`App::cassette`](crate::App::cassette) uses
/// the defaults.
#[derive(Debug, Clone)]
pub struct FakeProgramOptions {
    pub(crate) path: PathBuf,
    pub(super) matching: Matching,
    pub(super) patterns: Vec<String>,
    pub(super) chunks: Chunks,
    pub(super) pace: Pace,
    pub(super) sizes: SizeCheck,
    pub(super) emulator: EmulatorCheck,
    pub(super) replies: ReplyCheck,
}

/// How received input is compared with the recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matching {
    /// Exactly the same bytes, in reads of any size.
    #[default]
    Exact,
    /// An equal number of keys, whichever they are.
    Any,
}

/// How the output is split into writes. A driver must not depend on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chunks {
    /// As in the recording.
    #[default]
    Original,
    /// One byte per write, so that every escape sequence and every multi-byte character is split.
    EveryByte,
    /// As few writes as possible for all output up to the next input, of up to 64 KiB each.
    Coalesced,
    /// Writes of random length; the same seed gives the same lengths.
    Random(u64),
}

/// Which sizes of the terminal are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeCheck {
    Recorded,
    Any,
}

/// Which emulators are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EmulatorCheck {
    Pinned,
    Any,
}

/// Whether recorded answers of the terminal are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyCheck {
    Expected,
    Ignored,
}

impl FakeProgramOptions {
    /// A fake program with the defaults: the same input, no delays, writes as in the recording.
    pub fn of(cassette: impl Into<PathBuf>) -> FakeProgramOptions {
        FakeProgramOptions {
            path: cassette.into(),
            matching: Matching::default(),
            patterns: Vec::new(),
            chunks: Chunks::default(),
            pace: Pace::Collapsed,
            sizes: SizeCheck::Recorded,
            emulator: EmulatorCheck::Pinned,
            replies: ReplyCheck::Expected,
        }
    }

    /// The path of the cassette.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets how received input is compared with the recording.
    #[must_use]
    pub fn matching(mut self, matching: Matching) -> FakeProgramOptions {
        self.matching = matching;
        self
    }

    /// Lets parts of the input vary: where this regular expression matches a part of a recorded
    /// input, any other match of it is accepted there, for example a date, a name or a number. The
    /// rest must be the same.
    #[must_use]
    pub fn pattern(mut self, regex: impl Into<String>) -> FakeProgramOptions {
        self.patterns.push(regex.into());
        self
    }

    /// Sets how the output is split into writes.
    #[must_use]
    pub fn chunks(mut self, chunks: Chunks) -> FakeProgramOptions {
        self.chunks = chunks;
        self
    }

    /// Sets the delay between an input and its output: none, as recorded, or scaled.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> FakeProgramOptions {
        self.pace = pace;
        self
    }

    /// Accepts terminals of any size, and waits for no resize. The output was drawn for the
    /// recorded sizes.
    #[must_use]
    pub fn any_size(mut self) -> FakeProgramOptions {
        self.sizes = SizeCheck::Any;
        self
    }

    /// Accepts any emulator, though another one than the recorded one may show something else.
    #[must_use]
    pub fn any_emulator(mut self) -> FakeProgramOptions {
        self.emulator = EmulatorCheck::Any;
        self
    }

    /// Does not wait for answers of the terminal. By default, each recorded answer is waited for,
    /// for at most a second; its contents may differ.
    #[must_use]
    pub fn without_replies(mut self) -> FakeProgramOptions {
        self.replies = ReplyCheck::Ignored;
        self
    }
}

/// Paces are compared by the bits of their factors.
impl PartialEq for FakeProgramOptions {
    fn eq(&self, other: &FakeProgramOptions) -> bool {
        let comparable = |options: &FakeProgramOptions| {
            let pace = match options.pace {
                Pace::Collapsed => None,
                Pace::Real => Some(1f64.to_bits()),
                Pace::Scaled(times) => Some(times.to_bits()),
            };
            let checks = (
                options.matching,
                options.chunks,
                pace,
                options.sizes,
                options.emulator,
                options.replies,
            );
            (options.path.clone(), options.patterns.clone(), checks)
        };
        comparable(self) == comparable(other)
    }
}

impl Eq for FakeProgramOptions {}

/// Why a cassette cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FakeProgramError {
    /// The cassette is damaged or cannot be read.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The emulator differs from the recorded one.
    #[error(
        "`{path}` was recorded with the emulator `{recorded}`, but this one is {actual}: the screens may differ",
        path = path.display()
    )]
    Emulator {
        /// The path of the cassette.
        path: PathBuf,
        /// The recorded emulator.
        recorded: String,
        /// The available emulator.
        actual: String,
    },
    /// The size of the terminal differs from the recorded one.
    #[error(
        "`{path}` was recorded at {recorded}, but this terminal has {actual}",
        path = path.display()
    )]
    Size {
        /// The path of the cassette.
        path: PathBuf,
        /// The recorded size.
        recorded: Size,
        /// The size of the terminal.
        actual: Size,
    },
    /// A pattern is not a valid regular expression, or is too large.
    #[error("the pattern `{pattern}` cannot be used: {problem}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The reason.
        problem: String,
    },
    /// The terminal could not be read or written.
    #[error("could not access the terminal")]
    Terminal(#[from] io::Error),
}
