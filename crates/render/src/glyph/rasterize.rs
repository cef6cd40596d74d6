//! Rasterizes the glyphs of a cell from fonts.
//!
//! A cell has a grapheme cluster: a letter with marks, a flag, a family. One font draws all of it,
//! if one has all of its characters; otherwise the first character's font draws what it has, and
//! other fonts the other marks.
//!
//! A character of the family that sets the size of the cells is drawn as the font defines it. A
//! character of any other font is scaled down to fit its cells. A wide character may also be
//! enlarged slightly, and a coloured picture is scaled to fill its cells.

use swash::FontRef;
use swash::scale::image::Content;
use swash::scale::{Render, ScaleContext, Source, StrikeWith};
use swash::zeno::{Angle, Bounds, Transform, Vector};

use super::glyph_images::{GlyphImage, GlyphImages, ImagePixels};
use super::paint_graph::PaintedGlyph;
use super::{Glyph, GlyphPixels, GlyphRequest, marks, paint_graph, presentation};
use crate::font::{self, Face, Fonts, Presentation, SelectedFace, ShapedGlyph, SynthesizedStyle};

/// Angle of synthesized slant in degrees, the same as in the bundled oblique face.
const LEAN: f32 = 11.0;
/// Extra thickness of synthesized bold, as a fraction of the font size.
const EMBOLDEN: f32 = 1.0 / 32.0;

/// Rasterizes glyphs; caches data read from fonts.
#[derive(Default)]
pub(super) struct Rasterizer {
    scale: ScaleContext,
}

impl Rasterizer {
    /// Returns the glyph of a cell; `None` if no font has the character or, if it has several, the
    /// first.
    pub(super) fn rasterize(&mut self, request: GlyphRequest<'_>, fonts: &Fonts) -> Option<Glyph> {
        let presentation = presentation::of(request.text, request.cells);
        let whole = fonts.with_face(
            request.text,
            request.style,
            presentation,
            |selected, text| self.draw(selected, text, request),
        );
        let drawn = whole.or_else(|| self.parts(request, fonts, presentation));
        if drawn.is_none() {
            fonts.note_missing(request.text);
        }
        drawn
    }

    /// Draws a text of which no font has all characters: what the font of the first one has, and
    /// then the other marks, since a letter without some marks is more useful than a box.
    fn parts(
        &mut self,
        request: GlyphRequest<'_>,
        fonts: &Fonts,
        presentation: Presentation,
    ) -> Option<Glyph> {
        let mut chars = request.text.chars();
        let first = chars.next()?.to_string();
        let mut lacking = Vec::new();
        let draw = |selected: SelectedFace<'_>, _: &str| {
            let mut text = first.clone();
            for c in chars {
                let before = text.len();
                text.push(c);
                if !selected.face.covers(&text) {
                    text.truncate(before);
                    lacking.push(c);
                }
            }
            self.draw(selected, &text, request)
        };
        let mut glyph = fonts.with_face(&first, request.style, presentation, draw)?;
        for c in lacking {
            let text = c.to_string();
            let draw = |selected: SelectedFace<'_>, text: &str| self.draw(selected, text, request);
            let mark = if font::is_mark(c) {
                fonts.with_face(&text, request.style, Presentation::Text, draw)
            } else {
                None
            };
            match mark.and_then(|mark| with_mark(&glyph, &mark)) {
                Some(marked) => glyph = marked,
                None => fonts.note_missing(&text),
            }
        }
        Some(glyph)
    }

    fn draw(&mut self, selected: SelectedFace<'_>, text: &str, request: GlyphRequest<'_>) -> Glyph {
        let SelectedFace {
            face, synthesized, ..
        } = selected;
        let glyphs = face.shape(text).unwrap_or_default();
        // A text of several letters, such as a flag of a font without flags, is as any other.
        let letters = glyphs.iter().filter(|glyph| glyph.advance > 0.0).count();
        let as_is = selected.is_primary && letters < 2;
        let drawn = face.with(|font| {
            let size = request.grid.size();
            let natural = self.images(font, face, &glyphs, synthesized, size);
            let factor = if as_is {
                natural.room_for_marks(request)
            } else {
                natural.fitting(request)
            };
            let images = if (factor - 1.0).abs() < 0.01 {
                natural
            } else {
                self.images(font, face, &glyphs, synthesized, size * factor)
            };
            if !as_is {
                return images.inside(request);
            }
            let advance = match request.cells {
                1 => request.grid.advance() as f32 * factor,
                _ => images.advance,
            };
            images.centred(advance, request)
        });
        if drawn.is_none() {
            // The context may be half-changed after a panic.
            *self = Rasterizer::default();
        }
        drawn.unwrap_or_else(Glyph::empty)
    }

    /// Returns the pictures of glyphs at any size.
    fn images(
        &mut self,
        font: FontRef<'_>,
        face: &Face,
        glyphs: &[ShapedGlyph],
        synthesized: SynthesizedStyle,
        size: f32,
    ) -> GlyphImages {
        let mut scaler = self.scale.builder(font).size(size).hint(true).build();
        let sources = [
            Source::ColorOutline(0),
            Source::ColorBitmap(StrikeWith::BestFit),
            Source::Outline,
        ];
        let has_letter = glyphs.iter().any(|glyph| glyph.advance > 0.0);
        let mut images = GlyphImages::default();
        for glyph in glyphs {
            let (x, y) = (images.advance + glyph.x * size, glyph.y * size);
            let is_mark = has_letter && glyph.advance <= 0.0;
            let advance = glyph.advance * size;
            images.advance += advance;
            images.widest = images.widest.max(advance);
            if !is_near(x, y, size) {
                continue;
            }
            let (right, down) = (x.trunc() as i32, -y.trunc() as i32);
            if let Some(painted) = painted(face, glyph.id, size) {
                images.images.push(GlyphImage {
                    left: painted.left + right,
                    top: painted.top + down,
                    width: painted.width,
                    height: painted.height,
                    pixels: ImagePixels::Colors(painted.colors),
                    is_mark,
                });
                continue;
            }
            let outline = scaler.scale_outline(glyph.id);
            let layers = scaler.scale_color_outline(glyph.id);
            let mut outlines = outline.into_iter().chain(layers);
            if outlines.any(|outline| !is_plausible(outline.bounds(), size)) {
                continue;
            }
            let mut render = Render::new(&sources);
            // The first glyph is placed on whole pixels, so that its stems stay sharp.
            render.offset(Vector::new(x.fract(), y.fract()));
            if synthesized.slant {
                let lean = Transform::skew(Angle::from_degrees(LEAN), Angle::from_degrees(0.0));
                render.transform(Some(lean));
            }
            if synthesized.embolden {
                render.embolden(size * EMBOLDEN);
            }
            if let Some(image) = render.render(&mut scaler, glyph.id) {
                let pixels = match image.content {
                    Content::Mask => Some(ImagePixels::Coverage(image.data)),
                    Content::Color => {
                        let mut colors = image.data;
                        if let Source::ColorOutline(_) = image.source {
                            straighten(&mut colors);
                        }
                        Some(ImagePixels::Colors(colors.as_chunks().0.to_vec()))
                    }
                    Content::SubpixelMask => None,
                };
                let place = image.placement;
                if let Some(pixels) = pixels.filter(|_| place.width > 0 && place.height > 0) {
                    images.images.push(GlyphImage {
                        left: place.left + right,
                        top: -place.top + down,
                        width: place.width as usize,
                        height: place.height as usize,
                        pixels,
                        is_mark,
                    });
                }
            }
        }
        marks::separate(&mut images, ((size / 16.0).round() as i32).max(1));
        images
    }
}

