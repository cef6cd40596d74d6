//! One row of a screen, drawn into its band of the picture.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

use screentest_core::{Attributes, CellView, Cursor, CursorShape, Row, Size, Text, Theme, Width};

use super::ink::{self, Tints};
use super::opaque;
use super::paint::Paint;
use crate::font::Fonts;
use crate::glyph::{Glyph, Grid, Look, Marks};
use crate::window::Frame;
use crate::{Pixel, Pixels};

/// Draws rows, with all it needs at hand.
pub(crate) struct Painter {
    fonts: Fonts,
    grid: Grid,
    theme: Theme,
    marks: Arc<Marks>,
    /// Glyphs met before, so that the fonts' own store, which all threads share, is asked once for each.
    chars: HashMap<u32, Arc<Glyph>, BuildHasherDefault<Spread>>,
    /// One line of backgrounds, kept for its room.
    line: Vec<Pixel>,
    tints: Vec<Tints>,
}

impl Painter {
    /// Beyond these, glyphs are taken from the fonts' store again: a program can print every character there is.
    const MOST_CHARS: usize = 1 << 13;
    /// Pairs of colours that are kept mixed. A screen rarely has more; each takes 80 bytes and is looked for in order.
    const MOST_TINTS: usize = 16;

    pub(super) fn new(fonts: &Fonts, grid: Grid, theme: &Theme) -> Painter {
        Painter {
            fonts: fonts.clone(),
            grid,
            theme: theme.clone(),
            marks: fonts.cache().marks(grid),
            chars: HashMap::default(),
            line: Vec::new(),
            tints: Vec::new(),
        }
    }

    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    /// Draws a row whose band begins at line `top`.
    pub(super) fn draw(
        &mut self,
        pixels: &mut Pixels,
        frame: &Frame,
        top: usize,
        row: &Row,
        cursor: Option<Cursor>,
        size: Size,
    ) {
        let lines = top..top + self.grid.cell_height;
        self.backgrounds(pixels, frame, &lines, row, cursor, size);
        let mut last: Option<(*const screentest_core::Style, Paint)> = None;
        for (col, cell) in row.cells().take(size.cols.into()).enumerate() {
            // A row lists each style once, so that its address tells it apart.
            let paint = match last {
                Some((style, paint)) if std::ptr::eq(style, cell.style) => paint,
                _ => Paint::of(cell.style, &self.theme),
            };
            last = Some((cell.style, paint));
            let paint = self.under_cursor(paint, cursor, col, cell.width);
            let x = frame.cells_left() + col * self.grid.cell_width;
            self.cell(pixels, x, &lines, cell, paint);
        }
        self.caret(pixels, frame, &lines, cursor);
    }

    /// Fills the band: one line is put together and then copied.
    fn backgrounds(
        &mut self,
        pixels: &mut Pixels,
        frame: &Frame,
        lines: &Range<usize>,
        row: &Row,
        cursor: Option<Cursor>,
        size: Size,
    ) {
        let inside = frame.inside();
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        line.resize(inside.len(), opaque(self.theme.bg));
        let mut last = None;
        for (col, cell) in row.cells().take(size.cols.into()).enumerate() {
            let bg = match last {
                Some((style, bg)) if std::ptr::eq(style, cell.style) => bg,
                _ => Paint::of(cell.style, &self.theme).bg,
            };
            last = Some((cell.style, bg));
            let left = frame.cells_left() - inside.start + col * self.grid.cell_width;
            line[left..left + self.grid.cell_width].fill(bg);
        }
        if let Some(block) = cursor.filter(|cursor| cursor.shape == CursorShape::Block) {
            let col = block.position.col;
            let left = frame.cells_left() - inside.start + col * self.grid.cell_width;
            let cells = match row.cell(col).width {
                Width::Wide => 2,
                _ => 1,
            };
            let right = (left + cells * self.grid.cell_width).min(line.len());
            line[left..right].fill(opaque(self.theme.cursor));
        }
        for y in lines.clone() {
            pixels.row_mut(y)[inside.clone()].copy_from_slice(&line);
        }
        self.line = line;
    }

    fn under_cursor(
        &self,
        paint: Paint,
        cursor: Option<Cursor>,
        col: usize,
        width: Width,
    ) -> Paint {
        let Some(cursor) = cursor.filter(|cursor| cursor.shape == CursorShape::Block) else {
            return paint;
        };
        let at = cursor.position.col;
        let here = at == col || (width == Width::Spacer && at + 1 == col);
        match here {
            true => paint.under_block(self.theme.cursor),
            false => paint,
        }
    }

