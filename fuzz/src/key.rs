//! Target: the readers of key names and of key sequences.
//!
//! - The name of every chord, parsed from a name or decoded from bytes, parses to the same chord.
//! - The bytes of a chord are read as keys that send the same bytes. Only F3 with modifiers may be
//!   read as a cursor position report, which has the same bytes (`CSI 1 ; 6 R`).
//! - Typed bytes give the same keys however they are split, and no byte is held back at the end.
//! - The tokens of typed bytes are consecutive and cover all of them.

use screentest_core::input::decode::{DecodedInput, InputDecoder};
use screentest_core::input::encode_key::KeyPhase;
use screentest_core::input::{encode_key, token};
use screentest_core::screen::modes::KittyKeyboard;
use screentest_core::{Chord, Key, Modes, MouseEncoding, MouseTracking};

/// The first two bytes select the terminal modes; the rest is read as a name and as typed bytes.
pub fn check(bytes: &[u8]) {
    let [one, two, rest @ ..] = bytes else {
        return;
    };
    let modes = modes(*one, *two);
    if let Ok(name) = std::str::from_utf8(rest) {
        named(name, &modes);
    }
    tokens(rest);
    typed(rest, &modes);
}

fn modes(one: u8, two: u8) -> Modes {
    Modes {
        application_cursor: one & 1 != 0,
        application_keypad: one & 2 != 0,
        bracketed_paste: one & 4 != 0,
        focus_events: one & 8 != 0,
        newline: one & 16 != 0,
        mouse: match one >> 5 {
            0..=3 => MouseTracking::Off,
            4 | 5 => MouseTracking::Clicks,
            6 => MouseTracking::Drags,
            _ => MouseTracking::Motion,
        },
        kitty_keyboard: KittyKeyboard::from_bits_truncate(two & 31),
        mouse_encoding: match two >> 5 {
            0..=3 => MouseEncoding::Sgr,
            4 | 5 => MouseEncoding::Utf8,
            _ => MouseEncoding::Default,
        },
        ..Modes::default()
    }
}

fn named(name: &str, modes: &Modes) {
    match name.parse::<Chord>() {
        Ok(chord) => {
            same_name(chord);
            for phase in [KeyPhase::Press, KeyPhase::Repeat, KeyPhase::Release] {
                sent(chord, phase, modes);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn same_name(chord: Chord) {
    assert_eq!(chord.to_string().parse(), Ok(chord));
}

fn sent(chord: Chord, phase: KeyPhase, modes: &Modes) {
    let bytes = encode_key::phase_bytes(chord, phase, modes);
    let mut again = Vec::new();
    for typed in read(&bytes, modes, bytes.len().max(1)) {
        match typed {
            DecodedInput::Key(chord, phase) => {
                again.extend(encode_key::phase_bytes(chord, phase, modes));
            }
            DecodedInput::Answer(answer) if chord.key() == Key::F(3) => again.extend(answer),
            other => panic!("{chord} sends {}, read as {other:?}", bytes.escape_ascii()),
        }
    }
    assert_eq!(again, bytes, "{chord}");
}

fn tokens(bytes: &[u8]) {
    let mut at = 0;
    let mut count = 0;
    while let Some(token) = token::first(&bytes[at..]) {
        assert!(token.length > 0);
        at += token.length;
        count += 1;
        assert!(at <= bytes.len());
    }
    assert_eq!(at, bytes.len());
    assert_eq!(token::count(bytes), count);
    assert_eq!(token::keys(bytes, count), Some(bytes.len()));
}

fn typed(bytes: &[u8], modes: &Modes) {
    let whole = read(bytes, modes, bytes.len().max(1));
    assert_eq!(read(bytes, modes, 1), whole);
    assert_eq!(read(bytes, modes, 3), whole);
    for typed in whole {
        if let DecodedInput::Key(chord, _) = typed {
            same_name(chord);
        }
    }
}

/// Decodes all bytes, in pieces of this length.
fn read(bytes: &[u8], modes: &Modes, piece: usize) -> Vec<DecodedInput> {
    let mut decoder = InputDecoder::new();
    let mut typed: Vec<DecodedInput> = bytes
        .chunks(piece)
        .flat_map(|piece| decoder.push(piece, modes))
        .collect();
    typed.extend(decoder.finish());
    assert_eq!(decoder.finish(), []);
    typed
}
