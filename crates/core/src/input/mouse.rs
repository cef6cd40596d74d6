//! Bytes sent for a mouse event.
//!
//! The program chooses which events it receives and how they are encoded. Other events are not
//! sent, and the caller gets an error with the reason: a test should not pass if the program never
//! received its click.

use crate::input::key::{Chord, Key, Modifiers};
use crate::{Modes, MouseEncoding, MouseTracking, Position, WirePosition};

/// A mouse event on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MouseEvent {
    /// The action of the mouse.
    pub kind: MouseKind,
    /// The cell of the event.
    pub position: Position,
    /// The modifiers held on the keyboard. Mouse events cannot report Super; it is left out.
    pub modifiers: Modifiers,
}

/// The action of a mouse event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseKind {
    /// A button goes down.
    Press(Button),
    /// A button goes up.
    Release(Button),
    /// The mouse moves to this cell, with a button held or none.
    Move(Option<Button>),
    /// The wheel turns by one notch.
    Wheel(Wheel),
}

impl MouseKind {
    /// Returns the lowest tracking mode in which a program receives the event.
    pub fn tracking(self) -> MouseTracking {
        match self {
            MouseKind::Press(_) | MouseKind::Release(_) => MouseTracking::Clicks,
            MouseKind::Move(Some(_)) => MouseTracking::Drags,
            MouseKind::Move(None) => MouseTracking::Motion,
            // A pager without mouse tracking receives the wheel as cursor keys.
            MouseKind::Wheel(_) => MouseTracking::Off,
        }
    }
}

/// A mouse button.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Button {
    /// The left button.
    Left,
    /// The middle button.
    Middle,
    /// The right button.
    Right,
}

/// The direction of the wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wheel {
    /// Towards the top of the text.
    Up,
    /// Towards the end of the text.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// The reason why a mouse event is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotReported {
    /// The program did not ask for such events.
    #[error(
        "the mouse {} was not sent: the program {}; try keys instead",
        described(*kind),
        extent(*tracking)
    )]
    NotAsked {
        /// The action of the mouse.
        kind: MouseKind,
        /// The tracking mode that the program set.
        tracking: MouseTracking,
    },
    /// The encoding that the program set cannot write such large numbers.
    #[error("the program's mouse encoding reaches only row and column `{last}`, not {position}")]
    OutOfReach {
        /// The position of the event.
        position: WirePosition,
        /// The last row and column that the encoding can write.
        last: usize,
    },
}

fn described(kind: MouseKind) -> &'static str {
    match kind {
        MouseKind::Press(_) => "click",
        MouseKind::Release(_) => "release",
        MouseKind::Move(Some(_)) => "drag",
        MouseKind::Move(None) => "move",
        MouseKind::Wheel(_) => "wheel",
    }
}

fn extent(tracking: MouseTracking) -> &'static str {
    match tracking {
        MouseTracking::Off => {
            "has not turned on mouse reporting (modes 1000, 1002 and 1003 are off)"
        }
        MouseTracking::Clicks => "asked only for button presses (mode 1000)",
        MouseTracking::Drags => "asked only for button presses and drags (mode 1002)",
        MouseTracking::Motion => "asked for all movement (mode 1003)",
    }
}

/// Number of rows scrolled per wheel notch where the wheel sends cursor keys (?1007). Most
/// terminals use three.
const ROWS_PER_NOTCH: usize = 3;

/// Returns the bytes sent for a mouse event.
pub fn bytes(event: MouseEvent, modes: &Modes) -> Result<Vec<u8>, NotReported> {
    let asked = match event.kind {
        MouseKind::Press(_) | MouseKind::Release(_) | MouseKind::Wheel(_) => MouseTracking::Clicks,
        MouseKind::Move(Some(_)) => MouseTracking::Drags,
        MouseKind::Move(None) => MouseTracking::Motion,
    };
    if modes.mouse >= asked {
        return report(event, modes.mouse_encoding);
    }
    scroll_keys(event.kind, modes).ok_or(NotReported::NotAsked {
        kind: event.kind,
        tracking: modes.mouse,
    })
}

/// Returns the cursor keys that the wheel sends to a full-screen program that does not use the
/// mouse, such as a pager.
fn scroll_keys(kind: MouseKind, modes: &Modes) -> Option<Vec<u8>> {
    let key = match kind {
        MouseKind::Wheel(Wheel::Up) => Key::Up,
        MouseKind::Wheel(Wheel::Down) => Key::Down,
        _ => return None,
    };
    let scrolls =
        modes.mouse == MouseTracking::Off && modes.alternate_screen && modes.alternate_scroll;
    scrolls.then(|| super::encode_key::bytes(Chord::from(key), modes).repeat(ROWS_PER_NOTCH))
}

