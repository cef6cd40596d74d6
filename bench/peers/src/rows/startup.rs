//! Time from the call that starts a program to its first matched output.

use crate::bench::Bench;
use crate::measure::{Better, Measure, median};

/// Per round.
const TIMES: &str = "10";

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let samples = bench.figures("startup", &bench.all_drivers(), &["startup", TIMES], 1e6);
    vec![samples.measure("start-up", "ms", Better::Less, median)]
}
