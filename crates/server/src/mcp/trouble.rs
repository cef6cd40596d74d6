//! Why a tool did not do what it was asked, in words for who asked.
//!
//! An agent cannot look over our shoulder: the words say what went wrong, what to do next, what came close, and what is on the
//! screen, in this order and in few characters.

use std::fmt;

use screentest::core::{Screen, SelectError};
use screentest::{InputError, Report, SpawnError, TuiError, WaitError};

use super::observation;
use crate::wire::Failure;
use crate::wire::failure::chain;

/// The most characters of what is known besides the words: a small screen, or the beginning of a large one.
const MOST: usize = 2000;

/// Why a tool did not do what it was asked.
#[derive(Debug)]
pub(super) struct Trouble {
    what: String,
    next: String,
    known: String,
}

impl Trouble {
    /// What went wrong, and what to do next.
    pub(super) fn new(what: impl Into<String>, next: impl Into<String>) -> Trouble {
        Trouble {
            what: what.into(),
            next: next.into(),
            known: String::new(),
        }
    }

    /// A fault of ours.
    pub(super) fn fault(tool: &str) -> Trouble {
        Trouble::new(
            format!("{tool} met a fault of the server, which its stderr tells"),
            "the sessions are still there; try another way",
        )
    }

    /// A call that nobody wants any more.
    pub(super) fn cancelled() -> Trouble {
        Trouble::new("the call was cancelled", "nothing more of it was done")
    }

    /// What the service says.
    pub(super) fn of_failure(failure: &Failure, next: impl Into<String>) -> Trouble {
        Trouble::new(failure.details(), next)
    }

    /// The same in other words.
    pub(super) fn saying(mut self, what: String) -> Trouble {
        self.what = what;
        self
    }

    /// The same while doing something.
    pub(super) fn during(mut self, doing: &str) -> Trouble {
        self.what = format!("{doing}: {}", self.what);
        self
    }

    /// What did not come about in a terminal.
    pub(super) fn of(error: &TuiError) -> Trouble {
        if error.is_interrupted() {
            return Trouble::cancelled();
        }
        let next = match error {
            TuiError::Wait { error, .. } => return Trouble::of_wait(error),
            TuiError::Launch(SpawnError::NotInPath { .. } | SpawnError::NoSuchFile { .. }) => {
                "give the words behind the program in `args`, or use command `sh` with args [\"-c\", \"…\"]"
            }
            TuiError::Launch(_) => "mend `command`, `args`, `cwd` or `env`",
            TuiError::Input(InputError::Ended(_)) => OVER,
            TuiError::Select {
                error: SelectError::Ambiguous { .. },
                ..
            } => "`nth` says which one, from 0; or name more of the text",
            TuiError::Mouse(_) => "use keys instead",
            TuiError::NotLaunched => "tui_launch starts a program",
            _ => "tui_look shows the screen",
        };
        Trouble::new(chain(error), next).with_report(error.report())
    }

    /// A wait that ended without a yes.
    pub(super) fn of_wait(error: &WaitError) -> Trouble {
        let next = match error {
            WaitError::TimedOut { .. } => {
                "look at what is there instead; if the program is only slow, wait again or longer (`timeout_ms`)"
            }
            WaitError::Ended { .. } => OVER,
            WaitError::Closed { .. } => "tui_launch starts a program",
            _ => "tui_look shows the screen",
        };
        Trouble::new(chain(error), next).with_report(error.report())
    }

    fn with_report(mut self, report: Option<&Report>) -> Trouble {
        if let Some(report) = report {
            self.known = cut(&format!("{}{}", report.details(), picture(&report.last)));
        }
        self
    }
}

/// What to do when the program has ended.
const OVER: &str =
    "the last screen is below, tui_look shows all of it; tui_launch starts a program again";

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trouble { what, next, known } = self;
        write!(f, "{what}\nnext: {next}")?;
        match known.is_empty() {
            true => Ok(()),
            false => write!(f, "\n{known}"),
        }
    }
}

/// The rows of a screen that are not blank, with their numbers.
fn picture(screen: &Screen) -> String {
    let rows = screen.rows.iter().enumerate();
    let rows = rows.filter(|(_, row)| !row.text().is_empty());
    let lines: Vec<String> = rows
        .map(|(row, text)| observation::line(row + 1, text.text()))
        .collect();
    match lines.is_empty() {
        true => "the screen is blank".to_owned(),
        false => format!("the screen:\n{}", lines.join("\n")),
    }
}

/// The beginning of a text, and how much more there is.
fn cut(text: &str) -> String {
    let text = text.trim_end();
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (kept, rest) = text.split_at(end);
            format!("{kept}\n… {} more characters", rest.chars().count())
        }
    }
}
