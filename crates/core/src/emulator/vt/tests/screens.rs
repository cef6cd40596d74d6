//! Tests of the main and the alternate screen, and of resets.

use super::fed;
use crate::emulator::Emulator;
use crate::screen::geometry::Size;
use crate::screen::modes::{KittyKeyboard, MouseTracking};

#[track_caller]
fn check(bytes: &str, picture: &str) {
    assert_eq!(fed(bytes).screen().picture(), picture);
}

#[test]
fn the_alternate_screen_is_blank_and_leaving_it_restores_the_main_screen() {
    for mode in [47, 1047, 1049] {
        let mut emulator = fed(&format!("main\x1b[?{mode}h"));
        let screen = emulator.screen();
        assert!(screen.modes.alternate_screen, "?{mode}");
        assert_eq!(screen.text(), "", "?{mode}");
        emulator.feed(format!("other\x1b[?{mode}l").as_bytes());
        let screen = emulator.screen();
        assert!(!screen.modes.alternate_screen, "?{mode}");
        assert_eq!(screen.text(), "main\n", "?{mode}");
    }
}

#[test]
fn entering_the_alternate_screen_keeps_the_cursor_position() {
    for mode in [47, 1047, 1049] {
        check(&format!("main\x1b[?{mode}hX"), "    X|\n");
    }
}

#[test]
fn only_1049_restores_the_cursor() {
    check("main\x1b[?1049h\x1b[3;3Hother\x1b[?1049lX", "mainX|\n");
    for mode in [47, 1047] {
        check(
            &format!("main\x1b[?{mode}h\x1b[3;3Hother\x1b[?{mode}lX"),
            "main\n\n       X|\n",
        );
    }
}

#[test]
fn a_cursor_saved_on_the_main_screen_survives_47_and_1047() {
    for mode in [47, 1047] {
        check(
            &format!("\x1b[2;5H\x1b7\x1b[4;1H\x1b[?{mode}h\x1b[1;1H\x1b[?{mode}l\x1b8X"),
            "\n    X|\n",
        );
    }
}

#[test]
fn a_saved_cursor_stays_inside_a_smaller_screen() {
    for mode in [47, 1047, 1049] {
        let mut emulator = fed(&format!("\x1b[5;20H\x1b7\x1b[?{mode}h"));
        emulator.resize(Size { cols: 4, rows: 2 });
        emulator.feed(format!("\x1b[?{mode}l\x1b8X").as_bytes());
        let cursor = emulator.screen().cursor.position;
        assert!(cursor.row < 2 && cursor.col < 4, "?{mode}: {cursor:?}");
    }
}

#[test]
fn a_cursor_saved_on_the_alternate_screen_survives_leaving_it() {
    for mode in [47, 1047, 1049] {
        check(
            &format!("\x1b[?{mode}h\x1b[2;5H\x1b7\x1b[?{mode}l\x1b[?{mode}h\x1b8X"),
            "\n    X|\n",
        );
    }
}

#[test]
fn a_cursor_saved_on_the_hidden_alternate_screen_stays_inside_a_smaller_screen() {
    for mode in [47, 1047, 1049] {
        let mut emulator = fed(&format!(
            "\x1b[?{mode}h\x1b[5;20H\x1b7\x1b[?{mode}l\x1b[?2004h\x1b[>1u"
        ));
        for (cols, rows) in [(30, 9), (4, 2), (20, 5)] {
            emulator.resize(Size { cols, rows });
        }
        assert_eq!(
            emulator.screen().modes.kitty_keyboard,
            KittyKeyboard::DISAMBIGUATE
        );
        emulator.feed(format!("\x1b[?{mode}h\x1b8").as_bytes());
        let cursor = emulator.screen().cursor.position;
        assert_eq!((cursor.row, cursor.col), (1, 3), "?{mode}");
    }
}

#[test]
fn a_hidden_alternate_screen_takes_no_memory() {
    for bytes in [
        "",
        "\x1b[?1049hother\x1b[?1049l",
        "\x1b[?1047hother\x1b[?1047l",
        "\x1b[?1049hother\x1bc",
    ] {
        let mut emulator = fed(bytes);
        for size in [Size { cols: 20, rows: 5 }, Size { cols: 30, rows: 9 }] {
            emulator.resize(size);
            assert!(emulator.terminal.hidden.is_none(), "{bytes:?}");
        }
    }
}

#[test]
fn mode_1048_saves_and_restores_only_the_cursor() {
    check("ab\x1b[?1048h\x1b[3;3Hcd\x1b[?1048lX", "abX|\n\n  cd\n");
}

#[test]
fn restoring_the_cursor_restores_origin_mode_and_character_set() {
    check(
        "\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b7\x1b[?6l\x1b8\x1b[HX",
        "\nX|\n",
    );
    check("\x1b[2;4r\x1b7\x1b[?6h\x1b8\x1b[HX", "X|\n");
    check("\x1b)0\x0e\x1b7\x0f\x1b8q", "─|\n");
    check("\x1b)0\x1b7\x0e\x1b8q", "q|\n");
    check("\x1b)0\x1b[?1049h\x0e\x1b[?6h\x1b[?1049lq", "q|\n");
}

#[test]
fn entering_the_alternate_screen_twice_has_no_effect() {
    check("main\x1b[?1049hone\x1b[?1049htwo\x1b[?1049lX", "mainX|\n");
}

