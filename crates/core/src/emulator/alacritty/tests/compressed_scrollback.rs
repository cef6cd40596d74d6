//! Tests of compressed scrollback rows: they are not observable from outside.

use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::Line;
use alacritty_terminal::term::cell::{Cell, Flags};
use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::super::scrollback::compressed::UNCOMPRESSED_ROWS;
use super::differential::{looks, random_size};
use super::{Alacritty, fed, fed_with, full};
use crate::emulator::{Compaction, Emulator, EmulatorOptions, TransientScreens};
use crate::screen::geometry::Size;

/// Returns every cell of the scrollback and of the screen.
fn cells(emulator: &Alacritty) -> Vec<Vec<Cell>> {
    let terminal = &emulator.terminal;
    let grid = terminal.term.grid();
    let compressed = terminal.history() - grid.history_size();
    let compressed = (0..compressed).rev().map(|newer| {
        let mut cells = Vec::new();
        terminal
            .compressed
            .decompress(newer, grid.columns(), &mut cells);
        cells
    });
    let in_grid = grid.topmost_line().0..grid.screen_lines() as i32;
    let in_grid = in_grid.map(|line| grid[Line(line)][..].to_vec());
    compressed.chain(in_grid).collect()
}

#[track_caller]
fn assert_same(compressing: &mut Alacritty, other: &mut Alacritty, rows: usize, what: &str) {
    assert_eq!(
        compressing.take_replies(),
        other.take_replies(),
        "replies after {what}"
    );
    assert_eq!(compressing.notes(), other.notes(), "notes after {what}");
    assert_eq!(compressing.state(rows), other.state(rows), "after {what}");
    assert_eq!(
        compressing.scrollback(rows),
        other.scrollback(rows),
        "scrollback after {what}"
    );
}

#[track_caller]
fn assert_same_cells(compressing: &Alacritty, other: &Alacritty, what: &str) {
    let (compressing, other) = (cells(compressing), cells(other));
    assert_eq!(compressing.len(), other.len(), "rows after {what}");
    for (line, (compressing, other)) in compressing.iter().zip(&other).enumerate() {
        for (col, (compressing, other)) in compressing.iter().zip(other).enumerate() {
            if compressing != other {
                let (compressing, other) = (looks(compressing), looks(other));
                assert_eq!(compressing, other, "line {line}, column {col} after {what}");
            }
        }
    }
}

