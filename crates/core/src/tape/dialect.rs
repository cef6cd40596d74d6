//! Where VHS and Betamax disagree.
//!
//! Each rule has a name and one line for each dialect. There is a rule only where both accept the same text and mean
//! something else by it, or where reading it both ways at once is impossible; what one of them refuses is accepted here.

use std::fmt;
use std::str::FromStr;

use crate::query::suggest::nearest;

/// Whose words a tape uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// VHS's.
    #[default]
    Vhs,
    /// Betamax's.
    Betamax,
}

impl Dialect {
    /// All of them, by name.
    pub const ALL: [(&'static str, Dialect); 2] =
        [("vhs", Dialect::Vhs), ("betamax", Dialect::Betamax)];

    /// Blanks may stand around `+` and `@`: `Ctrl + c`.
    pub(super) fn joins_over_blanks(self) -> bool {
        self == Dialect::Vhs
    }

    /// A text ends at its quote, whatever stands before it; else words are cut and unquoted as a shell does.
    pub(super) fn reads_shell_words(self) -> bool {
        self == Dialect::Betamax
    }

    /// A text in quotes is a part of a chord: `Ctrl+"c"`. Else a quote there is the key.
    pub(super) fn quotes_in_chords(self) -> bool {
        self == Dialect::Vhs
    }

    /// An expression ends at a `/` before a blank; else at the first one.
    pub(super) fn regex_ends_before_blank(self) -> bool {
        self == Dialect::Betamax
    }

    /// `Wait "/re/"` waits for what the expression describes; else for that text with its slashes.
    pub(super) fn quoted_slashes_are_a_regex(self) -> bool {
        self == Dialect::Betamax
    }

    /// `Type a "b c"` types `a b c`; else `Type` takes one text.
    pub(super) fn joins_texts(self) -> bool {
        self == Dialect::Vhs
    }

    /// The arguments of a command may stand in the next line.
    pub(super) fn crosses_lines(self) -> bool {
        self == Dialect::Vhs
    }

    /// `Alt+abc` is Alt+a, Alt+b, Alt+c; else it is an unknown key.
    pub(super) fn spells_with_modifiers(self) -> bool {
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

    /// `Output x.png` is a folder of frames; else it is the last screen.
    pub(super) fn png_is_a_folder(self) -> bool {
        self == Dialect::Vhs
    }

    /// `Set LoopOffset 20` is a percentage; else a number up to 1 is a part and a larger one is seconds.
    pub(super) fn loop_offset_is_a_percentage(self) -> bool {
        self == Dialect::Vhs
    }

    /// A bar of an unknown name is refused; else every name that is not empty gives a bar.
    pub(super) fn knows_its_bars(self) -> bool {
        self == Dialect::Vhs
    }

    /// A shell is one of those that are known; else every program is one.
    pub(super) fn knows_its_shells(self) -> bool {
        self == Dialect::Vhs
    }

    /// What is sourced is called `.tape`.
    pub(super) fn sources_are_tapes(self) -> bool {
        self == Dialect::Vhs
    }

    /// `Set`, `Env` and `Require` behind the first step are errors; else `Env` and `Require` count wherever they stand,
    /// `Set TypingSpeed` from there on, and another `Set` does not count and is warned about.
    pub(super) fn wants_settings_first(self) -> bool {
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

/// A name that no dialect has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect `{name}`, there are `vhs` and `betamax`")]
pub struct UnknownDialect {
    /// What was written.
    pub name: String,
    /// The known name that is most like it.
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
