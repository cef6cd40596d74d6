//! Decoder for mouse events.

use crate::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use crate::{Modifiers, Position, WirePosition};

/// Decodes `CSI < code ; column ; row` with final byte `M`, or `m` for a release. `bytes` starts
/// after the `<`.
pub(super) fn sgr(bytes: &[u8]) -> Option<MouseEvent> {
    let (end, numbers) = bytes.split_last()?;
    let numbers = str::from_utf8(numbers).ok()?;
    let mut numbers = numbers.split(';').map(|number| number.parse::<u32>().ok());
    let (code, col, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    if numbers.next().is_some() {
        return None;
    }
    let kind = kind(code)?;
    let kind = match (end, kind) {
        (b'M', kind) => kind,
        (b'm', MouseKind::Press(button)) => MouseKind::Release(button),
        _ => return None,
    };
    event(kind, code, col, row)
}

/// Decodes `CSI M` and three characters, each 32 above its number. The encoding does not report
/// which button is released, so a release is taken to be of `down`, the button pressed last.
pub(super) fn old(numbers: impl Iterator<Item = u32>, down: Option<Button>) -> Option<MouseEvent> {
    let mut numbers = numbers.map(|number| number.checked_sub(32));
    let (code, col, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let kind = match code & !HELD {
        3 => MouseKind::Release(down.unwrap_or(Button::Left)),
        _ => kind(code)?,
    };
    event(kind, code, col, row)
}

/// The bits of a code for modifiers held on the keyboard.
const HELD: u32 = 4 | 8 | 16;

fn kind(code: u32) -> Option<MouseKind> {
    let button = |number| match number {
        0 => Some(Button::Left),
        1 => Some(Button::Middle),
        2 => Some(Button::Right),
        _ => None,
    };
    Some(match code & !HELD {
        number @ 0..=2 => MouseKind::Press(button(number)?),
        number @ 32..=35 => MouseKind::Move(button(number - 32)),
        64 => MouseKind::Wheel(Wheel::Up),
        65 => MouseKind::Wheel(Wheel::Down),
        66 => MouseKind::Wheel(Wheel::Left),
        67 => MouseKind::Wheel(Wheel::Right),
        _ => return None,
    })
}

fn event(kind: MouseKind, code: u32, col: u32, row: u32) -> Option<MouseEvent> {
    let held = [
        (Modifiers::SHIFT, 4),
        (Modifiers::ALT, 8),
        (Modifiers::CTRL, 16),
    ];
    let held = held.into_iter().filter(|(_, bit)| code & bit != 0);
    Some(MouseEvent {
        kind,
        position: Position::from_wire(WirePosition {
            row: row as usize,
            col: col as usize,
        })?,
        modifiers: held.map(|(modifier, _)| modifier).collect(),
    })
}
