//! Tests that images are recorded and do not change the screen.

use super::fed;
use crate::emulator::{Emulator, Image, ImageKind, ImageLength};

/// Returns an image as one line: protocol, position, size, bytes.
fn line(image: &Image) -> String {
    let kind = match image.kind {
        ImageKind::Sixel => "sixel",
        ImageKind::Kitty => "kitty",
        ImageKind::Iterm => "iterm",
    };
    let length = |length| match length {
        None => "?".to_owned(),
        Some(ImageLength::Cells(cells)) => format!("{cells}"),
        Some(ImageLength::Pixels(pixels)) => format!("{pixels}px"),
        Some(ImageLength::Percent(percent)) => format!("{percent}%"),
    };
    format!(
        "{kind} at {},{}: {} x {}, {} bytes",
        image.position.row,
        image.position.col,
        length(image.width),
        length(image.height),
        image.bytes
    )
}

/// Feeds the bytes between `a` and `b`, whole and byte by byte. The image must not change the
/// screen.
#[track_caller]
fn check(bytes: &str, images: &[&str]) {
    let all = format!("a{bytes}b");
    let mut whole = fed(&all);
    let mut cut = fed("");
    for byte in all.as_bytes() {
        cut.feed(std::slice::from_ref(byte));
    }
    assert_eq!(whole.notes(), cut.notes(), "{bytes:?} cut at every byte");
    let listed: Vec<String> = whole.notes().images().map(line).collect();
    assert_eq!(listed, images, "{bytes:?}");
    assert_eq!(whole.notes().counts.images, images.len() as u64);
    assert_eq!(whole.screen().text(), "ab\n", "{bytes:?}");
}

#[test]
fn sixels_have_the_size_of_their_raster_attributes() {
    check(
        "\x1bPq\"1;1;93;14#0;2;60;0;0~~@@vv-\x1b\\",
        &["sixel at 0,1: 93px x 14px, 28 bytes"],
    );
    check("\x1bP0;1;0q#0~~\x1b\\", &["sixel at 0,1: ? x ?, 4 bytes"]);
    check("\x1bPq\"1;1\x1b\\", &["sixel at 0,1: ? x ?, 4 bytes"]);
    check("\x1bPq\x1b\\", &["sixel at 0,1: ? x ?, 0 bytes"]);
}

#[test]
fn other_device_controls_are_not_images() {
    check("\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1bP1;2|17/ab\x1b\\", &[]);
}

#[test]
fn kitty_graphics_have_a_size_in_cells_or_pixels() {
    check(
        "\x1b_Ga=T,f=24,s=10,v=20;AAAABBBB\x1b\\",
        &["kitty at 0,1: 10px x 20px, 8 bytes"],
    );
    check(
        "\x1b_Gf=100,a=T,s=10,v=20,c=4,r=2;AAAA\x1b\\",
        &["kitty at 0,1: 4 x 2, 4 bytes"],
    );
    check("\x1b_Gf=100;AAAA\x1b\\", &["kitty at 0,1: ? x ?, 4 bytes"]);
}

#[test]
fn an_image_in_chunks_is_one_image() {
    check(
        "\x1b_Ga=T,f=100,c=3,m=1;AAAA\x1b\\\x1b_Gm=1;BBBB\x1b\\\x1b_Gm=0;CC\x1b\\",
        &["kitty at 0,1: 3 x ?, 10 bytes"],
    );
    // An incomplete image is not recorded, and a command that interrupts it is a separate image.
    check("\x1b_Ga=T,f=100,m=1;AAAA\x1b\\\x1b_Gm=1;BBBB\x1b\\", &[]);
    check(
        "\x1b_Ga=T,f=100,m=1;AAAA\x1b\\\x1b_Ga=T,f=100;BB\x1b\\\x1b_Gm=0;CC\x1b\\",
        &["kitty at 0,1: ? x ?, 2 bytes"],
    );
}

#[test]
fn other_graphics_commands_are_unknown() {
    check(
        "\x1b_Ga=d,d=A\x1b\\\x1b_Ga=p,i=1\x1b\\\x1b_Gm=0;AA\x1b\\",
        &[],
    );
    let emulator = fed("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b_Ga=d\x1b\\");
    let unknown: Vec<&str> = emulator.notes().unknown().map(|(name, _)| name).collect();
    assert_eq!(unknown, ["APC Ga=d", "APC Gi=31,s=1,v=1,a=q,t=d,f=24"]);
    // A program that asks whether it may send images waits for a reply.
    assert_eq!(
        emulator.notes().unanswered(),
        ["APC Gi=31,s=1,v=1,a=q,t=d,f=24"]
    );
}

#[test]
fn iterm_files_have_sizes_in_several_units() {
    check(
        "\x1b]1337;File=name=YQ==;size=5;width=8;height=16px;inline=1:AAAABBBB\x07",
        &["iterm at 0,1: 8 x 16px, 8 bytes"],
    );
    check(
        "\x1b]1337;File=inline=1;width=50%;height=auto:AAAA\x1b\\",
        &["iterm at 0,1: 50% x ?, 4 bytes"],
    );
    // A download, and a different command.
    check(
        "\x1b]1337;File=name=YQ==:AAAA\x07\x1b]1337;SetMark\x07",
        &[],
    );
}

#[test]
fn a_file_in_parts_is_one_image() {
    check(
        "\x1b]1337;MultipartFile=inline=1;width=8\x07\x1b]1337;FilePart=AAAA\x07\
         \x1b]1337;FilePart=BB\x07\x1b]1337;FileEnd\x07",
        &["iterm at 0,1: 8 x ?, 6 bytes"],
    );
    check("\x1b]1337;FilePart=AAAA\x07\x1b]1337;FileEnd\x07", &[]);
}

#[test]
fn large_images_are_counted_and_not_stored() {
    let data = "A".repeat(3 << 20);
    for (bytes, image) in [
        (
            format!("\x1bPq\"1;1;9;9{data}\x1b\\"),
            "sixel at 0,1: 9px x 9px, 3145736 bytes",
        ),
        (
            format!("\x1b_Ga=T,f=100,c=2;{data}\x1b\\"),
            "kitty at 0,1: 2 x ?, 3145728 bytes",
        ),
        (
            format!("\x1b]1337;File=inline=1;width=2:{data}\x07"),
            "iterm at 0,1: 2 x ?, 3145728 bytes",
        ),
    ] {
        let mut emulator = fed("a");
        for chunk in bytes.as_bytes().chunks(4095) {
            emulator.feed(chunk);
        }
        emulator.feed(b"b");
        let listed: Vec<String> = emulator.notes().images().map(line).collect();
        assert_eq!(listed, [image]);
        assert_eq!(emulator.notes().counts.unknown, 0, "{image}");
        assert_eq!(emulator.screen().text(), "ab\n", "{image}");
        let mut whole = fed(&format!("a{bytes}b"));
        assert_eq!(whole.notes(), emulator.notes());
        assert_eq!(whole.screen(), emulator.screen());
    }
}

#[test]
fn the_last_64_are_listed_and_all_are_counted() {
    let many: String = (0..1000)
        .map(|n| format!("\x1b_Ga=T,f=100,c={};AA\x1b\\", n + 1))
        .collect();
    let emulator = fed(&many);
    assert_eq!(emulator.notes().images().len(), 64);
    assert_eq!(emulator.notes().counts.images, 1000);
    let last = emulator.notes().images().last().map(line);
    assert_eq!(last.as_deref(), Some("kitty at 0,0: 1000 x ?, 2 bytes"));
}