/// Returns the picture of a glyph of COLR version 1; `None` if it is another kind of glyph.
fn painted(face: &Face, glyph: u16, size: f32) -> Option<PaintedGlyph> {
    if !face.has_paint_graphs() {
        return None;
    }
    let draw = |bytes: &[u8], index| paint_graph::draw(bytes, index, glyph, size);
    face.with_bytes(draw).flatten()
}

/// Adds a mark of another font to a glyph, over its middle, and above what is there if it is above
/// the letter. `None` if one of the two has its own colours.
fn with_mark(glyph: &Glyph, mark: &Glyph) -> Option<Glyph> {
    let (GlyphPixels::Coverage(letter), GlyphPixels::Coverage(ink)) = (&glyph.pixels, &mark.pixels)
    else {
        return None;
    };
    let left = glyph.left + (glyph.width as i32 - mark.width as i32) / 2;
    let (glyph_end, mark_end) = (
        glyph.top + glyph.height as i32,
        mark.top + mark.height as i32,
    );
    let top = if mark.top + mark_end < glyph.top + glyph_end {
        mark.top
            .min(glyph.top - mark.height as i32)
            .max(mark.top.min(0))
    } else {
        mark.top
    };
    let image = |glyph: &Glyph, left, top, pixels: &[u8]| GlyphImage {
        left,
        top,
        width: glyph.width,
        height: glyph.height,
        pixels: ImagePixels::Coverage(pixels.iter().map(|level| level * 17).collect()),
        is_mark: false,
    };
    let both = GlyphImages {
        images: vec![
            image(glyph, glyph.left, glyph.top, letter),
            image(mark, left, top, ink),
        ],
        ..GlyphImages::default()
    };
    Some(both.joined())
}

/// Whether an outline has a size that is plausible for text. A damaged font can ask for more pixels
/// than there is memory.
fn is_plausible(bounds: Bounds, size: f32) -> bool {
    let most = 16.0 * size;
    (0.0..=most).contains(&bounds.width()) && (0.0..=most).contains(&bounds.height())
}

/// Whether a glyph is at a plausible position: a damaged font can place it at any distance.
fn is_near(x: f32, y: f32, size: f32) -> bool {
    let most = 16.0 * size;
    x.abs() <= most && y.abs() <= most
}

/// Converts premultiplied colours, which result from painting layers over each other, to straight
/// alpha.
fn straighten(colors: &mut [u8]) {
    for [r, g, b, opacity] in colors.as_chunks_mut().0 {
        let opacity = u16::from(*opacity).max(1);
        for part in [r, g, b] {
            *part = (u16::from(*part) * 255 / opacity).min(255) as u8;
        }
    }
}
