//! Bytes that are no message, or a message for another screen.

use super::*;

/// A keyframe of 9 by 2 up to its facts, up to its moves, and up to its first row.
const FRAME: &str = "01 01 07 01 09 02";
const TABLE: &str = "01 01 07 01 09 02 00";
const ROW: &str = "01 01 07 01 09 02 00 00 00 00 01";

/// What the format forbids: how a message begins and goes on, and what is said of it.
pub(super) const FORBIDDEN: [(&str, &str, &str); 34] = [
    ("", "", "the bytes end at 0, where `1` more are needed"),
    (
        "",
        "02",
        "version `2` at 0 is not the one that can be read, `1`",
    ),
    ("", "01 05 00 00", "`05` at 1 is no kind of message"),
    (
        "",
        "01 04 80 80 80 80 10 00",
        "`4294967296` at 2 is no number of channel: 0 to 4294967295",
    ),
    ("", "01 04 07 80 00", NUMBER),
    ("", "01 04 07 FF FF FF FF FF FF FF 1F", NUMBER),
    ("", "01 04 07 FF FF FF FF FF FF FF FF 01", NUMBER),
    (
        "",
        "01 04 07 01 00",
        "`1` bytes at 4 follow the end of the message",
    ),
    (
        "",
        "01 02 07 01 02",
        "`2` at 4 is no number of revisions back: 1 to 1",
    ),
    ("", "01 03 07 01 03", "`03` at 4 is no way to end"),
    (
        "",
        "01 01 07 01 01 02",
        "`1` at 4 is no number of columns: 2 to 2000",
    ),
    (
        "",
        "01 01 07 01 02 D1 0F",
        "`2001` at 5 is no number of rows: 1 to 2000",
    ),
    (FRAME, "40", "`64` at 6 is no number of facts: 0 to 63"),
    (FRAME, "02 02 C3 28", "the text at 8 is not UTF-8"),
    (
        FRAME,
        "02 05 41",
        "the bytes end at 9, where `4` more are needed",
    ),
    (
        FRAME,
        "02 81 20",
        "`4097` at 7 is no number of bytes of a title: 0 to 4096",
    ),
    (FRAME, "08 80 C0 01 00", "`6000` at 7 is no modes"),
    (
        TABLE,
        "01 00 01 00",
        "`0` at 10 is no number of rows that move: 1 to 1999",
    ),
    (
        TABLE,
        "02 00 01 02 01 03 01",
        "`1` at 11 is no number of row that a move begins at: 2 to 1999",
    ),
    (TABLE, "00 00 01 00", "`00` at 10 is no look"),
    (TABLE, "00 00 01 03 00", "`03` at 10 is no look"),
    (
        TABLE,
        "00 00 01 40 00",
        "`0` at 11 is no number of attributes: 1 to 3071",
    ),
    (
        TABLE,
        "00 00 01 40 80 18",
        "`3072` at 11 is no number of attributes: 1 to 3071",
    ),
    (
        TABLE,
        "00 00 01 80 00",
        "`80` at 10 is no look in a message without links",
    ),
    (
        TABLE,
        "00 01 01 75 00 01 80 01",
        "`1` at 14 is no number of link: 0 to 0",
    ),
    // A promise of looks costs nothing.
    (
        TABLE,
        "00 00 80 92 F4 01",
        "the bytes end at 13, where `1` more are needed",
    ),
    (
        ROW,
        "D0 0F",
        "`2000` at 11 is no number of rows left out: 0 to 1999",
    ),
    (
        ROW,
        "00 10 08 01 78",
        "`8` at 13 is no number of head of a piece: 0 to 7",
    ),
    (ROW, "00 10 06 01 78", "`06` at 13 is no piece"),
    (
        ROW,
        "00 10 00 00",
        "`0` at 14 is no number of bytes of a text: 1 to 8000",
    ),
    (
        ROW,
        "00 10 03 02 C3 A9",
        "the character at 14 has no marks that join it",
    ),
    (ROW, "00 10 02 03 80", "the text at 15 is not UTF-8"),
    (
        ROW,
        "00 20 02 D0 0F 78 00 01 78",
        "`2001` at 17 is no number of columns of a row: 0 to 2000",
    ),
    (
        ROW,
        "00 02 01 00",
        "`00` at 14 is no zone after one of its kind",
    ),
];
const NUMBER: &str = "the number at 3 is too large or longer than it needs to be";

/// How a delta begins that follows [`nine_by_two`].
const CHANGE: &str = "01 02 07 02 01";

/// What does not fit that screen: how the delta goes on, and what is said of it.
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
    // The first of the wide character's two cells stays; or its second, behind a new one; or a zone begins between.
    ("00 00 00 00 01 01 14 01 00 01 78", HALF),
    ("00 00 00 00 01 01 18 00 01 78", HALF),
    ("00 00 00 00 01 01 12 01 05 01 03 E7 95 8C", HALF),
];
const HALF: &str = "row `1` is cut within the wide character before column `1`";

/// A screen with a wide character in its second row.
pub(super) fn nine_by_two() -> Seen {
    let mut builder = RowBuilder::new();
    builder.push_wide('界', StyleId::PLAIN, LinkId::NONE);
    let rows = vec![plain("ab"), Arc::new(builder.finish())];
    Seen::new(screen(9, rows), 0)
}

pub(super) fn unfit(rest: &str) -> Vec<u8> {
    hex(&format!("{CHANGE} {rest}"))
}

#[test]
fn what_the_format_forbids_is_an_error_with_its_place() {
    for (begin, rest, error) in FORBIDDEN {
        let bytes = hex(&format!("{begin} {rest}"));
        assert_eq!(decode(&bytes).unwrap_err().to_string(), error);
    }
}

#[test]
fn what_does_not_fit_the_screen_is_refused_and_changes_nothing() {
    for (rest, error) in UNFIT {
        let mut view = shown(&nine_by_two());
        let refused = apply(&mut view, decode(&unfit(rest)).unwrap()).unwrap_err();
        assert_eq!(refused.to_string(), format!("{error}; ask for a keyframe"));
        assert_eq!(view, shown(&nine_by_two()));
    }
}

#[test]
fn damaged_messages_and_noise_are_screens_or_errors() {
    let mut random = Random::new(11);
    for _ in 0..rounds() {
        let before = random.screen();
        let after = following(&mut random, &before);
        let [before, after] = [before, after].map(|screen| Seen::new(screen, 0));
        let view = shown(&before);
        let key = random.damage(&keyframe(7, 1, &before));
        let change = random.damage(&delta(7, 2, 1, &before, &after));
        let len = random.below(64);
        // Bytes that mean something here get further than others.
        let telling =
            (0..len).map(|_| *random.pick(b"\x00\x00\x01\x01\x02\x04\x08\x10\x14ax\xc3\xa9"));
        let noise = [hex("01 02 07 02 01"), telling.collect()].concat();
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
                    // What was read can be sent on.
                    shown(seen);
                }
            }
        }
    }
}
