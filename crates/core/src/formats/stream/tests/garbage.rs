//! Invalid messages, and deltas that do not fit the viewer's screen.

use super::*;

/// The start of a keyframe of 9 by 2: up to its metadata, up to its moves, and up to its first row.
const FRAME: &str = "01 01 07 01 09 02";
const FRAME_2: &str = "02 01 07 01 09 02";
const TABLE: &str = "01 01 07 01 09 02 00";
const ROW: &str = "01 01 07 01 09 02 00 00 00 00 01";

/// Invalid messages: the start, the rest, and the expected error.
pub(super) const FORBIDDEN: [(&str, &str, &str); 43] = [
    (
        "",
        "",
        "unexpected end at offset 0: at least `1` more bytes are needed",
    ),
    ("", "00", "unsupported version `0` (expected `3` or lower)"),
    ("", "04", "unsupported version `4` (expected `3` or lower)"),
    (
        "",
        "01 05 00 00",
        "`05` at offset 1 is not a valid kind of message",
    ),
    (
        "",
        "01 04 80 80 80 80 10 00",
        "`4294967296` at offset 2 is out of range for channel (0 to 4294967295)",
    ),
    ("", "01 04 07 80 00", NUMBER),
    ("", "01 04 07 FF FF FF FF FF FF FF 1F", NUMBER),
    ("", "01 04 07 FF FF FF FF FF FF FF FF 01", NUMBER),
    (
        "",
        "01 04 07 01 00",
        "`1` bytes at offset 4 follow the end of the message",
    ),
    (
        "",
        "01 02 07 01 02",
        "`2` at offset 4 is out of range for revisions since the base (1 to 1)",
    ),
    (
        "",
        "01 03 07 01 03",
        "`03` at offset 4 is not a valid kind of exit",
    ),
    (
        "",
        "01 01 07 01 01 02",
        "`1` at offset 4 is out of range for columns (2 to 2000)",
    ),
    (
        "",
        "01 01 07 01 02 D1 0F",
        "`2001` at offset 5 is out of range for rows (1 to 2000)",
    ),
    (
        FRAME,
        "40",
        "`64` at offset 6 is out of range for metadata bits (0 to 63)",
    ),
    (
        FRAME_2,
        "80 01",
        "`128` at offset 6 is out of range for metadata bits (0 to 127)",
    ),
    (
        FRAME_2,
        "40 86 02",
        "`262` at offset 7 is out of range for changed colours (0 to 261)",
    ),
    (
        FRAME_2,
        "40 01 85 02 01 02 03",
        "`261` at offset 8 is out of range for changed colour (0 to 260)",
    ),
    (
        FRAME_2,
        "40 02 05 01 02 03 05 01 02 03",
        "`5` at offset 12 is out of range for changed colour (6 to 260)",
    ),
    (
        FRAME_2,
        "40 01 05 01 02",
        "unexpected end at offset 11: at least `1` more bytes are needed",
    ),
    (FRAME, "02 02 C3 28", "the text at offset 8 is not UTF-8"),
    (
        FRAME,
        "02 05 41",
        "unexpected end at offset 9: at least `4` more bytes are needed",
    ),
    (
        FRAME,
        "02 81 20",
        "`4097` at offset 7 is out of range for bytes of a title (0 to 4096)",
    ),
    (
        FRAME,
        "08 80 C0 01 00",
        "`6000` at offset 7 is not a valid set of modes",
    ),
    (
        TABLE,
        "01 00 01 00",
        "`0` at offset 10 is out of range for rows of a move (1 to 1999)",
    ),
    (
        TABLE,
        "02 00 01 02 01 03 01",
        "`1` at offset 11 is out of range for target row of a move (2 to 1999)",
    ),
    (
        TABLE,
        "00 00 01 00",
        "`00` at offset 10 is not a valid style",
    ),
    (
        TABLE,
        "00 00 01 03 00",
        "`03` at offset 10 is not a valid style",
    ),
    (
        TABLE,
        "00 00 01 40 00",
        "`0` at offset 11 is out of range for attributes (1 to 3071)",
    ),
    (
        TABLE,
        "00 00 01 40 80 18",
        "`3072` at offset 11 is out of range for attributes (1 to 3071)",
    ),
    (
        TABLE,
        "00 00 01 80 00",
        "`80` at offset 10 is not a valid style in a message without links",
    ),
    (
        TABLE,
        "00 01 01 75 00 01 80 01",
        "`1` at offset 14 is out of range for link (0 to 0)",
    ),
    // A large number of styles allocates nothing before they are read.
    (
        TABLE,
        "00 00 80 92 F4 01",
        "unexpected end at offset 13: at least `1` more bytes are needed",
    ),
    (
        ROW,
        "D0 0F",
        "`2000` at offset 11 is out of range for skipped rows (0 to 1999)",
    ),
    (
        ROW,
        "00 10 08 01 78",
        "`8` at offset 13 is out of range for the head of a piece (0 to 7)",
    ),
    (
        ROW,
        "00 10 06 01 78",
        "`06` at offset 13 is not a valid piece",
    ),
    (
        ROW,
        "00 10 00 00",
        "`0` at offset 14 is out of range for bytes of a text (1 to 8000)",
    ),
    (
        ROW,
        "00 10 03 02 C3 A9",
        "the cluster at offset 14 has only one code point",
    ),
    (ROW, "00 10 02 03 80", "the text at offset 15 is not UTF-8"),
    (
        ROW,
        "00 20 02 D0 0F 78 00 01 78",
        "`2001` at offset 17 is out of range for columns of a row (0 to 2000)",
    ),
    (
        ROW,
        "00 02 01 00",
        "`00` at offset 14 is not a valid zone after one of the same kind",
    ),
    // A message of version 1 has no images.
    (
        "",
        "01 01 07 01 09 02 00 00 00 00 00 00",
        "`1` bytes at offset 11 follow the end of the message",
    ),
    (
        IMAGES,
        "AE 02",
        "`302` at offset 11 is out of range for images (0 to 301)",
    ),
    (
        IMAGES,
        "02 03",
        "`03` at offset 12 is not a valid kind of image",
    ),
    (
        IMAGES,
        "02 00 01 02",
        "unexpected end at offset 15: at least `30` more bytes are needed",
    ),
    (
        IMAGE,
        "00",
        "`0` at offset 45 is out of range for the width of an image (1 to 10000)",
    ),
    (
        IMAGE,
        "90 4E 90 4E",
        "`5f5e100` at offset 45 is not a valid size of an image",
    ),
    (
        IMAGE,
        "03 02 80 80 80 80 10",
        "`4294967296` at offset 47 is out of range for signed number (0 to 4294967295)",
    ),
    (
        IMAGE,
        "03 02 00 00 02 01 00 00 03 02 00 00 03 02 00 81 08",
        "`1025` at offset 60 is out of range for rectangles of an image (1 to 1024)",
    ),
];
/// The start of a keyframe with images, and of its first image: a sixel of 3x2 pixels in 2x1 cells.
const IMAGES: &str = "03 01 07 01 09 02 00 00 00 00 00";
const IMAGE: &str = "03 01 07 01 09 02 00 00 00 00 00 02 00 \
    0102030405060708 0102030405060708 0102030405060708 0102030405060708";
