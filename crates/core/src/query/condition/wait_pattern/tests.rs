//! Tests that texts and regular expressions read wrapped text in the same way.

use super::{WaitPattern, WaitScope};
use crate::query::selector::Regex;
use crate::{Backend, Screen, Selector, Size, emulator};

/// Returns the screen of a terminal of 10 columns and 4 rows after these bytes.
fn shown(bytes: &str) -> Screen {
    let size = Size { cols: 10, rows: 4 };
    let mut emulator = Backend::Vt.emulator(size, emulator::EmulatorOptions::default());
    emulator.feed(bytes.as_bytes());
    emulator.screen()
}

/// Checks whether the cursor's line and the screen match a text, searched as a text and as a
/// regular expression.
#[track_caller]
fn check(bytes: &str, text: &str, in_line: bool, on_screen: bool) {
    let screen = shown(bytes);
    let regex = Regex::new(text).unwrap();
    for pattern in [
        WaitPattern::Text(text.to_owned()),
        WaitPattern::Regex(regex.clone()),
    ] {
        let condition = |scope: WaitScope| scope.condition(pattern.clone()).holds(&screen);
        assert_eq!(condition(WaitScope::Line), in_line, "the line: {pattern}");
        assert_eq!(
            condition(WaitScope::Screen),
            on_screen,
            "the screen: {pattern}"
        );
    }
    for selector in [Selector::exact(text), Selector::Regex(regex)] {
        assert_eq!(selector.is_visible(&screen), on_screen, "{selector}");
    }
}

#[test]
fn text_that_wraps_is_found_whole() {
    check("one two three four", "two three", true, true);
    check("one two three four", "one two three four", true, true);
    check("one two three four\r\nx", "two three", false, true);
    // Spaces at the end of a wrapped row are part of the line.
    check("one two   three", "two   three", true, true);
    check("one two   three", "two three", false, false);
    check("a wide 界界界", "界界", true, true);
}

#[test]
fn rows_that_are_not_wrapped_are_separate_lines() {
    check("one\r\ntwo", "onetwo", false, false);
    check("one\r\ntwo", "one two", false, false);
    // A full row that does not wrap.
    check("0123456789\r\nab", "9ab", false, false);
}

#[test]
fn a_class_without_line_ends_is_matched_in_each_line() {
    let screen = shown("one\r\ndone two\r\n");
    let regex = Regex::new(r"^done[^\n]*$").unwrap();
    let condition = WaitScope::Screen.condition(WaitPattern::Regex(regex));
    assert!(condition.holds(&screen));
}

#[test]
fn only_a_line_end_matches_the_end_of_a_line() {
    let screen = shown("one\r\ntwo");
    assert!(Selector::exact("one\ntwo").is_visible(&screen));
    let regex = |source| Regex::new(source).unwrap();
    for (source, holds) in [
        ("one\\ntwo", true),
        ("two\\n\\n", true),
        ("(?s)one.*two", false),
    ] {
        let pattern = WaitPattern::Regex(regex(source));
        assert_eq!(
            WaitScope::Screen.condition(pattern).holds(&screen),
            holds,
            "{source}"
        );
    }
    // `^` and `$` do not match at the ends of wrapped rows.
    let wrapped = shown("one two three four");
    for (source, holds) in [("^one.*four$", true), ("^e four$", false), ("^$", true)] {
        let pattern = WaitPattern::Regex(regex(source));
        assert_eq!(
            WaitScope::Screen.condition(pattern).holds(&wrapped),
            holds,
            "{source}"
        );
    }
}
