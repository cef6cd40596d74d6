//! The scripts of the byte streams, in chunks with an unambiguous meaning.

use screentest::core::Size;
use screentest::recording::RecordOptions;

use super::recorder::RecordedStream;

fn stream(record: RecordOptions, cols: u16, rows: u16) -> RecordedStream {
    RecordedStream::new(record, Size { cols, rows })
}

/// Wide characters, combining marks, wrapping at the edge, and overwriting half of a wide
/// character.
pub(super) fn unicode(record: RecordOptions) {
    let mut stream = stream(record, 10, 5);
    stream.write("日本語 ok", "wide");
    stream.write("\r\n012345678日", "at the edge");
    stream.write("\r\ne\u{301} ❤\u{fe0f}", "joined");
    stream.write("\x1b[1;2Hx", "half written over");
    stream.write("\x1b[5;1H─┐ ▒ ⣿", "drawn");
    stream.finish();
}

/// Common attributes, every kind of underline but dashed, every kind of colour, and changes of the
/// terminal's colours.
pub(super) fn styles(record: RecordOptions) {
    let mut stream = stream(record, 40, 8);
    stream.write(
        "\x1b[1mbold\x1b[0m \x1b[2mfaint\x1b[0m \x1b[3mitalic\x1b[0m \x1b[7minverse\x1b[0m \x1b[9mstruck\x1b[0m plain",
        "attributes",
    );
    stream.write(
        "\r\n\x1b[4mone\x1b[0m \x1b[21mtwo\x1b[0m \x1b[4:3mwave\x1b[0m \x1b[4:4mdots\x1b[0m \x1b[4;58;5;9mred\x1b[0m",
        "lines",
    );
    stream.write(
        "\r\n\x1b[31mred \x1b[38;5;200mpink \x1b[38;2;1;2;3mexact\x1b[39m \x1b[44mblue\x1b[49m none",
        "colours",
    );
    stream.write("\r\n\x1b[1;31;44mall\x1b[22m two\x1b[0m", "one taken away");
    stream.write(
        "\r\n\x1b]4;1;#aabbcc\x07\x1b]10;white\x07\x1b]11;rgb:10/20/40\x07\x1b]12;lime\x07",
        "changed colours",
    );
    stream.write("\x1b]104;1\x07\x1b]111\x07", "two restored");
    stream.finish();
}

/// Moving, saving, hiding and shaping the cursor.
pub(super) fn cursor(record: RecordOptions) {
    let mut stream = stream(record, 20, 6);
    stream.write("\x1b[3;5Hhere", "placed");
    stream.write("\x1b7\x1b[1;1Htop\x1b8!", "saved");
    stream.write("\x1b[2A\x1b[3Dup", "moved");
    stream.write("\r\x1b[99;99H", "into the corner");
    stream.write("\x1b[H\tx\x08\x08y", "tabbed");
    stream.write("\x1b[?25l\x1b[6 q", "hidden");
    stream.write("\x1b[?25h", "shown");
    stream.finish();
}

/// Clearing lines, parts of the screen, and the whole screen; the alternate screen.
pub(super) fn clear(record: RecordOptions) {
    let mut stream = stream(record, 20, 5);
    stream.write("one\r\ntwo\r\nthree\r\nfour", "filled");
    stream.write("\x1b[2;2H\x1b[K", "the rest of a line");
    stream.write("\x1b[3;4H\x1b[1K", "a line up to there");
    stream.write("\x1b[3;1H\x1b[J", "all below");
    stream.write("\x1b]2;other\x07\x1b[?1049h\x1b[Hother", "the other screen");
    stream.write("\x1b[?1049l", "back");
    stream.write("\x1b[H\x1b[2J", "everything");
    stream.finish();
}

/// Scrolling with and without margins, and scrollback.
pub(super) fn scroll(record: RecordOptions) {
    let mut stream = stream(record, 20, 5);
    stream.write("1\r\n2\r\n3\r\n4\r\n5", "full");
    stream.write("\r\n6", "one out");
    stream.write("\x1b[2;4r\x1b[4;1H\nnew", "within margins");
    stream.write("\x1b[2;1H\x1bMold", "back within margins");
    stream.write("\x1b[r\x1b[2;1H\x1b[L", "a line put in");
    stream.write("\x1b[1;1H\x1b[2M", "two taken out");
    stream.finish();
}

/// Resizes between and within sequences and characters.
pub(super) fn resize(record: RecordOptions) {
    let mut stream = stream(record, 20, 5);
    stream.write("a line that is longer than that", "broken");
    stream.resize(40, 5);
    stream.write("", "joined");
    stream.resize(10, 5);
    stream.write("", "broken again");
    stream.resize(20, 5);
    // Within a sequence, and within a character.
    stream.write("\x1b[2J\x1b[H\x1b[3", "begun");
    stream.resize(30, 6);
    stream.write(
        "1mred \u{65e5}"
            .as_bytes()
            .split_last_chunk::<1>()
            .unwrap()
            .0,
        "half a character",
    );
    stream.resize(24, 4);
    stream.write([0xa5], "the other half");
    stream.write("\x1b[0m\x1b[?1049h\x1b[Hother", "the other screen");
    stream.resize(12, 3);
    stream.write("\x1b[3;1Hlow", "smaller there");
    stream.write("\x1b[?1049l", "back");
    stream.finish();
}

/// Sequences that are malformed, cut into pieces, unterminated or unknown.
pub(super) fn malformed(record: RecordOptions) {
    let mut stream = stream(record, 30, 6);
    stream.write("a\x1b[999;999;999zb\x1b[?!pc", "unknown");
    stream.write("\r\n\x1b", "one byte");
    stream.write("[3", "two bytes");
    stream.write("1", "three bytes");
    stream.write("mred", "whole");
    stream.write("\x1b[m\r\n\x1b[12\x1b[1mbold\x1b[m", "begun anew");
    stream.write(b"\r\nx\xffy\xc3z\xe6\x97", "no characters");
    stream.write("\r\n\x1b]2;never ended", "a string");
    stream.write("\x18ended", "given up");
    stream.write(
        "\x1b[38;5mplain\x1b[m \x1b[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;mlong",
        "numbers missing",
    );
    stream.finish();
}
