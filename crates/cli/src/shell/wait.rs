//! `wait` and `expect`: wait for the content of a session's screen.
//!
//! For text, both do the same with different timeouts. `wait` is a step between two others and has
//! a long one; `expect` is an assertion and fails soon. `wait` can also wait for a stable screen or
//! the end of the program.

use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::selector::SelectorArgs;
use super::{TargetArgs, print_stdout};
use crate::args::duration_arg;
use crate::failure::Failure;

/// Wait until a session's screen shows text or is stable, or its program exits
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
    pub(super) target: TargetArgs,
    #[command(flatten)]
    selector: SelectorArgs,
    /// Wait until TEXT is not on the screen
    #[arg(long, requires = "text", conflicts_with_all = ["stable", "exit"])]
    gone: bool,
    /// Accept text that was on the screen before Enter
    #[arg(long, requires = "text", conflicts_with_all = ["stable", "exit", "gone"])]
    anytime: bool,
    /// Wait until the screen's text has not changed for MS milliseconds, or the program has exited
    #[arg(long, value_name = "MS", value_parser = duration_arg::milliseconds, allow_negative_numbers = true)]
    stable: Option<u32>,
    /// Wait until the program has exited, and print its exit code or the signal that killed it
    #[arg(long)]
    exit: bool,
    /// Timeout in seconds, such as 2.5
    #[arg(long, value_name = "S", default_value = "30", value_parser = duration_arg::seconds, allow_negative_numbers = true)]
    timeout: Duration,
}

pub(super) fn wait(args: &Wait) -> Result<(), Failure> {
    let timeout = args.timeout;
    if let Some(selector) = args.selector.selector()? {
        let visibility = Visibility::new(args.gone, args.anytime);
        return wait_for(&args.target, &selector, visibility, timeout);
    }
    let milliseconds = millis(timeout);
    let mut remote = args.target.remote()?;
    if let Some(debounce) = args.stable {
        let params = json!({ "debounceMs": debounce, "timeoutMs": milliseconds });
        let result = remote.call_within("waitForStable", params, timeout);
        return args
            .target
            .print_result(&result.map_err(with_timeout_hint)?);
    }
    let params = json!({ "timeoutMs": milliseconds });
    let exit_status = remote.call_within("exitStatus", params, timeout);
    let exit_status = exit_status.map_err(with_timeout_hint)?;
    let line = if args.target.json {
        exit_status.to_string()
    } else {
        match (&exit_status["code"], &exit_status["signal"]) {
            (Value::Number(code), _) => code.to_string(),
            (_, Value::String(signal)) => signal.clone(),
            _ => String::new(),
        }
    };
    print_stdout(&format!("{line}\n"))
}

/// Fail unless a session's screen shows text
#[derive(Debug, Args)]
#[command(
    group = clap::ArgGroup::new("what").args(["text"]).required(true),
    after_help = "\
Waits up to 5 seconds, or --timeout; `--timeout 0` checks once. A failure exits with
1 and prints to stderr what was on the screen instead.

Examples:
  screentest expect '3 items'
  screentest expect --gone 'Error' --timeout 0"
)]
pub(crate) struct Expect {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    #[command(flatten)]
    selector: SelectorArgs,
    /// Fail if TEXT is on the screen instead
    #[arg(long)]
    gone: bool,
    /// Accept text that was on the screen before Enter
    #[arg(long, conflicts_with = "gone")]
    anytime: bool,
    /// Timeout in seconds, such as 0.5
    #[arg(long, value_name = "S", default_value = "5", value_parser = duration_arg::seconds, allow_negative_numbers = true)]
    timeout: Duration,
}

pub(super) fn expect(args: &Expect) -> Result<(), Failure> {
    let selector = args.selector.selector()?.unwrap_or_default();
    let visibility = Visibility::new(args.gone, args.anytime);
    wait_for(&args.target, &selector, visibility, args.timeout)
}

/// Waits until the text is visible or gone.
fn wait_for(
    target: &TargetArgs,
    selector: &Value,
    visibility: Visibility,
    timeout: Duration,
) -> Result<(), Failure> {
    let milliseconds = millis(timeout);
    let mut params = json!({ "selector": selector, "timeoutMs": milliseconds });
    let method = match visibility {
        Visibility::There | Visibility::ThereAnytime => {
            params["anytime"] = (visibility == Visibility::ThereAnytime).into();
            // Several matches satisfy a wait, too.
            params["ambiguityMode"] = "first".into();
            "waitForText"
        }
        Visibility::Gone => "expectNotVisible",
    };
    let result = target.remote()?.call_within(method, params, timeout);
    target.print_result(&result.map_err(with_timeout_hint)?)
}

/// The expected visibility of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Visibility {
    There,
    /// Also if the text was there before Enter.
    ThereAnytime,
    Gone,
}

impl Visibility {
    fn new(gone: bool, anytime: bool) -> Visibility {
        match (gone, anytime) {
            (true, _) => Visibility::Gone,
            (false, true) => Visibility::ThereAnytime,
            (false, false) => Visibility::There,
        }
    }
}

fn millis(timeout: Duration) -> u64 {
    u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)
}

/// Adds a hint if the wait timed out.
fn with_timeout_hint(failure: Failure) -> Failure {
    if failure.message().contains(" within ") {
        failure.hint("set a longer timeout with `--timeout S`")
    } else {
        failure
    }
}