    /// What stands in a cell, with its lines: below the letters the line under them, above them the line through.
    fn cell(
        &mut self,
        pixels: &mut Pixels,
        x: usize,
        lines: &Range<usize>,
        cell: CellView<'_>,
        paint: Paint,
    ) {
        if !paint.visible {
            return;
        }
        if paint.has_lines() {
            if let Some(mark) = self.marks.underline(paint.underline) {
                let tints = Tints::new(paint.underline_color, paint.bg);
                ink::paint(pixels, x, lines, mark, &tints);
            }
            if paint.overline {
                let tints = Tints::new(paint.fg, paint.bg);
                ink::paint(pixels, x, lines, &self.marks.overline, &tints);
            }
        }
        if cell.width != Width::Spacer && cell.text != Text::Char(' ') {
            let glyph = self.glyph(cell);
            let tints = self.tints(paint.fg, paint.bg);
            ink::paint(pixels, x, lines, &glyph, tints);
        }
        if paint.strikethrough {
            let tints = Tints::new(paint.fg, paint.bg);
            ink::paint(pixels, x, lines, &self.marks.strikethrough, &tints);
        }
    }

    fn glyph(&mut self, cell: CellView<'_>) -> Arc<Glyph> {
        let look = Look {
            bold: cell.style.is(Attributes::BOLD),
            italic: cell.style.is(Attributes::ITALIC),
        };
        let cells = match cell.width {
            Width::Wide => 2,
            Width::Narrow | Width::Spacer => 1,
        };
        let (fonts, grid) = (&self.fonts, self.grid);
        let find = || fonts.cache().glyph(cell.text, look, cells, grid, fonts);
        let Text::Char(c) = cell.text else {
            return find();
        };
        if self.chars.len() >= Painter::MOST_CHARS {
            self.chars.clear();
        }
        let key = u32::from(c)
            | u32::from(look.bold) << 21
            | u32::from(look.italic) << 22
            | u32::from(cells) << 23;
        Arc::clone(self.chars.entry(key).or_insert_with(find))
    }

    fn tints(&mut self, fg: Pixel, bg: Pixel) -> &Tints {
        match self.tints.iter().position(|tints| tints.is(fg, bg)) {
            Some(index) => {
                // The pair that is used most drifts to the front.
                let ahead = index.saturating_sub(1);
                self.tints.swap(index, ahead);
                &self.tints[ahead]
            }
            None => {
                self.tints.truncate(Painter::MOST_TINTS - 1);
                self.tints.push(Tints::new(fg, bg));
                self.tints.last().expect("it was just put there")
            }
        }
    }

    /// A cursor that is only a line, over everything else.
    fn caret(
        &self,
        pixels: &mut Pixels,
        frame: &Frame,
        lines: &Range<usize>,
        cursor: Option<Cursor>,
    ) {
        let Some(cursor) = cursor else { return };
        let mark = match cursor.shape {
            CursorShape::Block => return,
            CursorShape::Underline => &self.marks.under,
            CursorShape::Bar => &self.marks.bar,
        };
        let x = frame.cells_left() + cursor.position.col * self.grid.cell_width;
        let color = opaque(self.theme.cursor);
        ink::paint(pixels, x, lines, mark, &Tints::new(color, color));
    }

    /// A line of plain text in a colour, for what stands outside of the cells. What does not fit is left out.
    pub(crate) fn label(
        &self,
        pixels: &mut Pixels,
        text: &str,
        x: Range<usize>,
        top: usize,
        fg: Pixel,
        bg: Pixel,
    ) {
        let lines = top..(top + self.grid.cell_height).min(pixels.height());
        let tints = Tints::new(fg, bg);
        let room = x.len() / self.grid.cell_width.max(1);
        for (col, c) in text.chars().take(room).enumerate() {
            let (look, text) = (Look::default(), Text::Char(c));
            let glyph = self
                .fonts
                .cache()
                .glyph(text, look, 1, self.grid, &self.fonts);
            ink::paint(
                pixels,
                x.start + col * self.grid.cell_width,
                &lines,
                &glyph,
                &tints,
            );
        }
    }
}

impl std::fmt::Debug for Painter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Painter")
            .field("fonts", &self.fonts)
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// Spreads a number over the whole of a hash; the keys are characters, which nobody can choose to collide much.
#[derive(Debug, Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        // The golden ratio in 64 bits, as multiplicative hashing has it.
        self.0 = (self.0 ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
