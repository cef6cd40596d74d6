//! What is done to a program: `type`, `press`, `paste`, `click`, `resize`, `signal`.

use std::io::{self, IsTerminal, Read};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use screentest::core::input::text::{TextPart, split_escapes};
use serde_json::{Value, json};

use super::Ask;
use super::selector::Sought;
use crate::args::input_args::InputArgs;
use crate::args::{key as step, size};
use crate::failure::Failure;

/// The most that is pasted: what the daemon takes.
const MOST_PASTED: u64 = 1 << 20;

/// Type a text into a session.
#[derive(Debug, Args)]
#[command(after_help = "\
The text is typed as it is: `screentest press Enter` ends a line. A text with
control characters is sent byte for byte, except that an Escape that begins no
key sequence is pressed as a key of its own.

Examples:
  screentest type ':wq'
  screentest type -s vim -- '-text that begins with a dash'")]
pub(crate) struct Type {
    #[command(flatten)]
    pub(super) ask: Ask,
    #[command(flatten)]
    input: InputArgs,
    /// What to type
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
}

pub(super) fn type_text(asked: &Type) -> Result<(), Failure> {
    let mut remote = asked.ask.remote()?;
    let mut parts = split_escapes(&asked.text);
    if parts.is_empty() {
        parts.push(TextPart::Text(""));
    }
    let mut done = json!({ "ok": true });
    for part in parts {
        let (method, mut params) = match part {
            TextPart::Escape => ("sendKey", json!({ "key": "Escape" })),
            TextPart::Text(text) => ("sendText", json!({ "text": text })),
        };
        asked.input.add_to(&mut params)?;
        keep_late(&mut done, remote.call(method, params)?);
    }
    asked.ask.done(&done)
}

/// Press keys in a session.
#[derive(Debug, Args)]
#[command(after_help = "\
Keys: Enter, Esc, Tab, Backspace, Space, Up, Down, Left, Right, Home, End, PageUp,
PageDown, Insert, Delete, F1 to F35, KP0 to KP9, and any single character, after
any of Ctrl+, Alt+, Shift+ and Super+. `screentest help snap` has all.

Examples:
  screentest press Ctrl+C
  screentest press Down Down Enter")]
pub(crate) struct Press {
    #[command(flatten)]
    pub(super) ask: Ask,
    #[command(flatten)]
    input: InputArgs,
    /// The keys, one after the other
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
}

pub(super) fn press(asked: &Press) -> Result<(), Failure> {
    // None is pressed before all are known to be keys.
    let chords: Result<Vec<_>, Failure> = asked
        .keys
        .iter()
        .map(|key| step::chord(key, "screentest type"))
        .collect();
    let chords = chords?;
    let mut remote = asked.ask.remote()?;
    let mut done = json!({ "ok": true });
    for chord in chords {
        let mut params = json!({ "key": chord.to_string() });
        asked.input.add_to(&mut params)?;
        keep_late(&mut done, remote.call("sendKey", params)?);
    }
    asked.ask.done(&done)
}

/// Keeps of several answers the first that says its input was late.
fn keep_late(done: &mut Value, answer: Value) {
    if done["autoWait"].is_null() {
        *done = answer;
    }
}

/// Paste a text into a session.
#[derive(Debug, Args)]
#[command(after_help = "\
The program gets it as a terminal pastes: between marks, where it asked for them.

Examples:
  screentest paste 'two words'
  screentest paste < notes.txt")]
pub(crate) struct Paste {
    #[command(flatten)]
    pub(super) ask: Ask,
    #[command(flatten)]
    input: InputArgs,
    /// What to paste; without it, what stdin has
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
}

pub(super) fn paste(asked: &Paste) -> Result<(), Failure> {
    let text = match &asked.text {
        Some(text) => text.clone(),
        None => stdin()?,
    };
    let mut remote = asked.ask.remote()?;
    let mut params = json!({ "text": text });
    asked.input.add_to(&mut params)?;
    asked.ask.done(&remote.call("paste", params)?)
}

fn stdin() -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        return Err(Failure::usage(anyhow!("there is nothing to paste"))
            .hint("`screentest paste TEXT` or `screentest paste < FILE`"));
    }
    let mut text = String::new();
    let read = io::stdin().take(MOST_PASTED + 1).read_to_string(&mut text);
    read.context("could not read a text from stdin")
        .map_err(Failure::usage)?;
    Ok(text)
}

/// Click in a session.
#[derive(Debug, Args)]
#[command(after_help = "\
A text is waited for, for 5 seconds, and clicked in its first cell. So is a program
that has not asked for clicks yet; one that does not is a failure (exit code 1).

Examples:
  screentest click Save
  screentest click --at 10,2 --button right")]
pub(crate) struct Click {
    #[command(flatten)]
    pub(super) ask: Ask,
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    sought: Sought,
    /// Which of several, counted from 0
    #[arg(long, value_name = "N", requires = "text")]
    nth: Option<u32>,
    /// A cell instead: its column and row, counted from 1
    #[arg(long, value_name = "COL,ROW", value_parser = cell, conflicts_with = "text", required_unless_present = "text")]
    at: Option<(u16, u16)>,
    /// Which button
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

pub(super) fn click(asked: &Click) -> Result<(), Failure> {
    let button = match asked.button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    };
    let mut params = match (asked.sought.selector()?, asked.at) {
        (Some(selector), _) => {
            let selector = match asked.nth {
                Some(nth) => json!({ "type": "nth", "index": nth, "selector": selector }),
                None => selector,
            };
            json!({ "selector": selector, "button": button })
        }
        (None, Some((col, row))) => json!({ "col": col, "row": row, "button": button }),
        (None, None) => return Err(Failure::usage(anyhow!("there is nothing to click"))),
    };
    asked.input.add_to(&mut params)?;
    let mut remote = asked.ask.remote()?;
    let clicked = remote.call("click", params);
    let clicked = clicked.map_err(|failure| match failure.words().contains(" times: ") {
        true => failure.hint("`--nth N` says which, counted from 0; `--at COL,ROW` names a cell"),
        false => failure,
    })?;
    asked.ask.done(&clicked)
}

/// Give a session's terminal another size.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  screentest resize 120 40")]
pub(crate) struct Resize {
    #[command(flatten)]
    pub(super) ask: Ask,
    /// How many columns, from 2 to 2000
    #[arg(value_name = "COLS", value_parser = size::cols, allow_hyphen_values = true)]
    cols: u16,
    /// How many rows, from 1 to 2000
    #[arg(value_name = "ROWS", value_parser = size::rows, allow_hyphen_values = true)]
    rows: u16,
}

pub(super) fn resize(asked: &Resize) -> Result<(), Failure> {
    let mut remote = asked.ask.remote()?;
    let size = json!({ "cols": asked.cols, "rows": asked.rows });
    asked.ask.done(&remote.call("resize", size)?)
}

/// Send a signal to a session's program.
#[derive(Debug, Args)]
#[command(after_help = "\
It goes to the program's process group.

Examples:
  screentest signal INT")]
pub(crate) struct Signal {
    #[command(flatten)]
    pub(super) ask: Ask,
    /// The signal, by its name or number: TERM, SIGHUP, 9
    #[arg(value_name = "SIGNAL")]
    signal: String,
}

pub(super) fn signal(asked: &Signal) -> Result<(), Failure> {
    let signal: screentest::Signal = asked
        .signal
        .parse()
        .map_err(|error| Failure::usage(anyhow!("{error}")))?;
    let mut remote = asked.ask.remote()?;
    let sent = remote.call("signal", json!({ "signal": signal.to_string() }))?;
    asked.ask.done(&sent)
}