const NUMBER: &str = "the number at offset 3 is too large or not in its shortest form";

/// The start of a delta that follows [`nine_by_two`].
const CHANGE: &str = "01 02 07 02 01";

/// Deltas that do not fit that screen: the rest, and the expected error.
pub(super) const UNFIT: [(&str, &str); 10] = [
    (
        "01 02 00 01 00 00 00 00",
        "the cursor's row `2` is outside the screen of 9x2",
    ),
    (
        "01 00 09 01 00 00 00 00",
        "the cursor's column `9` is outside the screen of 9x2",
    ),
    (
        "00 01 00 01 02 00 00 00",
        "row `2` is outside the screen of 9x2",
    ),
    (
        "00 00 00 00 01 02 00",
        "row `2` is outside the screen of 9x2",
    ),
    (
        "00 00 00 00 01 00 10 02 0A 78",
        "the end of the cells in column `10` is outside the screen of 9x2",
    ),
    (
        "00 00 00 00 01 00 04 0A",
        "the end of the cells in column `10` is outside the screen of 9x2",
    ),
    (
        "00 00 00 00 01 00 02 01 29",
        "a zone in column `10` is outside the screen of 9x2",
    ),
    // Keeps only the first cell of the wide character; keeps only the second, after a new one;
    // starts a zone between them.
    ("00 00 00 00 01 01 14 01 00 01 78", HALF),
    ("00 00 00 00 01 01 18 00 01 78", HALF),
    ("00 00 00 00 01 01 12 01 05 01 03 E7 95 8C", HALF),
];
const HALF: &str = "row `1` is cut within the wide character before column `1`";

