//! A run: who takes part, with what, and how turns are taken.

use std::path::PathBuf;

use crate::clock::monotonic;
use crate::contender::{Contender, FLOOR, Kind, OURS, Tools, drivers, others};
use crate::measure::Samples;

/// From this many seconds on, a contender drops out of the later rounds of a row...
const BUDGET: f64 = 10.0;
/// ... but not before this many rounds, unless one alone takes three times as long.
const AT_LEAST: usize = 2;

/// Everything that a row needs.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) tools: Tools,
    pub(crate) drivers: Vec<Contender>,
    pub(crate) others: Vec<Contender>,
    pub(crate) rounds: usize,
    /// The size of a flood.
    pub(crate) megabytes: usize,
    /// A folder for what is made on the way.
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

    /// The contender of that name.
    pub(crate) fn named(&self, name: &str) -> &Contender {
        let mut all = self.drivers.iter().chain(&self.others);
        all.find(|contender| contender.name == name)
            .expect("it is in the list")
    }

    /// Those who have a screen.
    pub(crate) fn with_screens(&self) -> Vec<&Contender> {
        let screens = self.drivers.iter();
        screens.filter(|c| c.kind == Kind::Screen).collect()
    }

    /// All that drive programs.
    pub(crate) fn all_drivers(&self) -> Vec<&Contender> {
        self.drivers.iter().collect()
    }

    /// A path in the folder for what is made on the way.
    pub(crate) fn path(&self, name: &str) -> String {
        self.scratch.join(name).to_string_lossy().into_owned()
    }

    /// Lets contenders take turns; what each turn came to is given to `take`.
    pub(crate) fn turns<'a, T>(
        &self,
        row: &str,
        contenders: &[&'a Contender],
        turn: impl FnMut(&Contender) -> Result<T, String>,
        take: impl FnMut(&'a Contender, T),
    ) {
        rounds(self.rounds, row, contenders, turn, take);
    }

    /// The same, once: for what does not depend on how busy a machine is.
    pub(crate) fn once<'a, T>(
        &self,
        row: &str,
        contenders: &[&'a Contender],
        turn: impl FnMut(&Contender) -> Result<T, String>,
        take: impl FnMut(&'a Contender, T),
    ) {
        rounds(1, row, contenders, turn, take);
    }

    /// The same, where a turn is a task and its figures are all there is.
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
        // Another one begins each time, so that nobody always follows the same neighbour.
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

/// A number from the environment.
fn number(variable: &str, otherwise: usize) -> usize {
    let told = std::env::var(variable).ok();
    told.and_then(|value| value.parse().ok())
        .unwrap_or(otherwise)
}

/// What goes on, for who waits.
#[expect(clippy::print_stderr, reason = "the table alone goes to stdout")]
pub(crate) fn say(line: &str) {
    eprintln!("{line}");
}
