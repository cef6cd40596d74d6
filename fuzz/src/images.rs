//! Target: images of programs: sixels, the kitty graphics protocol, inline files of iTerm2.
//!
//! - The screen, the replies and the notes are the same however the bytes are split.
//! - An image has an allowed size, and each of its visible rectangles has cells and is on the
//!   screen. All images of a terminal together stay within the bound of its memory.
//! - Queries are answered, and answers have no control characters except their frame.
//! - A dump restores the images in another terminal.
//! - Frames of a cassette and messages of the live stream keep images.
//! - An image can be decoded, or not, but always has its announced size.
//!
//! The first byte selects how the others are packed: as they are, or as the data of one of the
//! protocols, so that the fuzzer need not find their frames and encodings.

use screentest::render::image_png;
use screentest_core::emulator::EmulatorOptions;
use screentest_core::formats::cassette::Millis;
use screentest_core::formats::cassette::frames::{FrameLine, FrameReader, FrameTime, FrameWriter};
use screentest_core::formats::stream::{Viewer, WireScreen, apply, decode, keyframe};
use screentest_core::{Backend, Emulator, Screen, Size};

use crate::budget::Budget;

const SIZE: Size = Size { cols: 24, rows: 8 };

/// More than a terminal stores, because images on the screen may be in its memory no longer.
const MAX_BYTES: usize = 128 << 20;

/// Sends images to a terminal.
pub fn check(bytes: &[u8]) {
    let Some((kind, data)) = bytes.split_first() else {
        return;
    };
    let output = packed(*kind, data);
    let mut whole = terminal();
    let fed = Budget::new().feed(&mut *whole, &output);
    let output = &output[..fed];
    let screen = whole.screen();
    let replies = whole.take_replies();
    placed(&screen);
    framed(&replies);
    let mut cut = terminal();
    let (middle, third) = (output.len() / 2, output.len() / 3);
    for piece in [&output[..third], &output[third..middle], &output[middle..]] {
        cut.feed(piece);
    }
    assert_eq!(cut.screen(), screen);
    assert_eq!(cut.take_replies(), replies);
    assert_eq!(cut.notes(), whole.notes());
    let dump = whole.dump(100);
    let mut restored = terminal();
    restored.feed(&dump);
    assert_eq!(restored.screen().images, screen.images);
    stored(&screen);
    for image in screen.images.iter() {
        // Decoding checks the size itself.
        drop(image_png(&image.image));
    }
}

fn terminal() -> Box<dyn Emulator> {
    Backend::default().emulator(SIZE, EmulatorOptions::default())
}

/// Packs data as program output.
fn packed(kind: u8, data: &[u8]) -> Vec<u8> {
    let framed = |start: &[u8], data: &[u8], end: &[u8]| [start, data, end].concat();
    match kind % 8 {
        0 => framed(b"\x1bP0;1;0q", data, b"\x1b\\"),
        1 => framed(b"\x1bPq", data, b"\x1b\\"),
        // Kitty commands, separated by a byte that they do not contain.
        2 => data
            .split(|byte| *byte == 0xff)
            .flat_map(|command| framed(b"\x1b_G", command, b"\x1b\\"))
            .collect(),
        3 => framed(
            b"\x1b_Ga=T,f=100,i=1;",
            &base64(data),
            b"\x1b\\\x1b_Ga=p,i=1\x1b\\",
        ),
        4 => framed(b"\x1b_Ga=T,f=24,s=5,v=7,o=z;", &base64(data), b"\x1b\\"),
        5 => framed(b"\x1b]1337;File=inline=1:", &base64(data), b"\x07"),
        6 => framed(b"\x1b]1337;File=", data, b"\x07"),
        _ => data.to_vec(),
    }
}

fn base64(data: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::new();
    for group in data.chunks(3) {
        let bits = group
            .iter()
            .zip([16, 8, 0])
            .fold(0, |bits, (byte, shift)| bits | usize::from(*byte) << shift);
        let shifts = [18, 12, 6, 0].into_iter().take(group.len() + 1);
        out.extend(shifts.map(|shift| ALPHABET[bits >> shift & 63]));
    }
    out
}

fn placed(screen: &Screen) {
    let mut bytes = 0;
    for image in screen.images.iter() {
        let size = image.image.size();
        assert!(size.is_allowed(), "{size}");
        bytes += image.image.bytes();
        assert!(!image.visible.is_empty(), "{image}");
        for rect in image.visible.iter() {
            assert!(
                !rect.is_empty() && rect.clipped(SIZE.rect()) == *rect,
                "{rect}"
            );
            assert_eq!(rect.clipped(image.area()), *rect, "{image}");
        }
    }
    assert!(bytes <= MAX_BYTES * screen.images.len().max(1));
}

/// Answers of the kitty protocol are printable.
fn framed(replies: &[u8]) {
    let text = String::from_utf8_lossy(replies);
    for answer in text.split("\x1b_G").skip(1) {
        let (answer, _) = answer.split_once("\x1b\\").expect("an answer ends");
        assert!(!answer.contains(char::is_control), "{answer:?}");
    }
}

fn stored(screen: &Screen) {
    let shown = FrameTime {
        seq: 1,
        time: Millis::new(std::time::Duration::ZERO),
        at: 0,
        unfinished: false,
    };
    // A row with a control character cannot be stored.
    let mut images = Screen::blank(SIZE);
    images.images = screen.images.clone();
    let line = FrameWriter::new().line(shown, &images).expect("a keyframe");
    let line = FrameLine::parse(&line, 1).expect("it was written");
    assert_eq!(FrameReader::new().screen(&line), Ok(&images));
    let seen = WireScreen::new(images, 0);
    let mut view = Viewer::new(1);
    let message = decode(&keyframe(1, 1, &seen)).expect("it was encoded");
    apply(&mut view, message).expect("it fits");
    assert_eq!(view.seen(), Some(&seen));
}
