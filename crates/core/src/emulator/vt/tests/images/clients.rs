//! What real programs sent for a picture of 48x32 pixels.

use super::*;

#[track_caller]
fn check(sent: &[u8], expected: &str, pixels: &str) {
    let mut emulator = fed("$ picture\r\n");
    emulator.feed(sent);
    let screen = emulator.screen();
    assert_eq!(images(&screen), expected);
    assert_eq!(screen.images[0].image.size().to_string(), pixels);
    assert_eq!(emulator.notes().counts.unknown, 0);
    assert_eq!(emulator.notes().counts.images, 1);
}

#[test]
fn chafa_shows_a_picture_in_each_protocol() {
    let sixel = include_bytes!("../../../../../tests/images/ball.chafa.sixel");
    check(sixel, "sixel 8x1@1,0", "64x12");
    let kitty = include_bytes!("../../../../../tests/images/ball.chafa.kitty");
    check(kitty, "kitty 8x2@1,0", "64x16");
    let iterm = include_bytes!("../../../../../tests/images/ball.chafa.iterm");
    check(iterm, "iterm 8x2@1,0", "64x16");
}

#[test]
fn timg_shows_a_picture_in_each_protocol() {
    let kitty = include_bytes!("../../../../../tests/images/ball.timg.kitty");
    check(kitty, "kitty 6x2@1,0", "48x32");
    let iterm = include_bytes!("../../../../../tests/images/ball.timg.iterm");
    check(iterm, "iterm 6x2@1,0", "48x32");
}
