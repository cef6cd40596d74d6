//! Waiting for what a session shows: `wait`, `expect`.
//!
//! They ask the same. `wait` is patient, as a step between two others; `expect` is a claim, and fails soon: a program may take a moment to show what a
//! key did, and no more.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::selector::Sought;
use super::{Ask, written};
use crate::args::duration_arg as seconds;
use crate::failure::Failure;

/// Wait until a session shows something.
#[derive(Debug, Args)]
#[command(
    group = clap::ArgGroup::new("what").args(["text", "stable", "exit"]).required(true),
    after_help = "\
Text on the screen is found at once. If Enter was the last input, only text that
appeared after it counts, so that the echo of a command is not taken for its output;
--anytime accepts all text. A wait that fails exits with 1 and prints to stderr what
was on the screen instead.

Examples:
  screentest wait 'Loading'
  screentest wait --gone 'Loading' --timeout 60
  screentest wait --regex '^\\d+ files$'
  screentest wait --stable 300
  code=$(screentest wait --exit)"
)]
pub(crate) struct Wait {
    #[command(flatten)]
    pub(super) ask: Ask,
    #[command(flatten)]
    sought: Sought,
    /// Wait until it is not there, or not any more
    #[arg(long, requires = "text", conflicts_with_all = ["stable", "exit"])]
    gone: bool,
    /// Accept text that was on the screen before Enter
    #[arg(long, requires = "text", conflicts_with_all = ["stable", "exit", "gone"])]
    anytime: bool,
    /// Wait until the text has not changed for MS milliseconds, or the program has ended
    #[arg(long, value_name = "MS")]
    stable: Option<u32>,
    /// Wait until the program has ended; its exit code, or the signal that killed it, goes to stdout
    #[arg(long)]
    exit: bool,
    /// How many seconds it may take, such as 2.5
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds::moment, allow_negative_numbers = true)]
    timeout: Duration,
}

pub(super) fn wait(asked: &Wait) -> Result<(), Failure> {
    let timeout = asked.timeout;
    if let Some(selector) = asked.sought.selector()? {
        let sight = Sight::of(asked.gone, asked.anytime);
        return see(&asked.ask, &selector, sight, timeout);
    }
    let milliseconds = millis(timeout);
    let mut remote = asked.ask.remote()?;
    if let Some(debounce) = asked.stable {
        let params = json!({ "debounceMs": debounce, "timeoutMs": milliseconds });
        let stood = remote.call_within("waitForStable", params, timeout);
        return asked.ask.done(&stood.map_err(longer)?);
    }
    let params = json!({ "timeoutMs": milliseconds });
    let ended = remote.call_within("exitStatus", params, timeout);
    let ended = ended.map_err(longer)?;
    let line = match asked.ask.json {
        true => ended.to_string(),
        false => match (&ended["code"], &ended["signal"]) {
            (Value::Number(code), _) => code.to_string(),
            (_, Value::String(signal)) => signal.clone(),
            _ => String::new(),
        },
    };
    written(&format!("{line}\n"))
}

/// Fail unless a session shows something.
#[derive(Debug, Args)]
#[command(
    group = clap::ArgGroup::new("what").args(["text"]).required(true),
    after_help = "\
A program may take a moment to show what a key did: it has 5 seconds, or those of
--timeout; 0 is one look. Exit code 1 says that it is not so, and stderr what is
there instead.

Examples:
  screentest expect '3 items'
  screentest expect --gone 'Error' --timeout 0"
)]
pub(crate) struct Expect {
    #[command(flatten)]
    pub(super) ask: Ask,
    #[command(flatten)]
    sought: Sought,
    /// It must not be there
    #[arg(long)]
    gone: bool,
    /// Accept text that was on the screen before Enter
    #[arg(long, conflicts_with = "gone")]
    anytime: bool,
    /// How many seconds it may take, such as 0.5
    #[arg(long, value_name = "S", default_value = "5", value_parser = seconds::moment, allow_negative_numbers = true)]
    timeout: Duration,
}

pub(super) fn expect(asked: &Expect) -> Result<(), Failure> {
    let selector = asked.sought.selector()?.unwrap_or_default();
    let sight = Sight::of(asked.gone, asked.anytime);
    see(&asked.ask, &selector, sight, asked.timeout)
}

/// Waits until it is there, or is not.
fn see(ask: &Ask, selector: &Value, sight: Sight, timeout: Duration) -> Result<(), Failure> {
    let milliseconds = millis(timeout);
    let mut params = json!({ "selector": selector, "timeoutMs": milliseconds });
    let method = match sight {
        Sight::There | Sight::ThereAnytime => {
            params["anytime"] = (sight == Sight::ThereAnytime).into();
            // That it is there more than once is no reason to fail.
            params["ambiguityMode"] = "first".into();
            "waitForText"
        }
        Sight::Gone => "expectNotVisible",
    };
    let seen = ask.remote()?.call_within(method, params, timeout);
    ask.done(&seen.map_err(longer)?)
}

/// Whether something should be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    There,
    /// Even if it was there before Enter.
    ThereAnytime,
    Gone,
}

impl Sight {
    fn of(gone: bool, anytime: bool) -> Sight {
        match (gone, anytime) {
            (true, _) => Sight::Gone,
            (false, true) => Sight::ThereAnytime,
            (false, false) => Sight::There,
        }
    }
}

fn millis(timeout: Duration) -> u64 {
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}

/// What to do about a wait that was too short.
fn longer(failure: Failure) -> Failure {
    match failure.words().contains(" within ") {
        true => failure.hint("`--timeout S` waits S seconds"),
        false => failure,
    }
}
