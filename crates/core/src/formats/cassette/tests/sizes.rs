//! Cassettes stay small: scrolled rows are not written again, and keyframes are rare.

use super::*;

/// Feeds pieces to a terminal. Returns the lines, and how many of them are keyframes.
fn lines(pieces: impl IntoIterator<Item = String>) -> (Vec<Vec<u8>>, usize) {
    let mut deriver = Deriver::pinned(&terminal(Size { cols: 80, rows: 24 })).unwrap();
    let mut writer = FrameWriter::new();
    let lines: Vec<Vec<u8>> = (1..)
        .zip(pieces)
        .filter_map(|(seq, piece)| {
            deriver.feed(piece.as_bytes());
            writer.line(shown(seq), &deriver.screen())
        })
        .collect();
    let keys = lines.iter().filter(|line| line.starts_with(frames::KEY));
    let keys = keys.count();
    (lines, keys)
}

#[test]
fn scrolling_by_one_line_writes_one_row() {
    let logged = |n: usize| format!("{n:06} something happened, and here is what\r\n");
    let (lines, keys) = lines((0..3000).map(logged));
    let bytes: usize = lines.iter().map(Vec::len).sum();
    assert!(bytes < 3000 * 200, "{bytes}");
    assert!((2..40).contains(&keys), "{keys}");
}

#[test]
fn scrolling_above_a_status_line_writes_few_bytes() {
    let logged = |n: usize| {
        format!("\x1b[1;23r\x1b[23;1H\r\nline {n} of many\x1b[24;1H\x1b[7mstatus\x1b[0m")
    };
    let (lines, _) = lines((0..1000).map(logged));
    let bytes: usize = lines.iter().skip(30).map(Vec::len).sum();
    assert!(bytes < 1000 * 200, "{bytes}");
}

#[test]
fn keyframes_are_never_far_apart() {
    let full = |n: usize| format!("\x1b[H{}", format!("{n:04}").repeat(480));
    let (lines, _) = lines((0..2000).map(full));
    let mut since = 0;
    for line in &lines {
        since = if line.starts_with(frames::KEY) {
            0
        } else {
            since + line.len()
        };
        assert!(since < 300 << 10, "{since}");
    }
}
