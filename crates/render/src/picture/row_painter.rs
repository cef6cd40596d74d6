//! Draws one row of a screen into its band of the picture.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

use screentest_core::{CellView, CursorShape, Rgb, Row, ScreenColors, Style, Text, Width};

use super::blend::{self, Band, Tints};
use super::image_painter::{self, ImageLayer, RowImages};
use super::opaque;
use crate::font::Fonts;
use crate::glyph::{Decorations, FontStyle, Glyph, Grid};
use crate::image::ImageCache;
use crate::layout::DrawnCursor;
use crate::layout::ResolvedStyle;
use crate::layout::is_placeholder;
use crate::layout::window::WindowLayout;
use crate::{Bold, Pixel, Pixels};

/// Draws rows, with a cache of glyphs and colours.
#[derive(Clone)]
pub(super) struct RowPainter {
    fonts: Fonts,
    grid: Grid,
    colors: ScreenColors,
    bold: Bold,
    decorations: Arc<Decorations>,
    /// Glyphs used before, so that the fonts' own cache, which all threads share, is locked once
    /// per glyph.
    chars: HashMap<u32, Arc<Glyph>, BuildHasherDefault<CharHasher>>,
    /// Memory of the cached glyphs.
    bytes: usize,
    /// Buffer for a line of backgrounds.
    line: Vec<Pixel>,
    tints: Vec<Tints>,
    images: ImageCache,
}

impl RowPainter {
    /// Maximum number of cached glyphs; beyond it the cache is cleared. A program can print every
    /// character there is.
    const MAX_CHARS: usize = 1 << 13;
    /// Maximum memory of the cached glyphs; only letters as large as a screen reach it.
    const MAX_BYTES: usize = 32 << 20;
    /// Maximum number of cached colour pairs. A screen rarely has more; each takes 72 bytes, and
    /// the search is linear.
    const MAX_TINTS: usize = 16;

    pub(super) fn new(
        fonts: &Fonts,
        grid: Grid,
        colors: &ScreenColors,
        bold: Bold,
        images: ImageCache,
    ) -> RowPainter {
        RowPainter {
            fonts: fonts.clone(),
            grid,
            colors: colors.clone(),
            bold,
            decorations: fonts.cache().decorations(grid),
            chars: HashMap::default(),
            bytes: 0,
            line: Vec::new(),
            tints: Vec::new(),
            images,
        }
    }

    pub(super) fn grid(&self) -> Grid {
        self.grid
    }

    /// Changes the colours of the rows drawn from now on.
    pub(super) fn set_colors(&mut self, colors: &ScreenColors) {
        self.colors.clone_from(colors);
    }

    /// Draws the first `cols` cells of a row into its lines of pixels.
    #[expect(clippy::too_many_arguments, reason = "each is a part of the row")]
    pub(super) fn draw(
        &mut self,
        pixels: &mut Pixels,
        layout: &WindowLayout,
        lines: Range<usize>,
        row: &Row,
        images: &RowImages<'_>,
        cursor: Option<&DrawnCursor>,
        cols: usize,
    ) {
        let band = Band {
            columns: layout.x.clone(),
            lines,
        };
        self.backgrounds(pixels, layout, &band.lines, row, cursor, cols);
        if !images.is_empty() {
            let ground = |col| {
                let is_block = cursor.is_some_and(|cursor| {
                    cursor.shape == CursorShape::Block && cursor.cols.contains(&col)
                });
                let style = ResolvedStyle::of(row.cell(col).style, &self.colors, self.bold);
                style.bg == self.colors.bg && !is_block
            };
            // The backgrounds are drawn already, so images below them are drawn around them.
            self.images(pixels, layout, images, ImageLayer::BelowBackgrounds, ground);
            let within = |col| col < cols;
            self.images(pixels, layout, images, ImageLayer::BelowText, within);
        }
        let mut last = None;
        for (col, cell) in row.cells().take(cols).enumerate() {
            let paint = self.paint(&mut last, cell.style);
            let under = cursor.is_some_and(|cursor| {
                cursor.shape == CursorShape::Block && cursor.cols.contains(&col)
            });
            let paint = if under {
                paint.under_block(self.colors.cursor)
            } else {
                paint
            };
            let x = layout.cells_left + col * self.grid.cell_width;
            self.cell(pixels, x, &band, cell, paint);
        }
        if !images.is_empty() {
            let within = |col| col < cols;
            self.images(pixels, layout, images, ImageLayer::AboveText, within);
        }
        self.cursor(pixels, layout, &band, row, cursor);
    }

