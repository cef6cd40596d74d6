//! Sizes of the messages for screens of real programs, from the cassettes of the library's tests.

use std::path::Path;

use super::*;
use crate::Backend;
use crate::emulator::EmulatorOptions;
use crate::formats::cassette::{EVENTS, EventLine, FRAMES, FrameLine, FrameReader};

/// Limits for a screen of 80 by 24, and for a change after a key, in bytes.
const MAX_KEYFRAME: usize = 3 << 10;
const MAX_DELTA: usize = 200;

/// Returns the lines of a file of a recorded program.
fn lines(name: &str, file: &str) -> Vec<Vec<u8>> {
    let cassettes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../screentest/tests/cassettes");
    let path = cassettes.join(format!("{name}.cassette")).join(file);
    let bytes = std::fs::read(&path).expect("the library's tests contain the cassettes");
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

/// Returns the screens of a recorded program, each with its sequence number.
fn numbered(name: &str) -> Vec<(u64, WireScreen)> {
    let mut reader = FrameReader::new();
    let lines = lines(name, FRAMES).into_iter().enumerate();
    lines
        .map(|(index, line)| {
            let line = FrameLine::parse(&line, index + 1).unwrap();
            let screen = reader.screen(&line).unwrap().clone();
            (line.seq, WireScreen::new(screen, 0))
        })
        .collect()
}

fn screens(name: &str) -> Vec<WireScreen> {
    numbered(name).into_iter().map(|(_, seen)| seen).collect()
}

/// Returns the screens from one mark to another, including the one shown at the first.
fn between(name: &str, from: &str, to: &str) -> Vec<WireScreen> {
    let marks: Vec<EventLine> = lines(name, EVENTS)
        .iter()
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let at = |mark: &str| {
        let found = marks.iter().find(|line| line.mark.as_deref() == Some(mark));
        found.unwrap().seq
    };
    let (from, to) = (at(from), at(to));
    let screens = numbered(name);
    let first = screens.iter().rposition(|(seq, _)| *seq < from).unwrap();
    let part = screens.into_iter().skip(first);
    part.take_while(|(seq, _)| *seq < to)
        .map(|(_, seen)| seen)
        .collect()
}

#[test]
fn keyframes_of_real_programs_are_small() {
    for name in ["dialog", "less", "nano", "top", "vim"] {
        let screens = screens(name);
        for (index, seen) in screens.iter().enumerate() {
            shown(seen);
            let bytes = keyframe(1, 1000, seen).len();
            assert!(
                bytes <= MAX_KEYFRAME,
                "{name}, screen {index}: {bytes} bytes"
            );
        }
        for pair in screens.windows(2) {
            check_delta(&pair[0], &pair[1]);
        }
    }
}

#[test]
fn a_keyframe_of_coloured_code_is_small() {
    let size = Size { cols: 80, rows: 24 };
    let mut emulator = Backend::Vt.emulator(size, EmulatorOptions::default());
    emulator.feed(&screentest_fixtures::code::page(24));
    let seen = WireScreen::new(emulator.screen(), 0);
    shown(&seen);
    let bytes = keyframe(1, 1000, &seen).len();
    assert!(bytes <= MAX_KEYFRAME, "{bytes} bytes");
}

#[test]
fn the_delta_after_a_key_is_small() {
    // Moving in a dialog, a line down and a search in a pager, typing in two editors.
    let keys = [
        ("dialog", "drawn", "back"),
        ("less", "drawn", "a line down"),
        ("less", "a page down", "found"),
        ("nano", "drawn", "changed"),
        ("vim", "drawn", "put back"),
    ];
    for (name, from, to) in keys {
        let screens = between(name, from, to);
        assert!(screens.len() > 1, "{name} showed something");
        for pair in screens.windows(2) {
            let bytes = check_delta(&pair[0], &pair[1]).len();
            assert!(bytes <= MAX_DELTA, "{name}: {bytes} bytes");
        }
    }
    // A line down in a pager is one move and two rows.
    for pair in between("less", "drawn", "a line down").windows(2) {
        assert!(check_delta(&pair[0], &pair[1]).len() < 40);
    }
}
