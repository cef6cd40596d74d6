//! Tests that a screen has the colours that the program changed. `emulator/colors/tests.rs` has the
//! commands in detail.

use super::fed;
use crate::emulator::Emulator;
use crate::screen::Screen;
use crate::screen::palette::PaletteEntry;

/// Returns the changed colours of a screen in words.
fn changed(screen: &Screen) -> String {
    let words = screen.palette.iter().map(|(entry, color)| match entry {
        PaletteEntry::Indexed(index) => format!("{index} {color}"),
        named => format!("{named:?} {color}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(bytes: &str, colors: &str) {
    assert_eq!(changed(&fed(bytes).screen()), colors, "{bytes:?}");
}

#[test]
fn a_screen_has_the_colours_that_the_program_changed() {
    check("", "");
    check("\x1b]4;1;#aabbcc\x07", "1 #aabbcc");
    check(
        "\x1b]10;white\x1b\\\x1b]11;#102040\x1b\\\x1b]12;lime\x07\x1b]17;#111111\x07\x1b]19;#222222\x07",
        "Foreground #ffffff, Background #102040, Cursor #00ff00, SelectionBackground #111111, \
         SelectionForeground #222222",
    );
    check("\x1b]4;1;#aabbcc\x07\x1b]104;1\x07", "");
    // Colours that no screen shows.
    check("\x1b]13;red\x07\x1b]5;0;red\x07", "");
}

#[test]
fn a_full_reset_restores_every_colour_a_soft_one_the_indexed_ones() {
    let set = "\x1b]4;1;#aabbcc\x07\x1b]11;#102040\x07";
    check(&format!("{set}\x1bc"), "");
    check(&format!("{set}\x1b[!p"), "Background #102040");
}

#[test]
fn a_command_may_set_all_256_colours() {
    let pairs: String = (0..256)
        .map(|index| format!(";{index};rgb:{index:02x}/00/ff"))
        .collect();
    let expected: Vec<String> = (0..256)
        .map(|index| format!("{index} #{index:02x}00ff"))
        .collect();
    for end in ["\x07", "\x1b\\"] {
        let bytes = format!("a\x1b]4{pairs}{end}b");
        check(&bytes, &expected.join(", "));
        let mut emulator = fed("");
        bytes
            .as_bytes()
            .chunks(7)
            .for_each(|chunk| emulator.feed(chunk));
        assert_eq!(changed(&emulator.screen()), expected.join(", "));
        assert_eq!(emulator.screen().text(), "ab\n");
        emulator.feed(format!("\x1b]104{}\x07", ";1".repeat(300)).as_bytes());
        assert_eq!(
            changed(&emulator.screen()),
            expected.join(", ").replace(", 1 #0100ff", "")
        );
    }
}

#[test]
fn a_command_longer_than_a_sequence_may_be_has_no_effect() {
    let command = |pairs: usize| format!("\x1b]4{};2;#222222\x07x", ";1;#111111".repeat(pairs));
    check(&command(10_000), "1 #111111, 2 #222222");
    check(&command(200_000), "");
}

#[test]
fn replies_beyond_the_limit_are_dropped() {
    let query = format!("\x1b]4{}\x07", ";1;?".repeat(200_000));
    let replies = fed(&query).take_replies();
    assert!(replies.ends_with(b"\x07") && (4_000_000..=4 << 20).contains(&replies.len()));
}

#[test]
fn a_synchronized_update_changes_colours_at_its_end() {
    let mut emulator = fed("\x1b]11;#111111\x07\x1b[?2026h\x1b]11;#222222\x07\x1b]4;1;#333333\x07");
    assert_eq!(changed(&emulator.screen()), "Background #111111");
    emulator.feed(b"\x1b[?2026l");
    assert_eq!(changed(&emulator.screen()), "1 #333333, Background #222222");
}

#[test]
fn the_alternate_screen_has_the_same_colours() {
    check(
        "\x1b]11;#111111\x07\x1b[?1049h\x1b]4;1;#333333\x07\x1b[?1049l",
        "1 #333333, Background #111111",
    );
}
