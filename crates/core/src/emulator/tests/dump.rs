//! Tests that a dump brings another terminal into the same state, so that the same input afterwards
//! gives the same screens.

use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::full;
use crate::emulator::{Backend, Emulator, EmulatorOptions};
use crate::screen::State;
use crate::screen::geometry::{Position, Size};

const SIZE: Size = Size { cols: 12, rows: 4 };
const SCROLLBACK: usize = 100;

fn emulator(backend: Backend, size: Size) -> Box<dyn Emulator> {
    backend.emulator(
        size,
        EmulatorOptions {
            scrollback: SCROLLBACK,
            hostname: "here".to_owned(),
            ..EmulatorOptions::default()
        },
    )
}

/// Returns a new terminal that was fed the dump of `one`.
fn copy(backend: Backend, one: &mut dyn Emulator) -> Box<dyn Emulator> {
    let size = one.screen().size;
    let mut other = emulator(backend, size);
    other.feed(&one.dump(SCROLLBACK));
    other
}

#[track_caller]
fn assert_same(one: &mut dyn Emulator, other: &mut dyn Emulator, why: &str) {
    let (one, other) = (one.state(usize::MAX), other.state(usize::MAX));
    let parts = |state: &State| {
        let screen = &state.screen;
        let facts = format!(
            "{:?} {:?} {:?} {:?} {}",
            screen.cursor,
            screen.title,
            screen.working_directory,
            screen.modes,
            screen.scrollback_rows
        );
        (screen.picture(), facts)
    };
    assert_eq!(parts(&one), parts(&other), "{why}");
    for (index, (row, same)) in one.screen.rows.iter().zip(&other.screen.rows).enumerate() {
        assert_eq!(row, same, "row {index}: {why}");
    }
    for (index, (row, same)) in one.scrollback.iter().zip(&other.scrollback).enumerate() {
        assert_eq!(row, same, "scrollback {index}: {why}");
    }
}

/// Checks the copy after `before`, and both terminals after `after`.
#[track_caller]
fn check(before: &str, after: &str) {
    let mut one = emulator(Backend::Vt, SIZE);
    one.feed(before.as_bytes());
    let mut other = copy(Backend::Vt, &mut *one);
    assert_same(&mut *one, &mut *other, &format!("{before:?}"));
    for emulator in [&mut one, &mut other] {
        emulator.feed(after.as_bytes());
    }
    assert_same(
        &mut *one,
        &mut *other,
        &format!("{before:?} then {after:?}"),
    );
}

/// Checks the copy after `before`, and both terminals after resizes to other widths.
#[track_caller]
fn check_widths(before: &str) {
    for cols in 2..30 {
        let mut one = emulator(Backend::Vt, SIZE);
        one.feed(before.as_bytes());
        let mut other = copy(Backend::Vt, &mut *one);
        for cols in [cols, SIZE.cols] {
            for emulator in [&mut one, &mut other] {
                emulator.resize(Size { cols, ..SIZE });
            }
            let why = format!("{before:?} in {cols} columns");
            assert_same(&mut *one, &mut *other, &why);
        }
    }
}

/// Checks a copy that is made after a resize, and both terminals after the resize back.
#[track_caller]
fn check_back(before: &str) {
    for cols in 2..30 {
        let mut one = emulator(Backend::Vt, SIZE);
        one.feed(before.as_bytes());
        one.resize(Size { cols, ..SIZE });
        let mut other = copy(Backend::Vt, &mut *one);
        for emulator in [&mut one, &mut other] {
            emulator.resize(SIZE);
            // Restoring the saved cursor shows its position.
            emulator.feed(b"\x1b8");
        }
        let why = format!("{before:?} in {cols} columns and back");
        assert_same(&mut *one, &mut *other, &why);
    }
}

fn random_size(random: &mut Random) -> Size {
    Size {
        cols: 2 + random.below(20) as u16,
        rows: 1 + random.below(6) as u16,
    }
}

