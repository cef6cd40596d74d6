//! Results, as a table and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::json;

use crate::Observation;
use crate::difference::{self, Aspect, Difference};
use crate::known::{Known, Place};
use crate::suite::{Case, PROGRAMS};
use crate::unicode::Tally;

/// The comparison of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Topic and name.
    pub place: Place,
    /// The differences that have no reason.
    pub unexplained: Vec<Difference>,
    /// The differences that have a reason.
    pub explained: Vec<(Difference, String)>,
    /// Aspects for which a reason is given although they are equal.
    pub stale: Vec<Aspect>,
}

impl Outcome {
    /// Compares our state with xterm's.
    pub fn new(case: &Case, ours: &Observation, xterm: &Observation) -> Outcome {
        let differences = difference::compare(ours, xterm);
        let aspects = difference::aspects(&differences);
        let stale = case
            .differs
            .keys()
            .filter(|aspect| !aspects.contains(aspect));
        let stale = stale.copied().collect();
        let (mut explained, mut unexplained) = (Vec::new(), Vec::new());
        for found in differences {
            match case.differs.get(&found.aspect) {
                Some(reason) => explained.push((found, reason.clone())),
                None => unexplained.push(found),
            }
        }
        Outcome {
            place: case.place.clone(),
            unexplained,
            explained,
            stale,
        }
    }

    /// Returns the aspects that differ without a reason.
    pub fn aspects(&self) -> BTreeSet<Aspect> {
        difference::aspects(&self.unexplained)
    }
}

/// Returns the differences without a reason, as they are listed in a file.
pub fn known(outcomes: &[Outcome]) -> Known {
    let different = outcomes
        .iter()
        .filter(|outcome| !outcome.unexplained.is_empty());
    different
        .map(|outcome| (outcome.place.clone(), outcome.aspects()))
        .collect()
}

/// The figures of a topic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Number of cases.
    pub cases: usize,
    /// Equal in every aspect.
    pub equal: usize,
    /// Different, and every difference has a reason.
    pub explained: usize,
    /// Different without a reason.
    pub different: usize,
}

impl Figures {
    fn add(&mut self, outcome: &Outcome) {
        self.cases += 1;
        match (outcome.unexplained.is_empty(), outcome.explained.is_empty()) {
            (true, true) => self.equal += 1,
            (true, false) => self.explained += 1,
            (false, _) => self.different += 1,
        }
    }

    fn row(self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        let Figures {
            cases,
            equal,
            explained,
            different,
        } = self;
        writeln!(
            f,
            "| {name} | {cases} | {equal} | {explained} | {different} |"
        )
    }
}

/// The figures by topic, as a Markdown table.
#[derive(Debug)]
pub struct FiguresTable<'a>(pub &'a [Outcome]);

impl FiguresTable<'_> {
    fn figures(&self) -> BTreeMap<&str, Figures> {
        let mut topics: BTreeMap<&str, Figures> = BTreeMap::new();
        for outcome in self.0 {
            topics.entry(&outcome.place.topic).or_default().add(outcome);
        }
        topics
    }
}

impl fmt::Display for FiguresTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| topic | probes | equal | different with reason | different |"
        )?;
        writeln!(f, "|---|---|---|---|---|")?;
        let mut probes = Figures::default();
        for outcome in self
            .0
            .iter()
            .filter(|outcome| outcome.place.topic != PROGRAMS)
        {
            probes.add(outcome);
        }
        for (topic, figures) in self.figures() {
            if topic != PROGRAMS {
                figures.row(f, topic)?;
            }
        }
        probes.row(f, "**all probes**")?;
        if let Some(programs) = self.figures().get(PROGRAMS) {
            programs.row(f, "**recorded programs** (checkpoints)")?;
        }
        Ok(())
    }
}

/// Writes everything as JSON.
pub fn to_json(
    emulator: &str,
    xterm: &str,
    outcomes: &[Outcome],
    unicode: &BTreeMap<String, Tally>,
) -> String {
    let topics: Vec<_> = FiguresTable(outcomes)
        .figures()
        .into_iter()
        .map(|(topic, figures)| {
            json!({
                "topic": topic,
                "probes": figures.cases,
                "equal": figures.equal,
                "explained": figures.explained,
                "different": figures.different,
            })
        })
        .collect();
    let mut differences = Vec::new();
    for outcome in outcomes {
        let explained = outcome
            .explained
            .iter()
            .map(|(found, reason)| (found, Some(reason)));
        let all = outcome.unexplained.iter().map(|found| (found, None));
        for (found, reason) in all.chain(explained) {
            differences.push(json!({
                "topic": outcome.place.topic,
                "probe": outcome.place.name,
                "aspect": found.aspect.to_string(),
                "place": found.place,
                "ours": found.ours,
                "xterm": found.xterm,
                "reason": reason,
            }));
        }
    }
    let unicode: Vec<_> = unicode
        .iter()
        .map(
            |(kind, tally)| json!({ "kind": kind, "sequences": tally.all, "failed": tally.failed }),
        )
        .collect();
    let value = json!({
        "emulator": emulator,
        "xterm": xterm,
        "topics": topics,
        "differences": differences,
        "unicode": unicode,
    });
    format!("{value:#}\n")
}
