//! Characters that are drawn and not written, since they must meet their neighbours at the very edge of the cell.
//!
//! Straight edges stand on whole pixels, and rectangles that touch along a row become one.
//!
//! Elsewhere: box drawing (`svg/shape/lines.rs`).

use std::fmt::{self, Write};
use std::ops::Range;

use crate::Options;

mod lines;

/// The size of a cell, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Where letters stand, from the upper edge.
    pub(super) baseline: usize,
    /// How thick a thin line is.
    pub(super) stroke: usize,
    pub(super) font_size: f32,
}

impl Cell {
    /// The cell for letters of a size. 0.6 times the height is the width of most fonts, and 1.2 leaves room for accents.
    pub(super) fn new(options: &Options) -> Cell {
        let size = options.font_size;
        // Whole pixels, so that lines are sharp; lines in smaller cells could not be told apart.
        let width = ((size * 0.6 + options.letter_spacing).round() as usize).max(4);
        let height = ((size * 1.2 * options.line_height).round() as usize).max(6);
        // Letters reach about a quarter of their size below the line.
        let natural = size * 1.2;
        let above = (height as f32 - natural).max(0.0) / 2.0;
        let baseline = (above + natural - size / 4.0).round() as usize;
        Cell {
            width,
            height,
            baseline: baseline.min(height),
            stroke: ((size / 16.0).round() as usize).max(1),
            font_size: size,
        }
    }
}

/// Whether a character is drawn.
pub(super) fn is_drawn(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{259f}' | '\u{2801}'..='\u{28ff}' | '\u{e0b0}'..='\u{e0b3}')
}

/// What is drawn in one colour in one row.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) areas: Areas,
    /// Areas by how many quarters of the colour cover the ground.
    pub(super) shades: [Areas; 4],
    /// Areas that are no rectangles.
    pub(super) paths: String,
    /// Lines that bend or slant.
    pub(super) strokes: String,
}

impl Drawing {
    /// Adds a character at `x`.
    pub(super) fn add(&mut self, c: char, x: usize, cell: Cell) {
        match c {
            '\u{2500}'..='\u{257f}' => lines::add(self, c, x, cell),
            '\u{2591}'..='\u{2593}' => {
                let quarters = c as usize - 0x2590;
                self.shades[quarters].add(x..x + cell.width, 0..cell.height);
            }
            '\u{2580}'..='\u{259f}' => self.block(c, x, cell),
            '\u{2800}'..='\u{28ff}' => self.braille(c, x, cell),
            _ => self.powerline(c, x, cell),
        }
    }

    fn block(&mut self, c: char, x: usize, cell: Cell) {
        let (width, height) = (cell.width, cell.height);
        let across = |eighths: usize| (width * eighths + 4) / 8;
        let down = |eighths: usize| (height * eighths + 4) / 8;
        let (left, right) = (x..x + across(4), x + across(4)..x + width);
        let (upper, lower) = (0..down(4), down(4)..height);
        let mut fill = |x: &Range<usize>, y: &Range<usize>| self.areas.add(x.clone(), y.clone());
        let index = c as usize - 0x2580;
        match index {
            0x00 => fill(&(x..x + width), &upper),
            0x01..=0x08 => fill(&(x..x + width), &(height - down(index)..height)),
            0x09..=0x0f => fill(&(x..x + across(0x10 - index)), &(0..height)),
            0x10 => fill(&right, &(0..height)),
            0x14 => fill(&(x..x + width), &(0..down(1))),
            0x15 => fill(&(x + width - across(1)..x + width), &(0..height)),
            _ => {
                // Upper left, upper right, lower left, lower right of the ten characters with quarters.
                const QUARTERS: [u8; 10] = [
                    0b0010, 0b0001, 0b1000, 0b1011, 0b1001, 0b1110, 0b1101, 0b0100, 0b0110, 0b0111,
                ];
                let quarters = QUARTERS.get(index - 0x16).copied().unwrap_or_default();
                let corners = [
                    (&left, &upper),
                    (&right, &upper),
                    (&left, &lower),
                    (&right, &lower),
                ];
                for (place, (x, y)) in corners.into_iter().enumerate() {
                    if quarters & (0b1000 >> place) != 0 {
                        fill(x, y);
                    }
                }
            }
        }
    }

    fn braille(&mut self, c: char, x: usize, cell: Cell) {
        let size = (cell.width / 4).max(1);
        // The dots in the order of the bits: the lowest two came later.
        const DOTS: [(usize, usize); 8] = [
            (0, 0),
            (0, 1),
            (0, 2),
            (1, 0),
            (1, 1),
            (1, 2),
            (0, 3),
            (1, 3),
        ];
        for (bit, (col, row)) in DOTS.into_iter().enumerate() {
            if (c as u32 >> bit) & 1 == 1 {
                let left = x + (cell.width * (2 * col + 1) / 4).saturating_sub(size / 2);
                let top = (cell.height * (2 * row + 1) / 8).saturating_sub(size / 2);
                self.areas.add(left..left + size, top..top + size);
            }
        }
    }

    /// Triangles at the left and right edge, filled and as lines.
    fn powerline(&mut self, c: char, x: usize, cell: Cell) {
        let (height, right) = (cell.height, x + cell.width);
        let middle = height as f32 / 2.0;
        let _ = match c {
            '\u{e0b0}' => write!(self.paths, "M{x} 0L{right} {middle}L{x} {height}z"),
            '\u{e0b1}' => write!(self.strokes, "M{x} 0L{right} {middle}L{x} {height}"),
            '\u{e0b2}' => write!(self.paths, "M{right} 0L{x} {middle}L{right} {height}z"),
            _ => write!(self.strokes, "M{right} 0L{x} {middle}L{right} {height}"),
        };
    }
}

/// Rectangles of one colour.
#[derive(Debug, Default)]
pub(super) struct Areas(Vec<Area>);

#[derive(Debug)]
struct Area {
    x: Range<usize>,
    y: Range<usize>,
}

impl Areas {
    /// How far back to look for one that goes on: what touches was added with the cell before, and no cell has more.
    const NEAR: usize = 16;

    /// Adds a rectangle, or makes one longer that ends where it begins.
    pub(super) fn add(&mut self, x: Range<usize>, y: Range<usize>) {
        if x.is_empty() || y.is_empty() {
            return;
        }
        let mut near = self.0.iter_mut().rev().take(Areas::NEAR);
        match near.find(|area| area.x.end == x.start && area.y == y) {
            Some(area) => area.x.end = x.end,
            None => self.0.push(Area { x, y }),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// As the data of a path.
impl fmt::Display for Areas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Area { x, y } in &self.0 {
            let width = x.len();
            write!(f, "M{} {}h{width}v{}h-{width}z", x.start, y.start, y.len())?;
        }
        Ok(())
    }
}
