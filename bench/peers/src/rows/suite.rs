//! 50 small tests: start `sh`, type a command, wait for its result, exit, and check the exit
//! status.
//!
//! Every contender makes the bare calls (`driver.rs`). Ours also runs as whole tests of the test
//! library, compared with the bare calls of the others.

use crate::bench::Bench;
use crate::contender::OURS;
use crate::measure::{Better, Measure, Samples, median};

pub(super) fn run(bench: &Bench) -> Vec<Measure> {
    let parts = [("one by one", "1"), ("ten at once", "10")].map(|(name, threads)| {
        let row = format!("50 tests, {name}");
        let (mut bare, mut whole) = (Samples::default(), Samples::default());
        bench.turns(
            &row,
            &bench.all_drivers(),
            |contender| {
                let turn = |task| {
                    let turn = contender.turn(&[task, "50", threads])?;
                    Ok::<f64, String>(turn.figures[0] / 1e6)
                };
                let bare = turn("suite")?;
                let whole = match contender.name {
                    OURS => turn("tests")?,
                    _ => bare,
                };
                Ok((bare, whole))
            },
            |contender, (calls, tests)| {
                bare.add(contender, vec![calls]);
                whole.add(contender, vec![tests]);
            },
        );
        let whole_row = format!("the same, ours as whole tests, {name}");
        [
            bare.measure(row, "ms", Better::Less, median),
            whole.measure(whole_row, "ms", Better::Less, median),
        ]
    });
    parts.into_iter().flatten().collect()
}
