//! Commands that send input: `type`, `press`, `paste`, `click`, `resize`, `signal`.

use std::io::{self, IsTerminal, Read};

use anyhow::{Context, anyhow};
use clap::{ArgGroup, Args, ValueEnum};
use screentest::core::input::text::{TextPart, split_escapes};
use serde_json::{Value, json};

use super::TargetArgs;
use super::selector::SelectorArgs;
use crate::args::input_args::InputArgs;
use crate::args::{key, size};
use crate::failure::Failure;

/// Maximum size of a paste: the server accepts no larger requests.
const MAX_PASTE: u64 = 1 << 20;

/// Type text into a session
#[derive(Debug, Args)]
#[command(after_help = "\
Enter is not added; use `screentest press Enter`. Text with control characters
is sent byte for byte, except that an Escape that begins no key sequence is sent
as the Escape key. Other users can see the text in the list of processes; `screentest
paste` reads it from stdin.

Examples:
  screentest type ':wq'
  screentest type -s vim -- '-text that begins with a dash'")]
pub(crate) struct Type {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    #[command(flatten)]
    input: InputArgs,
    /// The text
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
}

pub(super) fn type_text(args: &Type) -> Result<(), Failure> {
    let mut remote = args.target.remote()?;
    let mut parts = split_escapes(&args.text);
    if parts.is_empty() {
        parts.push(TextPart::Text(""));
    }
    let mut result = json!({ "ok": true });
    for part in parts {
        let (method, mut params) = match part {
            TextPart::Escape => ("sendKey", json!({ "key": "Escape" })),
            TextPart::Text(text) => ("sendText", json!({ "text": text })),
        };
        args.input.add_to(&mut params)?;
        keep_first_auto_wait(&mut result, remote.call(method, params)?);
    }
    args.target.print_result(&result)
}

/// Press keys in a session
#[derive(Debug, Args)]
#[command(after_help = "\
Keys: Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp,
PageDown, Insert, Delete, F1 to F35, KP0 to KP9, and any single character, after
any of Ctrl+, Alt+, Shift+ and Super+. `screentest help snap` lists all keys.

Examples:
  screentest press Ctrl+C
  screentest press Down Down Enter")]
pub(crate) struct Press {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    #[command(flatten)]
    input: InputArgs,
    /// Keys, pressed one after another
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
}

pub(super) fn press(args: &Press) -> Result<(), Failure> {
    // Parse all keys before the first is pressed.
    let chords: Result<Vec<_>, Failure> = args
        .keys
        .iter()
        .map(|key| key::chord(key, "screentest type"))
        .collect();
    let chords = chords?;
    let mut remote = args.target.remote()?;
    let mut result = json!({ "ok": true });
    for chord in chords {
        let mut params = json!({ "key": chord.to_string() });
        args.input.add_to(&mut params)?;
        keep_first_auto_wait(&mut result, remote.call("sendKey", params)?);
    }
    args.target.print_result(&result)
}

/// Keeps the first result that reports delayed input.
fn keep_first_auto_wait(result: &mut Value, answer: Value) {
    if result["autoWait"].is_null() {
        *result = answer;
    }
}

/// Paste text into a session
#[derive(Debug, Args)]
#[command(after_help = "\
If the program enabled bracketed paste, the text is sent as such a paste.

Examples:
  screentest paste 'two words'
  screentest paste < notes.txt")]
pub(crate) struct Paste {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    #[command(flatten)]
    input: InputArgs,
    /// The text [default: read from stdin]
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
}

pub(super) fn paste(args: &Paste) -> Result<(), Failure> {
    let text = match &args.text {
        Some(text) => text.clone(),
        None => stdin()?,
    };
    let mut remote = args.target.remote()?;
    let mut params = json!({ "text": text });
    args.input.add_to(&mut params)?;
    args.target.print_result(&remote.call("paste", params)?)
}

