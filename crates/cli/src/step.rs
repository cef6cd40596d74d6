//! The steps of a command line, in the order in which they were written.
//!
//! A parser of options gathers them by name, and with that forgets which came first; it does keep a number for the place
//! of each value. The steps are therefore an argument group of their own, sorted by that number.

use std::time::Duration;

use anyhow::anyhow;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use screentest::core::{Chord, Condition, KeyError, Screen};
use screentest::{InputError, Session, WaitError};

use crate::failure::Failure;

/// One thing to do before the screen is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Wait until this text stands on the screen.
    Wait(String),
    /// Wait until the screen has not changed for so long.
    Stable(Duration),
    /// Press a key.
    Press(Chord),
    /// Type a text.
    Type(String),
}

impl Step {
    /// Does it. A wait gives the screen on which it came true, which may already be gone.
    pub(crate) fn run(
        &self,
        session: &Session,
        timeout: Duration,
    ) -> Result<Option<Screen>, Failure> {
        match self {
            Step::Wait(text) => Ok(Some(session.wait_for(text.as_str(), timeout)?)),
            Step::Stable(debounce) => Ok(Some(session.wait_stable(*debounce, timeout)?)),
            Step::Press(chord) => input(session, session.press(*chord)),
            Step::Type(text) => input(session, session.type_text(text)),
        }
    }
}

/// What came of giving input; where it was refused, with what is there instead.
fn input(session: &Session, sent: Result<(), InputError>) -> Result<Option<Screen>, Failure> {
    let Err(error) = sent else {
        return Ok(None);
    };
    // A wait that cannot come true tells what is there now.
    let never = Condition::new("anything", |_| false);
    let now = session.wait_for(never, Duration::ZERO).err();
    Err(Failure::from(error).report(now.as_ref().and_then(WaitError::report)))
}

/// The steps as they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Steps(Vec<Written>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Written {
    kind: Kind,
    value: String,
}

/// The options that are steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wait,
    Stable,
    Key,
    Type,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Wait, Kind::Stable, Kind::Key, Kind::Type];

    fn name(self) -> &'static str {
        match self {
            Kind::Wait => "wait",
            Kind::Stable => "stable",
            Kind::Key => "key",
            Kind::Type => "type",
        }
    }

    fn arg(self) -> Arg {
        let (value, help) = match self {
            Kind::Wait => ("TEXT", "Go on once TEXT stands on the screen"),
            Kind::Stable => (
                "MS",
                "Go on once the screen has not changed for MS milliseconds",
            ),
            Kind::Key => (
                "K",
                "Press a key: Enter, Ctrl+C, Shift+Tab, Alt+Left, F5, a, +",
            ),
            Kind::Type => ("TEXT", "Type a text"),
        };
        Arg::new(self.name())
            .long(self.name())
            .value_name(value)
            .help(help)
            .help_heading("Steps, done in the order given")
            .action(ArgAction::Append)
            // A text may begin with `-`, and so may a key.
            .allow_hyphen_values(true)
    }
}

impl Steps {
    /// What is to be done, each with its words on the command line.
    pub(crate) fn read(&self) -> Result<Vec<(Step, String)>, Failure> {
        let steps = self.0.iter().map(|written| {
            let words = format!("--{} {:?}", written.kind.name(), written.value);
            match written.step() {
                Ok(step) => Ok((step, words)),
                Err(failure) => Err(failure.within(format!("`{words}`"))),
            }
        });
        steps.collect()
    }
}

impl Written {
    fn step(&self) -> Result<Step, Failure> {
        let value = &self.value;
        match self.kind {
            // It would be there before the program is: a variable of a script was not set.
            Kind::Wait if value.is_empty() => {
                Err(Failure::usage(anyhow!("the text to wait for is empty")))
            }
            Kind::Wait => Ok(Step::Wait(value.clone())),
            Kind::Stable => match value.parse() {
                Ok(milliseconds) => Ok(Step::Stable(Duration::from_millis(milliseconds))),
                Err(_) => Err(
                    Failure::usage(anyhow!("`{value}` is not a number of milliseconds"))
                        .hint("a whole number, such as `--stable 200`"),
                ),
            },
            Kind::Key => match value.parse() {
                Ok(chord) => Ok(Step::Press(chord)),
                Err(error) => Err(unknown_key(error)),
            },
            Kind::Type => Ok(Step::Type(value.clone())),
        }
    }
}

fn unknown_key(error: KeyError) -> Failure {
    let hint = match &error {
        // The error itself says what was probably meant.
        KeyError::UnknownKey {
            nearest: Some(_), ..
        }
        | KeyError::UnknownModifier {
            nearest: Some(_), ..
        } => None,
        KeyError::UnknownModifier { .. } => Some("modifiers are Ctrl, Alt, Shift and Super"),
        _ => Some(
            "keys are Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, \
             Delete, F1 to F35, KP0 to KP9, and any single character; `--type` types more than one",
        ),
    };
    let failure = Failure::usage(error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

impl Args for Steps {
    fn augment_args(command: Command) -> Command {
        command.args(Kind::ALL.map(Kind::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Steps::augment_args(command)
    }
}

impl FromArgMatches for Steps {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Steps, clap::Error> {
        let mut placed = Vec::new();
        for kind in Kind::ALL {
            let places = matches.indices_of(kind.name()).into_iter().flatten();
            let values = matches.get_many(kind.name()).into_iter().flatten();
            placed.extend(places.zip(values.cloned().map(|value| Written { kind, value })));
        }
        placed.sort_by_key(|(place, _)| *place);
        let written = placed.into_iter().map(|(_, written)| written);
        Ok(Steps(written.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Steps::from_arg_matches(matches)?;
        Ok(())
    }
}
