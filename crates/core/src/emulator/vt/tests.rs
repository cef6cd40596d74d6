//! Tests of the terminal, one topic per file.

use super::Vt;
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::Size;

mod bounds;
mod clipboard;
mod colors;
mod counts;
mod differential;
mod images;
mod margins;
mod movement;
mod osc;
mod packed_lines;
mod presentation;
mod protection;
mod replies;
mod screens;
mod sequences;
mod styles;
mod synchronized;
mod transient_screens;
mod unknown;

/// Returns a terminal of 20 columns and 5 rows after some bytes.
fn fed(bytes: &str) -> Vt {
    fed_with(EmulatorOptions::default(), bytes)
}

fn fed_with(options: EmulatorOptions, bytes: &str) -> Vt {
    let mut emulator = Vt::new(Size { cols: 20, rows: 5 }, options);
    emulator.feed(bytes.as_bytes());
    emulator
}

/// Returns whether the long form of the tests was requested.
fn full() -> bool {
    std::env::var_os("SCREENTEST_FULL").is_some()
}
