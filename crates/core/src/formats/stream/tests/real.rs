//! How much the screens of real programs take: the cassettes that the library's own tests keep.

use std::path::Path;

use super::*;
use crate::Backend;
use crate::emulator::Options;
use crate::formats::cassette::{EVENTS, EventLine, FRAMES, FrameLine, FrameReader};

/// The most that a screen of 80 by 24 may take, and a change after a key.
const MOST_KEYFRAME: usize = 3 << 10;
const MOST_DELTA: usize = 200;

/// The lines of a file of a recorded program.
fn lines(name: &str, file: &str) -> Vec<Vec<u8>> {
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../screentest/tests/cassettes");
    let path = shelf.join(format!("{name}.cassette")).join(file);
    let bytes = std::fs::read(&path).expect("the cassettes are kept beside the library's tests");
    let lines = bytes.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}

/// What a recorded program showed, one after the other, each with its number among everything that happened.
fn numbered(name: &str) -> Vec<(u64, Seen)> {
    let mut reader = FrameReader::new();
    let lines = lines(name, FRAMES).into_iter().enumerate();
    lines
        .map(|(index, line)| {
            let line = FrameLine::parse(&line, index + 1).unwrap();
            let screen = reader.screen(&line).unwrap().clone();
            (line.seq, Seen::new(screen, 0))
        })
        .collect()
}

fn screens(name: &str) -> Vec<Seen> {
    numbered(name).into_iter().map(|(_, seen)| seen).collect()
}

/// What it showed from one mark to another, with what was shown at the first.
fn between(name: &str, from: &str, to: &str) -> Vec<Seen> {
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
fn screens_of_real_programs_take_little() {
    for name in ["dialog", "less", "nano", "top", "vim"] {
        let screens = screens(name);
        for (index, seen) in screens.iter().enumerate() {
            shown(seen);
            let bytes = keyframe(1, 1000, seen).len();
            assert!(
                bytes <= MOST_KEYFRAME,
                "{name}, screen {index}: {bytes} bytes"
            );
        }
        for pair in screens.windows(2) {
            check_delta(&pair[0], &pair[1]);
        }
    }
}

#[test]
fn a_page_of_coloured_code_takes_little() {
    let size = Size { cols: 80, rows: 24 };
    let mut emulator = Backend::Alacritty.emulator(size, Options::default());
    emulator.feed(&screentest_fixtures::code::page(24));
    let seen = Seen::new(emulator.screen(), 0);
    shown(&seen);
    let bytes = keyframe(1, 1000, &seen).len();
    assert!(bytes <= MOST_KEYFRAME, "{bytes} bytes");
}

#[test]
fn what_a_key_changes_takes_less() {
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
            assert!(bytes <= MOST_DELTA, "{name}: {bytes} bytes");
        }
    }
    // A line down in a pager is a move and two rows.
    for pair in between("less", "drawn", "a line down").windows(2) {
        assert!(check_delta(&pair[0], &pair[1]).len() < 40);
    }
}
