//! The steps of `snap`, in the order of the command line.
//!
//! clap groups the values of options by name, but also stores the index of each value. The steps
//! are therefore an argument group that sorts them by index.

use std::time::Duration;

use anyhow::anyhow;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use screentest::core::input::encode_key;
use screentest::core::{Chord, Condition, Modifiers, Screen, Selector};
use screentest::session::{InputError, WaitError};
use screentest::{Action, Appeared, Session};

use super::wait_idle::Waiter;
use crate::args::key::chord;
use crate::failure::{Exit, Failure};

/// An action before the screen is captured. It is one of the actions that the options can express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step(Action);

impl Step {
    /// Performs the step. A wait returns the screen on which it succeeded, which may no longer be
    /// shown.
    pub(crate) fn run(&self, waiter: &Waiter<'_>) -> Result<Option<Screen>, Failure> {
        let session = waiter.session;
        match &self.0 {
            Action::Wait(target, appeared) => {
                Ok(Some(waiter.wait_for(target.condition(), *appeared)?))
            }
            Action::WaitStable(still) => match waiter.wait_for_stable(*still) {
                Ok(screen) => Ok(Some(screen)),
                Err(failure) => {
                    Err(failure.hint("`--timeout S` sets the timeout of each step in seconds"))
                }
            },
            Action::Press(chord) => {
                let sent = session.input().within(waiter.timeout).press(*chord);
                waiter.input_sent();
                with_report(session, sent)
            }
            Action::Type(text) => {
                let sent = session.input().within(waiter.timeout).type_text(text);
                waiter.input_sent();
                with_report(session, sent)
            }
            other => Err(Failure::new(
                Exit::Internal,
                anyhow!("`snap` has no option for the action `{}`", other.name()),
            )),
        }
    }

    /// Returns how long the screen must not change, if the step waits for that.
    pub(crate) fn stable_for(&self) -> Option<Duration> {
        match &self.0 {
            Action::WaitStable(still) => Some(*still),
            _ => None,
        }
    }

    /// Describes the modifiers of a key that the terminal cannot send in its current modes.
    pub(crate) fn unsupported_modifiers(&self, session: &Session) -> Option<String> {
        let Action::Press(chord) = &self.0 else {
            return None;
        };
        let modes = session.screen().modes;
        let sent = encode_key::bytes(*chord, &modes);
        let mut rest = *chord;
        let mut lost = Vec::new();
        for (name, modifier) in [
            ("Ctrl", Modifiers::CTRL),
            ("Alt", Modifiers::ALT),
            ("Shift", Modifiers::SHIFT),
            ("Super", Modifiers::SUPER),
        ] {
            let without = Chord::new(rest.key(), rest.modifiers() - modifier);
            if without != rest && encode_key::bytes(without, &modes) == sent {
                rest = without;
                lost.push(name);
            }
        }
        (!lost.is_empty()).then(|| {
            let lost = lost.join(" and ");
            format!("sent as `{rest}`: the terminal cannot send {lost} with this key")
        })
    }
}

/// Adds the current screen to an input error.
fn with_report(session: &Session, sent: Result<(), InputError>) -> Result<Option<Screen>, Failure> {
    let Err(error) = sent else {
        return Ok(None);
    };
    // A condition that never holds gives a report of the current screen.
    let never = Condition::new("anything", |_| false);
    let now = session.wait_for(never, Duration::ZERO).err();
    Err(Failure::from(error).report(now.as_ref().and_then(WaitError::report)))
}

/// The steps of the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StepArgs(Vec<StepArg>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct StepArg {
    option: StepOption,
    value: String,
}

/// The options that are steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepOption {
    Wait,
    WaitAnytime,
    Stable,
    Key,
    Type,
}

impl StepOption {
    const ALL: [StepOption; 5] = [
        StepOption::Wait,
        StepOption::WaitAnytime,
        StepOption::Stable,
        StepOption::Key,
        StepOption::Type,
    ];

    fn name(self) -> &'static str {
        match self {
            StepOption::Wait => "wait",
            StepOption::WaitAnytime => "wait-anytime",
            StepOption::Stable => "stable",
            StepOption::Key => "key",
            StepOption::Type => "type",
        }
    }

    fn arg(self) -> Arg {
        let (value, help) = match self {
            StepOption::Wait => (
                "TEXT",
                "Wait until TEXT is on the screen; right after Enter, only new text counts",
            ),
            StepOption::WaitAnytime => (
                "TEXT",
                "Wait until TEXT is on the screen, even if it was there before Enter",
            ),
            StepOption::Stable => (
                "MS",
                "Wait until the screen has not changed for MS milliseconds after the first output, or the program has exited",
            ),
            StepOption::Key => (
                "K",
                "Press a key: Enter, Ctrl+C, Shift+Tab, Alt+Left, F5, a, +; see the list below",
            ),
            StepOption::Type => ("TEXT", "Type TEXT, key by key"),
        };
        Arg::new(self.name())
            .long(self.name())
            .value_name(value)
            .help(help)
            .help_heading("Steps, performed in the given order")
            .action(ArgAction::Append)
            // Text may begin with `-`, and so may a key.
            .allow_hyphen_values(true)
    }
}

impl StepArgs {
    /// Parses the steps, each with its text on the command line.
    pub(crate) fn parse(&self) -> Result<Vec<(Step, String)>, Failure> {
        let steps = self.0.iter().map(|step| {
            let text = format!("--{} {:?}", step.option.name(), step.value);
            match step.action() {
                Ok(action) => Ok((Step(action), text)),
                Err(failure) => Err(failure.within(format!("`{text}`"))),
            }
        });
        steps.collect()
    }
}

impl StepArg {
    fn action(&self) -> Result<Action, Failure> {
        let value = &self.value;
        let wait = |appeared| Action::Wait(Selector::exact(value).into(), appeared);
        match self.option {
            // Empty text is always found; probably a script's variable is unset.
            StepOption::Wait | StepOption::WaitAnytime if value.is_empty() => {
                Err(Failure::usage(anyhow!("the text to wait for is empty")))
            }
            StepOption::Wait => Ok(wait(Appeared::AfterEnter)),
            StepOption::WaitAnytime => Ok(wait(Appeared::Anytime)),
            StepOption::Stable => match value.parse() {
                Ok(milliseconds) => Ok(Action::WaitStable(Duration::from_millis(milliseconds))),
                Err(_) => Err(
                    Failure::usage(anyhow!("`{value}` is not a number of milliseconds"))
                        .hint("use a whole number, such as `--stable 200`"),
                ),
            },
            StepOption::Key => chord(value, "--type").map(Action::Press),
            StepOption::Type => Ok(Action::Type(value.clone())),
        }
    }
}

impl Args for StepArgs {
    fn augment_args(command: Command) -> Command {
        command.args(StepOption::ALL.map(StepOption::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        StepArgs::augment_args(command)
    }
}

impl FromArgMatches for StepArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<StepArgs, clap::Error> {
        let mut indexed = Vec::new();
        for option in StepOption::ALL {
            let indices = matches.indices_of(option.name()).into_iter().flatten();
            let values = matches.get_many(option.name()).into_iter().flatten();
            indexed.extend(indices.zip(values.cloned().map(|value| StepArg { option, value })));
        }
        indexed.sort_by_key(|(index, _)| *index);
        let step = indexed.into_iter().map(|(_, step)| step);
        Ok(StepArgs(step.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = StepArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
