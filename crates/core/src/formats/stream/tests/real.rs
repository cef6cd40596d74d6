//! How much the screens of real programs take: the cassettes that the library's own tests keep.

use std::path::Path;

use super::*;
use crate::Backend;
use crate::emulator::Options;
use crate::formats::cassette::{FRAMES, FrameLine, FrameReader};

/// The most that a screen of 80 by 24 may take, and a change after a key.
const MOST_KEYFRAME: usize = 3 << 10;
const MOST_DELTA: usize = 200;

/// What a recorded program showed, one after the other.
fn screens(name: &str) -> Vec<Seen> {
    let shelf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../screentest/tests/cassettes");
    let path = shelf.join(format!("{name}.cassette")).join(FRAMES);
    let lines = std::fs::read(&path).expect("the cassettes are kept beside the library's tests");
    let mut reader = FrameReader::new();
    let lines = lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty());
    lines
        .enumerate()
        .map(|(index, line)| {
            let line = FrameLine::parse(line, index + 1).unwrap();
            Seen::new(reader.screen(&line).unwrap().clone(), 0)
        })
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
    // Which screens came before and after keys: moving in a dialog, a line down and a search in a pager, typing in two editors.
    let keys = [
        ("dialog", 1..=6),
        ("less", 2..=3),
        ("less", 4..=5),
        ("nano", 10..=14),
        ("vim", 5..=12),
    ];
    for (name, keys) in keys {
        let screens = screens(name);
        for pair in screens[keys].windows(2) {
            let bytes = check_delta(&pair[0], &pair[1]).len();
            assert!(bytes <= MOST_DELTA, "{name}: {bytes} bytes");
        }
    }
    // A line down in a pager is a move and two rows.
    let less = screens("less");
    assert!(check_delta(&less[2], &less[3]).len() < 40);
}
