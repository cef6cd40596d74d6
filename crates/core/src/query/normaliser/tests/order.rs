//! Tests of sorting rows whose order does not matter.

use super::*;

#[test]
fn rows_of_a_rectangle_are_sorted_by_their_text() {
    let sorted = |rect| Normaliser::ordered(rect);
    check(
        &sorted(rect(1, 3, 0, 24)),
        &["z", "c", "a", "b", "0"],
        &["z", "a", "b", "c", "0"],
    );
    check(&sorted(rect(0, 9, 0, 99)), &["b", "", "a"], &["a", "b", ""]);
    check(
        &sorted(rect(0, 3, 2, 2)),
        &["1 c x", "2 a y", "3 b"],
        &["1 a x", "2 b y", "3 c"],
    );
    check(&sorted(rect(0, 0, 0, 0)), &["b", "a"], &["b", "a"]);
    check(&sorted(rect(9, 9, 9, 9)), &["b", "a"], &["b", "a"]);
}

#[test]
fn a_wide_character_at_the_edge_is_cut() {
    let inside = Normaliser::ordered(rect(0, 2, 1, 2));
    check(&inside, &["世b|", "世a|"], &["  a|", "  b|"]);
    check(&inside, &["|世|", "|a世"], &["|a |", "|世"]);
}

#[test]
fn rows_with_the_same_text_are_sorted_by_style() {
    let all = Normaliser::ordered(rect(0, 3, 0, 24));
    let (plain, red, bold) = ("a", "\x1b[31ma\x1b[m", "\x1b[1ma\x1b[m");
    let one = all.apply(&screen(&[plain, red, bold]));
    let other = all.apply(&screen(&[bold, plain, red]));
    assert_eq!(one.rows, other.rows);
}

#[test]
fn a_list_covers_first_and_sorts_last() {
    let list = Normaliser::all([Normaliser::pids(), Normaliser::ordered(rect(1, 2, 0, 24))]);
    check(
        &list,
        &["PID COMMAND", "  9 sh", " 12 bash"],
        &["PID COMMAND", "  ▒ sh", " ▒▒ bash"],
    );
    let list = Normaliser::all([
        Normaliser::pids().reaching(Extent::Blanks),
        Normaliser::ordered(rect(1, 2, 0, 24)),
    ]);
    check(
        &list,
        &["PID COMMAND", "  9 sh", " 12 bash"],
        &["PID COMMAND", "▒▒▒▒bash", "▒▒▒▒sh"],
    );
}
