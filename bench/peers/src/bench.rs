//! A run: the contenders, their inputs and the order of turns.

use std::path::PathBuf;

use crate::clock::monotonic;
use crate::contender::{Contender, ContenderKind, FLOOR, OURS, Tools, drivers, others};
use crate::measure::Samples;

/// Seconds that a contender may take for a row. After that it drops out of the later rounds. Ours
/// and the lower bound stay, however slow they are.
const BUDGET: f64 = 10.0;
/// Minimum number of rounds before a slow contender drops out, unless it has taken more than three
/// times [`BUDGET`] before that.
const AT_LEAST: usize = 2;

/// Everything that a row needs.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) tools: Tools,
    pub(crate) drivers: Vec<Contender>,
    pub(crate) others: Vec<Contender>,
    pub(crate) rounds: usize,
    /// Size of a flood.
    pub(crate) megabytes: usize,
    /// Folder for temporary files.
    pub(crate) scratch: PathBuf,
}

impl Bench {
    pub(crate) fn prepare(scratch: PathBuf) -> Bench {
        let tools = Tools::prepare(&scratch);
        Bench {
            drivers: drivers(&tools),
            others: others(&tools),
            tools,
            rounds: number("SCREENTEST_BENCH_ROUNDS", 9),
            megabytes: number("SCREENTEST_BENCH_MB", 50),
            scratch,
        }
    }

    /// Returns the contender with this name.
    pub(crate) fn named(&self, name: &str) -> &Contender {
        let mut all = self.drivers.iter().chain(&self.others);
        all.find(|contender| contender.name == name)
            .expect("the contender is in the list")
    }

    /// Returns the contenders with a screen.
    pub(crate) fn with_screens(&self) -> Vec<&Contender> {
        let screens = self.drivers.iter();
        screens
            .filter(|c| c.kind == ContenderKind::Screen)
            .collect()
    }

    /// Returns all contenders that drive programs.
    pub(crate) fn all_drivers(&self) -> Vec<&Contender> {
        self.drivers.iter().collect()
    }

    /// Returns a path in the folder for temporary files.
    pub(crate) fn path(&self, name: &str) -> String {
        self.scratch.join(name).to_string_lossy().into_owned()
    }

    /// Runs the contenders in turns and passes the result of each turn to `take`.
    pub(crate) fn turns<'a, T>(
        &self,
        row: &str,
        contenders: &[&'a Contender],
        turn: impl FnMut(&Contender) -> Result<T, String>,
        take: impl FnMut(&'a Contender, T),
    ) {
        rounds(self.rounds, row, contenders, turn, take);
    }

    /// Like `turns`, with one round: for results that do not depend on the load of the machine.
    pub(crate) fn once<'a, T>(
        &self,
        row: &str,
        contenders: &[&'a Contender],
        turn: impl FnMut(&Contender) -> Result<T, String>,
        take: impl FnMut(&'a Contender, T),
    ) {
        rounds(1, row, contenders, turn, take);
    }

    /// Like `turns`, for tasks that print only figures.
    pub(crate) fn figures(
        &self,
        row: &str,
        contenders: &[&Contender],
        task: &[&str],
        scale: f64,
    ) -> Samples {
        let mut samples = Samples::default();
        self.turns(
            row,
            contenders,
            |contender| contender.turn(task),
            |contender, turn| {
                let figures = turn.figures.iter().map(|figure| figure / scale);
                samples.add(contender, figures.collect());
            },
        );
        samples
    }
}

fn rounds<'a, T>(
    count: usize,
    row: &str,
    contenders: &[&'a Contender],
    mut turn: impl FnMut(&Contender) -> Result<T, String>,
    mut take: impl FnMut(&'a Contender, T),
) {
    say(&format!("{row} …"));
    let mut spent = vec![0.0; contenders.len()];
    let mut out = vec![false; contenders.len()];
    for round in 0..count {
        // Each round begins with another contender, so that none is always the first.
        for place in 0..contenders.len() {
            let who = (place + round) % contenders.len();
            let contender = contenders[who];
            if out[who] {
                continue;
            }
            let start = monotonic();
            match turn(contender) {
                Ok(came) => take(contender, came),
                Err(error) => {
                    say(&format!("{row}: {} drops out: {error}", contender.name));
                    out[who] = true;
                }
            }
            spent[who] += (monotonic() - start) / 1e9;
            let stays = [OURS, FLOOR].contains(&contender.name);
            let slow = round + 1 >= AT_LEAST && spent[who] > BUDGET;
            out[who] |= !stays && (slow || spent[who] > 3.0 * BUDGET);
        }
    }
    let seconds: f64 = spent.iter().sum();
    say(&format!("{row}: {seconds:.0} s"));
}

/// Reads a number from an environment variable.
fn number(variable: &str, otherwise: usize) -> usize {
    let value = std::env::var(variable).ok();
    value
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// Prints progress to stderr.
#[expect(clippy::print_stderr, reason = "only the table goes to stdout")]
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}
