//! Screens for the tests, and a compact text form of matches.

use crate::{Backend, Match, Screen, Selector, Size, emulator};

/// Returns the screen after a program wrote `bytes` to a terminal of `cols` columns.
pub(super) fn screen(cols: u16, rows: u16, bytes: &str) -> Screen {
    let size = Size { cols, rows };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.screen()
}

/// Formats a match as its rows and columns, and its text: `1:4-8 "Save"`, `0:6-8 1:0-3 "hello"`.
/// Counted from 0; ends are exclusive, as in [`crate::query::match_::MatchSpan`].
pub(super) fn shown(found: &Match) -> String {
    let mut shown = String::new();
    for span in found.spans() {
        shown += &format!("{}:{}-{} ", span.row, span.cols.start, span.cols.end);
    }
    format!("{shown}{:?}", found.text())
}

/// Checks all matches of a selector.
#[track_caller]
pub(super) fn check(screen: &Screen, selector: impl Into<Selector>, found: &[&str]) {
    let selector = selector.into();
    let matches = selector.matches(screen);
    let actual: Vec<String> = matches.iter().map(shown).collect();
    assert_eq!(actual, found, "{selector} on\n{screen}");
    assert_eq!(selector.is_visible(screen), !found.is_empty());
}
