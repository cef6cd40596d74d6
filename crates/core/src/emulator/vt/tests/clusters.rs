//! Tests of grapheme clusters (?2027): cells, columns, and what splits a cluster.

use super::fed;
use crate::emulator::Emulator;
use crate::screen::cluster::tests::CLUSTERS;
use crate::screen::row::Text;

/// Checks the cells of a first row, each as its text and its columns, and that the cursor is after
/// them, however the bytes are split.
#[track_caller]
fn check_cells(text: &str, expected: &[(&str, usize)]) {
    let mut whole = fed(text);
    let mut cut = fed("");
    for byte in text.as_bytes() {
        cut.feed(std::slice::from_ref(byte));
    }
    assert_eq!(whole.state(9), cut.state(9), "{text:?} byte by byte");
    let screen = whole.screen();
    let mut col = 0;
    for (text, columns) in expected {
        let cell = screen.rows[0].cell(col);
        let found = match cell.text {
            Text::Char(c) => c.to_string(),
            Text::Cluster(text) => text.to_owned(),
        };
        assert_eq!(found, *text, "column {col}");
        assert_eq!(cell.width as usize, *columns, "{text:?}");
        col += columns;
    }
    assert_eq!(screen.cursor.position.col, col, "{text:?}");
    assert!(screen.rows[0].len() <= col);
}

#[track_caller]
fn check(bytes: &str, picture: &str) {
    assert_eq!(fed(bytes).screen().picture(), picture);
}

#[test]
fn each_cluster_takes_one_cell() {
    assert!(CLUSTERS.len() >= 60);
    for (text, columns) in CLUSTERS {
        check_cells(text, &[(text, *columns)]);
        // A prepended character also continues with the next one.
        if *text != "\u{600}" {
            check_cells(
                &format!("ab{text}界"),
                &[("a", 1), ("b", 1), (text, *columns), ("界", 2)],
            );
        }
    }
}

#[test]
fn a_cluster_ends_where_the_next_one_begins() {
    check_cells("🇩🇪🇫🇷🇮", &[("🇩🇪", 2), ("🇫🇷", 2), ("🇮", 1)]);
    check_cells("👍👍🏽", &[("👍", 2), ("👍🏽", 2)]);
    check_cells("कष", &[("क", 1), ("ष", 1)]);
    check_cells(
        "\u{1112}\u{1161}\u{11ab}\u{1112}",
        &[("\u{1112}\u{1161}\u{11ab}", 2), ("\u{1112}", 2)],
    );
    check_cells("a\u{200d}👍", &[("a\u{200d}", 1), ("👍", 2)]);
    check_cells("👨\u{200d}a", &[("👨\u{200d}", 2), ("a", 1)]);
    check_cells("क\u{94d}\u{200c}ष", &[("क\u{94d}\u{200c}", 1), ("ष", 1)]);
}

#[test]
fn without_mode_2027_each_character_has_its_own_cell() {
    check_cells("\x1b[?2027l🇩🇪", &[("🇩", 1), ("🇪", 1)]);
    check_cells("\x1b[?2027l👍🏽", &[("👍", 2), ("🏽", 2)]);
    check_cells("\x1b[?2027l❤\u{fe0f}", &[("❤\u{fe0f}", 1)]);
    check_cells("\x1b[?2027l👩\u{200d}💻", &[("👩\u{200d}", 2), ("💻", 2)]);
    check_cells("\x1b[?2027l🇩\x1b[?2027h🇪", &[("🇩🇪", 2)]);
}

#[test]
fn mode_2027_can_be_queried_and_saved() {
    let mut emulator = fed("\x1b[?2027$p\x1b[?2027s\x1b[?2027l\x1b[?2027$p\x1b[?2027r\x1b[?2027$p");
    assert_eq!(
        emulator.take_replies(),
        b"\x1b[?2027;1$y\x1b[?2027;2$y\x1b[?2027;1$y"
    );
    let mut emulator = fed("\x1b[?2027l\x1bc\x1b[?2027$p");
    assert_eq!(emulator.take_replies(), b"\x1b[?2027;1$y");
}

#[test]
fn a_cursor_that_moved_separates_clusters() {
    check_cells("🇩\x1b[3G\x1b[5G\x1b[2G🇪", &[("🇩🇪", 2)]);
    check_cells("🇩x\x1b[2G🇪", &[("🇩", 1), ("🇪", 1)]);
    check_cells("a👍\x1b[2Gb🏽", &[("a", 1), ("b🏽", 2)]);
    check("ab\x1b[2G\u{fe0f}", "a\u{fe0f}|b\n");
    // Colours do not.
    check_cells("🇩\x1b[31m🇪", &[("🇩🇪", 2)]);
}

#[test]
fn a_cluster_that_becomes_too_wide_moves_to_the_next_row() {
    let row = "0123456789012345678";
    for (text, first) in [("🇩🇪", '🇩'), ("❤\u{fe0f}", '❤')] {
        check(&format!("{row}{text}x"), &format!("{row}\n{text}x|\n"));
        // Without autowrap it cannot grow.
        check(&format!("\x1b[?7l{row}{text}"), &format!("{row}{first}|\n"));
    }
    let mut emulator = fed(&format!("{row}🇩🇪"));
    emulator.resize(crate::Size { cols: 30, rows: 5 });
    assert_eq!(emulator.screen().picture(), format!("{row}🇩🇪|\n"));
}

#[test]
fn a_cluster_that_grows_in_insert_mode_moves_the_text() {
    check("abc\x1b[1G\x1b[4h🇩🇪", "🇩🇪|abc\n");
}

#[test]
fn a_wide_cluster_replaces_what_it_covers() {
    check("a界c\x1b[1G🇩🇪", "🇩🇪| c\n");
}

#[test]
fn a_repetition_after_a_cluster_repeats_its_first_character() {
    check("👍🏽\x1b[2b", "👍🏽👍👍|\n");
    check("e\u{301}\x1b[2b", "e\u{301}ee|\n");
}

#[test]
fn a_cluster_has_at_most_sixteen_marks() {
    let long = format!("👨{}", "\u{200d}👨".repeat(20));
    let screen = fed(&long).screen();
    // 17 characters, then another cell.
    assert_eq!(screen.cursor.position.col, 6);
    let marks = fed(&format!("e{}x", "\u{301}".repeat(1000))).screen();
    assert_eq!(marks.text().chars().count(), 18 + 1);
}
