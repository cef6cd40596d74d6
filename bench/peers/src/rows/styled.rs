//! Reading a screen of 200x50 with every colour and attribute, as a styled snapshot does.
//!
//! tmux provides no cells, only text with escape sequences that is not parsed here.

use screentest_fixtures::payload::Payload;

use crate::bench::Bench;
use crate::measure::{Better, Measure, median};

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let mut bytes = Payload::Sgr.bytes(64 << 10, 200, 50);
    bytes.extend_from_slice(b"\x1b[m\r\nthe-end-marker");
    let file = bench.path("styled");
    std::fs::write(&file, bytes).expect("the temporary folder has room");
    let task = ["styled", "100", &file];
    let samples = bench.figures("styled", &bench.with_screens(), &task, 1e3);
    vec![samples.measure("200x50 cells with styles", "µs", Better::Less, median)]
}
