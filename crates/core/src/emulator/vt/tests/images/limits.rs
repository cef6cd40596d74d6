//! Bounds of memory and work.

use super::*;

/// An image of 2048x2048 pixels of one colour, which takes 16 MiB, in a few thousand bytes.
fn large_sixel(color: usize) -> String {
    let row = "!2048~-".repeat(341);
    format!("\x1b[H\x1bP0;1q\"1;1;2048;2048#0;2;{color};0;0{row}!2048B\x1b\\")
}

#[test]
fn the_memory_of_images_is_bounded_and_the_oldest_are_dropped() {
    let size = Size { cols: 200, rows: 4 };
    let mut emulator = Vt::new(size, EmulatorOptions::default());
    // Each image takes 625 KiB, and shows only its first column: the next one covers the others.
    for col in 1..=200 {
        let color = format!("#0;2;{};{};0", col % 100, col / 100);
        let pixels = "!10000~-!10000~-!10000N";
        emulator.feed(format!("\x1b[1;{col}H\x1bPq{color}{pixels}\x1b\\").as_bytes());
    }
    let screen = emulator.screen();
    let held: usize = screen.images.iter().map(|shown| shown.image.bytes()).sum();
    assert!(held <= 64 << 20, "{held}");
    assert_eq!(screen.images.len(), 104);
    assert_eq!(screen.images[0].col, 96);
    // Images whose cells were erased make room before those that are shown.
    emulator.feed(b"\x1b[1;110H\x1b[K\x1b[2;1H\x1bPq!10000N\x1b\\");
    assert_eq!(emulator.screen().images[0].col, 96);
}

#[test]
fn decoding_counts_as_work() {
    let mut emulator = fed("");
    let image = large_sixel(1);
    let work = emulator.feed_slice(image.as_bytes(), u64::MAX).work;
    // Each of the four million pixels is written, and hashed.
    assert!(work > 4 << 22, "{work}");
    let mut emulator = fed("");
    let mut rest = image.as_bytes();
    let mut slices = 0;
    while !rest.is_empty() {
        rest = &rest[emulator.feed_slice(rest, 1 << 20).bytes..];
        slices += 1;
    }
    assert!(slices > 1, "{slices}");
}

#[test]
fn a_string_of_many_megabytes_is_an_image() {
    let data = "A".repeat(4 * 600 * 600 * 4 / 3);
    let bytes = format!("a\x1b_Ga=T,f=32,s=600,v=600,c=2,r=1;{data}\x1b\\b");
    let mut emulator = fed("");
    for chunk in bytes.as_bytes().chunks(4095) {
        emulator.feed(chunk);
    }
    assert_eq!(images(&emulator.screen()), "kitty 2x1@0,1");
    assert_eq!(emulator.screen().text(), "a  b\n");
    let mut whole = fed(&bytes);
    assert_eq!(whole.notes(), emulator.notes());
    assert_eq!(whole.screen(), emulator.screen());
    // The dump in the middle of it continues, too.
    let (before, after) = bytes.as_bytes().split_at(1_500_000);
    let mut first = fed("");
    first.feed(before);
    let mut second = fed("");
    second.feed(&first.dump(0));
    second.feed(after);
    assert_eq!(second.screen(), whole.screen());
}

#[test]
fn a_string_without_an_image_is_limited_to_a_megabyte() {
    for start in ["\x1b_x", "\x1b]1337;Copy=", "\x1bP+q", "\x1b]52;c;"] {
        let mut emulator = fed("a");
        emulator.feed(start.as_bytes());
        (0..2048).for_each(|_| emulator.feed(&[b'A'; 1024]));
        assert!(emulator.dump(0).len() < 1 << 20, "{start:?}");
        emulator.feed(b"\x1b\\b");
        assert_eq!(emulator.screen().text(), "ab\n", "{start:?}");
    }
}

#[test]
fn strings_without_end_are_not_stored_together() {
    let mut emulator = fed("");
    for _ in 0..300 {
        emulator.feed(b"\x1b_G");
        (0..16).for_each(|_| emulator.feed(&[b'A'; 1024]));
    }
    assert!(emulator.dump(0).len() < 64 << 10);
    emulator.feed(b"\x1b\\x");
    assert_eq!(emulator.screen().text(), "x\n");
}

#[test]
fn copied_cells_are_a_bounded_number_of_images() {
    let size = Size {
        cols: 200,
        rows: 50,
    };
    let mut emulator = Vt::new(size, EmulatorOptions::default());
    emulator.feed(b"\x1bPq!8~-!8~\x1b\\");
    for col in 1..=200 {
        emulator.feed(format!("\x1b[1;1;1;1;1;1;{col}$v").as_bytes());
    }
    for row in 2..=50 {
        emulator.feed(format!("\x1b[1;1;1;200;1;{row};1$v").as_bytes());
    }
    assert_eq!(emulator.screen().images.len(), 4096);
}

#[test]
fn transient_screens_hold_a_bounded_number_of_images() {
    let options = EmulatorOptions {
        transient_screens: TransientScreens::Keep,
        ..EmulatorOptions::default()
    };
    let mut emulator = fed_with(options, "\x1b[?80h");
    for color in 0..20 {
        emulator.feed(large_sixel(color).as_bytes());
        emulator.feed(b"\x1b[2J");
    }
    let screens = emulator.take_transient_screens();
    let held: usize = screens
        .iter()
        .flat_map(|stored| stored.screen.images.iter())
        .map(|shown| shown.image.bytes())
        .sum();
    assert!(held <= 160 << 20, "{held}");
    assert!(emulator.notes().screens_lost > 0);
}