fn report(event: MouseEvent, encoding: MouseEncoding) -> Result<Vec<u8>, NotReported> {
    let at = event.position.to_wire();
    let code = code(event);
    if encoding == MouseEncoding::Sgr {
        // Only this encoding reports which button was released: a final `m` instead of `M`, with
        // the button's own code.
        let end = match event.kind {
            MouseKind::Release(_) => 'm',
            _ => 'M',
        };
        return Ok(format!("\x1b[<{code};{};{}{end}", at.col, at.row).into_bytes());
    }
    let code = match event.kind {
        MouseKind::Release(_) => code | RELEASED,
        _ => code,
    };
    // Every number is sent as the character with that number plus 32, which avoids control
    // characters: as one byte up to 255, or as UTF-8 in two bytes up to 2047.
    let last = match encoding {
        MouseEncoding::Utf8 => 2047 - 32,
        _ => 255 - 32,
    };
    let mut bytes = b"\x1b[M".to_vec();
    for number in [usize::from(code), at.col, at.row] {
        if number > last {
            return Err(NotReported::OutOfReach { position: at, last });
        }
        let number = number as u32 + 32;
        match encoding {
            MouseEncoding::Utf8 => {
                let c = char::from_u32(number).expect("every number up to 2047 is a character");
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => bytes.push(number as u8),
        }
    }
    Ok(bytes)
}

/// The button code of a release in encodings that cannot report which button it was, and of a
/// movement without a button.
const RELEASED: u8 = 3;

/// Returns xterm's code of an event.
fn code(event: MouseEvent) -> u8 {
    let button = |button| match button {
        Button::Left => 0,
        Button::Middle => 1,
        Button::Right => 2,
    };
    let base = match event.kind {
        MouseKind::Press(which) | MouseKind::Release(which) => button(which),
        MouseKind::Move(which) => 32 + which.map_or(RELEASED, button),
        MouseKind::Wheel(Wheel::Up) => 64,
        MouseKind::Wheel(Wheel::Down) => 65,
        MouseKind::Wheel(Wheel::Left) => 66,
        MouseKind::Wheel(Wheel::Right) => 67,
    };
    [
        (Modifiers::SHIFT, 4),
        (Modifiers::ALT, 8),
        (Modifiers::CTRL, 16),
    ]
    .iter()
    .filter(|(modifier, _)| event.modifiers.contains(*modifier))
    .fold(base, |code, (_, bit)| code | bit)
}

#[cfg(test)]
mod tests {
    use super::MouseKind::{Move, Press, Release, Wheel as Turn};
    use super::*;

    fn send(kind: MouseKind, position: Position, modes: &Modes) -> Result<String, String> {
        let event = MouseEvent {
            kind,
            position,
            modifiers: Modifiers::empty(),
        };
        bytes(event, modes)
            .map(|bytes| bytes.escape_ascii().to_string())
            .map_err(|error| error.to_string())
    }

    fn tracking(mouse: MouseTracking, mouse_encoding: MouseEncoding) -> Modes {
        Modes {
            mouse,
            mouse_encoding,
            ..Modes::default()
        }
    }

    const AT: Position = Position { row: 4, col: 9 };

    #[test]
    fn each_encoding_writes_each_event() {
        use MouseEncoding::{Default, Sgr, Utf8};
        for (encoding, kind, sent) in [
            (Sgr, Press(Button::Left), r"\x1b[<0;10;5M"),
            (Sgr, Release(Button::Left), r"\x1b[<0;10;5m"),
            (Sgr, Press(Button::Middle), r"\x1b[<1;10;5M"),
            (Sgr, Release(Button::Right), r"\x1b[<2;10;5m"),
            (Sgr, Move(Some(Button::Right)), r"\x1b[<34;10;5M"),
            (Sgr, Move(None), r"\x1b[<35;10;5M"),
            (Sgr, Turn(Wheel::Up), r"\x1b[<64;10;5M"),
            (Sgr, Turn(Wheel::Down), r"\x1b[<65;10;5M"),
            (Sgr, Turn(Wheel::Left), r"\x1b[<66;10;5M"),
            (Sgr, Turn(Wheel::Right), r"\x1b[<67;10;5M"),
            (Default, Press(Button::Left), r"\x1b[M *%"),
            (Default, Release(Button::Left), r"\x1b[M#*%"),
            (Default, Release(Button::Right), r"\x1b[M#*%"),
            (Default, Move(None), r"\x1b[MC*%"),
            (Default, Turn(Wheel::Down), r"\x1b[Ma*%"),
            (Utf8, Press(Button::Right), r#"\x1b[M\"*%"#),
            (Utf8, Release(Button::Middle), r"\x1b[M#*%"),
        ] {
            let modes = tracking(MouseTracking::Motion, encoding);
            let case = format!("{encoding:?} {kind:?}");
            assert_eq!(send(kind, AT, &modes).as_deref(), Ok(sent), "{case}");
        }
    }

    #[test]
    fn held_modifiers_are_encoded() {
        let modes = tracking(MouseTracking::Clicks, MouseEncoding::Sgr);
        for (modifiers, kind, sent) in [
            (Modifiers::SHIFT, Press(Button::Left), "\x1b[<4;10;5M"),
            (Modifiers::ALT, Press(Button::Right), "\x1b[<10;10;5M"),
            (Modifiers::CTRL, Turn(Wheel::Up), "\x1b[<80;10;5M"),
            (Modifiers::all(), Release(Button::Left), "\x1b[<28;10;5m"),
        ] {
            let event = MouseEvent {
                kind,
                position: AT,
                modifiers,
            };
            assert_eq!(bytes(event, &modes).as_deref(), Ok(sent.as_bytes()));
        }
    }

    #[test]
    fn only_requested_events_are_sent() {
        use MouseTracking::{Clicks, Drags, Motion, Off};
        let press = Press(Button::Left);
        let drag = Move(Some(Button::Left));
        for (kind, received_by) in [
            (press, &[Clicks, Drags, Motion][..]),
            (Release(Button::Left), &[Clicks, Drags, Motion]),
            (Turn(Wheel::Left), &[Clicks, Drags, Motion]),
            (drag, &[Drags, Motion]),
            (Move(None), &[Motion]),
        ] {
            for asked in [Off, Clicks, Drags, Motion] {
                let received = send(kind, AT, &tracking(asked, MouseEncoding::Sgr)).is_ok();
                assert_eq!(received, received_by.contains(&asked), "{kind:?} {asked:?}");
            }
        }
        let message = |kind, asked| send(kind, AT, &tracking(asked, MouseEncoding::Sgr));
        assert_eq!(
            message(press, Off).unwrap_err(),
            "the mouse click was not sent: the program has not turned on mouse reporting (modes 1000, 1002 and 1003 are off); try keys instead"
        );
        assert_eq!(
            message(drag, Clicks).unwrap_err(),
            "the mouse drag was not sent: the program asked only for button presses (mode 1000); try keys instead"
        );
    }

    #[test]
    fn a_position_beyond_the_encoding_is_an_error() {
        use MouseEncoding::{Default, Sgr, Utf8};
        for (encoding, col, sent) in [
            (Default, 222, Ok(r"\x1b[M \xff!")),
            (Default, 223, Err("223")),
            (Utf8, 94, Ok(r"\x1b[M \x7f!")),
            (Utf8, 95, Ok(r"\x1b[M \xc2\x80!")),
            (Utf8, 2014, Ok(r"\x1b[M \xdf\xbf!")),
            (Utf8, 2015, Err("2015")),
            (Sgr, 5000, Ok(r"\x1b[<0;5001;1M")),
        ] {
            let modes = tracking(MouseTracking::Clicks, encoding);
            let got = send(Press(Button::Left), Position { row: 0, col }, &modes);
            let wanted = sent.map(str::to_owned).map_err(|last: &str| {
                let at = format!("row 1, column {}", col + 1);
                format!(
                    "the program's mouse encoding reaches only row and column `{last}`, not {at}"
                )
            });
            assert_eq!(got, wanted, "{encoding:?} {col}");
        }
    }

    #[test]
    fn the_wheel_sends_cursor_keys_to_a_pager_without_mouse_reporting() {
        let pager = Modes {
            alternate_screen: true,
            ..Modes::default()
        };
        let application_cursor = Modes {
            application_cursor: true,
            ..pager
        };
        let without_alternate_scroll = Modes {
            alternate_scroll: false,
            ..pager
        };
        let up = Turn(Wheel::Up);
        let down = Turn(Wheel::Down);
        assert_eq!(send(up, AT, &pager).unwrap(), r"\x1b[A\x1b[A\x1b[A");
        assert_eq!(
            send(down, AT, &application_cursor).unwrap(),
            r"\x1bOB\x1bOB\x1bOB"
        );
        assert!(send(Turn(Wheel::Left), AT, &pager).is_err());
        assert!(send(up, AT, &without_alternate_scroll).is_err());
        assert!(send(up, AT, &Modes::default()).is_err());
    }
}
