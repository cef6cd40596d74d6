//! The scripts of the streams: bytes whose meaning is beyond doubt, in the pieces in which they come.

use screentest::RecordOptions;
use screentest::core::Size;

use super::recorder::Stream;

fn stream(record: RecordOptions, cols: u16, rows: u16) -> Stream {
    Stream::new(record, Size { cols, rows })
}

/// Wide characters, marks that join, and what happens to them at the edge and when half of one is written over.
pub(super) fn unicode(record: RecordOptions) {
    let mut stream = stream(record, 10, 5);
    stream.writes("日本語 ok", "wide");
    stream.writes("\r\n012345678日", "at the edge");
    stream.writes("\r\ne\u{301} ❤\u{fe0f}", "joined");
    stream.writes("\x1b[1;2Hx", "half written over");
    stream.writes("\x1b[5;1H─┐ ▒ ⣿", "drawn");
    stream.ends();
}

/// Every attribute and every kind of colour.
pub(super) fn styles(record: RecordOptions) {
    let mut stream = stream(record, 40, 8);
    stream.writes(
        "\x1b[1mbold\x1b[0m \x1b[2mfaint\x1b[0m \x1b[3mitalic\x1b[0m \x1b[7minverse\x1b[0m \x1b[9mstruck\x1b[0m plain",
        "attributes",
    );
    stream.writes(
        "\r\n\x1b[4mone\x1b[0m \x1b[21mtwo\x1b[0m \x1b[4:3mwave\x1b[0m \x1b[4:4mdots\x1b[0m \x1b[4;58;5;9mred\x1b[0m",
        "lines",
    );
    stream.writes(
        "\r\n\x1b[31mred \x1b[38;5;200mpink \x1b[38;2;1;2;3mexact\x1b[39m \x1b[44mblue\x1b[49m none",
        "colours",
    );
    stream.writes("\r\n\x1b[1;31;44mall\x1b[22m two\x1b[0m", "one taken away");
    stream.ends();
}

/// Moving, saving, hiding and shaping the cursor.
pub(super) fn cursor(record: RecordOptions) {
    let mut stream = stream(record, 20, 6);
    stream.writes("\x1b[3;5Hhere", "placed");
    stream.writes("\x1b7\x1b[1;1Htop\x1b8!", "saved");
    stream.writes("\x1b[2A\x1b[3Dup", "moved");
    stream.writes("\r\x1b[99;99H", "into the corner");
    stream.writes("\x1b[H\tx\x08\x08y", "tabbed");
    stream.writes("\x1b[?25l\x1b[6 q", "hidden");
    stream.writes("\x1b[?25h", "shown");
    stream.ends();
}

/// Clearing lines, parts of the screen, and all of it; the other screen.
pub(super) fn clear(record: RecordOptions) {
    let mut stream = stream(record, 20, 5);
    stream.writes("one\r\ntwo\r\nthree\r\nfour", "filled");
    stream.writes("\x1b[2;2H\x1b[K", "the rest of a line");
    stream.writes("\x1b[3;4H\x1b[1K", "a line up to there");
    stream.writes("\x1b[3;1H\x1b[J", "all below");
    stream.writes("\x1b]2;other\x07\x1b[?1049h\x1b[Hother", "the other screen");
    stream.writes("\x1b[?1049l", "back");
    stream.writes("\x1b[H\x1b[2J", "everything");
    stream.ends();
}

/// Scrolling, with and without margins, and what scrolls out.
pub(super) fn scroll(record: RecordOptions) {
    let mut stream = stream(record, 20, 5);
    stream.writes("1\r\n2\r\n3\r\n4\r\n5", "full");
    stream.writes("\r\n6", "one out");
    stream.writes("\x1b[2;4r\x1b[4;1H\nnew", "within margins");
    stream.writes("\x1b[2;1H\x1bMold", "back within margins");
    stream.writes("\x1b[r\x1b[2;1H\x1b[L", "a line put in");
    stream.writes("\x1b[1;1H\x1b[2M", "two taken out");
    stream.ends();
}

/// Other sizes between, and in the middle of, what is written.
pub(super) fn resize(record: RecordOptions) {
    let mut stream = stream(record, 20, 5);
    stream.writes("a line that is longer than that", "broken");
    stream.resize(40, 5);
    stream.writes("", "joined");
    stream.resize(10, 5);
    stream.writes("", "broken again");
    stream.resize(20, 5);
    // Within a sequence, and within a character.
    stream.writes("\x1b[2J\x1b[H\x1b[3", "begun");
    stream.resize(30, 6);
    stream.writes(
        "1mred \u{65e5}"
            .as_bytes()
            .split_last_chunk::<1>()
            .unwrap()
            .0,
        "half a character",
    );
    stream.resize(24, 4);
    stream.writes([0xa5], "the other half");
    stream.writes("\x1b[0m\x1b[?1049h\x1b[Hother", "the other screen");
    stream.resize(12, 3);
    stream.writes("\x1b[3;1Hlow", "smaller there");
    stream.writes("\x1b[?1049l", "back");
    stream.ends();
}

/// Sequences that are broken, come in pieces, never end, or mean nothing.
pub(super) fn malformed(record: RecordOptions) {
    let mut stream = stream(record, 30, 6);
    stream.writes("a\x1b[999;999;999zb\x1b[?!pc", "unknown");
    stream.writes("\r\n\x1b", "one byte");
    stream.writes("[3", "two bytes");
    stream.writes("1", "three bytes");
    stream.writes("mred", "whole");
    stream.writes("\x1b[m\r\n\x1b[12\x1b[1mbold\x1b[m", "begun anew");
    stream.writes(b"\r\nx\xffy\xc3z\xe6\x97", "no characters");
    stream.writes("\r\n\x1b]2;never ended", "a string");
    stream.writes("\x18ended", "given up");
    stream.writes(
        "\x1b[38;5mplain\x1b[m \x1b[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;mlong",
        "numbers missing",
    );
    stream.ends();
}