/// Returns a screen with a wide character in its second row.
pub(super) fn nine_by_two() -> WireScreen {
    let mut builder = RowBuilder::new();
    builder.push_wide('界', StyleId::PLAIN, LinkId::NONE);
    let rows = vec![plain("ab"), Arc::new(builder.finish())];
    WireScreen::new(screen(9, rows), 0)
}

pub(super) fn unfit(rest: &str) -> Vec<u8> {
    hex(&format!("{CHANGE} {rest}"))
}

#[test]
fn invalid_messages_are_errors_with_their_offset() {
    for (begin, rest, error) in FORBIDDEN {
        let bytes = hex(&format!("{begin} {rest}"));
        assert_eq!(decode(&bytes).unwrap_err().to_string(), error);
    }
}

#[test]
fn deltas_that_do_not_fit_the_screen_are_refused_without_effect() {
    for (rest, error) in UNFIT {
        let mut view = shown(&nine_by_two());
        let refused = apply(&mut view, decode(&unfit(rest)).unwrap()).unwrap_err();
        assert_eq!(refused.to_string(), format!("{error}; ask for a keyframe"));
        assert_eq!(view, shown(&nine_by_two()));
    }
}

#[test]
fn an_image_outside_the_screen_is_refused() {
    let image = hex(&format!(
        "{IMAGE} 03 02 00 00 02 01 00 00 03 02 00 00 03 02 00 01 01 08 01 02"
    ));
    let error = apply(&mut Viewer::new(7), decode(&image).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the last column of an image `9` is outside the screen of 9x2; ask for a keyframe"
    );
}

#[test]
fn damaged_messages_and_random_bytes_never_panic() {
    let mut random = Random::new(11);
    for _ in 0..rounds() {
        let mut before = random.screen();
        if random.one_in(2) {
            before = random.with_images(before);
        }
        let after = following(&mut random, &before);
        let [before, after] = [before, after].map(|screen| WireScreen::new(screen, 0));
        let view = shown(&before);
        let key = random.damage(&keyframe(7, 1, &before));
        let change = random.damage(&delta(7, 2, 1, &before, &after));
        let len = random.below(64);
        // Bytes with a meaning in the format get further than random ones.
        let meaningful =
            (0..len).map(|_| *random.pick(b"\x00\x00\x01\x01\x02\x04\x08\x10\x14ax\xc3\xa9"));
        let noise = [hex("01 02 07 02 01"), meaningful.collect()].concat();
        for bytes in [key, change, noise, random.bytes(len)] {
            let Ok(message) = decode(&bytes) else {
                continue;
            };
            let mut changed = view.clone();
            match apply(&mut changed, message) {
                Err(_) => assert_eq!(changed, view),
                Ok(()) => {
                    let seen = changed.seen().unwrap();
                    let Size { cols, rows } = seen.screen().size;
                    let (rows, cols) = (usize::from(rows), usize::from(cols));
                    assert_eq!(seen.screen().rows.len(), rows);
                    assert!(seen.screen().rows.iter().all(|row| row.len() <= cols));
                    // Everything that was decoded can be encoded again.
                    shown(seen);
                }
            }
        }
    }
}
