//! Dumps with images, and dumps in the middle of one.

use super::*;

/// Checks that a dump at every byte leads to the same screen.
#[track_caller]
fn check_cuts(bytes: &str) {
    let mut whole = fed(bytes);
    let expected = whole.screen();
    assert!(!expected.images.is_empty(), "{bytes:?}");
    for cut in 0..=bytes.len() {
        let (before, after) = bytes.as_bytes().split_at(cut);
        let mut first = fed("");
        first.feed(before);
        let mut second = fed("");
        second.feed(&first.dump(100));
        second.feed(after);
        assert_eq!(second.screen(), expected, "cut at {cut} of {bytes:?}");
    }
}

#[test]
fn a_dump_in_the_middle_of_an_image_continues_it() {
    check_cuts(&format!("a{SIXEL}b"));
    check_cuts(&format!("a{KITTY}b"));
    check_cuts(&format!("a{ITERM}b"));
    check_cuts("\x1b_Ga=T,f=24,s=2,v=1,m=1;////\x1b\\\x1b_Gm=0;AAAA\x1b\\b");
    let (arguments, data) = ITERM.split_once(':').expect("data");
    let arguments = arguments.replace("File=", "MultipartFile=");
    let (first, second) = data.trim_end_matches('\x07').split_at(29);
    check_cuts(&format!(
        "{arguments}\x07\x1b]1337;FilePart={first}\x07\x1b]1337;FilePart={second}\x07\
         \x1b]1337;FileEnd\x07b"
    ));
}

#[test]
fn a_dump_restores_the_images_of_both_screens() {
    let placed = format!(
        "text{SIXEL}\x1b[1;3H{KITTY}\x1b[3;2H{ITERM}\x1b[1;6Hx\x1b_Ga=p,i=1,p=7,z=-5\x1b\\\
         \x1b_Ga=p,i=1,P=1,Q=7,H=3,V=1\x1b\\\x1b[?47h\x1b[H{ITERM}{KITTY}"
    );
    let mut first = fed(&placed);
    let mut second = fed("");
    second.feed(&first.dump(100));
    assert_eq!(second.screen(), first.screen());
    for more in [
        "\x1b[?47l",
        "\x1b[S",
        "\x1b_Ga=d,d=i,i=1,p=7\x1b\\",
        "\x1b_Ga=d,d=A\x1b\\",
    ] {
        for emulator in [&mut first, &mut second] {
            emulator.feed(more.as_bytes());
        }
        assert_eq!(second.screen(), first.screen(), "{more:?}");
    }
}

#[test]
fn a_piece_of_a_dump_can_not_do_more_than_a_program() {
    for piece in [
        "",
        "i",
        "i;1;1:",
        "i;1;1:AAAA",
        "i;4000000000;4000000000:AAAAAA==",
        "c;sixel;1,1,0,0,1,1,0,0,1,1;0,0,1,1,0,0",
        "k;1;1",
        "p;0;0;c,0,0;1,1,0,0,1,1,0,0,1,1;0;0;0",
    ] {
        let mut emulator = fed(&format!("\x1b_screentest-image;{piece}\x1b\\"));
        assert_eq!(images(&emulator.screen()), "", "{piece}");
        assert_eq!(emulator.notes().counts.unknown, 1, "{piece}");
    }
    // Cells outside the screen or the image are ignored.
    let image = "\x1b_screentest-image;i;1;1:AAAAAA==\x1b\\";
    for rect in [
        "9,0,1,1,0,0",
        "0,30,1,1,0,0",
        "0,0,1,1,1,0",
        "0,0,1,1,0,65535",
        "0,0,0,0,0,0",
    ] {
        let mut emulator = fed(&format!(
            "{image}\x1b_screentest-image;c;sixel;1,1,0,0,1,1,0,0,1,1;{rect}\x1b\\"
        ));
        assert_eq!(images(&emulator.screen()), "", "{rect}");
    }
}

#[test]
fn a_dump_restores_images_in_the_scrollback_and_behind_an_update() {
    for image in [SIXEL, KITTY, ITERM] {
        let scrolled = format!("a{image}\r\n\n\n\n\n\n");
        let updated = format!("a{image}\x1b[?2026h\x1b[2Jb{image}");
        for bytes in [scrolled, updated] {
            let mut first = fed(&bytes);
            let mut second = fed("");
            second.feed(&first.dump(100));
            assert_eq!(second.screen(), first.screen(), "{bytes:?}");
            for emulator in [&mut first, &mut second] {
                emulator.feed(b"\x1b[?2026l");
                emulator.resize(Size { cols: 20, rows: 9 });
            }
            assert_ne!(images(&first.screen()), "", "{bytes:?}");
            assert_eq!(second.screen(), first.screen(), "{bytes:?}");
        }
    }
}
