//! What the adapter must do, one idea a file.

use super::Alacritty;
use crate::emulator::{Emulator, Options};
use crate::screen::geometry::Size;

mod bounds;
mod clipboard;
mod counts;
mod differential;
mod images;
mod movement;
mod osc;
mod packed;
mod passed;
mod replies;
mod room;
mod screens;
mod styles;
mod synchronized;
mod unknown;

/// A terminal of 20 columns and 5 rows that was fed some bytes.
fn fed(bytes: &str) -> Alacritty {
    fed_with(Options::default(), bytes)
}

fn fed_with(options: Options, bytes: &str) -> Alacritty {
    let mut emulator = Alacritty::new(Size { cols: 20, rows: 5 }, options);
    emulator.feed(bytes.as_bytes());
    emulator
}

/// Whether the long form of a test was asked for.
fn full() -> bool {
    std::env::var_os("SCREENTEST_FULL").is_some()
}
