//! Any input: parsing ends, and every place lies within the text.

use super::{BETAMAX, VHS};
use crate::language::{Dialect, parse};
use screentest_fixtures::random::{Random, rounds};

fn check(text: &str) {
    for (_, dialect) in Dialect::ALL {
        let (tape, report) = parse(text, "a.tape", Some(dialect));
        for command in &tape.commands {
            assert!(text.get(command.span.range()).is_some());
        }
        let mut last = 0;
        for command in &tape.commands {
            assert!(command.span.range().start >= last, "{text:?}");
            last = command.span.range().end;
        }
        for found in &report.diagnostics {
            assert!(
                text.get(found.span.range()).is_some(),
                "{found:?}\n{text:?}"
            );
            assert!(!found.to_string().contains('\x1b'));
        }
        let (_, report) = tape.resolve(|_, _| Err::<_, &str>("none"));
        let _ = report.to_string();
    }
}

#[test]
fn damaged_tapes_are_parsed_to_the_end() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let source = random.pick(&[VHS, BETAMAX]);
        let lines: Vec<&str> = source.lines().collect();
        let text: Vec<&str> = (0..random.below(10)).map(|_| random.pick(&lines)).collect();
        let damaged = random.damage(text.join("\n").as_bytes());
        check(&String::from_utf8_lossy(&damaged));
    }
}

#[test]
fn words_in_any_order_are_parsed_to_the_end() {
    let words = [
        "Type",
        "Ctrl+",
        "Alt+",
        "+",
        "@",
        "\"",
        "'",
        "`",
        "/",
        "\\",
        "{",
        "}",
        "#",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\0",
        "界",
        "\u{301}",
        "Wait",
        "+Screen",
        "Set",
        "Theme",
        "Width",
        "1",
        "-1",
        "500ms",
        "%",
        "Output",
        ".gif",
        "Expect",
        "right of",
        "in rows",
        "(",
        ")",
        "styled",
        "Launch",
        "Source",
        ".tape",
        "MouseDown",
        "AssertStyle",
        "[",
        "]",
        "\u{feff}",
        "since",
        "Saw",
        "Mask",
        "Enter",
        "F1",
        "F99",
        "x",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "LoopOffset",
        "Shell",
    ];
    for seed in 0..rounds() * 2 {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(30)).map(|_| random.pick(&words)).collect();
        check(&text);
        let bytes = random.below(60);
        check(&String::from_utf8_lossy(&random.bytes(bytes)));
    }
}

/// Work that is linear in a line's length must not be done for every word of the line.
#[test]
fn a_tape_on_one_line_is_parsed_quickly() {
    for line in [
        "Enter ",
        "Wait /a/ ",
        "Type 'a' ",
        "Set Width 9 ",
        "Ctrl+a@1s 2 ",
        "Copy a Paste ",
        "F1 ",
        "{ ",
        "/a ",
        "'a ",
    ] {
        for (_, dialect) in Dialect::ALL {
            let text = line.repeat(100_000);
            let (tape, report) = parse(&text, "a.tape", Some(dialect));
            assert!(tape.commands.len() >= 100_000 || !report.is_empty());
        }
    }
}
