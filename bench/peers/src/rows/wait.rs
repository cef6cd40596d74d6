//! Time from a program's write to the return of the wait, and the processor time meanwhile.
//!
//! The child writes the time at an unpredictable moment (`floor.c`). A wait that polls at intervals
//! is late by half an interval on average. A wait that polls without pause is early and keeps a
//! processor busy, which the last row shows.

use crate::bench::Bench;
use crate::measure::{Better, Measure, Samples, median, p99};

/// Per round.
const TIMES: usize = 40;

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let (mut taken, mut cpu_time) = (Samples::default(), Samples::default());
    let child = bench.tools.floor.to_string_lossy();
    let task = ["wait", &TIMES.to_string(), &child];
    bench.turns(
        "wait",
        &bench.all_drivers(),
        |contender| contender.turn(&task),
        |contender, turn| {
            taken.add(contender, turn.figures.iter().map(|ns| ns / 1e3).collect());
            if let Some(ns) = turn.cpu_time {
                cpu_time.add(contender, vec![ns / 1e3 / TIMES as f64]);
            }
        },
    );
    vec![
        taken.measure("wait, p50", "µs", Better::Less, median),
        taken.measure("wait, p99", "µs", Better::Less, p99),
        cpu_time.measure("processor for a wait", "µs", Better::Less, median),
    ]
}
