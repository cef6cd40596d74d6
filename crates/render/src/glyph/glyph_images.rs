//! The pictures of a cell's glyphs, and how they become one.

use super::{Glyph, GlyphPixels, GlyphRequest, level, marks};
use crate::Pixel;

/// The picture of a glyph. Its place is relative to the origin of the cell's text: the left end of
/// the baseline.
#[derive(Debug, Clone)]
pub(super) struct GlyphImage {
    pub(super) left: i32,
    /// The first line; negative above the baseline.
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: ImagePixels,
    /// Whether it is drawn on the letter before it.
    pub(super) is_mark: bool,
}

/// The pixels of a glyph, line by line.
#[derive(Debug, Clone)]
pub(super) enum ImagePixels {
    /// Coverage from 0 to 255.
    Coverage(Vec<u8>),
    /// Colours with straight alpha.
    Colors(Vec<Pixel>),
}

impl GlyphImage {
    pub(super) fn bottom(&self) -> i32 {
        self.top + self.height as i32
    }

    pub(super) fn bounds(&self) -> ImageBounds {
        ImageBounds {
            left: self.left,
            top: self.top,
            right: self.left + self.width as i32,
            bottom: self.bottom(),
        }
    }
}

/// The rectangle that some pictures take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ImageBounds {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl ImageBounds {
    fn joined(self, other: ImageBounds) -> ImageBounds {
        ImageBounds {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    pub(super) fn width(self) -> i32 {
        self.right - self.left
    }

    pub(super) fn height(self) -> i32 {
        self.bottom - self.top
    }
}

/// The pictures of all glyphs of a cell at one size.
#[derive(Debug, Default)]
pub(super) struct GlyphImages {
    pub(super) images: Vec<GlyphImage>,
    /// The advance of all glyphs.
    pub(super) advance: f32,
    /// The greatest advance of one glyph.
    pub(super) widest: f32,
}

impl GlyphImages {
    /// Maximum enlargement of a wide character of a fallback font: most fonts make it as wide as it
    /// is high, which is less than two cells.
    const GROWTH: f32 = 1.1;
    /// How far a letter is scaled down to make room for its marks. Marks that need more room are
    /// moved together instead: a smaller letter could not be read.
    const LEAST: f32 = 0.75;
    /// A letter whose marks need little more room than there is keeps its size.
    const NEARLY: f32 = 0.9;

    fn is_colored(&self) -> bool {
        let mut images = self.images.iter();
        images.any(|image| matches!(image.pixels, ImagePixels::Colors(_)))
    }

    /// Returns the rectangle of all pictures.
    pub(super) fn bounds(&self) -> ImageBounds {
        let bounds = self.images.iter().map(GlyphImage::bounds);
        bounds.reduce(ImageBounds::joined).unwrap_or_default()
    }

    /// Returns the rectangle of all pictures except marks.
    pub(super) fn base_bounds(&self) -> ImageBounds {
        let bases = self.images.iter().filter(|image| !image.is_mark);
        let bounds = bases.map(GlyphImage::bounds).reduce(ImageBounds::joined);
        bounds.unwrap_or_else(|| self.bounds())
    }

    /// Returns the scale factor for a letter of the font that sets the size of the cells: 1, unless
    /// its marks need more room than the cell has.
    pub(super) fn room_for_marks(&self, request: GlyphRequest<'_>) -> f32 {
        let (all, base) = (self.bounds(), self.base_bounds());
        let above = request.grid.baseline as f32;
        let below = (request.grid.cell_height - request.grid.baseline) as f32;
        let part = |room: f32, needed: i32| {
            if needed as f32 > room {
                room / needed as f32
            } else {
                1.0
            }
        };
        // A letter that is itself higher than the cell, such as a bracket, is cut like its like.
        let over = if all.top < base.top {
            part(above, -all.top)
        } else {
            1.0
        };
        let under = if all.bottom > base.bottom {
            part(below, all.bottom)
        } else {
            1.0
        };
        match over.min(under) {
            factor if factor >= GlyphImages::NEARLY => 1.0,
            factor => factor.max(GlyphImages::LEAST),
        }
    }

    /// Returns the scale factor that makes a character of another font fit its cells.
    pub(super) fn fitting(&self, request: GlyphRequest<'_>) -> f32 {
        let cell = request.grid.cell(request.cells);
        let (width, height) = (cell.width as f32, cell.height as f32);
        if self.is_colored() {
            let ink = self.bounds();
            // The pictures of a font have one size with its margins, which a small one does not
            // fill: they are about as high as they are wide.
            let across = self.advance.max(ink.width() as f32).max(1.0);
            let down = (self.widest * 0.9).max(ink.height() as f32).max(1.0);
            return (width / across).min(height / down);
        }
        let most = if request.cells == 2 {
            GlyphImages::GROWTH
        } else {
            1.0
        };
        let factor = |ink: ImageBounds| {
            let across = self.advance.max(ink.width() as f32).max(1.0);
            (width / across)
                .min(height / ink.height().max(1) as f32)
                .min(most)
        };
        factor(self.bounds()).max(factor(self.base_bounds()) * GlyphImages::LEAST)
    }

    /// Places text on the baseline, with extra space divided between both sides.
    pub(super) fn centred(mut self, advance: f32, request: GlyphRequest<'_>) -> Glyph {
        let cell = request.grid.cell(request.cells);
        let baseline = request.grid.baseline as i32;
        marks::squeeze(&mut self, -baseline, cell.height as i32 - baseline);
        let left = (cell.width as i32 - advance.round() as i32).div_euclid(2);
        self.into_glyph(left, baseline)
    }

    /// Places text on the baseline and coloured pictures in the centre, entirely inside the cells.
    pub(super) fn inside(mut self, request: GlyphRequest<'_>) -> Glyph {
        let cell = request.grid.cell(request.cells);
        let (width, height) = (cell.width as i32, cell.height as i32);
        let ink = self.bounds();
        if self.is_colored() {
            let (across, down) = (width - ink.width(), height - ink.height());
            return self.into_glyph(
                across.div_euclid(2) - ink.left,
                down.div_euclid(2) - ink.top,
            );
        }
        // Returns the place nearest to the wanted one at which the range is inside.
        let within = |wanted: i32, start: i32, end: i32, length: i32| {
            let (least, most) = (-start, length - end);
            wanted.clamp(least.min(most), least.max(most))
        };
        let baseline = request.grid.baseline as i32;
        let high = if ink.height() > height {
            self.base_bounds()
        } else {
            ink
        };
        let down = within(baseline, high.top, high.bottom, height);
        marks::squeeze(&mut self, -down, height - down);
        let spare = ((width as f32 - self.advance) / 2.0).round() as i32;
        let across = within(spare, ink.left, ink.right, width);
        self.into_glyph(across, down)
    }

    /// Joins pictures that are already in their place in the cell.
    pub(super) fn joined(self) -> Glyph {
        self.into_glyph(0, 0)
    }

    /// Joins the pictures to one, moved right and down.
    fn into_glyph(self, right: i32, down: i32) -> Glyph {
        let bounds = self.bounds();
        let (width, height) = (bounds.width() as usize, bounds.height() as usize);
        let mut glyph = Glyph {
            left: bounds.left + right,
            top: bounds.top + down,
            width,
            height,
            pixels: GlyphPixels::Coverage(Box::default()),
        };
        let lines = |image: &GlyphImage| {
            let (x, y) = (
                (image.left - bounds.left) as usize,
                (image.top - bounds.top) as usize,
            );
            let (across, down) = (image.width, image.height);
            (0..down).map(move |line| {
                let start = (y + line) * width + x;
                (start..start + across, line * across..(line + 1) * across)
            })
        };
        if self.is_colored() {
            let mut colors: Vec<Pixel> = vec![[0; 4]; width * height];
            for image in &self.images {
                if let ImagePixels::Colors(pixels) = &image.pixels {
                    for (to, from) in lines(image) {
                        let pairs = colors[to].iter_mut().zip(&pixels[from]);
                        pairs.for_each(|(under, over)| *under = blended(*under, *over));
                    }
                }
            }
            glyph.pixels = GlyphPixels::Colors(colors.into());
        } else {
            let mut coverage = vec![0; width * height];
            for image in &self.images {
                if let ImagePixels::Coverage(pixels) = &image.pixels {
                    for (to, from) in lines(image) {
                        let pairs = coverage[to].iter_mut().zip(&pixels[from]);
                        pairs.for_each(|(kept, new): (&mut u8, &u8)| *kept = (*kept).max(*new));
                    }
                }
            }
            glyph.pixels = GlyphPixels::Coverage(coverage.iter().map(|c| level(*c)).collect());
        }
        glyph
    }
}

/// Returns one colour over another, both with straight alpha.
fn blended(under: Pixel, over: Pixel) -> Pixel {
    if over[3] == 255 || under[3] == 0 {
        return over;
    }
    let (upper, lower) = (u32::from(over[3]), u32::from(under[3]));
    // In 255 times 255 parts.
    let through = lower * (255 - upper);
    let alpha = upper * 255 + through;
    if alpha == 0 {
        return [0; 4];
    }
    let part = |index: usize| {
        let sum = u32::from(over[index]) * upper * 255 + u32::from(under[index]) * through;
        ((sum + alpha / 2) / alpha) as u8
    };
    [part(0), part(1), part(2), ((alpha + 127) / 255) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_blended_by_their_alpha() {
        assert_eq!(blended([1, 2, 3, 255], [9, 9, 9, 0]), [1, 2, 3, 255]);
        assert_eq!(blended([1, 2, 3, 255], [9, 8, 7, 255]), [9, 8, 7, 255]);
        assert_eq!(blended([0, 0, 0, 0], [9, 8, 7, 30]), [9, 8, 7, 30]);
        assert_eq!(
            blended([0, 0, 0, 255], [255, 255, 255, 51]),
            [51, 51, 51, 255]
        );
        assert_eq!(
            blended([200, 0, 0, 128], [0, 0, 200, 128]),
            [66, 0, 134, 192]
        );
    }
}
