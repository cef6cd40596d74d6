//! A cassette stays small: what scrolls is not written again, and keyframes are rare.

use super::*;

/// The lines for a terminal that is fed pieces, with how many of them are keyframes.
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
fn a_line_that_scrolls_costs_a_line() {
    let logged = |n: usize| format!("{n:06} something happened, and here is what\r\n");
    let (lines, keys) = lines((0..3000).map(logged));
    let bytes: usize = lines.iter().map(Vec::len).sum();
    assert!(bytes < 3000 * 200, "{bytes}");
    assert!((2..40).contains(&keys), "{keys}");
}

#[test]
fn a_status_line_below_what_scrolls_costs_little() {
    let logged = |n: usize| {
        format!("\x1b[1;23r\x1b[23;1H\r\nline {n} of many\x1b[24;1H\x1b[7mstatus\x1b[0m")
    };
    let (lines, _) = lines((0..1000).map(logged));
    let bytes: usize = lines.iter().skip(30).map(Vec::len).sum();
    assert!(bytes < 1000 * 200, "{bytes}");
}

#[test]
fn keyframes_are_near_wherever_one_looks() {
    let full = |n: usize| format!("\x1b[H{}", format!("{n:04}").repeat(480));
    let (lines, _) = lines((0..2000).map(full));
    let mut since = 0;
    for line in &lines {
        since = match line.starts_with(frames::KEY) {
            true => 0,
            false => since + line.len(),
        };
        assert!(since < 300 << 10, "{since}");
    }
}