    /// Returns the colour of a cursor on its cell.
    fn cursor_color(&self, row: &Row, cursor: &DrawnCursor) -> Rgb {
        let cell = row.cell(cursor.cols.start);
        let paint = ResolvedStyle::of(cell.style, &self.colors, self.bold);
        paint.cursor_color(self.colors.cursor)
    }

    /// Draws the images of one layer.
    fn images(
        &self,
        pixels: &mut Pixels,
        layout: &WindowLayout,
        images: &RowImages<'_>,
        layer: ImageLayer,
        is_drawn: impl Fn(usize) -> bool,
    ) {
        let (grid, cache) = (self.grid, &self.images);
        image_painter::draw(pixels, layout, grid, images, layer, cache, is_drawn);
    }

    /// Resolves a style. A row stores each style once, so the address is enough to recognise the
    /// last one.
    fn paint(
        &self,
        last: &mut Option<(*const Style, ResolvedStyle)>,
        style: &Style,
    ) -> ResolvedStyle {
        match *last {
            Some((known, paint)) if std::ptr::eq(known, style) => paint,
            _ => {
                let paint = ResolvedStyle::of(style, &self.colors, self.bold);
                *last = Some((style, paint));
                paint
            }
        }
    }

    /// Fills the band with background colours: one line is composed and then copied.
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
        line.resize(inside.len(), opaque(self.colors.bg));
        let mut last = None;
        for (col, cell) in row.cells().take(cols).enumerate() {
            let bg = self.paint(&mut last, cell.style).bg;
            let left = cells_left + col * width;
            line[left..left + width].fill(opaque(bg));
        }
        if let Some(block) = cursor.filter(|cursor| cursor.shape == CursorShape::Block) {
            let (left, right) = (block.cols.start.min(cols), block.cols.end.min(cols));
            let covered = cells_left + left * width..cells_left + right * width;
            line[covered].fill(opaque(self.cursor_color(row, block)));
        }
        for y in lines.clone() {
            pixels.row_mut(y)[inside.clone()].copy_from_slice(&line);
        }
        self.line = line;
    }

    /// Draws the contents of a cell: underline and overline, then the letter, then the
    /// strikethrough.
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
        if cell.width != Width::Spacer && cell.text != Text::Char(' ') && !is_placeholder(&cell) {
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
                // Frequent pairs move to the front.
                let ahead = index.saturating_sub(1);
                self.tints.swap(index, ahead);
                &self.tints[ahead]
            }
            None => {
                self.tints.truncate(RowPainter::MAX_TINTS - 1);
                self.tints.push(Tints::new(fg, bg));
                self.tints.last().expect("an entry was just pushed")
            }
        }
    }

    /// Draws a line-shaped cursor over everything else.
    fn cursor(
        &self,
        pixels: &mut Pixels,
        layout: &WindowLayout,
        band: &Band,
        row: &Row,
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
        let color = opaque(self.cursor_color(row, cursor));
        for col in cols {
            let x = layout.cells_left + col * self.grid.cell_width;
            blend::paint(pixels, x, band, decoration, &Tints::new(color, color));
        }
    }

    /// Draws a row of plain text in one colour outside the cells.
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
        f.debug_struct("RowPainter")
            .field("fonts", &self.fonts)
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// Multiplicative hash. Its keys are characters, with which a program cannot cause many collisions.
#[derive(Debug, Default)]
struct CharHasher(u64);

impl Hasher for CharHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        // 2^64 divided by the golden ratio, as usual in multiplicative hashing.
        self.0 = (self.0 ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
