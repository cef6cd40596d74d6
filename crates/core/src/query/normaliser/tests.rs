//! Tests of normalised screens, of the matches, and of properties of every screen.

use super::*;
use crate::{Backend, Size, emulator};

mod every_screen;
mod extent;
mod order;
mod volatile;

/// Returns the screen after a program wrote these lines to a terminal of 24 columns, with an
/// additional row for each wrapped line.
fn screen(lines: &[&str]) -> Screen {
    let rows = lines
        .iter()
        .map(|line| line.chars().count().div_ceil(24).max(1));
    let size = Size {
        cols: 24,
        rows: rows.sum::<usize>() as u16,
    };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(lines.join("\r\n").as_bytes());
    emulator.screen()
}

/// Checks the normalised lines, and that a second time changes nothing.
#[track_caller]
fn check(normaliser: &Normaliser, lines: &[&str], evened: &[&str]) {
    let once = normaliser.apply(&screen(lines));
    let rows: Vec<&str> = once.rows.iter().map(|row| row.text()).collect();
    assert_eq!(rows, evened, "{normaliser}");
    assert_eq!(normaliser.apply(&once), once, "{normaliser}, twice");
}

fn rect(row: usize, rows: usize, col: usize, cols: usize) -> Rect {
    Rect {
        row,
        col,
        rows,
        cols,
    }
}

#[test]
fn a_text_is_covered_wherever_it_is_found() {
    let user = Normaliser::text("alice");
    check(
        &user,
        &["alice@host alice", "bob"],
        &["▒▒▒▒▒@host ▒▒▒▒▒", "bob"],
    );
    check(&Normaliser::text("世"), &["a世b"], &["a▒▒b"]);
    check(&Normaliser::text(""), &["ab"], &["ab"]);
    // Across the end of a row where it is wrapped.
    let long = "0123456789 0123456789 alice";
    check(&user, &[long], &["0123456789 0123456789 ▒▒", "▒▒▒"]);
}

#[test]
fn a_regex_covers_its_groups_or_the_whole_match() {
    let regex = |pattern| Normaliser::regex(pattern).unwrap();
    check(&regex("id=[0-9]+"), &["id=12 id=3"], &["▒▒▒▒▒ ▒▒▒▒"]);
    check(&regex("id=([0-9]+)"), &["id=12 id=3"], &["id=▒▒ id=▒"]);
    check(&regex("(?:^| )(a)(?: |$)"), &["a a a"], &["▒ ▒ ▒"]);
    check(&regex("(a)b(c)?"), &["ab abc"], &["▒b ▒b▒"]);
    check(&regex("x(y)?"), &["x xy"], &["x x▒"]);
    check(&regex("()|(z)"), &["az"], &["az"]);
    check(&regex("x*"), &["axx"], &["a▒▒"]);
    check(&regex("(世)x"), &["世x"], &["▒▒x"]);
    assert!(Normaliser::regex("(").is_err());
}

#[test]
fn the_matches_of_a_selector_are_covered() {
    let bold = Selector::styled(crate::query::selector::Styled::new().bold());
    let lines = ["a \x1b[1mbold\x1b[m word"];
    check(&bold.into(), &lines, &["a ▒▒▒▒ word"]);
    let value = Selector::regex(r"\S+").unwrap().right_of("Name:");
    check(&Normaliser::selector(value), &["Name: x y"], &["Name: ▒ ▒"]);
}

#[test]
fn covered_cells_have_neither_style_nor_link() {
    let after = Normaliser::clocks().apply(&screen(&["\x1b[1;31m12:34\x1b[m x"]));
    assert_eq!(*after.rows[0].cell(0).style, crate::Style::default());
    assert_eq!(after, Normaliser::clocks().apply(&screen(&["23:59 x"])));
}

#[test]
fn untouched_rows_stay_shared() {
    let before = screen(&["a", "12:34", "b"]);
    let shared = |normaliser: &Normaliser| -> Vec<bool> {
        let after = normaliser.apply(&before);
        let pairs = after.rows.iter().zip(&before.rows);
        pairs.map(|(one, other)| Arc::ptr_eq(one, other)).collect()
    };
    assert_eq!(shared(&Normaliser::clocks()), [true, false, true]);
    assert_eq!(shared(&Normaliser::ordered(rect(1, 2, 0, 9))), [true; 3]);
    assert_eq!(shared(&Normaliser::all::<Normaliser>([])), [true; 3]);
}

#[test]
fn a_rectangle_is_covered_and_limits_others() {
    check(
        &Normaliser::mask(rect(0, 1, 1, 2)),
        &["abcd", "abcd"],
        &["a▒▒d", "abcd"],
    );
    let clocks = Normaliser::clocks();
    let lines = ["12:34 12:34", "12:34"];
    check(
        &clocks.clone().within(rect(0, 1, 6, 9)),
        &lines,
        &["12:34 ▒▒▒▒▒", "12:34"],
    );
    check(&clocks.clone().within(rect(0, 9, 0, 3)), &lines, &lines);
    check(&clocks.within(rect(9, 9, 9, 9)), &lines, &lines);
    // Positions inside count from the rectangle's first cell, and cells outside stay.
    let mask = Normaliser::mask(rect(0, 1, 1, 9)).within(rect(1, 1, 1, 2));
    check(&mask, &["abcd", "abcd"], &["abcd", "ab▒d"]);
}

#[test]
fn a_list_is_applied_in_order() {
    let list = |texts: &[&str]| Normaliser::all(texts.iter().map(|text| Normaliser::text(*text)));
    check(&list(&["ab", "bc"]), &["abc"], &["▒▒c"]);
    check(&list(&["bc", "ab"]), &["abc"], &["a▒▒"]);
    check(&list(&[]), &["abc"], &["abc"]);
    check(&vec![Normaliser::text("b")].into(), &["abc"], &["a▒c"]);
    let mixed = Normaliser::all([VolatileText::Clocks, VolatileText::Pids]);
    check(&mixed, &["12:34 pid 7"], &["▒▒▒▒▒ pid ▒"]);
}

#[test]
fn a_normaliser_describes_itself() {
    let rows = Rect::across(1..4);
    for (normaliser, said) in [
        (Normaliser::mask(rows), "rows 2–4"),
        (Normaliser::clocks(), "clocks"),
        (Normaliser::text("a"), "text \"a\""),
        (Normaliser::regex(r"\d").unwrap(), r"regex `\d`"),
        (Normaliser::ordered(rows), "the order of rows 2–4"),
        (Normaliser::pids().within(rows), "pids within rows 2–4"),
        (
            Normaliser::all([Normaliser::pids(), Normaliser::spinners()]).reaching(Extent::Row),
            "(pids; spinners) with the rest of the row",
        ),
        (
            Normaliser::selector(Selector::exact("a").or("b")).within(rows),
            "(text \"a\" or text \"b\") within rows 2–4",
        ),
        (Normaliser::all::<Normaliser>([]), "nothing"),
    ] {
        assert_eq!(normaliser.to_string(), said);
    }
}
