//! Reads sizes, formats and frame delays of images without decoding them.

use std::time::Duration;

/// Returns width and height of a PNG.
#[track_caller]
pub(crate) fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "not a PNG");
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (side(16), side(20))
}

/// Returns the delay of each GIF frame.
#[track_caller]
pub(crate) fn gif_delays(bytes: &[u8]) -> Vec<Duration> {
    assert!(bytes.starts_with(b"GIF89a"), "not a GIF");
    let table = |flags: u8| match flags & 0x80 {
        0 => 0,
        _ => 3 << ((flags & 7) + 1),
    };
    let mut at = 13 + table(bytes[10]);
    let mut delays = Vec::new();
    loop {
        match bytes[at] {
            // An extension block. The graphic control extension before a frame contains its delay.
            0x21 => {
                if bytes[at + 1] == 0xf9 {
                    let delay = u16::from_le_bytes([bytes[at + 4], bytes[at + 5]]);
                    delays.push(Duration::from_millis(u64::from(delay) * 10));
                }
                at += 2;
            }
            // A frame: position, colour table, minimum code size.
            0x2c => at += 10 + table(bytes[at + 9]) + 1,
            0x3b => return delays,
            other => panic!("`{other:#x}` at {at} is not a block"),
        }
        // The data are sub-blocks, each with its length, up to an empty one.
        while bytes[at] != 0 {
            at += 1 + usize::from(bytes[at]);
        }
        at += 1;
    }
}

/// Returns the format of an image by its first bytes.
pub(crate) fn image_format(bytes: &[u8]) -> &'static str {
    let moves = |mark: &[u8]| bytes.windows(mark.len()).take(200).any(|part| part == mark);
    match bytes {
        [0x89, b'P', b'N', b'G', ..] if moves(b"acTL") => "apng",
        [0x89, b'P', b'N', b'G', ..] => "png",
        [b'G', b'I', b'F', b'8', ..] => "gif",
        [b'R', b'I', b'F', b'F', ..] => "webp",
        [b'<', b's', b'v', b'g', ..] => "svg",
        [b'<', ..] => "html",
        [0x1a, 0x45, 0xdf, 0xa3, ..] => "webm",
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => "mp4",
        _ => "unknown",
    }
}
