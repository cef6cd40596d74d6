//! Tests of the text of rectangles and of values next to labels.

use super::screens::{screen, shown};
use crate::{Rect, Selector};

#[track_caller]
fn check_text(rect: (usize, usize, usize, usize), text: &str) {
    let screen = screen(12, &["one   two", "世界 and", "", "three"]);
    let (row, col, rows, cols) = rect;
    let rect = Rect {
        row,
        col,
        rows,
        cols,
    };
    assert_eq!(screen.text_in(rect), text, "{rect}");
}

#[test]
fn the_text_of_a_rectangle_has_its_rows() {
    check_text((0, 0, 2, 12), "one   two\n世界 and");
    check_text((0, 0, 1, 5), "one");
    check_text((0, 2, 4, 5), "e   t\n界 an\n\nree");
    check_text((3, 1, 1, 2), "hr");
}

#[test]
fn half_a_wide_character_becomes_a_space() {
    check_text((1, 1, 1, 3), " 界");
    check_text((1, 0, 1, 3), "世");
    check_text((1, 1, 1, 2), "");
}

#[test]
fn a_rectangle_may_extend_beyond_the_screen() {
    check_text((3, 2, usize::MAX, usize::MAX), "ree\n\n");
    check_text((9, 0, 1, 1), "");
    check_text((0, 99, 2, 1), "\n");
    check_text((0, 0, 0, 5), "");
}

#[track_caller]
fn check(line: &str, label: impl Into<Selector>, value: Option<&str>) {
    let found = screen(30, &[line]).value_of(label);
    assert_eq!(found.as_ref().map(shown).as_deref(), value, "{line}");
}

#[test]
fn a_value_follows_its_label() {
    check("Status: ok", "Status", Some("0:8 ok"));
    check("Status: ok", "Status:", Some("0:8 ok"));
    check("Status: ok", "Status: ", Some("0:8 ok"));
    check("mode = very fast", "mode", Some("0:7 very fast"));
    check("a:=1", "a", Some("0:3 1"));
    check("Name      Alice", "Name", Some("0:10 Alice"));
    check("Name      Alice", "Alice", None);
    check("Name      Alice", "Bob", None);
    check("v1.2", "v", None);
    check("#12", "#", Some("0:1 12"));
}

#[test]
fn a_value_ends_at_two_spaces_or_a_border() {
    check("CPU: 3 %  Mem: 7 %", "CPU", Some("0:5 3 %"));
    check("CPU: 3 %  Mem: 7 %", "Mem", Some("0:15 7 %"));
    check("│ CPU: 3 % │ Mem: 7 %│", "CPU", Some("0:7 3 %"));
    check("│ CPU: 3 % │ Mem: 7 %│", "Mem", Some("0:18 7 %"));
    check("| CPU: 3 | Mem: 7 |", "CPU", Some("0:7 3"));
    check("Cmd: a|b", "Cmd", Some("0:5 a|b"));
    check("┌ State: on ───┐", "State", Some("0:9 on"));
    check("│ Name:  │ x", "Name", None);
}

#[test]
fn only_one_separator_is_skipped() {
    check("Listen: :8080", "Listen", Some("0:8 :8080"));
    check("Listen: :8080", "Listen:", Some("0:8 :8080"));
}

#[test]
fn a_part_of_a_word_is_not_a_label() {
    check("Ports: 1  Port: 2", "Port", Some("0:16 2"));
    check("Export: 1  port: 2", "port", Some("0:17 2"));
}

#[test]
fn the_first_label_with_a_value_is_used() {
    check("Go:  │ Go: 2 │ Go: 3", "Go", Some("0:11 2"));
    let last = Selector::exact("Go").nth(2);
    check("Go:  │ Go: 2 │ Go: 3", last, Some("0:19 3"));
}

#[test]
fn a_value_may_be_wide_or_wrapped() {
    check("名前: 世界  x", "名前", Some("0:6 世界"));
    let screen = screen(12, &["Path: /usr/local/bin"]);
    let found = screen.value_of("Path").unwrap();
    assert_eq!(found.text(), "/usr/local/bin");
    assert_eq!(found.spans().len(), 2);
}
