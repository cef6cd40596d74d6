//! Target: the reader of asciicasts.
//!
//! - A recording can be written as version 2 or 3. Reading it back gives the same recording, apart
//!   from the version.
//! - Times never decrease, and none exceeds the maximum.
//! - An error with a line number refers to a line of the file.
//! - Frames match events: the last frame shows the same as feeding all output.

use std::time::Duration;

use screentest_core::formats::asciicast::{Cast, CastEventKind, CastVersion, MAX_TIME};
use screentest_core::{Backend, Size};

use crate::budget::Budget;

/// The work that a resize takes for each cell.
const CELL_MOVES: usize = 16;

/// Larger screens are skipped: they exercise the same code, but slowly.
const MAX_CELLS: usize = 4_000;

/// Reads the bytes as an asciicast.
pub fn check(bytes: &[u8]) {
    let cast = match Cast::parse(bytes) {
        Ok(cast) => cast,
        Err(error) => {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
            assert!(
                error
                    .damaged_line()
                    .is_none_or(|line| (1..=lines).contains(&line)),
                "{error}"
            );
            return;
        }
    };
    let mut last = Duration::ZERO;
    for event in &cast.events {
        assert!(event.time >= last && event.time <= MAX_TIME);
        last = event.time;
    }
    assert_eq!(cast.duration(), last);
    for version in [CastVersion::Two, CastVersion::Three] {
        let again = Cast::parse(cast.to_bytes(version)).expect("written data can be read");
        assert_eq!(again.version, version.number());
        assert_eq!(again.header, cast.header);
        assert_eq!(again.events, cast.events);
        assert_eq!(again.cut_short, None);
    }
    shown(&cast);
}

/// Returns whether playing takes little work.
fn is_cheap(cast: &Cast) -> bool {
    let options = cast.emulator_options();
    let scrollback = options.scrollback;
    let mut emulator = Backend::Vt.emulator(cast.header.size, options);
    let mut budget = Budget::new();
    for event in &cast.events {
        match &event.kind {
            CastEventKind::Output(text) => {
                budget.feed(&mut *emulator, text.as_bytes());
            }
            CastEventKind::Resize(size) => {
                let rows = emulator.screen().scrollback_rows.min(scrollback);
                budget.resize(
                    rows + usize::from(size.rows),
                    CELL_MOVES * usize::from(size.cols),
                );
                if !budget.is_spent() {
                    emulator.resize(*size);
                }
            }
            _ => {}
        }
        if budget.is_spent() {
            return false;
        }
    }
    true
}

fn shown(cast: &Cast) {
    let small = |size: &Size| usize::from(size.cols) * usize::from(size.rows) <= MAX_CELLS;
    let sizes = cast.events.iter().filter_map(|event| match &event.kind {
        CastEventKind::Resize(size) => Some(size),
        _ => None,
    });
    if !sizes.chain([&cast.header.size]).all(small) {
        return;
    }
    if !is_cheap(cast) {
        return;
    }
    let emulator = || Backend::Vt.emulator(cast.header.size, cast.emulator_options());
    let end = cast.state_at(&mut *emulator(), MAX_TIME, 0);
    for close in [Duration::ZERO, Duration::from_millis(20)] {
        let mut emulator = emulator();
        let mut last = None;
        for frame in cast.frames(&mut *emulator, close) {
            assert!(last.as_ref().is_none_or(|(time, _)| *time <= frame.time));
            last = Some((frame.time, frame.screen));
        }
        let (time, screen) = last.expect("the empty screen is a frame");
        assert_eq!(time, cast.duration());
        assert_eq!(screen, end.screen);
    }
}
