//! Tests of simple patterns.

use super::screens::{check, screen};
use crate::{Ambiguity, Rect, Selector};

#[track_caller]
fn finds(bytes: &str, pattern: &str, found: &[&str]) {
    check(&screen(12, 3, bytes), Selector::pattern(pattern), found);
}

#[test]
fn pattern_alternation() {
    finds("Ready", "Ready|Done", &["0:0-5 \"Ready\""]);
    finds("Done", "Ready|Done", &["0:0-4 \"Done\""]);
    finds("Wait", "Ready|Done", &[]);
    let both = ["0:0-4 \"Done\"", "0:5-10 \"Ready\""];
    finds("Done Ready", "Ready|Done", &both);
    finds("Done Ready", "|Ready||Done|", &both);
    let twice = ["0:0-2 \"ab\"", "0:3-5 \"ab\""];
    finds("ab ab", "ab|x", &twice);
    // Each alternative is searched on its own. The match of the one written first comes first.
    let same_place = ["0:0-5 \"Ready\"", "0:0-4 \"Read\""];
    finds("Ready", "Ready|Read", &same_place);
    let ambiguous =
        Selector::pattern("Ready|Read").resolve(&screen(9, 1, "Ready"), Ambiguity::Fail);
    assert!(ambiguous.is_err());
}

#[test]
fn pattern_wildcard() {
    finds("took 12 s", "took .* s", &["0:0-9 \"took 12 s\""]);
    finds("s took 12", "took .* s", &[]);
    // A gap may be empty, but its pieces do not overlap.
    finds("abc", "ab.*c", &["0:0-3 \"abc\""]);
    finds("abc", "ab.*bc", &[]);
    // At most once, from the first start to the first end after it.
    finds("a b a b", "a.*b", &["0:0-3 \"a b\""]);
    finds("x a b y", ".*a.*b.*", &["0:2-5 \"a b\""]);
    finds("x a b y", ".*b", &["0:4-5 \"b\""]);
    finds("b b", "b.*|.*b", &["0:0-1 \"b\"", "0:0-1 \"b\""]);
}

#[test]
fn pattern_wildcard_crosses_rows() {
    finds(
        "x from\r\nhere\r\nto there",
        "from.*to",
        &["0:2-6 1:0-4 2:0-2 \"from\\nhere\\nto\""],
    );
    finds("a\r\n\r\nb", "a.*b", &["0:0-1 1:0-0 2:0-1 \"a\\n\\nb\""]);
    // Pieces may contain line ends, and wrapped text is one line.
    finds("a\r\nb c", "a\nb.*c", &["0:0-1 1:0-3 \"a\\nb c\""]);
    finds("0123456789abcd", "9.*bc", &["0:9-12 1:0-1 \"9abc\""]);
}

#[test]
fn pattern_drops_parentheses() {
    finds("f(x)", "f(x)", &[]);
    finds("fx", "f(x)", &["0:0-2 \"fx\""]);
    finds("a bc", "(a|b)c", &["0:0-1 \"a\"", "0:2-4 \"bc\""]);
    finds("bc", "a|()", &[]);
}

#[test]
fn pattern_takes_other_characters_literally() {
    let odd = r"a.b [1] ^$+\";
    finds(odd, "a.b", &["0:0-3 \"a.b\""]);
    finds("axb", "a.b", &[]);
    finds(odd, "[1]", &["0:4-7 \"[1]\""]);
    finds(odd, r"^$+\", &["0:8-12 \"^$+\\\\\""]);
    finds("a*b", "a*b", &["0:0-3 \"a*b\""]);
    finds("aab", "a*b", &[]);
}

#[test]
fn pattern_without_letters() {
    finds("ab", "", &[]);
    finds("ab", "|", &[]);
    finds("ab", "()", &[]);
    finds("ab\r\nc", ".*", &["0:0-2 1:0-1 2:0-0 \"ab\\nc\\n\""]);
    finds("", ".*", &["0:0-0 1:0-0 2:0-0 \"\\n\\n\""]);
    finds("ab", "(.*.*)", &["0:0-2 1:0-0 2:0-0 \"ab\\n\\n\""]);
}

#[test]
fn pattern_within_a_rectangle() {
    let framed = screen(8, 3, "| from |\r\n| till |\r\n| to   |");
    let inner = Rect {
        row: 0,
        col: 2,
        rows: 3,
        cols: 5,
    };
    check(
        &framed,
        Selector::pattern("from.*to").within(inner),
        &["0:2-6 1:2-6 2:2-4 \"from\\ntill\\nto\""],
    );
    check(
        &framed,
        Selector::pattern(".*").within(inner),
        &["0:2-6 1:2-6 2:2-4 \"from\\ntill\\nto\""],
    );
}
