use screentest_fixtures::random::Random;

use super::*;
use crate::input::encode_key;
use crate::input::mouse::Wheel;
use crate::{
    Keypad, KittyKeyboard, Modifiers, MouseTracking, Position, input::focus, input::mouse,
    input::paste, input::text,
};

fn decoded(bytes: &[u8], modes: &Modes) -> Vec<DecodedInput> {
    let mut decoder = InputDecoder::new();
    let mut typed = decoder.push(bytes, modes);
    typed.extend(decoder.pause());
    typed.extend(decoder.finish());
    typed
}

#[track_caller]
fn check(bytes: &str, names: &[&str]) {
    let keys: Vec<DecodedInput> = names
        .iter()
        .map(|name| DecodedInput::Key(name.parse().unwrap(), KeyPhase::Press))
        .collect();
    assert_eq!(decoded(bytes.as_bytes(), &Modes::default()), keys);
}

/// Returns mode combinations that change what keys send.
fn all_modes() -> Vec<Modes> {
    let plain = Modes::default();
    let mut all = vec![
        plain,
        Modes {
            application_cursor: true,
            application_keypad: true,
            ..plain
        },
        Modes {
            newline: true,
            ..plain
        },
    ];
    all.extend((1..=KittyKeyboard::all().bits()).map(|bits| Modes {
        kitty_keyboard: KittyKeyboard::from_bits_truncate(bits),
        ..plain
    }));
    all
}

fn all_chords() -> Vec<Chord> {
    let mut keys = vec![
        Key::Enter,
        Key::Esc,
        Key::Tab,
        Key::Backspace,
        Key::Up,
        Key::Down,
        Key::Left,
        Key::Right,
        Key::Home,
        Key::End,
        Key::PageUp,
        Key::PageDown,
        Key::Insert,
        Key::Delete,
        Key::Space,
    ];
    keys.extend((1..=Key::LAST_F).map(Key::F));
    keys.extend((0..=9).map(|digit| Key::Keypad(Keypad::Digit(digit))));
    let keypad = [
        Keypad::Decimal,
        Keypad::Divide,
        Keypad::Multiply,
        Keypad::Subtract,
        Keypad::Add,
        Keypad::Enter,
        Keypad::Equal,
    ];
    keys.extend(keypad.map(Key::Keypad));
    keys.extend((' '..='~').chain("éÉßя界😀".chars()).map(Key::Char));
    let held = (0..=Modifiers::all().bits()).map(Modifiers::from_bits_truncate);
    let chords = held.flat_map(|held| keys.iter().map(move |key| key.with(held)));
    let mut chords: Vec<Chord> = chords.collect();
    let mut known = std::collections::HashSet::new();
    chords.retain(|chord| known.insert(*chord));
    chords
}

#[test]
fn every_key_is_decoded_from_its_bytes() {
    let mut unique = 0;
    for modes in all_modes() {
        let chords = all_chords();
        let mut senders = std::collections::HashMap::<Vec<u8>, usize>::new();
        for chord in &chords {
            *senders
                .entry(encode_key::bytes(*chord, &modes))
                .or_default() += 1;
        }
        for chord in chords {
            let bytes = encode_key::bytes(chord, &modes);
            if bytes.is_empty() || token::first(&bytes).unwrap().kind == TokenKind::Answer {
                // F3 with a modifier looks like a cursor position report.
                assert!(bytes.is_empty() || chord.key() == Key::F(3), "{chord}");
                continue;
            }
            // Ctrl+M is decoded as Enter, although Enter sends more bytes in this mode.
            if modes.newline && bytes.ends_with(b"\r") {
                continue;
            }
            let typed = decoded(&bytes, &modes);
            let again: Vec<u8> = typed
                .iter()
                .flat_map(|typed| match typed {
                    DecodedInput::Key(chord, KeyPhase::Press) => encode_key::bytes(*chord, &modes),
                    other => panic!("{chord} in {modes:?}: {other:?}"),
                })
                .collect();
            assert_eq!(again, bytes, "{chord}, {typed:?}");
            // Alt+Escape sends Escape twice.
            if senders[&bytes] == 1 && !bytes.starts_with(b"\x1b\x1b") {
                unique += 1;
                assert_eq!(
                    typed,
                    [DecodedInput::Key(chord, KeyPhase::Press)],
                    "{modes:?}"
                );
            }
        }
    }
    assert!(unique > 20_000, "{unique}");
}

