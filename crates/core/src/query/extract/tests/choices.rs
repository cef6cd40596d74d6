//! Tests of numbered choices.

use super::screens::{screen, shown};
use crate::Rect;

/// Checks all choices, as `*2 0:5 Label`: a star if selected, the number, the label's position,
/// the label.
#[track_caller]
fn check(lines: &[&str], choices: &[&str]) {
    let found = screen(40, lines).choices();
    let found = found.iter().map(|choice| {
        let star = if choice.selected { "*" } else { "" };
        format!("{star}{} {}", choice.number, shown(&choice.label))
    });
    assert_eq!(found.collect::<Vec<_>>(), choices, "{lines:#?}");
}

#[test]
fn several_notations_of_choices_are_recognised() {
    check(
        &[
            "> 1) One │ x",
            "❯ 2. Two  two",
            "[3] Three",
            " 4: Four",
            "(5) Five",
        ],
        &[
            "*1 0:5 One",
            "*2 1:5 Two  two",
            "3 2:4 Three",
            "4 3:4 Four",
            "5 4:4 Five",
        ],
    );
}

#[test]
fn other_numbers_are_not_choices() {
    check(
        &[
            "12:30 lunch",
            "1.5 litres",
            "10 items",
            "7)",
            "[12345] x",
            "a 1) b",
            "1 ) x",
            "[1) x",
        ],
        &[],
    );
}

#[test]
fn a_marker_selects_a_choice() {
    check(
        &["  1. a", "❯ 2. b", "  3. c"],
        &["1 0:5 a", "*2 1:5 b", "3 2:5 c"],
    );
    check(&["│ 1) a │", "│→2) b  │"], &["1 0:5 a", "*2 1:5 b"]);
    check(&["○ 1. a", "● 2. b"], &["1 0:5 a", "*2 1:5 b"]);
    check(&["> 1. alone"], &["*1 0:5 alone"]);
}

#[test]
fn a_marker_before_every_choice_is_a_bullet() {
    check(&["* 1. a", "* 2. b"], &["1 0:5 a", "2 1:5 b"]);
    check(&["* 1. a", "* \x1b[7m2. b\x1b[m"], &["1 0:5 a", "*2 1:5 b"]);
}

#[test]
fn a_different_background_selects_a_choice() {
    check(
        &["1. a", "\x1b[7m2. b\x1b[m", "3. c"],
        &["1 0:3 a", "*2 1:3 b", "3 2:3 c"],
    );
    check(&["\x1b[44m1. a\x1b[m", "2. b"], &["*1 0:3 a", "2 1:3 b"]);
    // On a coloured dialog, the choice without colour is the different one.
    check(
        &["\x1b[44m1. a", "2. b\x1b[m", "3. c\x1b[44m", "4. d"],
        &["1 0:3 a", "2 1:3 b", "*3 2:3 c", "4 3:3 d"],
    );
    check(&["\x1b[7m1. alone\x1b[m"], &["*1 0:3 alone"]);
    check(&["\x1b[31m1. a\x1b[m", "2. b"], &["1 0:3 a", "2 1:3 b"]);
}

#[test]
fn several_choices_may_share_a_line() {
    check(
        &["1) one    3) three and more", "2) two    4) four   (best)"],
        &[
            "1 0:3 one",
            "3 0:13 three and more",
            "2 1:3 two",
            "4 1:13 four   (best)",
        ],
    );
}

#[test]
fn choices_outside_a_rectangle_do_not_count() {
    let screen = screen(40, &["> 1. left │ 1. right"]);
    let rect = Rect {
        row: 0,
        col: 11,
        rows: 1,
        cols: 9,
    };
    let found = screen.choices_in(rect);
    assert_eq!(found.len(), 1);
    assert_eq!(shown(&found[0].label), "0:15 right");
    assert!(!found[0].selected);
}
