//! Tests that formatting keeps the meaning of a tape and is idempotent.

use super::{BETAMAX, VHS};
use crate::language::{Dialect, format, parse};
use screentest_fixtures::random::{Random, rounds};

#[track_caller]
fn check(text: &str, dialect: Dialect) -> String {
    let laid_out =
        format(text, "a.tape", Some(dialect)).unwrap_or_else(|report| panic!("{report}"));
    let before = parse(text, "a.tape", Some(dialect)).0;
    let (after, report) = parse(&laid_out, "a.tape", Some(dialect));
    assert!(!report.has_errors(), "{report}\n{laid_out}");
    assert_eq!(before.meaning(), after.meaning(), "{laid_out}");
    let again = format(&laid_out, "a.tape", Some(dialect));
    assert_eq!(again.as_ref(), Ok(&laid_out));
    laid_out
}

#[test]
fn spacing_changes_and_words_do_not() {
    let text = "\u{feff}\r\n\n#!tape\n#  two\t\n##\n\n\n\nType   @ 1  s  \"a  b\"   'c' #why\nCtrl +\tc 3\nSleep 2 seconds  Enter\nSleep 0.5\nSet LoopOffset 20 %\nType\n'x'\nSet Theme {\n  \"red\": \"#ff0000\" }\nExpect   \"a\"  nth   0   # x\nWait+Screen @ 5s   /a  b/\nExpect + Anytime  \"a\"\n\n\n";
    assert_eq!(
        check(text, Dialect::Vhs),
        "#!tape\n#  two\n##\n\nType@1s \"a  b\" 'c' # why\nCtrl+c 3\nSleep 2s Enter\nSleep 0.5s\nSet LoopOffset 20%\nType\n  'x'\nSet Theme {\n  \"red\": \"#ff0000\" }\nExpect \"a\"  nth   0 # x\nWait+Screen@5s /a  b/\nExpect+Anytime \"a\"\n"
    );
    assert_eq!(check("", Dialect::Vhs), "");
    assert_eq!(check("\n\n # a", Dialect::Vhs), "# a\n");
}

#[test]
fn the_tapes_with_every_command_keep_their_meaning() {
    check(VHS, Dialect::Vhs);
    check(BETAMAX, Dialect::Betamax);
}

#[test]
fn a_tape_with_errors_is_not_formatted() {
    let report = format("Enter\nSlep", "a.tape", None).unwrap_err();
    assert_eq!(report.diagnostics.len(), 1);
}

#[test]
fn every_tape_keeps_its_meaning() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let (source, dialect) = random.pick(&[(VHS, Dialect::Vhs), (BETAMAX, Dialect::Betamax)]);
        let mut lines: Vec<&str> = source
            .lines()
            .filter(|line| !line.contains('{') && !line.ends_with('}'))
            .collect();
        let mut text = String::new();
        for _ in 0..random.below(8) {
            let line = lines.remove(random.below(lines.len()));
            // Spaces between words, but not in quotes.
            let quoted = line.contains(['"', '\'', '`', '/', '\\', '#']);
            let gap = random.pick(&[" ", "  ", "\t", " \t "]);
            let line = if quoted {
                line.to_owned()
            } else {
                line.replace(' ', gap)
            };
            text.push_str(random.pick(&["", "  ", "\t", "\n\n"]));
            text.push_str(&line);
            text.push_str(random.pick(&["\n", "\r\n", " # c\n", "\n\n\n\n", "  \n#x\n"]));
        }
        check(&text, dialect);
        // A damaged tape is rejected, or formatted with the same meaning.
        let damaged = random.damage(text.as_bytes());
        let damaged = String::from_utf8_lossy(&damaged);
        if format(&damaged, "a.tape", Some(dialect)).is_ok() {
            check(&damaged, dialect);
        }
    }
}