fn stdin() -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure::usage(anyhow!("no text to paste"))
            .hint("use `screentest paste TEXT` or `screentest paste < FILE`"));
    }
    let mut text = String::new();
    let read = io::stdin().take(MAX_PASTE + 1).read_to_string(&mut text);
    read.context("could not read text from stdin")
        .map_err(Failure::usage)?;
    Ok(text)
}

/// Click in a session
#[derive(Debug, Args)]
#[command(after_help = "\
Waits up to 5 seconds for TEXT, and for the program to enable mouse clicks, then
clicks the first cell of the match. Exits with 1 if either does not happen.

Examples:
  screentest click Save
  screentest click --at 10,2 --button right",
    group(ArgGroup::new("target").args(["text", "at"]).required(true)))]
pub(crate) struct Click {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    selector: SelectorArgs,
    /// Which match to click, from 0, if there are several
    #[arg(long, value_name = "N", requires = "text")]
    nth: Option<u32>,
    /// Click this cell instead: column and row, from 1
    #[arg(long, value_name = "COL,ROW", value_parser = cell)]
    at: Option<(u16, u16)>,
    /// Mouse button
    #[arg(long, value_enum, value_name = "B", default_value = "left")]
    button: Button,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Button {
    Left,
    Middle,
    Right,
}

fn cell(text: &str) -> Result<(u16, u16), String> {
    let numbers = text.split_once(',').and_then(|(col, row)| {
        let number = |text: &str| text.trim().parse().ok().filter(|number| *number > 0);
        Some((number(col)?, number(row)?))
    });
    numbers.ok_or_else(|| "not a column and a row from 1, such as 10,2".to_owned())
}

pub(super) fn click(args: &Click) -> Result<(), Failure> {
    let button = match args.button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    };
    let mut params = match (args.selector.selector()?, args.at) {
        (Some(selector), _) => {
            let selector = match args.nth {
                Some(nth) => json!({ "type": "nth", "index": nth, "selector": selector }),
                None => selector,
            };
            json!({ "selector": selector, "button": button })
        }
        (None, Some((col, row))) => json!({ "col": col, "row": row, "button": button }),
        (None, None) => {
            return Err(Failure::usage(anyhow!(
                "nothing to click: expected TEXT or `--at`"
            )));
        }
    };
    args.input.add_to(&mut params)?;
    let mut remote = args.target.remote()?;
    let clicked = remote.call("click", params);
    let clicked = clicked.map_err(|failure| {
        if failure.message().contains(" times: ") {
            failure.hint("select one with `--nth N` (from 0), or a cell with `--at COL,ROW`")
        } else {
            failure
        }
    })?;
    args.target.print_result(&clicked)
}

/// Resize a session's terminal
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  screentest resize 120 40")]
pub(crate) struct Resize {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    /// Columns, from 2 to 2000
    #[arg(value_name = "COLS", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// Rows, from 1 to 2000
    #[arg(value_name = "ROWS", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
}

pub(super) fn resize(args: &Resize) -> Result<(), Failure> {
    let mut remote = args.target.remote()?;
    let size = json!({ "cols": args.cols, "rows": args.rows });
    args.target.print_result(&remote.call("resize", size)?)
}

/// Send a signal to a session's program
#[derive(Debug, Args)]
#[command(after_help = "\
The signal is sent to the program's process group.

Examples:
  screentest signal INT")]
pub(crate) struct Signal {
    #[command(flatten)]
    pub(super) target: TargetArgs,
    /// Signal name or number, such as TERM, SIGHUP or 9
    #[arg(value_name = "SIGNAL")]
    signal: String,
}

pub(super) fn signal(args: &Signal) -> Result<(), Failure> {
    let signal: screentest::Signal = args
        .signal
        .parse()
        .map_err(|error| Failure::usage(anyhow!("{error}")))?;
    let mut remote = args.target.remote()?;
    let sent = remote.call("signal", json!({ "signal": signal.to_string() }))?;
    args.target.print_result(&sent)
}
