//! Tests of regular expressions.

use super::screens::{check, screen};
use crate::{Rect, Selector};

#[track_caller]
fn finds(bytes: &str, pattern: &str, found: &[&str]) {
    let regex = Selector::regex(pattern).unwrap();
    check(&screen(12, 4, bytes), regex, found);
}

#[test]
fn regex_searches_every_line_on_its_own() {
    let lines = "id 1\r\n id 22\r\nxid 3";
    finds(
        lines,
        r"id \d+",
        &["0:0-4 \"id 1\"", "1:1-6 \"id 22\"", "2:1-5 \"id 3\""],
    );
    finds(lines, r"^id \d", &["0:0-4 \"id 1\""]);
    finds(
        lines,
        r"\d$",
        &["0:3-4 \"1\"", "1:5-6 \"2\"", "2:4-5 \"3\""],
    );
    finds(lines, r"\bid", &["0:0-2 \"id\"", "1:1-3 \"id\""]);
    finds(lines, "(?s)1.*2", &[]);
    finds(lines, "1\\s+id", &[]);
    finds(lines, "(?i)ID 1", &["0:0-4 \"id 1\""]);
}

#[test]
fn regex_matches_do_not_overlap() {
    finds("aaaaa", "aa", &["0:0-2 \"aa\"", "0:2-4 \"aa\""]);
    finds("a1b2", r"[a-z]\d", &["0:0-2 \"a1\"", "0:2-4 \"b2\""]);
}

#[test]
fn empty_regex_matches_are_dropped() {
    finds("abc", "", &[]);
    finds("abc", "x*", &[]);
    finds("abxxc", "x*", &["0:2-4 \"xx\""]);
    finds("世", "x*", &[]);
    finds("", "^$", &[]);
}

#[test]
fn regex_reads_wrapped_text_as_one_line() {
    let long = "error: 0123456789 and so on till 9";
    finds(long, r"\d{4,}", &["0:7-12 1:0-5 \"0123456789\""]);
    finds(
        long,
        r"0.*9$",
        &["0:7-12 1:0-12 2:0-10 \"0123456789 and so on till 9\""],
    );
    finds(long, r"^a", &[]);
    finds(
        long,
        r"\w+",
        &[
            "0:0-5 \"error\"",
            "0:7-12 1:0-5 \"0123456789\"",
            "1:6-9 \"and\"",
            "1:10-12 \"so\"",
            "2:1-3 \"on\"",
            "2:4-8 \"till\"",
            "2:9-10 \"9\"",
        ],
    );
    // A space in the last column is part of the line; a column left free for a wide character is
    // not.
    finds("0123456789a b", "a b", &["0:10-12 1:0-1 \"a b\""]);
    finds("0123456789a世", "a世", &["0:10-11 1:0-2 \"a世\""]);
    // The line ends with the region, even if the text continues.
    let first = Selector::regex(r"\d+$").unwrap().within(Rect::across(0..1));
    check(&screen(12, 4, long), first, &["0:7-12 \"01234\""]);
}

#[test]
fn regex_matches_wide_characters_and_combining_marks() {
    finds("a世界b", "世.", &["0:1-5 \"世界\""]);
    finds("cafe\u{301}s", "caf.", &["0:0-4 \"cafe\\u{301}\""]);
    finds(
        "cafe\u{301}s",
        r"\w",
        &[
            "0:0-1 \"c\"",
            "0:1-2 \"a\"",
            "0:2-3 \"f\"",
            "0:3-4 \"e\\u{301}\"",
            "0:4-5 \"s\"",
        ],
    );
}

#[test]
fn regex_anchors_match_the_edges_of_a_rectangle() {
    let framed = screen(12, 2, "| Save |\r\n| Exit |");
    let inner = Rect {
        row: 0,
        col: 2,
        rows: 2,
        cols: 5,
    };
    let word = Selector::regex("^....$").unwrap().within(inner);
    check(&framed, word, &["0:2-6 \"Save\"", "1:2-6 \"Exit\""]);
}

#[test]
fn a_bad_regex_names_the_pattern_and_the_reason() {
    let message = |pattern| Selector::regex(pattern).unwrap_err().to_string();
    assert_eq!(
        message("a(b"),
        "invalid regular expression `a(b`: unclosed group"
    );
    assert_eq!(
        message("[b-a]"),
        "invalid regular expression `[b-a]`: invalid character class range, the start must be <= the end"
    );
    assert_eq!(
        message("(?x)\n\n["),
        "invalid regular expression `(?x)\n\n[`: unclosed character class"
    );
    assert_eq!(
        message(r"\w{9000}"),
        r"invalid regular expression `\w{9000}`: it needs more than 10485760 bytes"
    );
}

#[test]
fn regexes_with_the_same_source_are_equal() {
    let regex = |pattern| Selector::regex(pattern).unwrap();
    assert_eq!(regex("a+"), regex("a+"));
    assert_ne!(regex("a+"), regex("a"));
    assert_eq!(format!("{:?}", regex(r"\d")), r#"Regex(Regex("\\d"))"#);
}
