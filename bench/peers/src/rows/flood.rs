//! `cat` of a large file, until its last line is visible.
//!
//! Slow contenders get only a small file: the result is a rate, and the others need not wait.

use std::collections::BTreeMap;

use screentest_fixtures::payload::Payload;

use crate::bench::Bench;
use crate::measure::{Better, Measure, Samples, median};

/// Size of the small file: large enough for the start not to matter, and two seconds for the
/// slowest contender.
pub(super) const SMALL: usize = 1_000_000;
/// Contenders below this rate in MB/s get only the small file.
const SLOW: f64 = 8.0;

/// The payloads, with their names in the table.
pub(super) const PAYLOADS: [(&str, Payload); 2] =
    [("plain", Payload::Ascii), ("ANSI-dense", Payload::Sgr)];

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    PAYLOADS
        .map(|(name, payload)| one(bench, name, payload))
        .into()
}

fn one(bench: &Bench, name: &str, payload: Payload) -> Measure {
    let large = file(bench, "large", payload, bench.megabytes * 1_000_000);
    let small = file(bench, "small", payload, SMALL);
    let mut samples = Samples::default();
    let mut slow = BTreeMap::new();
    let rate = |bytes: usize, ns: f64| bytes as f64 / 1e6 / (ns / 1e9);
    bench.turns(
        &format!("flood, {name}"),
        &bench.all_drivers(),
        |contender| {
            let cat = |(path, bytes): &(String, usize)| {
                let turn = contender.turn(&["cat", path])?;
                Ok::<f64, String>(rate(*bytes, turn.figures[0]))
            };
            match slow.get(contender.name) {
                Some(true) => cat(&small),
                Some(false) => cat(&large),
                None => {
                    let first = cat(&small)?;
                    slow.insert(contender.name, first < SLOW);
                    if first < SLOW { Ok(first) } else { cat(&large) }
                }
            }
        },
        |contender, rate| samples.add(contender, vec![rate]),
    );
    samples.measure(format!("throughput, {name}"), "MB/s", Better::More, median)
}

/// Writes a flood with a marker at its end; returns its path and size.
pub(super) fn file(bench: &Bench, name: &str, payload: Payload, length: usize) -> (String, usize) {
    let path = bench.path(&format!("{}-{name}", payload.name()));
    let mut bytes = payload.bytes(length, 80, 24);
    bytes.extend_from_slice(b"\x1b[m\r\nthe-end-marker\r\n");
    std::fs::write(&path, &bytes).expect("the temporary folder has room");
    (path, bytes.len())
}