#[test]
fn the_simplest_key_is_returned_for_ambiguous_bytes() {
    check("\t\r\x1b", &["Tab", "Enter", "Esc"]);
    check("\x7f", &["Backspace"]);
    check(
        "\n\x08\x03\x1f\0",
        &["Ctrl+J", "Ctrl+H", "Ctrl+C", "Ctrl+_", "Ctrl+Space"],
    );
    check("\x1bx\x1bé\x1b[Z", &["Alt+x", "Alt+é", "Shift+Tab"]);
    check("\x1b\x1b[A\x1b\x1b", &["Esc", "Up", "Esc", "Esc"]);
    check("\x1b[\rx", &["Alt+[", "Enter", "x"]);
}

#[test]
fn sequences_of_other_terminals_are_decoded() {
    check(
        "\x1b[1~\x1b[4~\x1b[7~\x1b[8~",
        &["Home", "End", "Home", "End"],
    );
    check("\x1b[11~\x1b[14~", &["F1", "F4"]);
    // xterm's `modifyOtherKeys`, and `CSI u` with Caps Lock.
    check("\x1b[27;5;9~\x1b[97;69u", &["Ctrl+Tab", "Ctrl+A"]);
    // A modifier alone is reported with the key for which it is held.
    check("\x1b[57441;2u\x1b[97:65;2u", &["A"]);
}

#[test]
fn mouse_events_are_decoded_in_every_encoding() {
    let buttons = [Button::Left, Button::Middle, Button::Right];
    let mut kinds = vec![MouseKind::Move(None)];
    for button in buttons {
        kinds.extend([
            MouseKind::Press(button),
            MouseKind::Move(Some(button)),
            MouseKind::Release(button),
        ]);
    }
    kinds.extend([Wheel::Up, Wheel::Down, Wheel::Left, Wheel::Right].map(MouseKind::Wheel));
    for mouse_encoding in [
        MouseEncoding::Sgr,
        MouseEncoding::Default,
        MouseEncoding::Utf8,
    ] {
        let modes = Modes {
            mouse: MouseTracking::Motion,
            mouse_encoding,
            ..Modes::default()
        };
        for (row, col) in [(0, 0), (4, 9), (94, 95), (95, 200), (222, 222)] {
            let mut bytes = Vec::new();
            let mut events = Vec::new();
            for kind in &kinds {
                let event = MouseEvent {
                    kind: *kind,
                    position: Position { row, col },
                    modifiers: Modifiers::CTRL | Modifiers::SHIFT,
                };
                bytes.extend(mouse::bytes(event, &modes).unwrap());
                events.push(DecodedInput::Mouse(event));
            }
            assert_eq!(decoded(&bytes, &modes), events, "{mouse_encoding:?}");
        }
    }
}

#[test]
fn pastes_focus_changes_and_replies_are_distinguished() {
    let modes = Modes {
        bracketed_paste: true,
        focus_events: true,
        ..Modes::default()
    };
    let mut bytes = b"a".to_vec();
    bytes.extend(paste::bytes("two\nlines \x1b[A é", &modes));
    bytes.extend(focus::bytes(Focus::Lost, &modes).unwrap());
    bytes.extend(b"\x1b[?62;22c\x1b]11;rgb:0/0/0\x07\x1b[99x");
    bytes.extend(text::bytes("é", &modes));
    let expected = [
        DecodedInput::Key('a'.into(), KeyPhase::Press),
        DecodedInput::Paste("two\nlines \x1b[A é".into()),
        DecodedInput::Focus(Focus::Lost),
        DecodedInput::Answer(b"\x1b[?62;22c".to_vec()),
        DecodedInput::Answer(b"\x1b]11;rgb:0/0/0\x07".to_vec()),
        DecodedInput::Unknown(b"\x1b[99x".to_vec()),
        DecodedInput::Key('é'.into(), KeyPhase::Press),
    ];
    assert_eq!(decoded(&bytes, &modes), expected);
    // The result does not depend on how the bytes are split.
    for cut in 0..bytes.len() {
        let mut decoder = InputDecoder::new();
        let mut typed = decoder.push(&bytes[..cut], &modes);
        typed.extend(decoder.push(&bytes[cut..], &modes));
        typed.extend(decoder.finish());
        assert_eq!(typed, expected, "cut at {cut}");
    }
    let mut decoder = InputDecoder::new();
    let single = bytes.iter().flat_map(|byte| decoder.push(&[*byte], &modes));
    assert_eq!(single.collect::<Vec<_>>(), expected);
}