#[test]
fn the_alternate_screen_has_no_scrollback() {
    let mut emulator = fed(&format!("\x1b[?1049h{}", "line\r\n".repeat(50)));
    let state = emulator.state(100);
    assert_eq!(
        (state.scrollback.len(), state.screen.scrollback_rows),
        (0, 0)
    );
}

#[test]
fn each_screen_has_its_own_keyboard_stack() {
    let keyboard = |bytes: &str| fed(bytes).screen().modes.kitty_keyboard;
    assert_eq!(keyboard("\x1b[>1u"), KittyKeyboard::DISAMBIGUATE);
    assert_eq!(keyboard("\x1b[>1u\x1b[?1049h"), KittyKeyboard::empty());
    assert_eq!(
        keyboard("\x1b[>1u\x1b[?1049h\x1b[>5u"),
        KittyKeyboard::DISAMBIGUATE | KittyKeyboard::ALTERNATE_KEYS
    );
    assert_eq!(
        keyboard("\x1b[>1u\x1b[?1049h\x1b[>5u\x1b[?1049l"),
        KittyKeyboard::DISAMBIGUATE
    );
}

#[test]
fn keyboard_flags_are_set_added_removed_and_popped() {
    let bits = |bytes: &str| fed(bytes).screen().modes.kitty_keyboard.bits();
    assert_eq!(bits("\x1b[=5u"), 5);
    assert_eq!(bits("\x1b[=5u\x1b[=2;2u"), 7);
    assert_eq!(bits("\x1b[=7u\x1b[=2;3u"), 5);
    assert_eq!(bits("\x1b[>1u\x1b[>2u\x1b[<u"), 1);
    assert_eq!(bits("\x1b[>1u\x1b[>2u\x1b[<9u"), 0);
}

#[test]
fn a_soft_reset_resets_modes_margins_and_pen_and_keeps_the_text() {
    let set = "text\x1b[2;4r\x1b[?6h\x1b[?1h\x1b=\x1b[?7l\x1b[?25l\x1b[4h\x1b[1;5;53m\x1b(0";
    let mut emulator = fed(&format!("{set}\x1b[2;2H\x1b[!p"));
    let screen = emulator.screen();
    assert_eq!(screen.picture(), "text\n\n |\n");
    let modes = screen.modes;
    assert!(modes.autowrap);
    assert!(!modes.origin && !modes.insert && !modes.application_cursor);
    assert!(!modes.application_keypad);
    emulator.feed(b"q\x1b[9A\x1b[6n\x1bP$qm\x1b\\\x1bP$qr\x1b\\");
    assert_eq!(
        emulator.take_replies(),
        b"\x1b[1;3R\x1bP1$r0m\x1b\\\x1bP1$r1;5r\x1b\\"
    );
    assert!(emulator.screen().text().ends_with(" q\n"));
}

#[test]
fn a_soft_reset_clears_the_saved_cursor() {
    check("\x1b[3;3H\x1b7\x1b[!p\x1b8X", "X|\n");
}

#[test]
fn a_hard_reset_clears_screen_modes_and_pen_and_keeps_the_title() {
    let mut emulator = fed(
        "text\x1b]2;title\x07\x1b[2;4r\x1b[?6h\x1b[?1049h\x1b[?1003;1006;2004h\x1b[>3u\x1b[5m\x1b[?25l\x1bcX",
    );
    let screen = emulator.screen();
    assert_eq!(screen.picture(), "X|\n");
    assert_eq!(&*screen.title, "title");
    assert_eq!(screen.modes, crate::Modes::default());
    assert_eq!(screen.rows[0].cell(0).style, &crate::Style::default());
    assert_eq!(screen.modes.mouse, MouseTracking::Off);
}

#[test]
fn the_alignment_pattern_fills_the_screen_and_homes_the_cursor() {
    let row = "E".repeat(20);
    check(
        "\x1b[2;3r\x1b[?6h\x1b[2;2H\x1b#8",
        &format!("|{row}\n{row}\n{row}\n{row}\n{row}\n"),
    );
    let mut emulator = fed("\x1b[2;3r\x1b#8");
    emulator.feed(b"\x1bP$qr\x1b\\");
    assert_eq!(emulator.take_replies(), b"\x1bP1$r1;5r\x1b\\");
}

#[test]
fn a_resize_to_the_same_size_keeps_the_margins() {
    let mut emulator = fed("\x1b[2;4r");
    emulator.resize(Size { cols: 20, rows: 5 });
    emulator.feed(b"\x1bP$qr\x1b\\\x1b[3;1H\x1b[9BX");
    assert_eq!(emulator.take_replies(), b"\x1bP1$r2;4r\x1b\\");
    assert_eq!(emulator.screen().picture(), "\n\n\nX|\n");
}

#[test]
fn a_resize_resets_the_margins() {
    let mut emulator = fed("\x1b[2;4r");
    emulator.resize(Size { cols: 20, rows: 6 });
    emulator.feed(b"\x1bP$qr\x1b\\");
    assert_eq!(emulator.take_replies(), b"\x1bP1$r1;6r\x1b\\");
}

#[test]
fn widening_reflows_wrapped_text() {
    let mut emulator = fed("abcdefghijklmnopqrstuvwxyz\r\nend");
    assert!(emulator.screen().rows[0].wrapped());
    emulator.resize(Size { cols: 30, rows: 5 });
    let screen = emulator.screen();
    assert_eq!(screen.text(), "abcdefghijklmnopqrstuvwxyz\nend\n");
    assert!(!screen.rows[0].wrapped());
}