/// Returns whether the terminals of a seed differ: when the copy is made, after more bytes, after a
/// resize, or after more of both.
fn differs(seed: u64, sizes_before: usize) -> bool {
    let mut random = Random::new(seed);
    let mut one = emulator(Backend::Vt, random_size(&mut random));
    let before = stream::grammar(&mut random, 300);
    let (first, rest) = before.split_at(random.below(before.len()));
    one.feed(first);
    for _ in 0..sizes_before {
        let size = random_size(&mut random);
        one.resize(Size {
            rows: size.rows.max(2),
            ..size
        });
    }
    one.feed(rest);
    let shown = one.state(usize::MAX);
    let mut other = copy(Backend::Vt, &mut *one);
    assert_eq!(one.state(usize::MAX), shown, "seed {seed} was changed");
    if other.state(usize::MAX) != shown {
        return true;
    }
    for _ in 0..2 {
        let after = stream::grammar(&mut random, 150);
        one.feed(&after);
        other.feed(&after);
        if one.state(usize::MAX) != other.state(usize::MAX) {
            return true;
        }
        let size = random_size(&mut random);
        one.resize(size);
        other.resize(size);
        if one.state(usize::MAX) != other.state(usize::MAX) {
            return true;
        }
    }
    false
}

/// After any stream, split anywhere, the copy shows the same and continues to show the same.
#[test]
fn a_copy_after_any_stream_stays_the_same() {
    let rounds = if full() { 50_000 } else { 2_000 };
    for seed in 0..rounds {
        assert!(!differs(seed, 0), "seed {seed}");
    }
}

/// After resizes, a few copies differ, because no bytes produce their state. An example is a saved
/// cursor of the main screen that the resize moved differently than the cursor of that screen,
/// while the alternate screen was shown. The test limits the number of such copies. Screens of one
/// row are left out: a wrapped row cannot be drawn there without scrolling out.
#[test]
fn copies_after_resizes_rarely_differ() {
    let rounds = if full() { 50_000 } else { 1_000 };
    let differ = (0..rounds).filter(|seed| differs(*seed, 1)).count() as u64;
    assert!(differ * 10_000 <= rounds, "{differ} of {rounds}");
}

#[test]
fn copies_text_styles_and_links() {
    check("hello", " there");
    check(
        "\x1b[1;31mred\x1b[0m and \x1b[4:3;58:2::1:2:3mcurly",
        "\r\nx",
    );
    check("日本語日本語日本語", "界");
    check("e\u{301}\u{302} 👨\u{200d}👩", "\u{301}");
    check("\x1b]8;id=a;http://x/;y\x07link\x1b]8;;\x07 none", "x");
    check(
        "\x1b]133;A\x07$ \x1b]133;B\x07ls\r\n\x1b]133;C\x07a\x1b]133;D;0\x07",
        "b",
    );
    check("a\tb\x1b[44m\x1b[K", "c");
}

#[test]
fn copies_wrapping_and_scrolling() {
    check("a line that is longer than the screen\r\nnext", "\x1b[2J");
    check("1\r\n2\r\n3\r\n4\r\n5\r\n6", "\r\n7");
    check("012345678901", "x");
    check("01234567890界", "x");
    // A wrapped row that was then moved to the bottom.
    check("1\r\n2\r\n012345678901x\x1b[H\x1bM", "y");
}

#[test]
fn copies_reflow_the_same() {
    check_widths("a line that is longer than the screen\r\nnext");
    check_widths("日本語日本語日本語日本語日本語");
    // A blank left because a wide character did not fit is not text ...
    check_widths("01234567890界日本語日本語日本語x");
    check_widths("01234567890\x1b[31m界\x1b[44m日本\x1b[m語");
    // ... unless it was written.
    check_widths("01234567890 界日本語");
    // The wrapped character may be erased or overwritten.
    check_widths("01234567890界\r\x1b[K");
    check_widths("01234567890界\rx");
    check_widths("01234567890界\r界");
    // The character repeated last is the first one in its row.
    check_widths("01234567890界日\x08\x08\x1b[K");
    // The last row is wrapped into a row below the screen.
    check_widths("1\r\n2\r\n01234567890界\x1b[H\x1bM\x1bM");
}

