//! The steps of a command line, in the order in which they were written.
//!
//! A parser of options gathers them by name, and with that forgets which came first; it does keep a number for the place
//! of each value. The steps are therefore an argument group of their own, sorted by that number.

use std::time::Duration;

use anyhow::anyhow;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use screentest::core::input::encode_key;
use screentest::core::{Chord, Condition, KeyError, Modifiers, Screen};
use screentest::{Appeared, InputError, Session, WaitError};

use crate::failure::Failure;
use crate::settle::Watch;

/// One thing to do before the screen is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Wait until this text is on the screen.
    Wait(String, Appeared),
    /// Wait until the screen has not changed for so long.
    Stable(Duration),
    /// Press a key.
    Press(Chord),
    /// Type a text.
    Type(String),
}

impl Step {
    /// Does it. A wait gives the screen on which it came true, which may already be gone.
    pub(crate) fn run(&self, watch: &Watch<'_>) -> Result<Option<Screen>, Failure> {
        let session = watch.session;
        match self {
            Step::Wait(text, appeared) => Ok(Some(watch.seen(text, *appeared)?)),
            Step::Stable(still) => match watch.settled(*still) {
                Ok(screen) => Ok(Some(screen)),
                Err(failure) => Err(failure.hint("`--timeout S` gives each step S seconds")),
            },
            Step::Press(chord) => {
                let sent = session.input().within(watch.timeout).press(*chord);
                watch.acted();
                input(session, sent)
            }
            Step::Type(text) => {
                let sent = session.input().within(watch.timeout).type_text(text);
                watch.acted();
                input(session, sent)
            }
        }
    }

    /// What a terminal cannot send of a key, as the program has set it up, if there is such a thing.
    pub(crate) fn lost(&self, session: &Session) -> Option<String> {
        let Step::Press(chord) = self else {
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
            format!("sent as `{rest}`, since the terminal has no way to send {lost} with it")
        })
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
    WaitAnytime,
    Stable,
    Key,
    Type,
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::Wait,
        Kind::WaitAnytime,
        Kind::Stable,
        Kind::Key,
        Kind::Type,
    ];

    fn name(self) -> &'static str {
        match self {
            Kind::Wait => "wait",
            Kind::WaitAnytime => "wait-anytime",
            Kind::Stable => "stable",
            Kind::Key => "key",
            Kind::Type => "type",
        }
    }

    fn arg(self) -> Arg {
        let (value, help) = match self {
            Kind::Wait => (
                "TEXT",
                "Continue once TEXT is on the screen; right after Enter, only text that appeared since counts",
            ),
            Kind::WaitAnytime => (
                "TEXT",
                "Continue once TEXT is on the screen, even if it was there before Enter",
            ),
            Kind::Stable => (
                "MS",
                "Go on once the screen has not changed for MS milliseconds, counted from the first output on, or the program has ended",
            ),
            Kind::Key => (
                "K",
                "Press a key: Enter, Ctrl+C, Shift+Tab, Alt+Left, F5, a, +; all are listed below",
            ),
            Kind::Type => ("TEXT", "Type a text, key by key"),
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
            Kind::Wait | Kind::WaitAnytime if value.is_empty() => {
                Err(Failure::usage(anyhow!("the text to wait for is empty")))
            }
            Kind::Wait => Ok(Step::Wait(value.clone(), Appeared::AfterEnter)),
            Kind::WaitAnytime => Ok(Step::Wait(value.clone(), Appeared::Anytime)),
            Kind::Stable => match value.parse() {
                Ok(milliseconds) => Ok(Step::Stable(Duration::from_millis(milliseconds))),
                Err(_) => Err(
                    Failure::usage(anyhow!("`{value}` is not a number of milliseconds"))
                        .hint("a whole number, such as `--stable 200`"),
                ),
            },
            Kind::Key => chord(value, "--type").map(Step::Press),
            Kind::Type => Ok(Step::Type(value.clone())),
        }
    }
}

/// The chord of this name; `typing` is what would have typed a text.
pub(crate) fn chord(name: &str, typing: &str) -> Result<Chord, Failure> {
    name.parse()
        .map_err(|error| unknown_key(name, error, typing))
}

const KEYS: &str = "keys are Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp, PageDown, Insert, \
    Delete, F1 to F35, KP0 to KP9, and any single character";

fn unknown_key(text: &str, error: KeyError, typing: &str) -> Failure {
    if text.is_empty() {
        return Failure::usage(anyhow!("the key is empty")).hint(KEYS);
    }
    if let Some(chord) = meant(text) {
        return Failure::usage(anyhow!("unknown key `{text}`, did you mean `{chord}`?"));
    }
    let hint = match &error {
        // The error itself says what was probably meant.
        KeyError::UnknownKey {
            nearest: Some(_), ..
        }
        | KeyError::UnknownModifier {
            nearest: Some(_), ..
        } => None,
        KeyError::UnknownModifier { .. } | KeyError::NoModifier { .. } => Some(
            "modifiers are Ctrl, Alt, Shift and Super, as in `Ctrl+C`; `+` alone is a key"
                .to_owned(),
        ),
        KeyError::NoKey { .. } => Some("a modifier needs a key, as in `Ctrl+C`".to_owned()),
        KeyError::UnknownKey { name, .. } if name == text => {
            Some(format!("`{typing} {text:?}` types a text; {KEYS}"))
        }
        _ => Some(KEYS.to_owned()),
    };
    let failure = Failure::usage(error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// The chord that others write as `^C`, `C-c`, `M-x` or `Ctrl-C`.
fn meant(text: &str) -> Option<Chord> {
    if let Some(key) = text.strip_prefix('^') {
        return format!("Ctrl+{key}").parse().ok();
    }
    let (modifiers, key) = text.rsplit_once('-')?;
    let modifiers = modifiers.split('-').map(|modifier| match modifier {
        "C" | "c" => "Ctrl",
        "M" | "m" | "A" | "a" => "Alt",
        "S" | "s" => "Shift",
        name => name,
    });
    let names: Vec<&str> = modifiers.chain([key]).collect();
    names.join("+").parse().ok()
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
