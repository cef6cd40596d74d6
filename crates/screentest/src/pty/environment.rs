//! Environment of a started program.
//!
//! A program inherits the environment of this process, except variables that describe *this
//! process's* terminal: they are replaced or removed, because the program has another terminal and
//! its screen must not depend on where the tests ran. The caller's variables always win.
//!
//! `RULES` is the only list of such variables in the code; `screentest snap --help` names them.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::app::Inherit;

/// The rule for a variable that the caller did not set.
#[derive(Debug, Clone, Copy)]
enum Rule {
    Set(&'static str),
    Remove,
}
use Rule::{Remove, Set};

/// The variables that describe the terminal. A `*` at the end matches any suffix.
const RULES: &[(&str, Rule)] = &[
    ("TERM", Set("xterm-256color")),
    ("COLORTERM", Set("truecolor")),
    ("LANG", Set("C.UTF-8")),
    // These two override LANG, so an inherited value would win against it.
    ("LC_ALL", Remove),
    ("LC_CTYPE", Remove),
    // The kernel reports the real size; a program that uses these instead would not see a resize.
    ("LINES", Remove),
    ("COLUMNS", Remove),
    // CI services set some of these, developers' machines usually none.
    ("NO_COLOR", Remove),
    ("CLICOLOR*", Remove),
    ("FORCE_COLOR", Remove),
    // Programs enable private protocols of the terminal that these variables name.
    ("TERM_PROGRAM*", Remove),
    ("TMUX", Remove),
    ("STY", Remove),
    ("KITTY_*", Remove),
    ("WEZTERM_*", Remove),
    ("GHOSTTY_*", Remove),
    ("VTE_VERSION", Remove),
];

/// Variables that a hermetic program inherits: search paths of programs and libraries, and the
/// output file of a coverage run.
const LEAST: [&str; 4] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "LLVM_PROFILE_FILE",
];

/// Returns the environment of a program that starts in `cwd`, sorted by name. It consists of the
/// part of the parent's environment that `inherit` selects, the description of the new terminal,
/// `PWD`, and the caller's variables (`None` unsets).
pub(crate) fn of_child<'a>(
    parent: impl IntoIterator<Item = (OsString, OsString)>,
    inherit: Inherit,
    caller: impl IntoIterator<Item = (&'a OsStr, Option<&'a OsStr>)>,
    cwd: &Path,
) -> Vec<(OsString, OsString)> {
    let mut variables: BTreeMap<OsString, OsString> = parent
        .into_iter()
        .filter(|(name, _)| match inherit {
            Inherit::Most => !is_removed(name),
            Inherit::Least => LEAST.iter().any(|least| name == least),
        })
        .collect();
    for (name, rule) in RULES {
        if let Set(value) = rule {
            variables.insert(name.into(), value.into());
        }
    }
    // Shells and editors display this path instead of asking the kernel.
    variables.insert("PWD".into(), cwd.into());
    for (name, value) in caller {
        match value {
            Some(value) => variables.insert(name.into(), value.into()),
            None => variables.remove(name),
        };
    }
    variables.into_iter().collect()
}

/// Returns the part of an environment that a program inherits: everything except `PWD` and the
/// variables that describe the parent's terminal. For servers that start programs on behalf of a
/// client with another environment.
pub fn inherited(
    parent: impl IntoIterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = (OsString, OsString)> {
    let is_ours = |name: &OsStr| RULES.iter().any(|(pattern, _)| name == *pattern);
    parent
        .into_iter()
        .filter(move |(name, _)| !is_removed(name) && !is_ours(name) && name != "PWD")
}

fn is_removed(name: &OsStr) -> bool {
    RULES.iter().any(|(pattern, rule)| {
        matches!(rule, Remove)
            && match pattern.strip_suffix('*') {
                Some(prefix) => name.as_encoded_bytes().starts_with(prefix.as_bytes()),
                None => name == *pattern,
            }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables are given as `NAME=value` words; a caller's word without `=` unsets.
    #[track_caller]
    fn check(parent: &str, caller: &str, expected: &str) {
        check_inherited(Inherit::Most, parent, caller, expected);
    }

    #[track_caller]
    fn check_inherited(inherit: Inherit, parent: &str, caller: &str, expected: &str) {
        let parent = parent.split_whitespace().map(|word| {
            let (name, value) = word.split_once('=').unwrap();
            (name.into(), value.into())
        });
        let caller = caller
            .split_whitespace()
            .map(|word| match word.split_once('=') {
                Some((name, value)) => (OsStr::new(name), Some(OsStr::new(value))),
                None => (OsStr::new(word), None),
            });
        let found: Vec<String> = of_child(parent, inherit, caller, Path::new("/here"))
            .into_iter()
            .map(|(name, value)| format!("{}={}", name.display(), value.display()))
            .collect();
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn the_terminal_is_described_even_with_an_empty_parent_environment() {
        check(
            "",
            "",
            "COLORTERM=truecolor LANG=C.UTF-8 PWD=/here TERM=xterm-256color",
        );
    }

    #[test]
    fn variables_of_a_clients_terminal_are_not_inherited() {
        let variables = ["TERM", "LANG", "TMUX", "KITTY_PID", "PWD", "HOME", "EDITOR"];
        let parent = variables.map(|name| (name.into(), "x".into()));
        let names: Vec<_> = inherited(parent).map(|(name, _)| name).collect();
        assert_eq!(names, ["HOME", "EDITOR"]);
    }

    #[test]
    fn variables_of_the_parents_terminal_are_not_inherited() {
        check(
            "TERM=linux COLORTERM=24bit LANG=de_DE LC_ALL=C LC_CTYPE=C LINES=1 COLUMNS=1 NO_COLOR=1 CLICOLOR=0 \
             CLICOLOR_FORCE=1 FORCE_COLOR=1 TERM_PROGRAM=x TERM_PROGRAM_VERSION=1 TMUX=x STY=x KITTY_WINDOW_ID=1 \
             WEZTERM_PANE=1 GHOSTTY_BIN_DIR=x VTE_VERSION=1 PWD=/there",
            "",
            "COLORTERM=truecolor LANG=C.UTF-8 PWD=/here TERM=xterm-256color",
        );
    }

    #[test]
    fn the_rest_is_inherited() {
        check(
            "HOME=/h KITTY=cat LC_TIME=C TMUX_TMPDIR=/t",
            "",
            "COLORTERM=truecolor HOME=/h KITTY=cat LANG=C.UTF-8 LC_TIME=C PWD=/here TERM=xterm-256color TMUX_TMPDIR=/t",
        );
    }

    #[test]
    fn the_callers_variables_win() {
        check(
            "HOME=/h NO_COLOR=0",
            "TERM=dumb NO_COLOR=1 PWD=/elsewhere LANG HOME COLORTERM NEVER_SET",
            "NO_COLOR=1 PWD=/elsewhere TERM=dumb",
        );
    }

    #[test]
    fn a_hermetic_program_inherits_only_what_it_needs_to_start() {
        check_inherited(
            Inherit::Least,
            "PATH=/bin HOME=/h EDITOR=vi LC_ALL=C LESS=-R",
            "HOME=/own",
            "COLORTERM=truecolor HOME=/own LANG=C.UTF-8 PATH=/bin PWD=/here TERM=xterm-256color",
        );
    }
}
