//! Compact encoding of one row.
//!
//! A row is stored as its text without trailing plain spaces, and the style of its runs. A run is a
//! sequence of cells that differ only in their character. It is stored as the number of cells, a
//! byte that says which fields follow, and the colours and flags that are not the default. A row of
//! plain text thus needs only its text, and a short run in one colour costs four to six bytes.
//!
//! Invariant: decompressing returns the compressed cells unchanged, with the same shared links and
//! combining marks.

use std::slice::Iter;
use std::sync::Arc;

use alacritty_terminal::grid::Row;
use alacritty_terminal::term::cell::{Cell, CellExtra, Flags};
use alacritty_terminal::vte::ansi::{Color, Rgb};

use crate::emulator::alacritty::named_colors;

/// A compressed row. Its width is that of the grid: rows are decompressed before the width changes.
#[derive(Debug)]
pub(super) struct CompressedRow {
    text: Box<str>,
    /// The styles of its runs; empty if all cells are plain.
    run_styles: Box<[u8]>,
    /// Data that the grid stores separately, such as links and combining marks, for each run that
    /// has any.
    extras: Box<[Arc<CellExtra>]>,
}

impl CompressedRow {
    /// Writes the row's cells, as many as there are columns.
    pub(super) fn decompress(&self, columns: usize, cells: &mut Vec<Cell>) {
        cells.clear();
        cells.reserve_exact(columns);
        let mut chars = self.text.chars();
        let mut run_styles = self.run_styles.iter();
        let mut extras = self.extras.iter();
        while !run_styles.as_slice().is_empty() {
            let (count, run_style) = read_run(&mut run_styles, &mut extras);
            let chars = chars.by_ref().take(count);
            cells.extend(chars.map(|c| Cell {
                c,
                ..run_style.clone()
            }));
        }
        cells.extend(chars.map(|c| Cell {
            c,
            ..Cell::default()
        }));
        cells.resize(columns, Cell::default());
    }

    /// Returns the row in the form of the grid.
    pub(super) fn to_row(&self, columns: usize) -> Row<Cell> {
        let mut cells = Vec::new();
        self.decompress(columns, &mut cells);
        Row::from_vec(cells, columns)
    }
}

/// Compresses rows one after another, reusing its buffers.
#[derive(Debug, Default)]
pub(super) struct RowCompressor {
    text: String,
    run_styles: Vec<u8>,
    extras: Vec<Arc<CellExtra>>,
}

impl RowCompressor {
    pub(super) fn compress(&mut self, row: &Row<Cell>) -> CompressedRow {
        let plain = Cell::default();
        let end = row[..].iter().rposition(|cell| *cell != plain);
        let cells = &row[..][..end.map_or(0, |last| last + 1)];
        self.text.clear();
        self.text.extend(cells.iter().map(|cell| cell.c));
        self.run_styles.clear();
        self.extras.clear();
        for run in cells.chunk_by(differs_only_in_character) {
            // A plain row needs no runs: cells after the last written run are plain.
            let all_plain = run.len() == cells.len() && differs_only_in_character(&run[0], &plain);
            if !all_plain {
                self.write_run(run.len(), &run[0]);
            }
        }
        CompressedRow {
            text: self.text.as_str().into(),
            run_styles: self.run_styles.as_slice().into(),
            extras: self.extras.as_slice().into(),
        }
    }

    fn write_run(&mut self, count: usize, run_style: &Cell) {
        let plain = Cell::default();
        match u8::try_from(count) {
            Ok(count) if count < LONG => self.run_styles.push(count),
            _ => {
                self.run_styles.push(LONG);
                self.run_styles.extend((count as u16).to_le_bytes());
            }
        }
        let at = self.run_styles.len();
        self.run_styles.push(0);
        let mut fields = 0;
        if run_style.fg != plain.fg {
            fields |= FG;
            self.write_color(run_style.fg);
        }
        if run_style.bg != plain.bg {
            fields |= BG;
            self.write_color(run_style.bg);
        }
        if run_style.flags != plain.flags {
            fields |= FLAGS;
            self.run_styles.extend(run_style.flags.bits().to_le_bytes());
        }
        if let Some(extra) = &run_style.extra {
            fields |= EXTRA;
            self.extras.push(Arc::clone(extra));
        }
        self.run_styles[at] = fields;
    }