#[test]
fn pause_returns_a_lone_escape_but_not_an_incomplete_sequence() {
    let modes = Modes::default();
    let mut decoder = InputDecoder::new();
    assert_eq!(decoder.push(b"\x1b[1;", &modes), []);
    assert_eq!(decoder.pause(), []);
    let up = DecodedInput::Key(Key::Up.ctrl(), KeyPhase::Press);
    assert_eq!(decoder.push(b"5A\x1b", &modes), [up]);
    assert_eq!(decoder.pause(), [press(Key::Esc)]);
    assert_eq!(decoder.push(b"\x1b[200~half", &modes), []);
    assert_eq!(decoder.pause(), []);
    assert_eq!(decoder.finish(), [DecodedInput::Paste("half".into())]);
}

#[test]
fn pause_keeps_an_incomplete_character() {
    for text in ["é", "界", "😀", "\x1bé"] {
        for cut in 1..text.len() {
            let (start, end) = text.as_bytes().split_at(cut);
            // A lone Escape is a key.
            if start == b"\x1b" {
                continue;
            }
            let modes = Modes::default();
            let mut decoder = InputDecoder::new();
            assert_eq!(decoder.push(start, &modes), []);
            assert_eq!(decoder.pause(), [], "{text}, cut at {cut}");
            assert_eq!(
                decoder.push(end, &modes),
                decoded(text.as_bytes(), &modes),
                "{text}, cut at {cut}"
            );
        }
    }
}

#[test]
fn repeats_and_releases_are_not_presses() {
    let typed = decoded(b"\x1b[97;1:1u\x1b[97;1:2u\x1b[97;1:3u", &Modes::default());
    let phases = [KeyPhase::Press, KeyPhase::Repeat, KeyPhase::Release];
    assert_eq!(
        typed,
        phases.map(|phase| DecodedInput::Key('a'.into(), phase))
    );
}

#[test]
fn any_bytes_are_decoded_and_held_bytes_are_bounded() {
    let mut random = Random::new(7);
    for round in 0..3000 {
        let length = random.below(40);
        let bytes: Vec<u8> = (0..length)
            .map(|_| match random.below(3) {
                0 => *b"\x1b[]M<;:u~20\xc3".get(random.below(12)).unwrap_or(&0),
                _ => random.bits() as u8,
            })
            .collect();
        let modes = all_modes()[round % 34];
        let whole = decoded(&bytes, &modes);
        let mut decoder = InputDecoder::new();
        let mut single: Vec<DecodedInput> = bytes
            .iter()
            .flat_map(|byte| decoder.push(&[*byte], &modes))
            .collect();
        single.extend(decoder.pause());
        single.extend(decoder.finish());
        // Single bytes are decoded differently if a key is recognised only because nothing follows
        // it.
        if !bytes
            .windows(2)
            .any(|pair| pair == b"\x1b]" || pair == b"\x1bP" || pair == b"\x1b_")
        {
            assert_eq!(single, whole, "{}", bytes.escape_ascii());
        }
    }
    let mut decoder = InputDecoder::new();
    let endless = decoder.push(
        &[b"\x1b[".as_slice(), &[b'0'; 100_000]].concat(),
        &Modes::default(),
    );
    assert!(matches!(endless[0], DecodedInput::Unknown(_)));
    assert!(decoder.held.len() <= PIECE);
}

/// The result does not depend on how the bytes are split, even for invalid input.
#[test]
fn splitting_invalid_input_does_not_change_the_result() {
    let long = token::LONGEST;
    let strings: [Vec<u8>; 6] = [
        b"\x1b_\x1b\\".to_vec(),
        b"\x1b_\x1b[\x07\t".to_vec(),
        b"\x1b]\x07".to_vec(),
        [b"\x1b]11;", vec![b'x'; long].as_slice(), b"\x07a"].concat(),
        [b"\x1b[", vec![b'1'; long].as_slice(), b"Aa"].concat(),
        [b"\x1b[", vec![b'1'; 2 * long].as_slice(), b"Aa"].concat(),
    ];
    for bytes in strings {
        let whole = decoded(&bytes, &Modes::default());
        let mut decoder = InputDecoder::new();
        let mut cut = Vec::new();
        for byte in bytes.chunks(1) {
            cut.extend(decoder.push(byte, &Modes::default()));
        }
        cut.extend(decoder.finish());
        assert_eq!(cut, whole, "{}", bytes.escape_ascii());
    }
}
