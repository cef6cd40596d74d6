//! Answers to the programs that ask about images.

use super::*;

#[track_caller]
fn check(bytes: &str, replies: &str) {
    let mut emulator = fed(bytes);
    let sent = String::from_utf8(emulator.take_replies()).expect("text");
    assert_eq!(sent, replies, "{bytes:?}");
    assert_eq!(emulator.notes().unanswered(), [""; 0]);
}

#[test]
fn a_query_of_kitty_graphics_is_answered() {
    // How a program finds out whether the protocol is supported: by which answer comes first.
    check(
        "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c",
        "\x1b_Gi=31;OK\x1b\\\x1b[?64;1;4;6;9;15;21;22;28c",
    );
    check(
        "\x1b_Gi=31,s=2,v=1,a=q,f=24;AAAA\x1b\\",
        "\x1b_Gi=31;ENODATA:Insufficient image data: 3 < 6\x1b\\",
    );
    check(
        "\x1b_Gi=3,a=T,f=24,s=1,v=1;AAAA\x1b\\",
        "\x1b_Gi=3;OK\x1b\\",
    );
    check("\x1b_Gi=3,a=T,f=24,s=1,v=1,q=1;AAAA\x1b\\", "");
    check(
        "\x1b_Gi=3,a=p,q=1\x1b\\",
        "\x1b_Gi=3;ENOENT:Put command refers to non-existent image with id: 3 and number: 0\x1b\\",
    );
    check("\x1b_Gi=3,a=p,q=2\x1b\\", "");
}

#[test]
fn the_limits_of_sixels_are_answered() {
    check("\x1b[?1;1;0S", "\x1b[?1;0;1024S");
    check("\x1b[?2;1;0S", "\x1b[?2;0;160;80S");
    check("\x1b[?2;4;0S", "\x1b[?2;0;10000;10000S");
    check("\x1b[?3;1;0S", "\x1b[?3;1;0S");
}

#[test]
fn the_modes_of_sixels_are_answered() {
    check("\x1b[?80$p\x1b[?80h\x1b[?80$p", "\x1b[?80;2$y\x1b[?80;1$y");
    check(
        "\x1b[?8452$p\x1b[?8452h\x1b[?8452$p",
        "\x1b[?8452;2$y\x1b[?8452;1$y",
    );
    check("\x1b[?1070$p", "\x1b[?1070;3$y");
}
