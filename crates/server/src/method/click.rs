//! `click` and `mouse`: mouse input.
//!
//! A click is encoded as the program requested. If the program has not enabled mouse reporting, the
//! click waits for it, and fails at the timeout. A client may specify the encoding; then the click
//! is sent in that encoding, regardless of the program's modes.

use screentest::core::action::{self, MouseAction, MouseActionKind, MousePlace, WheelTurn};
use screentest::core::input::mouse;
use screentest::core::{Modes, MouseEncoding, MouseTracking};
use screentest::{Action, Button, ClickTarget, Modifiers, Position, Wheel};
use serde::Deserialize;

use super::{OkResponse, Perform, perform};
use crate::service::MethodContext;
use crate::wire::number::{WholeNumber, millis};
use crate::wire::selector::{WireSelector, ambiguity};
use crate::wire::{RpcError, coordinates};

/// Clicks a cell or the match of a selector.
#[derive(Debug, Deserialize)]
pub(crate) struct Click {
    col: Option<WholeNumber>,
    row: Option<WholeNumber>,
    selector: Option<WireSelector>,
    button: Option<String>,
    encoding: Option<String>,
    #[serde(rename = "timeoutMs")]
    timeout_ms: Option<WholeNumber>,
    #[serde(rename = "ambiguityMode")]
    ambiguity_mode: Option<String>,
}

impl Perform for Click {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let button = button(self.button.as_deref())?;
        let encoding = encoding(self.encoding.as_deref())?;
        let mut waits = context.wait_options(millis("timeoutMs", self.timeout_ms)?);
        waits.ambiguity = ambiguity(self.ambiguity_mode.as_deref())?;
        let tui = session.tui().with(waits.clone());
        let action = |target| {
            Action::Click(action::Click {
                target,
                button,
                modifiers: Modifiers::empty(),
            })
        };
        let position = match (&self.selector, self.col, self.row) {
            (Some(selector), ..) if encoding.is_none() => {
                let clicked = tui.perform(&action(ClickTarget::MatchStart(selector.read()?)));
                clicked.map_err(|error| selector.failure("clickSelector", &error))?;
                return Ok(OkResponse::sent(&tui));
            }
            (Some(selector), ..) => {
                let any = session.tui().with(waits.anytime());
                let found = any.expect(selector.read()?);
                let found = found.map_err(|error| selector.failure("clickSelector", &error))?;
                found.position()
            }
            (None, Some(col), Some(row)) => click_position(col, row)?,
            (None, ..) => {
                return Err(RpcError::invalid_params(
                    "click requires either a selector or both col and row",
                ));
            }
        };
        let action = match encoding {
            None => action(ClickTarget::Cell(position)),
            Some(encoding) => Action::Send(click_bytes(position, button, encoding)?),
        };
        perform(&tui, "click", &action)?;
        Ok(OkResponse::sent(&tui))
    }
}

/// Returns the bytes of a click in an encoding.
fn click_bytes(
    position: Position,
    button: Button,
    encoding: MouseEncoding,
) -> Result<Vec<u8>, RpcError> {
    let modes = Modes {
        mouse: MouseTracking::Clicks,
        mouse_encoding: encoding,
        ..Modes::default()
    };
    let click = action::Click {
        target: position.into(),
        button,
        modifiers: Modifiers::empty(),
    };
    let mut sent = Vec::new();
    for event in click.events(position) {
        let bytes = mouse::bytes(event, &modes);
        sent.extend(bytes.map_err(|error| RpcError::invalid_params(error.to_string()))?);
    }
    Ok(sent)
}

fn click_position(col: WholeNumber, row: WholeNumber) -> Result<Position, RpcError> {
    coordinates::position(col, row).ok_or_else(|| {
        RpcError::invalid_params("click uses 1-based coordinates; col/row must be >= 1")
    })
}

fn button(name: Option<&str>) -> Result<Button, RpcError> {
    action::parse_button(name).map_err(|error| RpcError::invalid_params(error.to_string()))
}

fn encoding(word: Option<&str>) -> Result<Option<MouseEncoding>, RpcError> {
    match word.map(str::to_lowercase).as_deref() {
        None => Ok(None),
        Some("sgr") => Ok(Some(MouseEncoding::Sgr)),
        Some("x10") => Ok(Some(MouseEncoding::Default)),
        Some(other) => Err(RpcError::invalid_params(format!(
            "unknown mouse encoding: {other} (one of: sgr, x10)"
        ))),
    }
}

/// Sends any mouse event, after the program has enabled mouse reporting.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Mouse {
    kind: String,
    col: WholeNumber,
    row: WholeNumber,
    button: Option<String>,
    wheel: Option<String>,
    notches: Option<WholeNumber>,
    modifiers: Option<Vec<String>>,
    timeout_ms: Option<WholeNumber>,
}

/// Maximum number of wheel notches of one request: as many as the default scrollback has rows.
const MAX_NOTCHES: u64 = 10_000;

impl Perform for Mouse {
    type Response = OkResponse;

    fn perform(self, context: &MethodContext<'_>) -> Result<OkResponse, RpcError> {
        let session = context.session()?;
        let position = click_position(self.col, self.row)?;
        let modifiers = modifiers(self.modifiers.as_deref().unwrap_or_default())?;
        let held = self.button.as_deref();
        let at = MousePlace::Cell(position);
        let mouse = |kind| {
            Action::Mouse(MouseAction {
                kind,
                at,
                modifiers,
            })
        };
        let action = match self.kind.to_lowercase().as_str() {
            "press" => mouse(MouseActionKind::Press(button(held)?)),
            "release" => mouse(MouseActionKind::Release(button(held)?)),
            "click" => Action::Click(action::Click {
                target: position.into(),
                button: button(held)?,
                modifiers,
            }),
            "move" => {
                let held = held.map(|word| button(Some(word))).transpose()?;
                mouse(MouseActionKind::MoveWith(held))
            }
            "wheel" => {
                let notches = self
                    .notches
                    .unwrap_or(WholeNumber(1))
                    .non_negative("notches")?;
                Action::Wheel(WheelTurn {
                    at,
                    wheel: wheel_direction(self.wheel.as_deref())?,
                    notches: notches.min(MAX_NOTCHES) as u32,
                    modifiers,
                })
            }
            _ => {
                return Err(RpcError::invalid_params(format!(
                    "kind must be one of: click, press, release, move, wheel; not {}",
                    self.kind
                )));
            }
        };
        let timeout = millis("timeoutMs", self.timeout_ms)?;
        let tui = session.tui().with(context.wait_options(timeout));
        perform(&tui, "mouse", &action)?;
        Ok(OkResponse::sent(&tui))
    }
}

fn wheel_direction(name: Option<&str>) -> Result<Wheel, RpcError> {
    action::parse_wheel(name).map_err(|error| RpcError::invalid_params(error.to_string()))
}

fn modifiers(words: &[String]) -> Result<Modifiers, RpcError> {
    let mut held = Modifiers::empty();
    for word in words {
        held |= match word.to_lowercase().as_str() {
            "ctrl" => Modifiers::CTRL,
            "alt" => Modifiers::ALT,
            "shift" => Modifiers::SHIFT,
            _ => {
                return Err(RpcError::invalid_params(format!(
                    "modifiers must be of: ctrl, alt, shift; not {word}"
                )));
            }
        };
    }
    Ok(held)
}