#[test]
fn a_blank_left_by_a_resize_is_not_text_in_the_copy() {
    for cols in [11, 7, 5] {
        let mut one = emulator(Backend::Vt, SIZE);
        one.feed("\x1b[31m日本語日本語日本語".as_bytes());
        one.resize(Size { cols, ..SIZE });
        let mut other = copy(Backend::Vt, &mut *one);
        for emulator in [&mut one, &mut other] {
            emulator.resize(SIZE);
        }
        assert_same(&mut *one, &mut *other, &format!("from {cols} columns"));
    }
}

#[test]
fn copies_margins_modes_pens_and_cursors() {
    check("1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H", "a\nb\nc");
    check("\x1b[2;3r\x1b[?6h\x1b[2;4H", "x\x1b[Hy");
    check("\x1b[31;44m", "coloured\x1b[K");
    check("\x1b(0lqk", "xx\x1b(Bx");
    check("\x1b)0\x0e", "lqk\x0flqk");
    check("a\x1b[32m\x1b7\x1b[m\x1b[3;3Hb", "\x1b8c");
    check("\x1b[3g\x1b[4G\x1bH\r", "\tx\ty");
    check("\x1b[4habc\x1b[1G", "X");
    check("\x1b[?7lhello\x1b[1;10H", "abcdef");
    check("\x1b[20h", "a\nb");
    check(
        "\x1b[?25l\x1b[5 q\x1b[?1;1002;1006;2004;1004h\x1b=\x1b[?1007l\x1b[>5u",
        "",
    );
    check("\x1b]2;one\x07\x1b[22t\x1b]2;two\x07", "\x1b[23t");
    check("\x1b]7;file://here/tmp/a%20b%0A\x07", "");
    check("\x1b]7;file://elsewhere/tmp\x07", "");
    check("ab", "\x1b[3b");
}

#[test]
fn copies_the_main_screen_below_the_alternate_screen() {
    check("main\x1b[31m\x1b[?1049h\x1b[2;3Hother", "\x1b[?1049lred");
    check("main\x1b[3;2H\x1b7\x1b[?47hother", "\x1b[?47lx\x1b8y");
    check(
        "1\r\n2\r\n3\r\n4\r\n5\x1b[>1u\x1b[?1049h\x1b[>3u",
        "\x1b[?1049l6",
    );
    check("\x1b[44m\x1b[?1049h\x1b[m\x1b[2Jblank", "x");
    // A zone continues after a cursor was saved on the alternate screen.
    check("\x1b]133;C\x07out\x1b[?1047h\x1b7\x1b[?1047l", "\r\nmore");
    // A cursor saved on the alternate screen is available again, although that screen was not shown
    // meanwhile.
    for saved in [
        "\x1b[2;4H\x1b7",
        "\x1b[31m\x1b(0\x1b[2;4H\x1b7\x1b(B\x1b[m",
        "\x1b[2H012345678901\x1b7",
    ] {
        check(
            &format!("main\x1b[?1047h{saved}\x1b[?1047l\x1b[H012345678901"),
            "x\x1b[?1047h\x1b8y\x1b[?1047l\x1b[2;3Hz",
        );
    }
}

#[test]
fn a_dump_of_the_alternate_screen_changes_nothing() {
    let mut looked = emulator(Backend::Vt, SIZE);
    let mut other = emulator(Backend::Vt, SIZE);
    for emulator in [&mut looked, &mut other] {
        emulator.feed(b"1\r\n2\r\n3\r\n4 is long enough\x1b[?1049hshown");
        emulator.resize(Size { cols: 8, rows: 3 });
    }
    for _ in 0..2 {
        drop(looked.dump(SCROLLBACK));
    }
    for emulator in [&mut looked, &mut other] {
        emulator.feed(b"\x1b[2;2Hx\x1b[?1049ly\x1b8z");
    }
    assert_same(&mut *looked, &mut *other, "after a dump");
}

