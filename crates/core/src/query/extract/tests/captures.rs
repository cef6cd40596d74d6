//! Tests of regular expression groups.

use super::screens::{screen, shown};
use crate::Rect;
use crate::query::selector::Regex;

/// Checks every group of every match; `-` is a group that did not take part.
#[track_caller]
fn check(line: &str, pattern: &str, expected: &[&[&str]]) {
    let found = screen(12, &[line]).captures(&Regex::new(pattern).unwrap());
    let groups = found.iter().map(|captures| {
        let groups = captures.groups().iter();
        groups
            .map(|group| group.as_ref().map_or("-".to_owned(), shown))
            .collect::<Vec<_>>()
    });
    assert_eq!(groups.collect::<Vec<_>>(), expected, "{pattern}");
    for captures in &found {
        assert_eq!(captures.group(0), Some(captures.whole()));
    }
}

#[test]
fn groups_have_their_positions() {
    check(
        "a=1 b=22",
        r"(\w)=(\d+)",
        &[
            &["0:0 a=1", "0:0 a", "0:2 1"],
            &["0:4 b=22", "0:4 b", "0:6 22"],
        ],
    );
    check("a=1", r"x(\d)", &[]);
}

#[test]
fn a_group_may_be_absent_or_empty() {
    check(
        "ab a",
        "a(b)?(x*)",
        &[&["0:0 ab", "0:1 b", "0:2 "], &["0:3 a", "-", "0:4 "]],
    );
    check("ab", "(x*)a", &[&["0:0 a", "0:0 "]]);
    check("ab", "(x*)", &[]);
}

#[test]
fn groups_have_wide_characters_and_combining_marks() {
    check("世界x", "(.)(界)", &[&["0:0 世界", "0:0 世", "0:2 界"]]);
    check(
        "cafe\u{301}!",
        "f(e)(.*)",
        &[&["0:2 fe\u{301}!", "0:3 e\u{301}", "0:3 e\u{301}!"]],
    );
}

#[test]
fn groups_continue_in_a_wrapped_row() {
    check(
        "error: 0123456789 end",
        r"(\d+) (\w+)",
        &[&["0:7 0123456789 end", "0:7 0123456789", "1:6 end"]],
    );
    check("0123456789a世", "a(世)", &[&["0:10 a世", "1:0 世"]]);
}

#[test]
fn a_group_is_found_by_its_name() {
    let screen = screen(20, &["id 7", "id x"]);
    let found = screen.captures(&Regex::new(r"id (?:(?<id>\d+)|(?<word>\w+))").unwrap());
    assert_eq!(found[0].name("id").map(shown).unwrap(), "0:3 7");
    assert_eq!(found[0].name("word"), None);
    assert_eq!(found[1].name("word").map(shown).unwrap(), "1:3 x");
    assert_eq!(found[1].name("other"), None);
    assert_eq!(found[1].group(9), None);
}

#[test]
fn a_rectangle_is_searched_as_a_separate_screen() {
    let screen = screen(20, &["| ab | cd |"]);
    let regex = Regex::new(r"^(\w)").unwrap();
    assert!(screen.captures(&regex).is_empty());
    let rect = Rect {
        row: 0,
        col: 7,
        rows: 1,
        cols: 2,
    };
    assert_eq!(shown(screen.captures_in(rect, &regex)[0].whole()), "0:7 c");
    assert!(
        screen
            .captures_in(Rect { row: 99, ..rect }, &regex)
            .is_empty()
    );
}
