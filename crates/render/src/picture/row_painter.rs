//! One row of a screen, drawn into its band of the picture.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

use screentest_core::{CellView, CursorShape, Row, Style, Text, Theme, Width};

use super::blend::{self, Band, Tints};
use super::opaque;
use crate::font::Fonts;
use crate::glyph::{Decorations, FontStyle, Glyph, Grid};
use crate::layout::DrawnCursor;
use crate::layout::ResolvedStyle;
use crate::layout::window::WindowLayout;
use crate::{Bold, Pixel, Pixels};

/// Draws rows, with all it needs at hand.
#[derive(Clone)]
pub(super) struct RowPainter {
    fonts: Fonts,
    grid: Grid,
    theme: Theme,
    bold: Bold,
    decorations: Arc<Decorations>,
    /// Glyphs met before, so that the fonts' own store, which all threads share, is asked once for each.
    chars: HashMap<u32, Arc<Glyph>, BuildHasherDefault<CharHasher>>,
    /// What these take.
    bytes: usize,
    /// One line of backgrounds, kept for its room.
    line: Vec<Pixel>,
    tints: Vec<Tints>,
}

impl RowPainter {
    /// Beyond these, glyphs are taken from the fonts' store again: a program can print every character there is.
    const MAX_CHARS: usize = 1 << 13;
    /// The same for what they take: letters as large as a screen are few.
    const MAX_BYTES: usize = 32 << 20;
    /// Pairs of colours that are kept mixed. A screen rarely has more; each takes 80 bytes and is looked for in order.
    const MAX_TINTS: usize = 16;

    pub(super) fn new(fonts: &Fonts, grid: Grid, theme: &Theme, bold: Bold) -> RowPainter {
        RowPainter {
            fonts: fonts.clone(),
            grid,
            theme: theme.clone(),
            bold,
            decorations: fonts.cache().decorations(grid),
            chars: HashMap::default(),
            bytes: 0,
            line: Vec::new(),
            tints: Vec::new(),
        }
    }

    pub(super) fn grid(&self) -> Grid {
        self.grid
    }

    /// Draws the first `cols` cells of a row into its lines of pixels.
    pub(super) fn draw(
        &mut self,
        pixels: &mut Pixels,
        layout: &WindowLayout,
        lines: Range<usize>,
        row: &Row,
        cursor: Option<&DrawnCursor>,
        cols: usize,
    ) {
        let band = Band {
            columns: layout.x.clone(),
            lines,
        };
        self.backgrounds(pixels, layout, &band.lines, row, cursor, cols);
        let mut last = None;
        for (col, cell) in row.cells().take(cols).enumerate() {
            let paint = self.paint(&mut last, cell.style);
            let under = cursor.is_some_and(|cursor| {
                cursor.shape == CursorShape::Block && cursor.cols.contains(&col)
            });
            let paint = match under {
                true => paint.under_block(self.theme.cursor),
                false => paint,
            };
            let x = layout.cells_left + col * self.grid.cell_width;
            self.cell(pixels, x, &band, cell, paint);
        }
        self.cursor(pixels, layout, &band, cursor);
    }

    /// What a style comes to. A row lists each style once, so that its address tells it apart from the last.
    fn paint(
        &self,
        last: &mut Option<(*const Style, ResolvedStyle)>,
        style: &Style,
    ) -> ResolvedStyle {
        match *last {
            Some((known, paint)) if std::ptr::eq(known, style) => paint,
            _ => {
                let paint = ResolvedStyle::of(style, &self.theme, self.bold);
                *last = Some((style, paint));
                paint
            }
        }
    }

    /// Fills the band: one line is put together and then copied.
    fn backgrounds(
        &mut self,
        pixels: &mut Pixels,
        layout: &WindowLayout,
        lines: &Range<usize>,
        row: &Row,
        cursor: Option<&DrawnCursor>,
        cols: usize,
    ) {
        let inside = layout.x.clone();
        let width = self.grid.cell_width;
        let cells_left = layout.cells_left - inside.start;
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        line.resize(inside.len(), opaque(self.theme.bg));
        let mut last = None;
        for (col, cell) in row.cells().take(cols).enumerate() {
            let bg = self.paint(&mut last, cell.style).bg;
            let left = cells_left + col * width;
            line[left..left + width].fill(opaque(bg));
        }
        if let Some(block) = cursor.filter(|cursor| cursor.shape == CursorShape::Block) {
            let (left, right) = (block.cols.start.min(cols), block.cols.end.min(cols));
            let covered = cells_left + left * width..cells_left + right * width;
            line[covered].fill(opaque(self.theme.cursor));
        }
        for y in lines.clone() {
            pixels.row_mut(y)[inside.clone()].copy_from_slice(&line);
        }
        self.line = line;
    }

