//! Screens for the tests, and a compact text form of results.

use crate::{Backend, Match, Screen, Size, State, emulator};

/// Returns the screen after a program printed `lines` on a terminal of `cols` columns.
pub(super) fn screen(cols: u16, lines: &[&str]) -> Screen {
    state(cols, lines.len() as u16 + 2, &lines.join("\r\n")).screen
}

/// Returns the state after a program wrote `bytes`.
pub(super) fn state(cols: u16, rows: u16, bytes: &str) -> State {
    let size = Size { cols, rows };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.state(100)
}

/// Formats a match as its position, counted from 0, and its text: `1:4 Save`.
pub(super) fn shown(found: &Match) -> String {
    let at = found.position();
    format!("{}:{} {}", at.row, at.col, found.text())
}
