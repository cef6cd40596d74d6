//! What changes images that are on the screen.

use super::*;

/// Checks what is left of an image at row 1, column 2 after more bytes.
#[track_caller]
fn check_after(image: &str, bytes: &str, expected: &str) {
    let mut emulator = fed(&format!("\x1b[2;3H{image}"));
    emulator.feed(bytes.as_bytes());
    assert_eq!(images(&emulator.screen()), expected, "{image:?} {bytes:?}");
}

#[test]
fn text_replaces_cells_of_an_image() {
    for (image, kind) in [(SIXEL, "sixel"), (TRANSPARENT, "sixel"), (ITERM, "iterm")] {
        let check = |bytes, expected: &str| {
            let expected = expected.replace("image", kind);
            check_after(image, bytes, &expected);
        };
        check("\x1b[2;4Hx", "image 3x2@1,2[1,2:1x1+1,4:1x1+2,2:3x1]");
        check("\x1b[2;4H\u{301}", "image 3x2@1,2[1,3:2x1+2,2:3x1]");
        check("\x1b[2;4H漢", "image 3x2@1,2[1,2:1x1+2,2:3x1]");
        check("\x1b[2;1H\x1b[K", "image 3x2@1,2[2,2:3x1]");
        check("\x1b[2;3H\x1b[X", "image 3x2@1,2[1,3:2x1+2,2:3x1]");
        check("\x1b[3;1H\x1b[J", "image 3x2@1,2[1,2:3x1]");
        check("\x1b[2;4;3;4$z", "image 3x2@1,2[1,2:1x2+1,4:1x2]");
        check("\x1b[2J", "");
        check("\x1b#8", "");
        check("\x1bc", "");
        // A newer image replaces the older one in its cells.
        check(&format!("\x1b[2;3H{SIXEL}"), "sixel 3x2@1,2");
    }
}

#[test]
fn cells_of_an_image_move_with_the_text() {
    for (image, kind) in [(SIXEL, "sixel"), (ITERM, "iterm")] {
        let check = |bytes, expected: &str| {
            let expected = expected.replace("image", kind);
            check_after(image, bytes, &expected);
        };
        check("\x1b[S", "image 3x2@0,2");
        check("\x1b[2S", "image 3x2@-1,2[0,2:3x1]");
        check("\x1b[9S", "");
        check("\x1b[T", "image 3x2@2,2");
        check("\x1b[H\x1b[L", "image 3x2@2,2");
        check("\x1b[H\x1b[M", "image 3x2@0,2");
        check("\x1b[2;1H\x1b[@\x1b[3;1H\x1b[@", "image 3x2@1,3");
        check("\x1b[2;1H\x1b[2P\x1b[3;1H\x1b[2P", "image 3x2@1,0");
        check("\x1b[2;3;3;5;1;2;10$v", "image 3x2@1,2 image 3x2@1,9");
    }
}

#[test]
fn placements_stay_until_they_are_deleted() {
    for bytes in [
        "\x1b[2;4Hxyz",
        "\x1b[2;1H\x1b[K\x1b[3;1H\x1b[K",
        "\x1b[H\x1b[J",
        "\x1b[H\x1b[M",
        "\x1b#8",
        "\x1b[?47h\x1b[?47l",
    ] {
        check_after(KITTY, bytes, "kitty 3x2@1,2");
    }
    for bytes in [
        "\x1b[2J",
        "\x1bc",
        "\x1b_Ga=d\x1b\\",
        "\x1b_Ga=d,d=i,i=1\x1b\\",
    ] {
        check_after(KITTY, bytes, "");
    }
}

#[test]
fn placements_scroll_with_the_screen() {
    check_after(KITTY, "\x1b[S", "kitty 3x2@0,2");
    check_after(KITTY, "\x1b[5;1H\n\n", "kitty 3x2@-1,2[0,2:3x1]");
    check_after(KITTY, "\x1b[5;1H\n\n\x1b[2T", "kitty 3x2@1,2");
    check_after(KITTY, "\x1b[9S", "");
    check_after(KITTY, "\x1b[H\x1bM", "kitty 3x2@2,2");
    // In a region, only placements inside of it move, and are cut at its margins.
    check_after(KITTY, "\x1b[2;4r\x1b[S", "kitty 3x2@0,2[1,2:3x1]");
    check_after(KITTY, "\x1b[3;5r\x1b[S", "kitty 3x2@1,2");
}