#[test]
fn an_incomplete_sequence_or_character_continues_in_the_copy() {
    let whole = "a\x1b[1;31mred\x1b]2;title\x1b\\日本\x1b[\n2;2HX\x1bPq#0~\x1b\\\x1b[!81bé\x1b(0q";
    for cut in 0..=whole.len() {
        let (before, after) = whole.as_bytes().split_at(cut);
        for backend in Backend::ALL {
            let mut one = emulator(backend, SIZE);
            one.feed(before);
            let mut other = copy(backend, &mut *one);
            one.feed(after);
            other.feed(after);
            assert_same(
                &mut *one,
                &mut *other,
                &format!("{backend:?}, cut at {cut}"),
            );
        }
    }
}

#[test]
fn a_string_beyond_the_limit_is_ignored_in_the_copy() {
    let mut one = emulator(Backend::Vt, SIZE);
    one.feed(&[b"\x1b]2;", [b'x'; 2 << 20].as_slice()].concat());
    let mut other = copy(Backend::Vt, &mut *one);
    for emulator in [&mut one, &mut other] {
        emulator.feed(b"more\x07shown");
        assert_eq!(emulator.screen().text(), "shown\n");
    }
}

#[test]
fn during_a_synchronized_update_the_copy_shows_the_screen_before_it() {
    check("old\x1b[?2026h\x1b[2Jnew", " and more\x1b[?2026l");
    check("1\r\n2\r\n3\r\n4\x1b[?2026h\r\n5\r\n6", "\r\n7\x1b[?2026l");
    check(
        "main\x1b]2;t\x07\x1b[?1049h\x1b[31mold\x1b[?2026h\x1b[?1049lback\x1b[?25l",
        "\x1b[?2026l",
    );
    check(
        "old\x1b[?2026h\x1b]2;later\x07\x1b[?1049hother",
        "\x1b[?2026l\x1b[?1049l",
    );
}

#[test]
fn a_copy_that_becomes_taller_shows_its_scrollback() {
    let text = "one\r\n\x1b[31mtwo\x1b[0m\r\na row that is longer than the screen is wide\r\n日本語日本語日本語\r\nx\r\ny\r\nz\r\n";
    for backend in Backend::ALL {
        for lines in 0..12 {
            let mut one = emulator(backend, SIZE);
            (0..lines).for_each(|n| one.feed(format!("{n}\r\n").as_bytes()));
            one.feed(text.as_bytes());
            let mut other = copy(backend, &mut *one);
            assert_same(&mut *one, &mut *other, &format!("{backend:?}, {lines}"));
            for emulator in [&mut one, &mut other] {
                emulator.resize(Size { cols: 12, rows: 9 });
            }
            assert_same(
                &mut *one,
                &mut *other,
                &format!("{backend:?}, {lines}, higher"),
            );
        }
    }
}

#[test]
fn a_dump_has_at_most_the_requested_scrollback() {
    let mut one = emulator(Backend::Vt, SIZE);
    (0..50).for_each(|n| one.feed(format!("{n}\r\n").as_bytes()));
    let mut other = emulator(Backend::Vt, SIZE);
    other.feed(&one.dump(5));
    assert_eq!(other.screen().scrollback_rows, 5);
    assert_eq!(other.state(5).scrollback, one.state(5).scrollback);
}

#[test]
fn a_pending_wrap_survives_resizes_in_the_copy() {
    check_back("abcdefghijkl");
    check_back("abcdefghijkl\x1b7");
    check_back("\x1b[?1049habcdefghijkl");
    check_back("\x1b[?1049habcdefghijkl\x1b7");
    check_back("\x1b[?47habcdefghijkl");
}

#[test]
fn a_cursor_saved_on_the_hidden_screen_has_no_pending_wrap_after_widening() {
    let wider = Size { cols: 20, ..SIZE };
    for (before, after, col) in [
        // On the main screen, the saved cursor moves with the text.
        ("abcdefghijkl\x1b[?1049h", "\x1b[?1049l\x1b8x", 13),
        (
            "\x1b[?1049habcdefghijkl\x1b7\x1b[?1049l",
            "\x1b[?1049h\x1b8x",
            12,
        ),
    ] {
        let mut one = emulator(Backend::Vt, SIZE);
        one.feed(before.as_bytes());
        one.resize(wider);
        one.feed(after.as_bytes());
        let cursor = one.screen().cursor;
        assert_eq!(cursor.position, Position { row: 0, col }, "{before:?}");
    }
}

