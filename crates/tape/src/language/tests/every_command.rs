//! Tests of the two tapes with every command.

use super::{BETAMAX, VHS, read};
use crate::language::{Command, Dialect, parse};

#[test]
fn every_vhs_command_is_parsed() {
    let commands = read(VHS, Dialect::Vhs);
    let sets = commands
        .iter()
        .filter(|each| matches!(each, Command::Set(_)));
    assert_eq!((commands.len(), sets.count()), (93, 24));
}

#[test]
fn every_betamax_command_is_parsed_with_the_dialect_comment() {
    let (tape, report) = parse(BETAMAX, "b.tape", None);
    assert!(report.is_empty(), "{report}");
    assert_eq!(tape.dialect, Dialect::Betamax);
    let sets = tape.meaning();
    let sets = sets.iter().filter(|each| matches!(each, Command::Set(_)));
    assert_eq!((tape.commands.len(), sets.count()), (90, 23));
}

/// A given dialect overrides the tape's own comment.
#[test]
fn a_given_dialect_overrides_the_comment() {
    let (tape, _) = parse(BETAMAX, "b.tape", Some(Dialect::Vhs));
    assert_eq!(tape.dialect, Dialect::Vhs);
    let (tape, report) = parse("\u{feff}#dialect: vhs\nEnter", "c.tape", None);
    assert_eq!((tape.dialect, report.is_empty()), (Dialect::Vhs, true));
    let (_, report) = parse("\n# dialect:  betamx \nEnter", "c.tape", None);
    let found = &report.diagnostics[0];
    assert_eq!(found.span.text(), "betamx");
    assert_eq!(found.nearest.as_deref(), Some("betamax"));
    // After a command it is an ordinary comment.
    let (tape, _) = parse("Enter\n# dialect: betamax", "c.tape", None);
    assert_eq!(tape.dialect, Dialect::Vhs);
}
