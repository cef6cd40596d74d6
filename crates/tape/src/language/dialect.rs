//! Differences between VHS and Betamax.
//!
//! Each rule is a method that returns whether it applies to a dialect. There is a rule where both
//! accept the same text and give it different meanings, where a text cannot be read both ways at
//! once, and for a few checks that only one of them makes, such as of names of shells. Other syntax
//! that one of them rejects is accepted here.

use std::fmt;
use std::str::FromStr;

use screentest_core::query::suggest::nearest;
use screentest_core::{Theme, ThemeCollection};

/// The language that a tape is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// VHS's.
    #[default]
    Vhs,
    /// Betamax's.
    Betamax,
}

impl Dialect {
    /// All dialects, by name.
    pub const ALL: [(&'static str, Dialect); 2] =
        [("vhs", Dialect::Vhs), ("betamax", Dialect::Betamax)];

    /// Returns the theme of tapes that set none.
    pub(super) fn default_theme(self) -> Theme {
        self.themes().default_theme()
    }

    /// Returns the themes that `Set Theme` searches first. They also determine which colours a
    /// theme in JSON has where it sets none.
    pub(super) fn themes(self) -> ThemeCollection {
        match self {
            Dialect::Vhs => ThemeCollection::Vhs,
            Dialect::Betamax => ThemeCollection::Betamax,
        }
    }

    /// Spaces are allowed around `+` and `@`: `Ctrl + c`.
    pub(super) fn allows_spaces_in_chords(self) -> bool {
        self == Dialect::Vhs
    }

    /// Words are split and unquoted as in a shell; otherwise a text ends at its quote, regardless
    /// of what precedes it.
    pub(super) fn reads_shell_words(self) -> bool {
        self == Dialect::Betamax
    }

    /// A text in quotes can be part of a chord: `Ctrl+"c"`. Otherwise a quote there is the key.
    pub(super) fn quotes_in_chords(self) -> bool {
        self == Dialect::Vhs
    }

    /// An expression ends at a `/` before a blank; otherwise at the first one.
    pub(super) fn regex_ends_before_blank(self) -> bool {
        self == Dialect::Betamax
    }

    /// `Wait "/re/"` waits for a match of the expression; otherwise for that text including its
    /// slashes.
    pub(super) fn quoted_slashes_are_a_regex(self) -> bool {
        self == Dialect::Betamax
    }

    /// `Type a "b c"` types `a b c`; otherwise `Type` takes one text.
    pub(super) fn joins_texts(self) -> bool {
        self == Dialect::Vhs
    }

    /// The arguments of a command may be on the next line.
    pub(super) fn arguments_cross_lines(self) -> bool {
        self == Dialect::Vhs
    }

    /// `Alt+abc` is Alt+a, Alt+b, Alt+c; otherwise it is an unknown key.
    pub(super) fn spells_out_chords(self) -> bool {
        self == Dialect::Vhs
    }

    /// A line `x` presses that key.
    pub(super) fn characters_are_keys(self) -> bool {
        self == Dialect::Betamax
    }

    /// `Output frames` is a folder of frames.
    pub(super) fn folder_needs_no_slash(self) -> bool {
        self == Dialect::Betamax
    }

    /// `Output x.png` is a folder of frames; otherwise it is the last screen.
    pub(super) fn png_is_a_folder(self) -> bool {
        self == Dialect::Vhs
    }

    /// `Set LoopOffset 20` is a percentage; otherwise a number up to 1 is a fraction and a larger
    /// one is in seconds.
    pub(super) fn loop_offset_is_a_percentage(self) -> bool {
        self == Dialect::Vhs
    }

    /// A window bar with an unknown name is an error; otherwise every name that is not empty
    /// selects a bar.
    pub(super) fn rejects_unknown_bars(self) -> bool {
        self == Dialect::Vhs
    }

    /// A shell must be a known one; otherwise any program can be a shell.
    pub(super) fn rejects_unknown_shells(self) -> bool {
        self == Dialect::Vhs
    }

    /// The path of a sourced tape must end with `.tape`.
    pub(super) fn requires_tape_extension(self) -> bool {
        self == Dialect::Vhs
    }

    /// `Set`, `Env` and `Require` after the first step are errors. Otherwise `Env` and `Require`
    /// apply at any position, and `Set TypingSpeed` from its position on. `Set Shell` applies from
    /// the start, and any other `Set` has no effect; both cause a warning.
    pub(super) fn requires_settings_first(self) -> bool {
        self == Dialect::Betamax
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Vhs => "vhs",
            Dialect::Betamax => "betamax",
        })
    }
}

/// Error for an unknown dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect `{name}` (expected `vhs` or `betamax`)")]
pub struct UnknownDialect {
    /// The name as written.
    pub name: String,
    /// The most similar known name.
    pub nearest: Option<&'static str>,
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Dialect, UnknownDialect> {
        let mut all = Dialect::ALL.iter();
        let known = all.find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, dialect)| *dialect).ok_or(UnknownDialect {
            name: name.to_owned(),
            nearest: nearest(name, Dialect::ALL.map(|(name, _)| name)),
        })
    }
}
