//! The actions of `tui_act`.

use rmcp::schemars::JsonSchema;
use screentest::core::action::{
    Action, Click, ClickTarget, MousePlace, ParseActionError, WheelTurn, parse_keys,
};
use screentest::core::input::text::{TextPart, split_escapes};
use screentest::session::Interrupt;
use screentest::{Button, Key, Modifiers, Position, Selector, Signal, Size, WaitOptions, Wheel};
use serde::Deserialize;

use super::target;
use crate::mcp::error::ToolError;
use crate::mcp::wait::Deadline;
use crate::session::NamedSession;
use crate::wire::send_options::SendOptions;

/// Maximum number of wheel notches of one action: several pages.
const MAX_NOTCHES: i32 = 1000;

/// An action as JSON. Exactly one field selects what it does.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct ActionArgs {
    /// Text; a newline presses Enter
    r#type: Option<String>,
    /// Keys separated by spaces: "Escape g g", "Ctrl+S", "Down Down Enter"
    press: Option<String>,
    paste: Option<String>,
    secret: Option<String>,
    click: Option<String>,
    /// Which match, from 0
    nth: Option<usize>,
    /// [row, col]
    click_at: Option<[usize; 2]>,
    button: Option<WireButton>,
    /// Notches down, negative: up
    wheel: Option<i32>,
    /// [cols, rows]
    resize: Option<[u16; 2]>,
    signal: Option<String>,
    wait: Option<String>,
    anytime: Option<bool>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum WireButton {
    #[default]
    Left,
    Middle,
    Right,
}

const NEXT_STEP: &str = "each action has one of type, press, paste, secret, click, click_at, wheel, resize, signal, wait";

impl ActionArgs {
    /// Parses the action. The result may be several actions for the program. Fails unless exactly
    /// one field selects the kind of action.
    pub(super) fn parse(&self, session: &NamedSession) -> Result<Vec<Action>, ToolError> {
        let mut parsed: Vec<Vec<Action>> = Vec::new();
        let button = match self.button.unwrap_or_default() {
            WireButton::Left => Button::Left,
            WireButton::Middle => Button::Middle,
            WireButton::Right => Button::Right,
        };
        if let Some(text) = &self.r#type {
            parsed.push(type_lines(text));
        }
        if let Some(keys) = &self.press {
            parsed.push(chords(keys)?);
        }
        if let Some(text) = &self.paste {
            parsed.push(vec![Action::Paste(text.clone())]);
        }
        if let Some(name) = &self.secret {
            // Sent as bytes: reports contain only their number.
            let value = secret(session, name)?;
            parsed.push(vec![Action::Send(value.into_bytes())]);
        }
        if let Some(text) = &self.click {
            let selector = Selector::exact(target::non_empty("click", text)?);
            let selector = match self.nth {
                Some(nth) => selector.nth(nth),
                None => selector,
            };
            parsed.push(vec![click(selector.into(), button)]);
        }
        if let Some([row, col]) = self.click_at {
            parsed.push(vec![click(position(row, col)?.into(), button)]);
        }
        if let Some(notches) = self.wheel {
            let wheel = if notches < 0 { Wheel::Up } else { Wheel::Down };
            if !(-MAX_NOTCHES..=MAX_NOTCHES).contains(&notches) {
                return Err(ToolError::new(
                    format!("wheel is {notches}"),
                    format!("give a number from -{MAX_NOTCHES} to {MAX_NOTCHES}"),
                ));
            }
            parsed.push(vec![Action::Wheel(WheelTurn {
                at: MousePlace::Middle,
                wheel,
                notches: notches.unsigned_abs(),
                modifiers: Modifiers::empty(),
            })]);
        }
        if let Some([cols, rows]) = self.resize {
            let size = Size::checked(cols.into(), rows.into());
            let size =
                size.map_err(|error| ToolError::new(error.to_string(), "resize is [cols, rows]"))?;
            parsed.push(vec![Action::Resize(size)]);
        }
        if let Some(word) = &self.signal {
            let signal = word.trim().parse::<Signal>();
            let signal =
                signal.map_err(|error| ToolError::new(error.to_string(), "name a signal"))?;
            parsed.push(vec![Action::Signal(signal.to_string())]);
        }
        if let Some(text) = &self.wait {
            let selector = Selector::exact(target::non_empty("wait", text)?);
            let appeared = target::appeared(self.anytime);
            parsed.push(vec![Action::Wait(selector.into(), appeared)]);
        }
        match (parsed.pop(), parsed.is_empty()) {
            (Some(actions), true) => Ok(actions),
            (Some(_), false) => Err(ToolError::new("it has several of these fields", NEXT_STEP)),
            (None, _) => Err(ToolError::new("it has none of these fields", NEXT_STEP)),
        }
    }
}

fn chords(text: &str) -> Result<Vec<Action>, ToolError> {
    match parse_keys(text) {
        Ok(chords) => Ok(chords.into_iter().map(Action::Press).collect()),
        Err(ParseActionError::NoKey) => Err(ToolError::new(
            "press names no key",
            "name one, such as Enter or Space",
        )),
        Err(error) => Err(ToolError::new(
            format!("press: {error}"),
            "name keys such as Enter, Escape, Tab, Up, F1, Space, x, Ctrl+C, separated by spaces; `type` types text",
        )),
    }
}

fn click(target: ClickTarget, button: Button) -> Action {
    Action::Click(Click {
        target,
        button,
        modifiers: Modifiers::empty(),
    })
}

fn secret(session: &NamedSession, name: &str) -> Result<String, ToolError> {
    match session.secrets().value(name) {
        Some(value) => Ok(value.to_owned()),
        None => {
            let names: Vec<&str> = session.secrets().names().collect();
            Err(ToolError::new(
                format!("unknown secret `{name}`"),
                if names.is_empty() {
                    format!("ask the user to start `screentest mcp --secret {name}`")
                } else {
                    format!("the secrets are {}", names.join(", "))
                },
            ))
        }
    }
}

fn position(row: usize, col: usize) -> Result<Position, ToolError> {
    let position = row.checked_sub(1).zip(col.checked_sub(1));
    let position = position.map(|(row, col)| Position { row, col });
    position.ok_or_else(|| {
        ToolError::new(
            format!("click_at [{row}, {col}] is outside of any screen"),
            "rows and columns count from 1",
        )
    })
}

/// Performs an action. Each wait, key and part of a text gets the remaining time of the call.
pub(super) fn perform(
    action: &Action,
    session: &NamedSession,
    deadline: &Deadline<'_>,
    send: SendOptions,
    interrupt: &Interrupt,
) -> Result<(), ToolError> {
    let mut waits = WaitOptions::timeout(deadline.left()).interrupt(interrupt.clone());
    waits.input_timeout = Some(deadline.left());
    let tui = session.tui().with(send.apply(waits));
    let done = tui.perform(action);
    done.map_err(|error| ToolError::from_tui(&deadline.of(error)))
}

/// Returns the actions that type a text. A newline presses Enter, and an ESC character that does
/// not begin a sequence presses the Escape key. Other control characters are sent unchanged: agents
/// use them for keys without a name.
fn type_lines(text: &str) -> Vec<Action> {
    let mut actions = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            actions.push(Action::Press(Key::Enter.into()));
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        actions.extend(split_escapes(line).into_iter().map(|part| match part {
            TextPart::Escape => Action::Press(Key::Esc.into()),
            TextPart::Text(part) if part.contains(char::is_control) => {
                Action::Send(part.as_bytes().to_vec())
            }
            TextPart::Text(part) => Action::Type(part.to_owned()),
        }));
    }
    actions
}
