//! Tests of packed scrollback lines: unpacking gives the cells that were packed.

use screentest_fixtures::random::Random;
use screentest_fixtures::stream;

use super::super::grid::Grid;
use super::super::grid::cell::{Cell, Extra};
use super::super::grid::packed::{Packer, Unpacked};
use super::differential::random_size;
use super::{Vt, fed, fed_with, full};
use crate::emulator::{Emulator, EmulatorOptions};

/// Returns lines with every kind of cell, and more of them than `stream::grammar` scrolls.
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

fn assert_packing_keeps_cells(grid: &Grid) {
    let mut packer = Packer::default();
    let mut unpacked = Unpacked::default();
    for line in grid.lines() {
        let packed = packer.pack(line);
        packed.unpack(&mut unpacked);
        assert_eq!(unpacked.cells, line.content());
        assert_eq!(packed.width(), line.content().len());
        assert_eq!(packed.wrap(), line.wrap);
        let extras: Vec<Option<&Extra>> = (0..unpacked.cells.len())
            .map(|col| unpacked.extra(col).map(|extra| &**extra))
            .collect();
        let expected: Vec<Option<&Extra>> = (0..unpacked.cells.len())
            .map(|col| line.extra(col).map(|extra| &**extra))
            .collect();
        assert_eq!(extras, expected);
    }
}

#[test]
fn unpacking_returns_every_cell_unchanged() {
    let mut random = Random::new(5);
    for _ in 0..if full() { 2000 } else { 200 } {
        let size = random_size(&mut random);
        let mut emulator = Vt::new(size, EmulatorOptions::default());
        emulator.feed(&lines(&mut random));
        assert_packing_keeps_cells(&emulator.terminal.grid);
        emulator.feed(&stream::grammar(&mut random, 500));
        assert_packing_keeps_cells(&emulator.terminal.grid);
    }
}

#[test]
fn packing_keeps_wide_characters_and_wraps() {
    let text = format!("{}漢{}\r\n", "x".repeat(19), "y".repeat(30));
    let shown = fed(&text);
    let mut scrolled = fed(&format!("{text}\r\n\r\n\r\n\r\n\r\n"));
    let rows = scrolled.scrollback(usize::MAX);
    assert_eq!(rows.len(), 4);
    let mut shown = shown;
    for (row, kept) in shown.screen().rows.iter().zip(&rows) {
        assert_eq!(row, kept);
    }
    assert!(rows[0].wrapped() && rows[1].wrapped() && !rows[2].wrapped());
}

#[test]
fn a_plain_line_takes_its_text_and_little_more() {
    let mut packer = Packer::default();
    let text = fed("twenty columns wide!");
    let packed = packer.pack(text.terminal.grid.line(0));
    assert_eq!(packed.bytes(), 21);
    let cells = 16 * 20;
    assert_eq!(size_of::<Cell>() * 20, cells);
    let colored = fed("\x1b[31mred\x1b[m and \x1b[1mbold");
    let packed = packer.pack(colored.terminal.grid.line(0));
    assert!(packed.bytes() < 32, "{}", packed.bytes());
}

#[test]
fn the_scrollback_limit_is_kept() {
    let options = EmulatorOptions {
        scrollback: 30,
        ..EmulatorOptions::default()
    };
    let mut emulator = fed_with(options, "");
    for line in 0..200_usize {
        emulator.feed(format!("{line}\r\n").as_bytes());
        let scrolled = line.saturating_sub(3).min(30);
        assert_eq!(emulator.screen().scrollback_rows, scrolled);
    }
    let first = &emulator.scrollback(usize::MAX)[0];
    assert_eq!(first.text(), "166");
}
