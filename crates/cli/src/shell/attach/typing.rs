//! What a person types in a terminal, as the daemon takes it: texts, keys, pastes, and what the mouse does.

use screentest::core::input::decode::{DecodedInput, InputDecoder};
use screentest::core::input::encode_key::KeyPhase;
use screentest::core::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use screentest::core::{Chord, Key, Modes, Modifiers};
use serde_json::{Value, json};

/// The longest paste in bytes: with all that JSON may add to it, one message of the daemon.
const LONGEST_PASTE: usize = 128 << 10;

/// Reads what is typed.
#[derive(Debug, Default)]
pub(super) struct Typing(InputDecoder);

/// Something that was typed.
#[derive(Debug, PartialEq)]
pub(super) enum Done {
    /// What the daemon is given.
    Input(Value),
    /// The way out.
    Leave,
    /// A paste that is not sent.
    TooLong,
}

impl Typing {
    /// What these bytes mean, in the modes that the terminal has.
    pub(super) fn push(&mut self, bytes: &[u8], modes: &Modes) -> Vec<Done> {
        done(self.0.push(bytes, modes))
    }

    /// Nothing follows for now.
    pub(super) fn pause(&mut self) -> Vec<Done> {
        done(self.0.pause())
    }
}

fn done(typed: Vec<DecodedInput>) -> Vec<Done> {
    let leave = Chord::new(Key::Char(']'), Modifiers::CTRL);
    let mut done = Vec::new();
    let mut text = String::new();
    for typed in typed {
        if let DecodedInput::Key(chord, KeyPhase::Press | KeyPhase::Repeat) = &typed
            && let (Key::Char(c), true) = (chord.key(), chord.modifiers().is_empty())
        {
            text.push(c);
            continue;
        }
        // What was typed before goes before.
        if !text.is_empty() {
            done.push(Done::Input(json!({ "text": std::mem::take(&mut text) })));
        }
        match typed {
            DecodedInput::Key(chord, _) if chord == leave => {
                done.push(Done::Leave);
                return done;
            }
            DecodedInput::Key(chord, KeyPhase::Press | KeyPhase::Repeat) => {
                done.push(Done::Input(json!({ "key": chord.to_string() })));
            }
            DecodedInput::Paste(pasted) if pasted.len() > LONGEST_PASTE => done.push(Done::TooLong),
            DecodedInput::Paste(pasted) => done.push(Done::Input(json!({ "paste": pasted }))),
            DecodedInput::Mouse(event) => done.push(Done::Input(json!({ "mouse": mouse(event) }))),
            // What the terminal answers is no answer to the program, and what nobody knows is no key.
            _ => {}
        }
    }
    if !text.is_empty() {
        done.push(Done::Input(json!({ "text": text })));
    }
    done
}

fn mouse(event: MouseEvent) -> Value {
    let button = |button: Button| match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    };
    let mut told = match event.kind {
        MouseKind::Press(pressed) => json!({ "kind": "press", "button": button(pressed) }),
        MouseKind::Release(released) => json!({ "kind": "release", "button": button(released) }),
        MouseKind::Move(None) => json!({ "kind": "move" }),
        MouseKind::Move(Some(held)) => json!({ "kind": "move", "button": button(held) }),
        MouseKind::Wheel(wheel) => json!({ "kind": "wheel", "wheel": match wheel {
            Wheel::Up => "up",
            Wheel::Down => "down",
            Wheel::Left => "left",
            Wheel::Right => "right",
        }}),
    };
    let held = [
        ("ctrl", Modifiers::CTRL),
        ("alt", Modifiers::ALT),
        ("shift", Modifiers::SHIFT),
    ];
    let held = held
        .into_iter()
        .filter(|(_, modifier)| event.modifiers.contains(*modifier));
    told["modifiers"] = held.map(|(name, _)| name).collect();
    told["col"] = (event.position.col + 1).into();
    told["row"] = (event.position.row + 1).into();
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use screentest::core::{MouseEncoding, MouseTracking};

    #[track_caller]
    fn check(bytes: &[u8], expected: &[Value]) {
        let modes = Modes {
            bracketed_paste: true,
            mouse: MouseTracking::Motion,
            mouse_encoding: MouseEncoding::Sgr,
            ..Modes::default()
        };
        let mut typing = Typing::default();
        let mut all = typing.push(bytes, &modes);
        all.extend(typing.pause());
        let told = all.into_iter().map(|done| match done {
            Done::Input(input) => input,
            Done::Leave => "leave".into(),
            Done::TooLong => "too long".into(),
        });
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn letters_are_texts_and_all_else_is_by_its_name() {
        check("hé!".as_bytes(), &[json!({ "text": "hé!" })]);
        check(
            b"a\rb\x1b[A\x03",
            &[
                json!({ "text": "a" }),
                json!({ "key": "Enter" }),
                json!({ "text": "b" }),
                json!({ "key": "Up" }),
                json!({ "key": "Ctrl+C" }),
            ],
        );
        check(b"\x1b", &[json!({ "key": "Esc" })]);
        check(b"\x1b[200~x\ny\x1b[201~", &[json!({ "paste": "x\ny" })]);
    }

    #[test]
    fn the_way_out_is_taken_before_what_follows_it() {
        check(b"a\x1db", &[json!({ "text": "a" }), "leave".into()]);
        check(b"\x1b[200~\x1d\x1b[201~", &[json!({ "paste": "\u{1d}" })]);
    }

    #[test]
    fn the_mouse_is_told_by_its_cell() {
        check(
            b"\x1b[<0;3;2M\x1b[<81;1;1M",
            &[
                json!({ "mouse": { "kind": "press", "button": "left", "col": 3, "row": 2, "modifiers": [] } }),
                json!({ "mouse": { "kind": "wheel", "wheel": "down", "col": 1, "row": 1, "modifiers": ["ctrl"] } }),
            ],
        );
    }

    #[test]
    fn what_is_too_long_is_not_sent() {
        let pasted = format!("\x1b[200~{}\x1b[201~", "x".repeat(LONGEST_PASTE + 1));
        check(pasted.as_bytes(), &["too long".into()]);
    }
}
