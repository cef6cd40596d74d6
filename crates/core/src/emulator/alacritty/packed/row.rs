//! One row in as few bytes as it takes.
//!
//! Its text, without the plain blanks at its end, and how stretches of it look. A stretch is so many cells that differ in nothing but
//! their character: their number, a byte that says what follows, and of colours and flags only those that are not plain. So a row of
//! plain text is just that, and a coloured word costs three to five bytes.
//!
//! The one rule: what is unpacked is what was packed, cell for cell, with the very links and joining marks that it had.

use std::slice::Iter;
use std::sync::Arc;

use alacritty_terminal::grid::Row;
use alacritty_terminal::term::cell::{Cell, CellExtra, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor, Rgb};

/// A packed row. How wide it is, the grid knows: it gets its rows back before that changes.
#[derive(Debug)]
pub(super) struct PackedRow {
    text: Box<str>,
    /// How its stretches look; nothing where all of it is plain.
    looks: Box<[u8]>,
    /// What the grid keeps apart, such as links and joining marks, for each stretch that has any.
    extras: Box<[Arc<CellExtra>]>,
}

impl PackedRow {
    /// Writes its cells, as many as there are columns.
    pub(super) fn unpack(&self, columns: usize, cells: &mut Vec<Cell>) {
        cells.clear();
        cells.reserve_exact(columns);
        let mut chars = self.text.chars();
        let mut looks = self.looks.iter();
        let mut extras = self.extras.iter();
        while !looks.as_slice().is_empty() {
            let (count, look) = read_stretch(&mut looks, &mut extras);
            let chars = chars.by_ref().take(count);
            cells.extend(chars.map(|c| Cell { c, ..look.clone() }));
        }
        cells.extend(chars.map(|c| Cell {
            c,
            ..Cell::default()
        }));
        cells.resize(columns, Cell::default());
    }

    /// The row as the grid had it.
    pub(super) fn to_row(&self, columns: usize) -> Row<Cell> {
        let mut cells = Vec::new();
        self.unpack(columns, &mut cells);
        Row::from_vec(cells, columns)
    }
}

/// Packs row after row, with room of its own in which a row takes shape.
#[derive(Debug, Default)]
pub(super) struct Packer {
    text: String,
    looks: Vec<u8>,
    extras: Vec<Arc<CellExtra>>,
}

impl Packer {
    pub(super) fn pack(&mut self, row: &Row<Cell>) -> PackedRow {
        let plain = Cell::default();
        let end = row[..].iter().rposition(|cell| *cell != plain);
        let cells = &row[..][..end.map_or(0, |last| last + 1)];
        self.text.clear();
        self.text.extend(cells.iter().map(|cell| cell.c));
        self.looks.clear();
        self.extras.clear();
        for stretch in cells.chunk_by(looks_like) {
            // Behind the last stretch that is told, all is plain.
            let all_plain = stretch.len() == cells.len() && looks_like(&stretch[0], &plain);
            if !all_plain {
                self.write_stretch(stretch.len(), &stretch[0]);
            }
        }
        PackedRow {
            text: self.text.as_str().into(),
            looks: self.looks.as_slice().into(),
            extras: self.extras.as_slice().into(),
        }
    }

    fn write_stretch(&mut self, count: usize, look: &Cell) {
        let plain = Cell::default();
        match u8::try_from(count) {
            Ok(count) if count < LONG => self.looks.push(count),
            _ => {
                self.looks.push(LONG);
                self.looks.extend((count as u16).to_le_bytes());
            }
        }
        let at = self.looks.len();
        self.looks.push(0);
        let mut told = 0;
        if look.fg != plain.fg {
            told |= FG;
            self.write_color(look.fg);
        }
        if look.bg != plain.bg {
            told |= BG;
            self.write_color(look.bg);
        }
        if look.flags != plain.flags {
            told |= FLAGS;
            self.looks.extend(look.flags.bits().to_le_bytes());
        }
        if let Some(extra) = &look.extra {
            told |= EXTRA;
            self.extras.push(Arc::clone(extra));
        }
        self.looks[at] = told;
    }

    fn write_color(&mut self, color: Color) {
        match color {
            Color::Named(name) => self.looks.extend([NAMED, number_of(name)]),
            Color::Indexed(index) => self.looks.extend([INDEXED, index]),
            Color::Spec(Rgb { r, g, b }) => self.looks.extend([RGB, r, g, b]),
        }
    }
}

