//! One thing that an agent does to a program.

use rmcp::schemars::JsonSchema;
use screentest::core::input::text::{TextPart, split_escapes};
use screentest::core::{Chord, Condition, KeyError, Match, Selector};
use screentest::{
    Appeared, Button, Interrupt, Key, Modifiers, Position, Signal, Size, Terminal, TuiError,
    WaitOptions, Wheel,
};
use serde::Deserialize;

use super::target;
use super::trouble::Trouble;
use super::until::Deadline;
use crate::stage::Stage;
use crate::wire::input::SendOptions;

/// The most notches of one action: some pages.
const MOST_NOTCHES: i32 = 1000;

/// An action as it is written: what it does is the field that it has.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct Action {
    /// Text; a line end presses Enter
    r#type: Option<String>,
    /// Keys with blanks between: "Escape g g", "Ctrl+S", "Down Down Enter"
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

/// An action that can be done.
#[derive(Debug)]
pub(super) enum Deed {
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

const NEXT: &str = "each action has one of type, press, paste, secret, click, click_at, wheel, resize, signal, wait";

impl Action {
    /// What it does, if that is clear and can be done.
    pub(super) fn read(&self, stage: &Stage) -> Result<Deed, Trouble> {
        let mut deeds = Vec::new();
        let button = match self.button.unwrap_or_default() {
            WireButton::Left => Button::Left,
            WireButton::Middle => Button::Middle,
            WireButton::Right => Button::Right,
        };
        if let Some(text) = &self.r#type {
            deeds.push(Deed::Type(text.clone()));
        }
        if let Some(keys) = &self.press {
            deeds.push(Deed::Press(chords(keys)?));
        }
        if let Some(text) = &self.paste {
            deeds.push(Deed::Paste(text.clone()));
        }
        if let Some(name) = &self.secret {
            deeds.push(Deed::Secret(secret(stage, name)?));
        }
        if let Some(text) = &self.click {
            let selector = Selector::exact(target::filled("click", text)?);
            let selector = match self.nth {
                Some(nth) => selector.nth(nth),
                None => selector,
            };
            deeds.push(Deed::Click(selector, button));
        }
        if let Some([row, col]) = self.click_at {
            deeds.push(Deed::ClickAt(position(row, col)?, button));
        }
        if let Some(notches) = self.wheel {
            let wheel = if notches < 0 { Wheel::Up } else { Wheel::Down };
            if !(-MOST_NOTCHES..=MOST_NOTCHES).contains(&notches) {
                return Err(Trouble::new(
                    format!("wheel is {notches}"),
                    format!("give a number from -{MOST_NOTCHES} to {MOST_NOTCHES}"),
                ));
            }
            deeds.push(Deed::Wheel(wheel, notches.unsigned_abs()));
        }
        if let Some([cols, rows]) = self.resize {
            let size = Size::checked(cols.into(), rows.into());
            let size =
                size.map_err(|error| Trouble::new(error.to_string(), "resize is [cols, rows]"))?;
            deeds.push(Deed::Resize(size));
        }
        if let Some(word) = &self.signal {
            let signal = word.trim().parse::<Signal>();
            let signal =
                signal.map_err(|error| Trouble::new(error.to_string(), "name a signal"))?;
            deeds.push(Deed::Signal(signal));
        }
        if let Some(text) = &self.wait {
            let text = target::filled("wait", text)?.to_owned();
            deeds.push(Deed::Wait(text, target::appeared(self.anytime)));
        }
        match (deeds.pop(), deeds.is_empty()) {
            (Some(deed), true) => Ok(deed),
            (Some(_), false) => Err(Trouble::new("it says several things to do", NEXT)),
            (None, _) => Err(Trouble::new("it says nothing to do", NEXT)),
        }
    }
}

fn chords(keys: &str) -> Result<Vec<Chord>, Trouble> {
    let chords = keys.split_whitespace().map(|word| {
        word.parse::<Chord>().map_err(|error: KeyError| {
            Trouble::new(
                format!("press: {error}"),
                "name keys such as Enter, Escape, Tab, Up, F1, Space, x, Ctrl+C, with blanks between; `type` types text",
            )
        })
    });
    let chords = chords.collect::<Result<Vec<Chord>, Trouble>>()?;
    match chords.is_empty() {
        true => Err(Trouble::new(
            "press names no key",
            "name one, such as Enter or Space",
        )),
        false => Ok(chords),
    }
}

fn secret(stage: &Stage, name: &str) -> Result<String, Trouble> {
    match stage.secrets().value(name) {
        Some(value) => Ok(value.to_owned()),
        None => {
            let names: Vec<&str> = stage.secrets().names().collect();
            Err(Trouble::new(
                format!("secret `{name}` is not known"),
                match names.is_empty() {
                    true => format!("ask the user to start `screentest mcp --secret {name}`"),
                    false => format!("the secrets are {}", names.join(", ")),
                },
            ))
        }
    }
}

fn position(row: usize, col: usize) -> Result<Position, Trouble> {
    let position = row.checked_sub(1).zip(col.checked_sub(1));
    let position = position.map(|(row, col)| Position { row, col });
    position.ok_or_else(|| {
        Trouble::new(
            format!("click_at [{row}, {col}] is not on any screen"),
            "rows and columns count from 1",
        )
    })
}

impl Deed {
    /// Does it.
    pub(super) fn perform(
        &self,
        stage: &Stage,
        deadline: &Deadline<'_>,
        send: SendOptions,
        interrupt: &Interrupt,
    ) -> Result<(), Trouble> {
        // Each wait is given what is left of the call, and so is each key and each part of a text.
        let waits = || {
            let mut waits = WaitOptions::timeout(deadline.left()).interrupt(interrupt.clone());
            waits.input_timeout = Some(deadline.left());
            send.apply(waits)
        };
        let tui = || stage.tui().with(waits());
        let click = |position, button| tui().click_with(position, button, Modifiers::empty());
        let done = match self {
            Deed::Type(text) => type_lines(tui, text),
            Deed::Press(chords) => chords.iter().try_for_each(|chord| tui().press(*chord)),
            Deed::Paste(text) => tui().paste(text),
            // Reports tell how much was sent, not what.
            Deed::Secret(value) => tui().send_bytes(value.as_bytes()),
            Deed::Click(selector, button) => {
                tui().click_match(selector, Match::centre, *button, Modifiers::empty())
            }
            Deed::ClickAt(position, button) => click(*position, *button),
            Deed::Wheel(wheel, notches) => tui().current_view().and_then(|screen| {
                let position = Position {
                    row: usize::from(screen.size.rows) / 2,
                    col: usize::from(screen.size.cols) / 2,
                };
                tui().wheel(position, *wheel, *notches)
            }),
            Deed::Resize(size) => tui().resize(*size),
            Deed::Signal(signal) => tui().signal(*signal),
            Deed::Wait(text, appeared) => {
                let shown = Condition::visible(Selector::exact(text));
                let mut waits = waits();
                waits.appeared = *appeared;
                stage.tui().with(waits).wait_for(shown).map(drop)
            }
        };
        done.map_err(|error| Trouble::of(&deadline.of(error)))
    }
}

/// Types a text. A line end presses Enter, and an Escape that begins no sequence presses the Escape key. Other control
/// characters are sent as they are: agents write the sequences of keys that have no name.
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
