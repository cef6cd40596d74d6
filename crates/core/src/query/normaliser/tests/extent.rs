//! Tests of texts with different widths, and of the extent that makes them equal.

use super::*;

const REACHES: [Extent; 4] = [Extent::Match, Extent::Blanks, Extent::Field, Extent::Row];

#[track_caller]
fn covers(extent: Extent, line: &str, covered: &str) {
    check(
        &Normaliser::durations().reaching(extent),
        &[line],
        &[covered],
    );
}

/// Checks which extents make two lines equal.
#[track_caller]
fn equal(one: &str, other: &str, by: &[Extent]) {
    let made_equal = REACHES.into_iter().filter(|extent| {
        let normaliser = Normaliser::durations().reaching(*extent);
        normaliser.apply(&screen(&[one])).rows == normaliser.apply(&screen(&[other])).rows
    });
    assert_eq!(made_equal.collect::<Vec<_>>(), by, "{one:?}, {other:?}");
}

#[test]
fn cells_within_reach_are_covered() {
    covers(Extent::Match, "a  9 ms  b", "a  ▒▒▒▒  b");
    covers(Extent::Blanks, "a  9 ms  b", "a▒▒▒▒▒▒▒▒b");
    covers(Extent::Blanks, "a 9 ms│", "a▒▒▒▒▒│");
    covers(Extent::Field, "a 9 ms, ok  b", "a▒▒▒▒▒▒▒▒▒▒▒b");
    covers(Extent::Field, "a 9 ms, ok | b", "a▒▒▒▒▒▒▒▒▒▒| b");
    covers(Extent::Field, "a 9 ms, ok│b", "a▒▒▒▒▒▒▒▒▒│b");
    covers(
        Extent::Row,
        "│ 9 ms, ok  b",
        &format!("│{}", "▒".repeat(23)),
    );
    // At the end of a row, blank cells extend to the edge of the screen.
    covers(
        Extent::Blanks,
        "took 9 ms",
        &format!("took{}", "▒".repeat(20)),
    );
    covers(Extent::Field, "9 ms, ok", &"▒".repeat(24));
}

#[test]
fn half_a_wide_character_is_not_blank() {
    covers(Extent::Blanks, "世 9 ms 世", "世▒▒▒▒▒▒世");
    covers(Extent::Blanks, "世9 ms世", "世9 ms世");
    covers(Extent::Blanks, "「9 ms」", "「▒▒▒▒」");
    covers(Extent::Field, "9 ms 世  世", "▒▒▒▒▒▒▒▒▒世");
}

#[test]
fn the_reach_ends_at_the_edge_of_the_rectangle() {
    let durations = Normaliser::durations().reaching(Extent::Row);
    let lines = ["a   9 ms   b", "9 ms"];
    check(
        &durations.within(rect(0, 1, 3, 7)),
        &lines,
        &["a  ▒▒▒▒▒▒▒ b", "9 ms"],
    );
}

#[test]
fn a_reach_makes_texts_of_different_widths_equal() {
    equal("took 9 ms", "took 8 ms", &REACHES);
    // Columns, aligned to the left and to the right.
    equal("a 9 ms   ok", "a 10 ms  ok", &REACHES[1..]);
    equal("│   9 ms │ ok", "│  10 ms │ ok", &REACHES[1..]);
    equal("took 9 ms", "took 10 ms", &REACHES[1..]);
    // Words that move along, and text after them that does not.
    equal("│ 9 ms ago  │ x", "│ 10 ms ago │ x", &REACHES[2..]);
    equal("9 ms ago    x", "10 ms ago   x", &REACHES[2..]);
    equal("9 ms, (ok)  x", "10 ms, (ok)  x", &REACHES[3..]);
    equal("9 ms x", "10 ms y", &REACHES[2..]);
    // A field outside the extent still counts.
    equal("│ 9 ms ago  │ x", "│ 10 ms ago │ y", &REACHES[3..]);
}

#[test]
fn the_reach_continues_in_a_wrapped_row() {
    let wrapped = |text: &str| screen(&[&format!("{text} 0123456789 0123456789"), "", "end"]);
    let (one, other) = (wrapped("9 ms"), wrapped("10 ms"));
    for (extent, equal) in REACHES.into_iter().zip([false, false, true, true]) {
        let normaliser = Normaliser::durations().reaching(extent);
        let is_equal = normaliser.apply(&one).text() == normaliser.apply(&other).text();
        assert_eq!(is_equal, equal, "{extent}");
    }
}

#[test]
fn a_mask_covers_its_rectangle_with_any_reach() {
    let mask = Normaliser::mask(rect(0, 1, 1, 1)).reaching(Extent::Row);
    check(&mask, &["a b c"], &["a▒b c"]);
}
