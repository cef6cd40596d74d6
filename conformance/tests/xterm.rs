//! Our emulator against what a real xterm answered, without xterm.

use conformance::known::{self, Known};
use conformance::report::{self, Outcome};
use conformance::suite::{PROGRAMS, Suite};
use screentest_core::Backend;

const REPEAT: &str = "`cargo xtask conformance --stored` prints the differences, and with `--update` writes the list";

#[test]
fn differences_from_xterm_are_those_that_are_listed() {
    let suite = Suite::read(&Suite::folder()).unwrap();
    let outcomes = suite.compare_with_answers(Backend::default()).unwrap();
    let list = std::fs::read_to_string(suite.known_file()).unwrap();
    let listed = known::parse(&list).unwrap();
    let found = report::known(&outcomes);
    let new = missing(&found, &listed);
    let gone = missing(&listed, &found);
    assert!(
        new.is_empty(),
        "not listed in known.txt: {new:#?}\n{REPEAT}"
    );
    assert!(
        gone.is_empty(),
        "listed in known.txt, but equal: {gone:#?}\n{REPEAT}"
    );
}

/// Returns the entries of one list that the other does not have.
fn missing(of: &Known, other: &Known) -> Vec<String> {
    let entries = of
        .iter()
        .filter(|(place, aspects)| other.get(place) != Some(aspects));
    let entries = entries.map(|(place, aspects)| {
        let aspects: Vec<String> = aspects.iter().map(ToString::to_string).collect();
        format!("{place} | {}", aspects.join(", "))
    });
    entries.collect()
}

#[test]
fn a_reason_is_given_only_for_a_difference() {
    let suite = Suite::read(&Suite::folder()).unwrap();
    let outcomes = suite.compare_with_answers(Backend::default()).unwrap();
    let stale = |outcome: &Outcome| {
        let aspects = outcome.stale.iter();
        let aspects = aspects.map(|aspect| format!("{} | {aspect}", outcome.place));
        aspects.collect::<Vec<_>>()
    };
    let stale: Vec<String> = outcomes.iter().flat_map(stale).collect();
    assert!(
        stale.is_empty(),
        "equal, so the reason can be removed: {stale:#?}"
    );
}

#[test]
fn every_answer_belongs_to_a_probe() {
    let suite = Suite::read(&Suite::folder()).unwrap();
    assert!(
        suite.unused_answers.is_empty(),
        "{:?}",
        suite.unused_answers
    );
    let programs = suite
        .cases
        .iter()
        .filter(|case| case.place.topic == PROGRAMS);
    assert!(programs.count() >= 200);
    assert!(suite.cases.len() >= 1000);
}