#[test]
fn each_screen_has_its_own_images() {
    for image in [SIXEL, KITTY, ITERM] {
        let mut emulator = fed(image);
        let shown = images(&emulator.screen());
        emulator.feed(b"\x1b[?1049h");
        assert_eq!(images(&emulator.screen()), "", "{image:?}");
        emulator.feed(format!("\x1b[H{image}").as_bytes());
        assert_eq!(images(&emulator.screen()), shown);
        emulator.feed(b"\x1b[?1049l");
        assert_eq!(images(&emulator.screen()), shown);
        emulator.feed(b"\x1b[2J\x1b[?1049h");
        assert_eq!(
            images(&emulator.screen()),
            "",
            "it is cleared when it is entered"
        );
    }
}

#[test]
fn a_shell_that_clears_the_screen_keeps_images_in_the_scrollback() {
    for (image, kind) in [(SIXEL, "sixel"), (KITTY, "kitty")] {
        let mut emulator = fed(&format!("{image}\r\n\x1b]133;A\x07$ \x1b[2J"));
        assert_eq!(images(&emulator.screen()), "", "{kind}");
        emulator.resize(Size { cols: 20, rows: 9 });
        assert_eq!(images(&emulator.screen()), format!("{kind} 3x2@0,0"));
    }
}

#[test]
fn a_resize_moves_images_with_the_text() {
    for (image, kind) in [(SIXEL, "sixel"), (KITTY, "kitty"), (ITERM, "iterm")] {
        let text = "0123456789abcde\r\n";
        let mut emulator = fed(&format!("{text}{image}\r\n{text}$ "));
        let mut check = |cols, rows, expected: &str| {
            emulator.resize(Size { cols, rows });
            let expected = expected.replace("image", kind);
            assert_eq!(images(&emulator.screen()), expected, "{cols}x{rows}");
        };
        check(20, 5, "image 3x2@1,0");
        // The line above takes two rows, and one row scrolls out at the top.
        check(10, 5, "image 3x2@0,0");
        check(20, 5, "image 3x2@1,0");
        check(20, 3, "image 3x2@-1,0[0,0:3x1]");
        check(20, 2, "");
        check(20, 5, "image 3x2@1,0");
    }
}

#[test]
fn an_image_wider_than_the_screen_is_cut_off() {
    let mut emulator = fed(&format!("\x1b[?8452h\x1b[10G{SIXEL}x"));
    emulator.resize(Size { cols: 11, rows: 5 });
    // The second row has text after the image, so it wraps; the first one has scrolled out.
    let wrapped = "sixel 3x2@-1,9[0,9:2x1] sixel 3x2@0,-2[1,0:1x1]";
    assert_eq!(images(&emulator.screen()), wrapped);
    let mut emulator = fed(&format!("\x1b[10G{SIXEL}"));
    emulator.resize(Size { cols: 11, rows: 5 });
    assert_eq!(images(&emulator.screen()), "sixel 3x2@0,9[0,9:2x2]");
}

#[test]
fn an_image_that_is_removed_before_it_was_read_is_a_transient_screen() {
    for image in [SIXEL, KITTY, ITERM] {
        let options = EmulatorOptions {
            transient_screens: TransientScreens::Keep,
            ..EmulatorOptions::default()
        };
        for removed in ["\x1b[2J", "\x1b[?1049h", "\x1bc"] {
            let mut emulator = fed_with(options.clone(), &format!("{image}{removed}"));
            let transient = emulator.take_transient_screens();
            let shown = transient
                .iter()
                .any(|stored| !stored.screen.images.is_empty());
            assert!(shown, "{image:?} {removed:?}");
            assert_eq!(images(&emulator.screen()), "");
        }
    }
    let options = EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        ..EmulatorOptions::default()
    };
    let mut deleted = fed_with(options, &format!("{KITTY}\x1b_Ga=d\x1b\\"));
    assert_eq!(deleted.take_transient_screens().len(), 1);
}

#[test]
fn a_synchronized_update_hides_images_until_it_ends() {
    for image in [SIXEL, KITTY, ITERM] {
        let mut emulator = fed(&format!("\x1b[?2026h{image}"));
        assert_eq!(images(&emulator.screen()), "");
        emulator.feed(b"\x1b[?2026l");
        assert_ne!(images(&emulator.screen()), "");
    }
}