    fn write_color(&mut self, color: Color) {
        match color {
            Color::Named(name) => self.run_styles.extend([NAMED, named_colors::number(name)]),
            Color::Indexed(index) => self.run_styles.extend([INDEXED, index]),
            Color::Spec(Rgb { r, g, b }) => self.run_styles.extend([RGB, r, g, b]),
        }
    }
}

/// Marks a cell count that does not fit in one byte; the count follows in two bytes.
const LONG: u8 = u8::MAX;

// Bits for the fields that follow in a run.
const FG: u8 = 1;
const BG: u8 = 2;
const FLAGS: u8 = 4;
const EXTRA: u8 = 8;

// Kinds of colours.
const NAMED: u8 = 0;
const INDEXED: u8 = 1;
const RGB: u8 = 2;

fn read_run(run_styles: &mut Iter<'_, u8>, extras: &mut Iter<'_, Arc<CellExtra>>) -> (usize, Cell) {
    let mut run_style = Cell::default();
    let count = match read_byte(run_styles) {
        LONG => read_two(run_styles),
        count => count.into(),
    };
    let fields = read_byte(run_styles);
    if fields & FG != 0 {
        run_style.fg = read_color(run_styles);
    }
    if fields & BG != 0 {
        run_style.bg = read_color(run_styles);
    }
    if fields & FLAGS != 0 {
        run_style.flags = Flags::from_bits_retain(read_two(run_styles));
    }
    if fields & EXTRA != 0 {
        run_style.extra = extras.next().cloned();
    }
    (count.into(), run_style)
}

fn read_color(run_styles: &mut Iter<'_, u8>) -> Color {
    match read_byte(run_styles) {
        NAMED => Color::Named(named_colors::ALL[usize::from(read_byte(run_styles))]),
        INDEXED => Color::Indexed(read_byte(run_styles)),
        _ => Color::Spec(Rgb {
            r: read_byte(run_styles),
            g: read_byte(run_styles),
            b: read_byte(run_styles),
        }),
    }
}

fn read_two(run_styles: &mut Iter<'_, u8>) -> u16 {
    u16::from_le_bytes([read_byte(run_styles), read_byte(run_styles)])
}

fn read_byte(run_styles: &mut Iter<'_, u8>) -> u8 {
    *run_styles.next().expect("a compressed row is complete")
}

/// Returns whether two cells differ only in their character. Separately stored data counts as the
/// same only if it is shared. Equality would also be correct, but equal data that is not shared is
/// rare.
fn differs_only_in_character(one: &Cell, other: &Cell) -> bool {
    let same_extra = match (&one.extra, &other.extra) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    same_extra && one.flags == other.flags && one.fg == other.fg && one.bg == other.bg
}

#[cfg(test)]
mod tests {
    use alacritty_terminal::vte::ansi::NamedColor;

    use super::*;

    #[test]
    fn every_named_colour_has_its_own_number() {
        for (number, name) in named_colors::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(named_colors::number(name)), number, "{name:?}");
        }
    }

    #[test]
    fn runs_of_every_length_and_style_survive_compression() {
        let run_styles = [
            Cell::default(),
            Cell {
                c: '\u{10ffff}',
                fg: Color::Spec(Rgb { r: 1, g: 2, b: 255 }),
                bg: Color::Named(NamedColor::DimForeground),
                flags: Flags::all(),
                extra: Some(Arc::default()),
            },
            Cell {
                bg: Color::Indexed(255),
                ..Cell::default()
            },
        ];
        for count in [1, 2, 254, 255, 256, 1000, 65535] {
            for (one, other) in run_styles.iter().zip(run_styles.iter().cycle().skip(1)) {
                let mut cells = vec![one.clone(); count];
                cells.truncate(65534);
                cells.push(other.clone());
                let row = Row::from_vec(cells.clone(), cells.len());
                let compressed = RowCompressor::default().compress(&row);
                let mut decompressed = Vec::new();
                compressed.decompress(cells.len(), &mut decompressed);
                assert!(cells == decompressed, "{count} of {one:?}, then {other:?}");
            }
        }
    }
}