/// Checks the copy after `before`, and both terminals after a resize to more columns and `after`.
#[track_caller]
fn check_wider(before: &str, after: &str) {
    let mut one = emulator(Backend::Vt, SIZE);
    one.feed(before.as_bytes());
    let mut other = copy(Backend::Vt, &mut *one);
    for emulator in [&mut one, &mut other] {
        emulator.resize(Size { cols: 20, ..SIZE });
        emulator.feed(after.as_bytes());
    }
    let why = format!("{before:?} wider, then {after:?}");
    assert_same(&mut *one, &mut *other, &why);
}

#[test]
fn the_copy_repeats_the_last_character_even_if_it_was_erased() {
    let again = "\x1b[3b";
    check("x\r\x1b[K", again);
    check("x\x1b[44m\x1b[2J", again);
    check("界\r\x1b[K", again);
    check("e\u{301}\r\x1b[K\x1b[3Gy\x08\u{301}\x08\x1b[X", again);
    check("ab\x7f", again);
    // It is shown as a line-drawing character.
    check("\x1b(0q\x1b(B", again);
    // There is no cell where it can be written.
    check("x\x1b#8", again);
    // The wrap is pending in another row than the one that was written.
    check("012345678901\n", again);
    check("\n012345678901\x1bM\x1b[X", again);
    check("\x1b[44m012345678901\n", again);
    check(
        "012345678901\x1b[X\n\n\x1b[2;3r\x1b[3;1H012345678901",
        again,
    );
    // Rows created in a colour keep it.
    check("\x1b[?1049hx\x1b[44m\x1b[2J", again);
}

#[test]
fn copies_halves_of_wide_characters() {
    // The halves become whole again once the cells between them are deleted.
    check("日本\x1b[2G\x1b[@", "\x1b[P");
    check("日本\x1b[2G\x1b[4@", "\x1b[4P");
    check("\x1b[11G界\x1b[11G\x1b[@\x1b[H", "\x1b[4habc");
    check("0123456789界\x1b[11G\x1b[X\x1b[H", "\x1b[4habc");
    // The first half of one character and the second half of another keep their own styles.
    check("\x1b[41m日\x1b[42m本\x1b[m\x1b[2G\x1b[2P", "\rx");
    check(
        "\x1b[9G\x1b[41m日\x1b[42m本\x1b[m\x1b[10G\x1b[2P\x1b[9G\x1b[2@",
        "\x1b[11Gx",
    );
    check_widths("日本\x1b[2G\x1b[@");
    check_widths("\x1b[11G界\x1b[11G\x1b[@");
    check_widths("界\r\x1b[P");
}

#[test]
fn copies_wrap_flags_that_were_moved_within_a_row() {
    let deleted = "0123456789abcd\x1b[H\x1b[2P";
    check_widths(deleted);
    check_widths("0123456789日本\x1b[H\x1b[2P");
    check_widths("0123456789a日本\x1b[H\x1b[2P");
    // In the last row, and in one that scrolled out.
    check_widths(&format!("{deleted}\x1b[3L"));
    check_widths(&format!("{deleted}\x1b[4;1H\n\n"));
    check_widths("\x1b[3;1H0123456789a日本\x1b[3;1H\x1b[2P\x1b[L");
    check_widths("1\r\n2\r\n01234567890界\x1b[H\x1bM");
    // With a wrap pending in that row.
    check("0123456789abc\x1b[A\x1b[12G\x1b[?7l界", "y");
}

#[test]
fn copies_blanks_marked_by_tabs_and_zones() {
    check("a\x1b[5G\t", "\r\x1b]133;A\x07b");
    check("\x1b]133;C\x07ab  ", "\x1b]133;D\x07\x1b[8Gx");
    check("\x1b]133;C\x07ab\x1b]133;D\x07\x1b[8G\t", "\x1b[6G\x1b[K");
}

#[test]
fn copies_tab_stops_including_the_last_column() {
    check_wider("\x1b[3g", "\tx");
    check_wider("\x1b[12G\x1bH", "\r\t\tx");
}