    /// What stands in a cell, with its lines: below the letters the line under them, above them the line through.
    fn cell(
        &mut self,
        pixels: &mut Pixels,
        x: usize,
        band: &Band,
        cell: CellView<'_>,
        paint: ResolvedStyle,
    ) {
        if !paint.visible {
            return;
        }
        let (fg, bg) = (opaque(paint.fg), opaque(paint.bg));
        if paint.has_lines() {
            if let Some(decoration) = self.decorations.underline(paint.underline) {
                let tints = Tints::new(opaque(paint.underline_color), bg);
                blend::paint(pixels, x, band, decoration, &tints);
            }
            if paint.overline {
                let tints = Tints::new(fg, bg);
                blend::paint(pixels, x, band, &self.decorations.overline, &tints);
            }
        }
        if cell.width != Width::Spacer && cell.text != Text::Char(' ') {
            let style = FontStyle {
                bold: paint.bold,
                italic: paint.italic,
            };
            let glyph = self.glyph(cell, style);
            let tints = self.tints(fg, bg);
            blend::paint(pixels, x, band, &glyph, tints);
        }
        if paint.strikethrough {
            let tints = Tints::new(fg, bg);
            blend::paint(pixels, x, band, &self.decorations.strikethrough, &tints);
        }
    }

    fn glyph(&mut self, cell: CellView<'_>, style: FontStyle) -> Arc<Glyph> {
        let cells = match cell.width {
            Width::Wide => 2,
            Width::Narrow | Width::Spacer => 1,
        };
        let (fonts, grid) = (&self.fonts, self.grid);
        let find = || fonts.cache().glyph(cell.text, style, cells, grid, fonts);
        let Text::Char(c) = cell.text else {
            return find();
        };
        if self.chars.len() >= RowPainter::MAX_CHARS || self.bytes >= RowPainter::MAX_BYTES {
            self.chars.clear();
            self.bytes = 0;
        }
        let key = u32::from(c)
            | u32::from(style.bold) << 21
            | u32::from(style.italic) << 22
            | u32::from(cells) << 23;
        let bytes = &mut self.bytes;
        let glyph = self.chars.entry(key).or_insert_with(|| {
            let glyph = find();
            *bytes += glyph.bytes();
            glyph
        });
        Arc::clone(glyph)
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
                self.tints.truncate(RowPainter::MAX_TINTS - 1);
                self.tints.push(Tints::new(fg, bg));
                self.tints.last().expect("it was just put there")
            }
        }
    }

    /// A cursor that is only a line, over everything else.
    fn cursor(
        &self,
        pixels: &mut Pixels,
        layout: &WindowLayout,
        band: &Band,
        cursor: Option<&DrawnCursor>,
    ) {
        let Some(cursor) = cursor else { return };
        let (decoration, cols) = match cursor.shape {
            CursorShape::Block => return,
            CursorShape::Underline => (&self.decorations.under, cursor.cols.clone()),
            CursorShape::Bar => (
                &self.decorations.bar,
                cursor.cols.start..cursor.cols.start + 1,
            ),
        };
        let color = opaque(self.theme.cursor);
        for col in cols {
            let x = layout.cells_left + col * self.grid.cell_width;
            blend::paint(pixels, x, band, decoration, &Tints::new(color, color));
        }
    }

    /// A row of plain text in a colour, for what stands outside of the cells.
    pub(super) fn label(
        &mut self,
        pixels: &mut Pixels,
        row: &Row,
        left: usize,
        top: usize,
        fg: Pixel,
        bg: Pixel,
    ) {
        let band = Band {
            columns: 0..pixels.width(),
            lines: top..(top + self.grid.cell_height).min(pixels.height()),
        };
        let tints = Tints::new(fg, bg);
        for (col, cell) in row.cells().enumerate() {
            if cell.width != Width::Spacer && cell.text != Text::Char(' ') {
                let glyph = self.glyph(cell, FontStyle::default());
                let x = left + col * self.grid.cell_width;
                blend::paint(pixels, x, &band, &glyph, &tints);
            }
        }
    }
}

impl std::fmt::Debug for RowPainter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Brush")
            .field("fonts", &self.fonts)
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// Spreads a number over the whole of a hash; the keys are characters, which nobody can choose to collide much.
#[derive(Debug, Default)]
struct CharHasher(u64);

impl Hasher for CharHasher {
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
