//! Tests that texts written into tapes are parsed unchanged.

use super::steps;
use crate::language::{Dialect, TapeStep, quote, type_commands};
use screentest_core::{Action, Chord, Key};
use screentest_fixtures::random::{Random, rounds};

#[test]
fn the_commands_for_a_text_type_it() {
    let letters = [
        'a', '"', '\'', '`', '\\', '$', '界', ' ', '#', '/', '\n', '\t', '\x1b', '\x03', '{',
    ];
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        let text: String = (0..random.below(12))
            .map(|_| random.pick(&letters))
            .collect();
        for (_, dialect) in Dialect::ALL {
            let tape = type_commands(&text, dialect).join("\n");
            let mut typed_text = String::new();
            for step in steps(&tape, dialect) {
                let TapeStep::Action(step) = step else {
                    panic!("{step:?}");
                };
                for action in step.actions {
                    match action {
                        Action::Type(text) => typed_text.push_str(&text),
                        Action::Press(chord) => typed_text.push(sent(chord)),
                        other => panic!("{other:?}"),
                    }
                }
            }
            assert_eq!(typed_text, text, "{dialect}: {tape}");
        }
    }
}

/// Returns the character that a chord of this test sends.
fn sent(chord: Chord) -> char {
    match chord.key() {
        Key::Enter => '\n',
        Key::Tab => '\t',
        Key::Esc => '\x1b',
        _ => '\x03',
    }
}

#[test]
fn escape_has_the_name_that_vhs_knows() {
    for (_, dialect) in Dialect::ALL {
        assert_eq!(type_commands("\x1b", dialect), ["Escape"], "{dialect}");
    }
}

#[test]
fn a_text_that_cannot_be_quoted_is_none() {
    assert_eq!(quote("a'b", Dialect::Vhs).as_deref(), Some("\"a'b\""));
    assert_eq!(
        quote("a'b\"c", Dialect::Betamax).as_deref(),
        Some(r#""a'b\"c""#)
    );
    assert_eq!(quote("'\"`", Dialect::Vhs), None);
    assert_eq!(quote("a\nb", Dialect::Betamax), None);
}
