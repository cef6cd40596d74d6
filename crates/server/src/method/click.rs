//! What a person does with the mouse.
//!
//! A click goes to the program as it asked for clicks, and one that asked for none is an error, after the time of a wait. A client
//! that names an encoding knows better: then those bytes are sent, whatever the program asked for.

use screentest::core::input::mouse::{self, MouseEvent, MouseKind};
use screentest::core::{Match, Modes, MouseEncoding, MouseTracking};
use screentest::{Button, Modifiers, Position, Wheel};
use serde::Deserialize;

use super::{Done, Perform};
use crate::service::Job;
use crate::wire::number::{Whole, millis};
use crate::wire::selector::{WireSelector, ambiguity};
use crate::wire::{Failure, place};

/// Clicks a cell, or what a selector finds.
#[derive(Debug, Deserialize)]
pub(crate) struct Click {
    col: Option<Whole>,
    row: Option<Whole>,
    selector: Option<WireSelector>,
    button: Option<String>,
    encoding: Option<String>,
    #[serde(rename = "timeoutMs")]
    timeout_ms: Option<Whole>,
    #[serde(rename = "ambiguityMode")]
    ambiguity_mode: Option<String>,
}

impl Perform for Click {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let button = button(self.button.as_deref())?;
        let encoding = encoding(self.encoding.as_deref())?;
        let mut waits = job.waits(millis("timeoutMs", self.timeout_ms)?);
        waits.ambiguity = ambiguity(self.ambiguity_mode.as_deref())?;
        let tui = stage.tui().with(waits.clone());
        let position = match (&self.selector, self.col, self.row) {
            (Some(selector), ..) if encoding.is_none() => {
                let clicked = tui.click_match(
                    selector.read()?,
                    Match::position,
                    button,
                    Modifiers::empty(),
                );
                clicked.map_err(|error| selector.failure("clickSelector", &error))?;
                return Ok(Done::sent(&tui));
            }
            (Some(selector), ..) => {
                let any = stage.tui().with(waits.anytime());
                let found = any.wait_for_selector(selector.read()?);
                let found = found.map_err(|error| selector.failure("clickSelector", &error))?;
                found.position()
            }
            (None, Some(col), Some(row)) => cell(col, row)?,
            (None, ..) => {
                return Err(Failure::params(
                    "click requires either a selector or both col and row",
                ));
            }
        };
        let clicked = match encoding {
            None => tui.click_with(position, button, Modifiers::empty()),
            Some(encoding) => {
                let bytes = click_bytes(position, button, encoding)?;
                tui.send_bytes(&bytes)
            }
        };
        clicked.map_err(|error| Failure::of("click", &error))?;
        Ok(Done::sent(&tui))
    }
}

/// What a click sends to a program that asked for this encoding.
fn click_bytes(
    position: Position,
    button: Button,
    encoding: MouseEncoding,
) -> Result<Vec<u8>, Failure> {
    let modes = Modes {
        mouse: MouseTracking::Clicks,
        mouse_encoding: encoding,
        ..Modes::default()
    };
    let mut sent = Vec::new();
    for kind in [MouseKind::Press(button), MouseKind::Release(button)] {
        let event = MouseEvent {
            kind,
            position,
            modifiers: Modifiers::empty(),
        };
        let bytes = mouse::bytes(event, &modes);
        sent.extend(bytes.map_err(|error| Failure::params(error.to_string()))?);
    }
    Ok(sent)
}

fn cell(col: Whole, row: Whole) -> Result<Position, Failure> {
    place::position(col, row)
        .ok_or_else(|| Failure::params("click uses 1-based coordinates; col/row must be >= 1"))
}

fn button(word: Option<&str>) -> Result<Button, Failure> {
    match word.map(str::to_lowercase).as_deref() {
        None | Some("left") => Ok(Button::Left),
        Some("middle") => Ok(Button::Middle),
        Some("right") => Ok(Button::Right),
        Some(other) => Err(Failure::params(format!(
            "unknown mouse button: {other} (one of: left, middle, right)"
        ))),
    }
}

fn encoding(word: Option<&str>) -> Result<Option<MouseEncoding>, Failure> {
    match word.map(str::to_lowercase).as_deref() {
        None => Ok(None),
        Some("sgr") => Ok(Some(MouseEncoding::Sgr)),
        Some("x10") => Ok(Some(MouseEncoding::Default)),
        Some(other) => Err(Failure::params(format!(
            "unknown mouse encoding: {other} (one of: sgr, x10)"
        ))),
    }
}

/// Does anything that a mouse can do, once the program wants to know of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mouse {
    kind: String,
    col: Whole,
    row: Whole,
    button: Option<String>,
    wheel: Option<String>,
    notches: Option<Whole>,
    #[serde(default)]
    modifiers: Vec<String>,
    timeout_ms: Option<Whole>,
}

/// The most notches of one request: more than the longest scrollback has rows.
const MOST_NOTCHES: u64 = 10_000;

impl Perform for Mouse {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        let stage = job.stage()?;
        let position = cell(self.col, self.row)?;
        let modifiers = modifiers(&self.modifiers)?;
        let held = self.button.as_deref();
        let kinds = match self.kind.to_lowercase().as_str() {
            "press" => vec![MouseKind::Press(button(held)?)],
            "release" => vec![MouseKind::Release(button(held)?)],
            "click" => {
                let button = button(held)?;
                vec![MouseKind::Press(button), MouseKind::Release(button)]
            }
            "move" => vec![MouseKind::Move(
                held.map(|word| button(Some(word))).transpose()?,
            )],
            "wheel" => {
                let notches = self.notches.unwrap_or(Whole(1)).count("notches")?;
                let wheel = MouseKind::Wheel(wheel(self.wheel.as_deref())?);
                vec![wheel; notches.min(MOST_NOTCHES) as usize]
            }
            _ => {
                return Err(Failure::params(format!(
                    "kind must be one of: click, press, release, move, wheel; not {}",
                    self.kind
                )));
            }
        };
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let tui = stage.tui().with(job.waits(timeout));
        let event = |kind| MouseEvent {
            kind,
            position,
            modifiers,
        };
        let events: Vec<MouseEvent> = kinds.into_iter().map(event).collect();
        let done = tui.mouse_events(&events);
        done.map_err(|error| Failure::of("mouse", &error))?;
        Ok(Done::sent(&tui))
    }
}

fn wheel(word: Option<&str>) -> Result<Wheel, Failure> {
    match word.map(str::to_lowercase).as_deref() {
        None | Some("down") => Ok(Wheel::Down),
        Some("up") => Ok(Wheel::Up),
        Some("left") => Ok(Wheel::Left),
        Some("right") => Ok(Wheel::Right),
        Some(other) => Err(Failure::params(format!(
            "wheel must be one of: up, down, left, right; not {other}"
        ))),
    }
}

fn modifiers(words: &[String]) -> Result<Modifiers, Failure> {
    let mut held = Modifiers::empty();
    for word in words {
        held |= match word.to_lowercase().as_str() {
            "ctrl" => Modifiers::CTRL,
            "alt" => Modifiers::ALT,
            "shift" => Modifiers::SHIFT,
            _ => {
                return Err(Failure::params(format!(
                    "modifiers are of: ctrl, alt, shift; not {word}"
                )));
            }
        };
    }
    Ok(held)
}
