//! Tests of the adapter, one topic per file.

use super::Alacritty;
use crate::emulator::{Emulator, EmulatorOptions};
use crate::screen::geometry::Size;

mod bounds;
mod clipboard;
mod colors;
mod compressed_scrollback;
mod counts;
mod differential;
mod images;
mod movement;
mod osc;
mod replies;
mod screens;
mod scrollback_growth;
mod styles;
mod synchronized;
mod transient_screens;
mod unknown;

/// Returns a terminal of 20 columns and 5 rows after some bytes.
fn fed(bytes: &str) -> Alacritty {
    fed_with(EmulatorOptions::default(), bytes)
}

fn fed_with(options: EmulatorOptions, bytes: &str) -> Alacritty {
    let mut emulator = Alacritty::new(Size { cols: 20, rows: 5 }, options);
    emulator.feed(bytes.as_bytes());
    emulator
}

/// Returns whether the long form of the tests was requested.
fn full() -> bool {
    std::env::var_os("SCREENTEST_FULL").is_some()
}
