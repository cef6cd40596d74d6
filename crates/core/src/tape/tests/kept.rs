//! The two tapes with everything in them.

use super::{BETAMAX, VHS, read};
use crate::tape::{Command, Dialect, parse};

#[test]
fn everything_that_vhs_says_is_understood() {
    let commands = read(VHS, Dialect::Vhs);
    let sets = commands
        .iter()
        .filter(|each| matches!(each, Command::Set(_)));
    assert_eq!((commands.len(), sets.count()), (93, 24));
}

#[test]
fn everything_that_betamax_says_is_understood_by_its_own_line() {
    let (tape, report) = parse(BETAMAX, "b.tape", None);
    assert!(report.is_empty(), "{report}");
    assert_eq!(tape.dialect, Dialect::Betamax);
    let sets = tape.meaning();
    let sets = sets.iter().filter(|each| matches!(each, Command::Set(_)));
    assert_eq!((tape.commands.len(), sets.count()), (90, 23));
}

/// A dialect that is asked for wins over the tape's own line.
#[test]
fn who_asks_for_a_dialect_gets_it() {
    let (tape, _) = parse(BETAMAX, "b.tape", Some(Dialect::Vhs));
    assert_eq!(tape.dialect, Dialect::Vhs);
    let (tape, report) = parse("\u{feff}#dialect: vhs\nEnter", "c.tape", None);
    assert_eq!((tape.dialect, report.is_empty()), (Dialect::Vhs, true));
    let (_, report) = parse("\n# dialect:  betamx \nEnter", "c.tape", None);
    let found = &report.diagnostics[0];
    assert_eq!(found.place.text(), "betamx");
    assert_eq!(found.nearest.as_deref(), Some("betamax"));
    // Behind a command it is a comment like any other.
    let (tape, _) = parse("Enter\n# dialect: betamax", "c.tape", None);
    assert_eq!(tape.dialect, Dialect::Vhs);
}
