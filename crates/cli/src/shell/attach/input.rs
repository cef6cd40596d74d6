//! Converts typed bytes to input requests: text, keys, pastes and mouse events.

use screentest::core::input::decode::{DecodedInput, InputDecoder};
use screentest::core::input::encode_key::KeyPhase;
use screentest::core::input::mouse::{Button, MouseEvent, MouseKind, Wheel};
use screentest::core::{Chord, Key, Modes, Modifiers};
use serde_json::{Value, json};

/// Maximum size of a paste in bytes. With JSON escapes it fits in one message of the daemon.
const MAX_PASTE: usize = 128 << 10;

/// Decodes typed bytes.
#[derive(Debug, Default)]
pub(super) struct InputReader(InputDecoder);

/// Something that was typed.
#[derive(Debug, PartialEq)]
pub(super) enum TypedInput {
    /// An input request for the daemon.
    Input(Value),
    /// The key that detaches, Ctrl+].
    Leave,
    /// A paste that is too long to send.
    TooLong,
}

impl InputReader {
    /// Decodes bytes, given the modes of the terminal.
    pub(super) fn push(&mut self, bytes: &[u8], modes: &Modes) -> Vec<TypedInput> {
        convert(self.0.push(bytes, modes))
    }

    /// Handles a pause: a pending Escape is the Escape key.
    pub(super) fn pause(&mut self) -> Vec<TypedInput> {
        convert(self.0.pause())
    }
}

fn convert(typed: Vec<DecodedInput>) -> Vec<TypedInput> {
    let leave = Chord::new(Key::Char(']'), Modifiers::CTRL);
    let mut inputs = Vec::new();
    let mut text = String::new();
    for typed in typed {
        if let DecodedInput::Key(chord, KeyPhase::Press | KeyPhase::Repeat) = &typed
            && let (Key::Char(c), true) = (chord.key(), chord.modifiers().is_empty())
        {
            text.push(c);
            continue;
        }
        // Send the preceding text first, to keep the order.
        if !text.is_empty() {
            inputs.push(TypedInput::Input(
                json!({ "text": std::mem::take(&mut text) }),
            ));
        }
        match typed {
            DecodedInput::Key(chord, _) if chord == leave => {
                inputs.push(TypedInput::Leave);
                return inputs;
            }
            DecodedInput::Key(chord, KeyPhase::Press | KeyPhase::Repeat) => {
                inputs.push(TypedInput::Input(json!({ "key": chord.to_string() })));
            }
            DecodedInput::Paste(pasted) if pasted.len() > MAX_PASTE => {
                inputs.push(TypedInput::TooLong);
            }
            DecodedInput::Paste(pasted) => {
                inputs.push(TypedInput::Input(json!({ "paste": pasted })));
            }
            DecodedInput::Mouse(event) => {
                inputs.push(TypedInput::Input(json!({ "mouse": mouse(event) })));
            }
            // Replies of this terminal are not meant for the program, and unknown sequences are not
            // keys.
            _ => {}
        }
    }
    if !text.is_empty() {
        inputs.push(TypedInput::Input(json!({ "text": text })));
    }
    inputs
}

fn mouse(event: MouseEvent) -> Value {
    let button = |button: Button| match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    };
    let mut output = match event.kind {
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
    let modifiers = [
        ("ctrl", Modifiers::CTRL),
        ("alt", Modifiers::ALT),
        ("shift", Modifiers::SHIFT),
    ];
    let modifiers = modifiers
        .into_iter()
        .filter(|(_, modifier)| event.modifiers.contains(*modifier));
    output["modifiers"] = modifiers.map(|(name, _)| name).collect();
    output["col"] = (event.position.col + 1).into();
    output["row"] = (event.position.row + 1).into();
    output
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
        let mut reader = InputReader::default();
        let mut all = reader.push(bytes, &modes);
        all.extend(reader.pause());
        let output = all.into_iter().map(|input| match input {
            TypedInput::Input(input) => input,
            TypedInput::Leave => "leave".into(),
            TypedInput::TooLong => "too long".into(),
        });
        assert_eq!(output.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn letters_are_text_and_other_keys_have_names() {
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
    fn input_after_the_detach_key_is_ignored() {
        check(b"a\x1db", &[json!({ "text": "a" }), "leave".into()]);
        check(b"\x1b[200~\x1d\x1b[201~", &[json!({ "paste": "\u{1d}" })]);
    }

    #[test]
    fn mouse_events_have_cells_from_one() {
        check(
            b"\x1b[<0;3;2M\x1b[<81;1;1M",
            &[
                json!({ "mouse": { "kind": "press", "button": "left", "col": 3, "row": 2, "modifiers": [] } }),
                json!({ "mouse": { "kind": "wheel", "wheel": "down", "col": 1, "row": 1, "modifiers": ["ctrl"] } }),
            ],
        );
    }

    #[test]
    fn too_long_pastes_are_not_sent() {
        let pasted = format!("\x1b[200~{}\x1b[201~", "x".repeat(MAX_PASTE + 1));
        check(pasted.as_bytes(), &["too long".into()]);
    }
}