/// A number of cells that does not fit in a byte follows as two.
const LONG: u8 = u8::MAX;

// What is told of a stretch, as bits.
const FG: u8 = 1;
const BG: u8 = 2;
const FLAGS: u8 = 4;
const EXTRA: u8 = 8;

// What is told of a colour.
const NAMED: u8 = 0;
const INDEXED: u8 = 1;
const RGB: u8 = 2;

/// Every colour with a name, in the order of their numbers.
const NAMES: [NamedColor; 29] = [
    NamedColor::Black,
    NamedColor::Red,
    NamedColor::Green,
    NamedColor::Yellow,
    NamedColor::Blue,
    NamedColor::Magenta,
    NamedColor::Cyan,
    NamedColor::White,
    NamedColor::BrightBlack,
    NamedColor::BrightRed,
    NamedColor::BrightGreen,
    NamedColor::BrightYellow,
    NamedColor::BrightBlue,
    NamedColor::BrightMagenta,
    NamedColor::BrightCyan,
    NamedColor::BrightWhite,
    NamedColor::Foreground,
    NamedColor::Background,
    NamedColor::Cursor,
    NamedColor::DimBlack,
    NamedColor::DimRed,
    NamedColor::DimGreen,
    NamedColor::DimYellow,
    NamedColor::DimBlue,
    NamedColor::DimMagenta,
    NamedColor::DimCyan,
    NamedColor::DimWhite,
    NamedColor::BrightForeground,
    NamedColor::DimForeground,
];

/// The place of a name among all. The terminal counts on behind the 256 colours of the palette once the first 16 have theirs.
fn number_of(name: NamedColor) -> u8 {
    let number = name as usize;
    (if number < 16 { number } else { number - 240 }) as u8
}

fn read_stretch(looks: &mut Iter<'_, u8>, extras: &mut Iter<'_, Arc<CellExtra>>) -> (usize, Cell) {
    let mut look = Cell::default();
    let count = match read_byte(looks) {
        LONG => read_two(looks),
        count => count.into(),
    };
    let told = read_byte(looks);
    if told & FG != 0 {
        look.fg = read_color(looks);
    }
    if told & BG != 0 {
        look.bg = read_color(looks);
    }
    if told & FLAGS != 0 {
        look.flags = Flags::from_bits_retain(read_two(looks));
    }
    if told & EXTRA != 0 {
        look.extra = extras.next().cloned();
    }
    (count.into(), look)
}

fn read_color(looks: &mut Iter<'_, u8>) -> Color {
    match read_byte(looks) {
        NAMED => Color::Named(NAMES[usize::from(read_byte(looks))]),
        INDEXED => Color::Indexed(read_byte(looks)),
        _ => Color::Spec(Rgb {
            r: read_byte(looks),
            g: read_byte(looks),
            b: read_byte(looks),
        }),
    }
}

fn read_two(looks: &mut Iter<'_, u8>) -> u16 {
    u16::from_le_bytes([read_byte(looks), read_byte(looks)])
}

fn read_byte(looks: &mut Iter<'_, u8>) -> u8 {
    *looks.next().expect("what was packed is whole")
}

/// Whether two cells differ in nothing but their character. What is kept apart is the same only where it is shared: equal would do,
/// but is rare otherwise.
fn looks_like(one: &Cell, other: &Cell) -> bool {
    let same_extra = match (&one.extra, &other.extra) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    same_extra && one.flags == other.flags && one.fg == other.fg && one.bg == other.bg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_own_number() {
        for (number, name) in NAMES.into_iter().enumerate() {
            assert_eq!(usize::from(number_of(name)), number, "{name:?}");
        }
    }

    #[test]
    fn stretches_of_every_length_and_look_are_unpacked_as_they_were() {
        let looks = [
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
            for (one, other) in looks.iter().zip(looks.iter().cycle().skip(1)) {
                let mut cells = vec![one.clone(); count];
                cells.truncate(65534);
                cells.push(other.clone());
                let row = Row::from_vec(cells.clone(), cells.len());
                let packed = Packer::default().pack(&row);
                let mut unpacked = Vec::new();
                packed.unpack(cells.len(), &mut unpacked);
                assert!(cells == unpacked, "{count} of {one:?}, then {other:?}");
            }
        }
    }
}