#[test]
fn rows_created_in_a_colour_are_cleared_the_same_in_the_copy() {
    check_wider("\x1b[44m\x1b[S\x1b[m", "\x1bc");
    check_wider("\x1b[44m\x1b[2Jab\x1b[m", "\x1b[H\x1b[J");
    check_wider("\x1b[44m\x1b[2J\x1b[3;5H \x1b[m", "\x1b[H\x1b[J");
}

#[test]
fn copies_a_pen_taken_over_from_the_alternate_screen() {
    check("\x1b[?1049h\x1b[5m\x1b[?47l", "\x1b[mx");
    check("\x1b[?1049h\x1b]133;C\x07\x1b[?1049l", "x\x1b[my");
    check("\x1b]133;C\x07\x1b[?47h\x1b7\x1b[?1049lxy", "z");
}

#[test]
fn copies_a_cursor_restored_outside_of_the_margins() {
    check("\x1b[?6h\x1b[?1049h\x1b[2r\x1b[?1049l", "x");
}

#[test]
fn a_copy_does_not_repeat_replies() {
    let mut one = emulator(Backend::Vt, SIZE);
    one.feed(b"\x1bP+q544e\x1b");
    assert!(!one.take_replies().is_empty());
    let mut other = copy(Backend::Vt, &mut *one);
    assert_eq!(other.take_replies(), b"");
    check("\x1b]8;;a\x7f", "b\x07x");
}

#[test]
fn a_copy_does_not_repeat_invalid_bytes() {
    let mut one = emulator(Backend::Vt, SIZE);
    one.feed(b"\x1b[!6t\xc9\xe7");
    let mut other = copy(Backend::Vt, &mut *one);
    assert_same(&mut *one, &mut *other, "cut within invalid bytes");
}

#[test]
fn during_a_synchronized_update_the_copy_counts_cleared_scrollback() {
    check("1\r\n2\r\n3\r\n4\r\n5\x1b[?2026h\x1b[3J", "\x1b[?2026l");
    check("\x1b[?7l012345678901\x1b[?2026h", "\x1b[?2026lx");
}
#[test]
fn zz_debug() {
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let mut one = emulator(Backend::Vt, random_size(&mut random));
        let before = stream::grammar(&mut random, 300);
        let (first, rest) = before.split_at(random.below(before.len()));
        one.feed(first);
        one.feed(rest);
        let mut other = copy(Backend::Vt, &mut *one);
        let (a, b) = (one.state(100), other.state(100));
        for (x, y) in a
            .scrollback
            .iter()
            .chain(&a.screen.rows)
            .zip(b.scrollback.iter().chain(&b.screen.rows))
        {
            if x != y {
                panic!(
                    "{:?}\n{:?}\n{} {} {:?} {:?}",
                    x.cells().map(|c| (c.text, c.width)).collect::<Vec<_>>(),
                    y.cells().map(|c| (c.text, c.width)).collect::<Vec<_>>(),
                    x.wrapped(),
                    y.wrapped(),
                    x.zones(),
                    y.zones()
                );
            }
        }
        assert_eq!(a.screen.modes, b.screen.modes);
        assert!(a == b, "{seed}");
        let dump = String::from_utf8_lossy(&one.dump(9))
            .escape_debug()
            .to_string();
        for _ in 0..2 {
            let after = stream::grammar(&mut random, 150);
            for b in &after {
                let pre = one.screen().picture();
                one.feed(&[*b]);
                other.feed(&[*b]);
                let (a, b2) = (one.state(99), other.state(99));
                if a != b2 {
                    panic!(
                        "seed {seed}\nbyte {b:x} in {}\ndump {dump}\npre {pre}\n{}\n{}\n{:?} {:?} {}",
                        after.escape_ascii(),
                        a.screen.picture(),
                        b2.screen.picture(),
                        a.screen.cursor,
                        b2.screen.cursor,
                        a.scrollback == b2.scrollback
                    );
                }
            }
            let size = random_size(&mut random);
            one.resize(size);
            other.resize(size);
            if one.state(99) != other.state(99) {
                panic!("seed {seed} resize");
            }
        }
    }
}
