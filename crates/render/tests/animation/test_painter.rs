//! A painter without fonts: cells of 9×19 pixels, and letters of a few antialiased strokes that
//! depend on the character.
//!
//! It draws about as many shades as real letters have, so that palettes are tested realistically,
//! and it is faster than drawing with fonts.

use std::ops::Range;

use screentest_core::{Attributes, CellView, Position, Rgb, Screen, ScreenColors, Size, Theme};
use screentest_render::animation::{Painter, PixelSize, changed_rows};
use screentest_render::{Pixel, Pixels};

const WIDTH: usize = 9;
const HEIGHT: usize = 19;

/// Draws cells with strokes on them.
#[derive(Debug, Clone)]
pub(crate) struct StrokePainter {
    /// Number of shades between text and background at the edge of a letter.
    pub(crate) shades: u32,
    /// Margin around the cells.
    pub(crate) margin: PixelSize,
    /// The coverage of each character below 128, from 0 to 255.
    masks: Vec<[u8; WIDTH * HEIGHT]>,
}

impl StrokePainter {
    pub(crate) fn new(shades: u32, margin: PixelSize) -> StrokePainter {
        let masks = (0..128).map(mask).collect();
        StrokePainter {
            shades,
            margin,
            masks,
        }
    }

    fn cell(
        &self,
        cell: &CellView<'_>,
        colors: &ScreenColors,
        inverse: bool,
        at: Position,
        pixels: &mut Pixels,
    ) {
        let (mut fg, mut bg) = (
            colors.foreground(cell.style.fg),
            colors.background(cell.style.bg),
        );
        if inverse != cell.style.is(Attributes::INVERSE) {
            std::mem::swap(&mut fg, &mut bg);
        }
        let mask = &self.masks[cell.char() as usize % 128];
        let shades: Vec<Pixel> = (0..=self.shades)
            .map(|shade| blend(fg, bg, shade, self.shades))
            .collect();
        let x = self.margin.width + at.col * WIDTH;
        let y = self.margin.height + at.row * HEIGHT;
        for (dy, line) in mask.chunks(WIDTH).enumerate() {
            let row = &mut pixels.row_mut(y + dy)[x..x + WIDTH];
            for (pixel, coverage) in row.iter_mut().zip(line) {
                *pixel = shades[(u32::from(*coverage) * self.shades / 255) as usize];
            }
        }
    }
}

impl Painter for StrokePainter {
    fn extent(&self, size: Size) -> PixelSize {
        PixelSize {
            width: usize::from(size.cols) * WIDTH + 2 * self.margin.width,
            height: usize::from(size.rows) * HEIGHT + 2 * self.margin.height,
        }
    }

    fn paint(
        &mut self,
        screen: &Screen,
        before: Option<&Screen>,
        pixels: &mut Pixels,
    ) -> Range<usize> {
        let colors = screen.colors(&Theme::DARK);
        // A changed background is also that of the margin.
        let before = before.filter(|before| before.palette == screen.palette);
        let rows: Vec<usize> = match before {
            Some(before) => changed_rows(screen, before).collect(),
            None => (0..screen.rows.len()).collect(),
        };
        if before.is_none() {
            let Rgb { r, g, b } = colors.bg;
            for y in 0..pixels.height() {
                pixels.row_mut(y).fill([r, g, b, 255]);
            }
        }
        for row in &rows {
            for col in 0..usize::from(screen.size.cols) {
                let at = Position { row: *row, col };
                let cursor = screen.cursor.visible && screen.cursor.position == at;
                self.cell(&screen.cell(at), &colors, cursor, at, pixels);
            }
        }
        let top = |row: &usize| self.margin.height + row * HEIGHT;
        match (before, rows.first(), rows.last()) {
            (None, _, _) => 0..pixels.height(),
            (_, Some(first), Some(last)) => top(first)..top(last) + HEIGHT,
            _ => 0..0,
        }
    }
}

fn blend(fg: Rgb, bg: Rgb, shade: u32, shades: u32) -> Pixel {
    let mix = |fg: u8, bg: u8| {
        ((u32::from(fg) * shade + u32::from(bg) * (shades - shade)) / shades) as u8
    };
    [mix(fg.r, bg.r), mix(fg.g, bg.g), mix(fg.b, bg.b), 255]
}

/// Returns strokes whose ends depend on the character; nothing for spaces and control characters.
fn mask(c: u32) -> [u8; WIDTH * HEIGHT] {
    let mut mask = [0; WIDTH * HEIGHT];
    if c <= 32 {
        return mask;
    }
    let mut bits = c.wrapping_mul(0x9e37_79b9);
    let mut next = |end: u32| {
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (bits >> 16) % end
    };
    for _ in 0..3 {
        let mut end = || (1.0 + next(7) as f32, 4.0 + next(11) as f32);
        let (from, to) = (end(), end());
        for (index, coverage) in mask.iter_mut().enumerate() {
            let at = ((index % WIDTH) as f32, (index / WIDTH) as f32);
            let near = 1.3 - distance(at, from, to);
            *coverage = (*coverage).max((near.clamp(0.0, 1.0) * 255.0) as u8);
        }
    }
    mask
}

fn distance(at: (f32, f32), from: (f32, f32), to: (f32, f32)) -> f32 {
    let along = (to.0 - from.0, to.1 - from.1);
    let length = along.0 * along.0 + along.1 * along.1;
    let share = if length > 0.0 {
        ((at.0 - from.0) * along.0 + (at.1 - from.1) * along.1) / length
    } else {
        0.0
    };
    let share = share.clamp(0.0, 1.0);
    (at.0 - from.0 - share * along.0).hypot(at.1 - from.1 - share * along.1)
}
