//! The list of the images that a program sent.

use super::*;

/// Returns an image as one line: protocol, position, size, bytes.
fn line(image: &Image) -> String {
    let length = |length| match length {
        None => "?".to_owned(),
        Some(ImageLength::Cells(cells)) => format!("{cells}"),
        Some(ImageLength::Pixels(pixels)) => format!("{pixels}px"),
        Some(ImageLength::Percent(percent)) => format!("{percent}%"),
    };
    format!(
        "{} at {},{}: {} x {}, {} bytes",
        image.kind.name(),
        image.position.row,
        image.position.col,
        length(image.width),
        length(image.height),
        image.bytes
    )
}

/// Feeds `a` and the bytes, whole and byte by byte.
#[track_caller]
fn check(bytes: &str, images: &[&str]) {
    let all = format!("a{bytes}");
    let whole = fed(&all);
    let cut = cut_everywhere(&all);
    assert_eq!(whole.notes(), cut.notes(), "{bytes:?} cut at every byte");
    let listed: Vec<String> = whole.notes().images().map(line).collect();
    assert_eq!(listed, images, "{bytes:?}");
    assert_eq!(whole.notes().counts.images, images.len() as u64);
}

#[test]
fn sixels_have_a_size_in_pixels() {
    check(
        "\x1bPq\"1;1;93;14#0;2;60;0;0~~@@vv-\x1b\\",
        &["sixel at 0,1: 93px x 14px, 28 bytes"],
    );
    check(
        "\x1bP0;1;0q#0~~\x1b\\",
        &["sixel at 0,1: 2px x 6px, 4 bytes"],
    );
    check("\x1bPq\"1;1\x1b\\", &[]);
    check("\x1bPq\x1b\\", &[]);
}

#[test]
fn other_device_controls_are_not_images() {
    check("\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1bP1;2|17/ab\x1b\\", &[]);
}

#[test]
fn kitty_graphics_have_a_size_in_cells_or_pixels() {
    check(
        "\x1b_Ga=T,f=24,s=2,v=1;AAAABBBB\x1b\\",
        &["kitty at 0,1: 2px x 1px, 8 bytes"],
    );
    check(
        "\x1b_Gf=24,a=T,s=1,v=1,c=4,r=2;AAAA\x1b\\",
        &["kitty at 0,1: 4 x 2, 4 bytes"],
    );
    // Sent, but not shown.
    check(
        "\x1b_Gf=24,s=1,v=1,i=5;AAAA\x1b\\",
        &["kitty at 0,1: 1px x 1px, 4 bytes"],
    );
    // Too little data, and no PNG.
    check(
        "\x1b_Ga=T,f=24,s=2,v=1;AAAA\x1b\\\x1b_Ga=T,f=100;AAAA\x1b\\",
        &[],
    );
}

#[test]
fn an_image_in_chunks_is_one_image() {
    check(
        "\x1b_Ga=T,f=24,s=3,v=1,c=3,m=1;AAAA\x1b\\\x1b_Gm=1;BBBB\x1b\\\x1b_Gm=0;CCCC\x1b\\",
        &["kitty at 0,1: 3 x 1px, 12 bytes"],
    );
    // An incomplete image is not recorded.
    check(
        "\x1b_Ga=T,f=24,s=3,v=1,m=1;AAAA\x1b\\\x1b_Gm=1;BBBB\x1b\\",
        &[],
    );
}

#[test]
fn unsupported_graphics_commands_are_unknown() {
    check("\x1b_Ga=d,d=A\x1b\\\x1b_Ga=p,i=1\x1b\\", &[]);
    let emulator = fed("\x1b_Ga=q,t=d,f=24,s=1,v=1;AAAA\x1b\\\x1b_Ga=x\x1b\\\x1b_Ga=a,i=1\x1b\\");
    let unknown: Vec<&str> = emulator.notes().unknown().map(|(name, _)| name).collect();
    assert_eq!(
        unknown,
        ["APC Ga=a,i=1", "APC Ga=q,t=d,f=24,s=1,v=1", "APC Ga=x"]
    );
    // Without an id there is no answer, also in kitty. A program that waits for it hangs.
    assert_eq!(emulator.notes().unanswered(), ["APC Ga=q,t=d,f=24,s=1,v=1"]);
}

#[test]
fn iterm_files_have_sizes_in_several_units() {
    let sized = |size: &str| ITERM.replace("width=3;height=2", size);
    let bytes = ITERM.split_once(':').expect("data").1.len() - 1;
    for (size, listed) in [
        ("width=8;height=16px", "8 x 16px"),
        ("width=50%;height=auto", "50% x ?"),
    ] {
        let listed = format!("iterm at 0,1: {listed}, {bytes} bytes");
        check(&sized(size), &[&listed]);
    }
    // A download, a file that is no image, and a different command.
    check(
        "\x1b]1337;File=name=YQ==:AAAA\x07\x1b]1337;File=inline=1:AAAA\x07\x1b]1337;SetMark\x07",
        &[],
    );
    check("\x1b]1337;FilePart=AAAA\x07\x1b]1337;FileEnd\x07", &[]);
}

#[test]
fn the_last_64_are_listed_and_all_are_counted() {
    let many: String = (0..1000)
        .map(|n| format!("\x1b[H\x1b_Ga=T,f=24,s=1,v=1,c={};AAAA\x1b\\", n + 1))
        .collect();
    let emulator = fed(&many);
    assert_eq!(emulator.notes().images().len(), 64);
    assert_eq!(emulator.notes().counts.images, 1000);
    let last = emulator.notes().images().last().map(line);
    assert_eq!(last.as_deref(), Some("kitty at 0,0: 1000 x 1px, 4 bytes"));
}
