//! 50 small tests: start `sh`, type a command, wait for its result, leave, and see that all went well.
//!
//! Ours are whole tests of the test library; those of the others are the bare calls (`driver.rs`).

use crate::bench::Bench;
use crate::measure::{Better, Measure, median};

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    [("one by one", "1"), ("ten at once", "10")]
        .map(|(name, threads)| {
            let row = format!("50 tests, {name}");
            let samples = bench.figures(&row, &bench.all_drivers(), &["suite", "50", threads], 1e6);
            samples.measure(row, "ms", Better::Less, median)
        })
        .into()
}
