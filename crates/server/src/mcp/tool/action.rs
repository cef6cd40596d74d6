//! The actions of `tui_act`.

use rmcp::schemars::JsonSchema;
use screentest::core::input::text::{TextPart, split_escapes};
use screentest::core::{Chord, Condition, KeyError, Match, Selector};
use screentest::{
    Appeared, Button, Interrupt, Key, Modifiers, Position, Signal, Size, Terminal, TuiError,
    WaitOptions, Wheel,
};
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

/// A parsed action.
#[derive(Debug)]
pub(super) enum AgentAction {
    Type(String),
    Press(Vec<Chord>),
    Paste(String),
    Secret(String),
    Click(Selector, Button),
    ClickAt(Position, Button),
    Wheel(Wheel, u32),
    Resize(Size),
    Signal(Signal),
    Wait(String, Appeared),
}

const NEXT_STEP: &str = "each action has one of type, press, paste, secret, click, click_at, wheel, resize, signal, wait";

impl ActionArgs {
    /// Parses the action. Fails unless exactly one field selects what it does.
    pub(super) fn parse(&self, session: &NamedSession) -> Result<AgentAction, ToolError> {
        let mut parsed = Vec::new();
        let button = match self.button.unwrap_or_default() {
            WireButton::Left => Button::Left,
            WireButton::Middle => Button::Middle,
            WireButton::Right => Button::Right,
        };
        if let Some(text) = &self.r#type {
            parsed.push(AgentAction::Type(text.clone()));
        }
        if let Some(keys) = &self.press {
            parsed.push(AgentAction::Press(chords(keys)?));
        }
        if let Some(text) = &self.paste {
            parsed.push(AgentAction::Paste(text.clone()));
        }
        if let Some(name) = &self.secret {
            parsed.push(AgentAction::Secret(secret(session, name)?));
        }
        if let Some(text) = &self.click {
            let selector = Selector::exact(target::non_empty("click", text)?);
            let selector = match self.nth {
                Some(nth) => selector.nth(nth),
                None => selector,
            };
            parsed.push(AgentAction::Click(selector, button));
        }
        if let Some([row, col]) = self.click_at {
            parsed.push(AgentAction::ClickAt(position(row, col)?, button));
        }
        if let Some(notches) = self.wheel {
            let wheel = if notches < 0 { Wheel::Up } else { Wheel::Down };
            if !(-MAX_NOTCHES..=MAX_NOTCHES).contains(&notches) {
                return Err(ToolError::new(
                    format!("wheel is {notches}"),
                    format!("give a number from -{MAX_NOTCHES} to {MAX_NOTCHES}"),
                ));
            }
            parsed.push(AgentAction::Wheel(wheel, notches.unsigned_abs()));
        }
        if let Some([cols, rows]) = self.resize {
            let size = Size::checked(cols.into(), rows.into());
            let size =
                size.map_err(|error| ToolError::new(error.to_string(), "resize is [cols, rows]"))?;
            parsed.push(AgentAction::Resize(size));
        }
        if let Some(word) = &self.signal {
            let signal = word.trim().parse::<Signal>();
            let signal =
                signal.map_err(|error| ToolError::new(error.to_string(), "name a signal"))?;
            parsed.push(AgentAction::Signal(signal));
        }
        if let Some(text) = &self.wait {
            let text = target::non_empty("wait", text)?.to_owned();
            parsed.push(AgentAction::Wait(text, target::appeared(self.anytime)));
        }
        match (parsed.pop(), parsed.is_empty()) {
            (Some(action), true) => Ok(action),
            (Some(_), false) => Err(ToolError::new("it has several of these fields", NEXT_STEP)),
            (None, _) => Err(ToolError::new("it has none of these fields", NEXT_STEP)),
        }
    }
}

fn chords(keys: &str) -> Result<Vec<Chord>, ToolError> {
    let chords = keys.split_whitespace().map(|word| {
        word.parse::<Chord>().map_err(|error: KeyError| {
            ToolError::new(
                format!("press: {error}"),
                "name keys such as Enter, Escape, Tab, Up, F1, Space, x, Ctrl+C, separated by spaces; `type` types text",
            )
        })
    });
    let chords = chords.collect::<Result<Vec<Chord>, ToolError>>()?;
    if chords.is_empty() {
        Err(ToolError::new(
            "press names no key",
            "name one, such as Enter or Space",
        ))
    } else {
        Ok(chords)
    }
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

impl AgentAction {
    /// Does the action.
    pub(super) fn perform(
        &self,
        session: &NamedSession,
        deadline: &Deadline<'_>,
        send: SendOptions,
        interrupt: &Interrupt,
    ) -> Result<(), ToolError> {
        // Each wait, key and part of a text gets the remaining time of the call.
        let waits = || {
            let mut waits = WaitOptions::timeout(deadline.left()).interrupt(interrupt.clone());
            waits.input_timeout = Some(deadline.left());
            send.apply(waits)
        };
        let tui = || session.tui().with(waits());
        let click = |position, button| tui().click_with(position, button, Modifiers::empty());
        let done = match self {
            AgentAction::Type(text) => type_lines(tui, text),
            AgentAction::Press(chords) => chords.iter().try_for_each(|chord| tui().press(*chord)),
            AgentAction::Paste(text) => tui().paste(text),
            // Sent as bytes: reports contain only their number.
            AgentAction::Secret(value) => tui().send_bytes(value.as_bytes()),
            AgentAction::Click(selector, button) => {
                tui().click_match(selector, Match::centre, *button, Modifiers::empty())
            }
            AgentAction::ClickAt(position, button) => click(*position, *button),
            AgentAction::Wheel(wheel, notches) => tui().current_view().and_then(|screen| {
                let position = Position {
                    row: usize::from(screen.size.rows) / 2,
                    col: usize::from(screen.size.cols) / 2,
                };
                tui().wheel(position, *wheel, *notches)
            }),
            AgentAction::Resize(size) => tui().resize(*size),
            AgentAction::Signal(signal) => tui().signal(*signal),
            AgentAction::Wait(text, appeared) => {
                let shown = Condition::visible(Selector::exact(text));
                let mut waits = waits();
                waits.appeared = *appeared;
                session.tui().with(waits).wait_for(shown).map(drop)
            }
        };
        done.map_err(|error| ToolError::from_tui(&deadline.of(error)))
    }
}

/// Types a text. A newline presses Enter, and an ESC character that does not begin a sequence
/// presses the Escape key. Other control characters are sent unchanged: agents use them for keys
/// without a name.
fn type_lines(tui: impl Fn() -> Terminal, text: &str) -> Result<(), TuiError> {
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            tui().press(Key::Enter)?;
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        for part in split_escapes(line) {
            match part {
                TextPart::Escape => tui().press(Key::Esc)?,
                TextPart::Text(part) if part.contains(char::is_control) => {
                    tui().send_bytes(part.as_bytes())?;
                }
                TextPart::Text(part) => tui().type_text(part)?,
            }
        }
    }
    Ok(())
}