/// Returns lines with every kind of cell. They scroll more rows than `stream::grammar` does.
fn lines(random: &mut Random) -> Vec<u8> {
    const WORDS: [&str; 16] = [
        "plain words",
        "a much longer line that goes on in the row below where there are not many columns ",
        "\x1b[31mred\x1b[0m",
        "\x1b[48;2;1;2;3m\x1b[K",
        "\x1b[4:3m\x1b[58;5;200mwavy\x1b[59m\x1b[24m",
        "\x1b]8;;https://example.com\x07link\x1b]8;;\x07",
        "\x1b]8;id=7;https://example.com/7\x07named\x1b]8;;\x07",
        "e\u{301}o\u{308}\u{323}",
        "漢字かな",
        "👩‍🚀",
        "\x1b]133;A\x07$ \x1b]133;B\x07ls\x1b]133;C\x07",
        "\x1b[5;53mover\x1b[m",
        "a\tb",
        "\x1b[7m   \x1b[27m",
        "\x1b[1;2;3;8;9mall\x1b[0m",
        "",
    ];
    let mut bytes = Vec::new();
    for _ in 0..random.below(60) {
        for _ in 0..random.below(5) {
            bytes.extend_from_slice(random.pick(&WORDS).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

/// Checks that the same bytes, sizes and queries give the same results, however often rows are
/// compressed meanwhile.
#[test]
fn compression_is_not_observable() {
    let total = if full() { 20 << 20 } else { 1 << 20 };
    let mut random = Random::new(4);
    let (mut fed, mut compressed, mut compressed_below) = (0, 0, 0);
    while fed < total {
        let size = random_size(&mut random);
        let options = EmulatorOptions {
            scrollback: random.pick(&[0, 1, 3, 20, 100, 3000]),
            transient_screens: random.pick(&[TransientScreens::Keep, TransientScreens::Drop]),
            ..EmulatorOptions::default()
        };
        let mut compressing = Alacritty::new(size, options.clone());
        let mut other = Alacritty::new(size, options);
        for _ in 0..60 {
            let bytes = match random.below(5) {
                0 | 1 => lines(&mut random),
                2 => stream::grammar(&mut random, 300),
                3 => {
                    let bytes = stream::grammar(&mut random, 300);
                    stream::mutate(&mut random, &bytes)
                }
                _ => random
                    .pick(&[
                        "\x1b[2J",
                        "\x1b[H\x1b[J",
                        "\x1b[3J",
                        "\x1bc",
                        "\x1b[?1049h",
                        "\x1b[?1049l",
                        "\x1b[?47h\x1b[3J",
                        "\x1b[?47l",
                        "\x1b[?2026h",
                        "\x1b[?2026l",
                        "\x1b[5;9H\x1b7",
                        "\x1b8",
                        "\x1b[40S",
                        "\x1b[5M",
                        "\x1bM\x1bM",
                    ])
                    .as_bytes()
                    .to_vec(),
            };
            fed += bytes.len();
            let mut what = bytes.escape_ascii().to_string();
            let cut = random.below(bytes.len() + 1);
            for part in [&bytes[..cut], &bytes[cut..]] {
                compressing.feed(part);
                other.feed(part);
                if random.one_in(2) {
                    let kept = random.pick(&[1, 2, UNCOMPRESSED_ROWS]);
                    compressing.terminal.compress(kept);
                }
            }
            if random.one_in(6) {
                let cols = compressing.terminal.term.columns() as u16;
                let size = match random.below(3) {
                    // With the same width.
                    0 => Size {
                        cols,
                        ..random_size(&mut random)
                    },
                    _ => random_size(&mut random),
                };
                what.push_str(&format!(" at {}x{}", size.cols, size.rows));
                compressed_below += usize::from(
                    compressing.terminal.is_alternate()
                        && !compressing.terminal.compressed.is_empty(),
                );
                compressing.resize(size);
                other.resize(size);
            }
            if random.one_in(8) {
                let rows = random.pick(&[0, 2, 50, usize::MAX]);
                assert_eq!(
                    compressing.dump(rows).escape_ascii().to_string(),
                    other.dump(rows).escape_ascii().to_string(),
                    "dump after {what}"
                );
            }
            compressed += usize::from(!compressing.terminal.compressed.is_empty());
            let rows = random.pick(&[0, 1, 10, usize::MAX]);
            assert_same(&mut compressing, &mut other, rows, &what);
            assert_same_cells(&compressing, &other, &what);
            assert_eq!(
                compressing.take_transient_screens(),
                other.take_transient_screens()
            );
        }
    }
    // The random input must have covered these cases.
    assert!(compressed > 100, "{compressed}");
    assert!(compressed_below > 5, "{compressed_below}");
}

#[test]
fn decompression_returns_every_cell_unchanged() {
    let mut random = Random::new(5);
    for _ in 0..if full() { 2000 } else { 100 } {
        let size = random_size(&mut random);
        let mut emulator = Alacritty::new(size, EmulatorOptions::default());
        emulator.feed(&lines(&mut random));
        emulator.feed(&stream::grammar(&mut random, 500));
        let before = cells(&emulator);
        emulator.terminal.compress(1);
        assert_eq!(before, cells(&emulator));
    }
}

#[test]
fn compression_keeps_wide_characters_and_wrap_flags() {
    let mut emulator = fed(&format!(
        "{}漢{}\r\n\r\n\r\n\r\n\r\n\r\n",
        "x".repeat(19),
        "y".repeat(30)
    ));
    emulator.terminal.compress(1);
    assert!(!emulator.terminal.compressed.is_empty());
    let rows = cells(&emulator);
    assert!(rows[0][19].flags.contains(Flags::LEADING_WIDE_CHAR_SPACER));
    assert!(rows[0][19].flags.contains(Flags::WRAPLINE));
    assert!(rows[1][0].flags.contains(Flags::WIDE_CHAR));
    assert!(rows[1][1].flags.contains(Flags::WIDE_CHAR_SPACER));
    assert!(rows[1][19].flags.contains(Flags::WRAPLINE));
}

#[test]
fn large_scrollbacks_are_compressed_in_parts() {
    let mut emulator = fed(&"line\r\n".repeat(1204));
    assert_eq!(emulator.compact(), Compaction::Partial);
    assert_eq!(emulator.compact(), Compaction::Partial);
    assert_eq!(emulator.screen().scrollback_rows, 1200);
    assert_eq!(emulator.compact(), Compaction::Complete);
    assert_eq!(emulator.terminal.term.history_size(), UNCOMPRESSED_ROWS);
    assert_eq!(emulator.screen().scrollback_rows, 1200);
    let rows = emulator.scrollback(usize::MAX);
    assert!(rows.iter().all(|row| row.text() == "line"));
}

#[test]
fn compressed_rows_respect_the_scrollback_limit() {
    let options = EmulatorOptions {
        scrollback: 30,
        ..EmulatorOptions::default()
    };
    let mut emulator = fed_with(options, "");
    for line in 0..200_usize {
        emulator.feed(format!("{line}\r\n").as_bytes());
        assert_eq!(emulator.compact(), Compaction::Complete);
        let scrolled = line.saturating_sub(3).min(30);
        assert_eq!(emulator.screen().scrollback_rows, scrolled);
    }
    let first = &emulator.scrollback(usize::MAX)[0];
    assert_eq!(first.text(), "166");
}
