//! Rasterizes glyphs from fonts.
//!
//! A character of the family that sets the size of the cells is drawn as the font defines it. A
//! character of any other font is scaled down to fit its cells. A wide character may also be
//! enlarged slightly, and a coloured picture is scaled to fill its cells.

use swash::scale::image::Content;
use swash::scale::{Render, ScaleContext, Source, StrikeWith};
use swash::shape::ShapeContext;
use swash::text::Codepoint as _;
use swash::zeno::{Angle, Bounds, Transform, Vector};
use swash::{FontRef, GlyphId};

use super::{Glyph, GlyphPixels, GlyphRequest, level};
use crate::Pixel;
use crate::font::{
    Fonts, Presentation, SelectedFace, Shaping, SynthesizedStyle, is_invisible_joiner,
};

/// Angle of synthesized slant in degrees, the same as in the bundled oblique face.
const LEAN: f32 = 11.0;
/// Extra thickness of synthesized bold, as a fraction of the font size.
const EMBOLDEN: f32 = 1.0 / 32.0;
/// Maximum enlargement of a wide character of a fallback font: most fonts make it as wide as it is
/// high, which is less than two cells.
const GROWTH: f32 = 1.1;

/// Rasterizes glyphs; caches data read from fonts.
#[derive(Default)]
pub(super) struct Rasterizer {
    scale: ScaleContext,
    shape: ShapeContext,
}

/// How a face is drawn.
#[derive(Debug, Clone, Copy)]
struct FaceSettings {
    synthesized: SynthesizedStyle,
    shaping: Shaping,
}

/// A positioned glyph of a font.
#[derive(Debug, Clone, Copy)]
struct PositionedGlyph {
    id: GlyphId,
    x: f32,
    y: f32,
    advance: f32,
}

impl Rasterizer {
    /// Returns the glyph of a cell; `None` if no font has the character or, if it has combining
    /// marks, its base letter.
    pub(super) fn rasterize(&mut self, request: GlyphRequest<'_>, fonts: &Fonts) -> Option<Glyph> {
        let whole = fonts.with_face(
            request.text,
            request.style,
            presentation(request),
            |selected| self.rasterize_with(selected, request),
        );
        if whole.is_some() {
            return whole;
        }
        let mut buffer = [0; 4];
        let mut chars = request.text.chars();
        let first = chars.next()?.encode_utf8(&mut buffer);
        let mut lacking = Vec::new();
        // A letter without its marks is more useful than a box.
        let base = fonts.with_face(first, request.style, presentation(request), |selected| {
            let mut text = first.to_owned();
            for c in chars {
                let before = text.len();
                text.push(c);
                if !selected.face.covers(&text) {
                    text.truncate(before);
                    lacking.push(c);
                }
            }
            let request = GlyphRequest {
                text: &text,
                ..request
            };
            self.rasterize_with(selected, request)
        });
        match &base {
            Some(_) => lacking
                .iter()
                .for_each(|c| fonts.note_missing(&c.to_string())),
            None => fonts.note_missing(request.text),
        }
        base
    }

    fn rasterize_with(&mut self, selected: SelectedFace<'_>, request: GlyphRequest<'_>) -> Glyph {
        let fit = if selected.is_primary {
            Fit::AsIs
        } else {
            Fit::ToCells
        };
        let settings = FaceSettings {
            synthesized: selected.synthesized,
            shaping: selected.face.shaping(),
        };
        let rasterize = selected
            .face
            .with(|font| self.draw(font, request, settings, fit));
        if rasterize.is_none() {
            // The contexts may be half-changed after a panic.
            *self = Rasterizer::default();
        }
        rasterize.flatten().unwrap_or_else(Glyph::empty)
    }

    fn draw(
        &mut self,
        font: FontRef<'_>,
        request: GlyphRequest<'_>,
        settings: FaceSettings,
        fit: Fit,
    ) -> Option<Glyph> {
        let size = request.grid.size();
        let natural = self.render(font, request, settings, size)?;
        if fit == Fit::AsIs {
            return Some(natural.centred_by_advance(request));
        }
        let factor = natural.fitting(request);
        let fitted = if (factor - 1.0).abs() < 0.01 {
            natural
        } else {
            self.render(font, request, settings, size * factor)?
        };
        Some(fitted.inside(request))
    }

    /// Draws all parts of a character into one picture, at any size.
    fn render(
        &mut self,
        font: FontRef<'_>,
        request: GlyphRequest<'_>,
        FaceSettings {
            synthesized,
            shaping,
        }: FaceSettings,
        size: f32,
    ) -> Option<RasterGlyph> {
        let mut glyphs = match shaping {
            Shaping::FontRules => self.joined(font, request.text, size),
            Shaping::Disabled => in_order(font, request.text, size),
        };
        place_marks(&mut glyphs, font, request.text);
        let mut scaler = self.scale.builder(font).size(size).hint(true).build();
        let sources = [
            Source::ColorOutline(0),
            Source::ColorBitmap(StrikeWith::BestFit),
            Source::Outline,
        ];
        let mut raster = RasterGlyph::default();
        let mut pen = 0.0;
        for glyph in glyphs {
            let outline = scaler.scale_outline(glyph.id);
            let layers = scaler.scale_color_outline(glyph.id);
            let mut outlines = outline.into_iter().chain(layers);
            if outlines.any(|outline| !is_plausible(outline.bounds(), size))
                || !is_near(pen, glyph, size)
            {
                continue;
            }
            let mut render = Render::new(&sources);
            // The first glyph is placed on whole pixels, so that its stems stay sharp.
            render.offset(Vector::new((pen + glyph.x).fract(), glyph.y.fract()));
            if synthesized.slant {
                let lean = Transform::skew(Angle::from_degrees(LEAN), Angle::from_degrees(0.0));
                render.transform(Some(lean));
            }
            if synthesized.embolden {
                render.embolden(size * EMBOLDEN);
            }
            if let Some(image) = render.render(&mut scaler, glyph.id) {
                let left = image.placement.left + (pen + glyph.x).trunc() as i32;
                let top = -image.placement.top - glyph.y.trunc() as i32;
                let (width, height) = (image.placement.width, image.placement.height);
                match image.content {
                    Content::Mask => raster.add_coverage(left, top, width, height, &image.data),
                    Content::Color => {
                        let mut colors = image.data;
                        if let Source::ColorOutline(_) = image.source {
                            straighten(&mut colors);
                        }
                        raster.add_colors(left, top, width, height, &colors);
                    }
                    Content::SubpixelMask => {}
                }
            }
            pen += glyph.advance;
        }
        raster.advance = pen;
        Some(raster)
    }

    /// Returns the glyphs of a character as shaped by its font.
    fn joined(&mut self, font: FontRef<'_>, text: &str, size: f32) -> Vec<PositionedGlyph> {
        let mut chars = text.chars();
        let first = chars.next().unwrap_or(' ');
        if chars.next().is_none() {
            return in_order(font, text, size);
        }
        let mut shaper = self
            .shape
            .builder(font)
            .script(first.script())
            .size(size)
            .build();
        // A variation selector that the font lacks would get its own glyph and prevent the
        // shaping of its neighbours.
        let charmap = font.charmap();
        let known = |c: &char| !is_invisible_joiner(*c) || charmap.map(*c) != 0;
        shaper.add_str(&text.chars().filter(known).collect::<String>());
        let mut glyphs: Vec<PositionedGlyph> = Vec::new();
        shaper.shape_with(|cluster| {
            glyphs.extend(cluster.glyphs.iter().map(|glyph| PositionedGlyph {
                id: glyph.id,
                x: glyph.x,
                y: glyph.y,
                advance: glyph.advance,
            }));
        });
        glyphs
    }
}

/// Returns one glyph per character, without shaping.
fn in_order(font: FontRef<'_>, text: &str, size: f32) -> Vec<PositionedGlyph> {
    let (charmap, metrics) = (font.charmap(), font.glyph_metrics(&[]).scale(size));
    let seen = |c: &char| !is_invisible_joiner(*c);
    let glyphs = text.chars().filter(seen).map(|c| {
        let id = charmap.map(c);
        PositionedGlyph {
            id,
            x: 0.0,
            y: 0.0,
            advance: metrics.advance_width(id),
        }
    });
    glyphs.collect()
}

/// Moves marks onto their letter if the font does not position them: a mark with an advance of its
/// own is drawn for a letter of the same width, so it is moved back to the letter's position.
fn place_marks(glyphs: &mut [PositionedGlyph], font: FontRef<'_>, text: &str) {
    if let [base, marks @ ..] = glyphs
        && has_only_marks(text)
    {
        let metrics = font.glyph_metrics(&[]);
        let unplaced = |mark: &&mut PositionedGlyph| {
            (mark.x, mark.y) == (0.0, 0.0) && metrics.advance_width(mark.id) > 0.0
        };
        for mark in marks.iter_mut().filter(unplaced) {
            (mark.x, mark.advance) = (-base.advance, 0.0);
        }
    }
}

/// Whether an outline has a size that is plausible for text. A damaged font can ask for more pixels
/// than there is memory.
fn is_plausible(bounds: Bounds, size: f32) -> bool {
    let most = 16.0 * size;
    (0.0..=most).contains(&bounds.width()) && (0.0..=most).contains(&bounds.height())
}

/// Whether a glyph is at a plausible position: a damaged font can place it at any distance.
fn is_near(pen: f32, glyph: PositionedGlyph, size: f32) -> bool {
    let most = 16.0 * size;
    (pen + glyph.x).abs() <= most && glyph.y.abs() <= most
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

/// Whether all characters after the first are combining marks.
fn has_only_marks(text: &str) -> bool {
    text.chars().skip(1).all(|c| c.combining_class() != 0)
}

/// Whether a glyph is scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    AsIs,
    ToCells,
}

/// Returns the presentation of a character. Wide pictographs, wide flags, and characters with
/// U+FE0F or U+20E3 are emoji, unless the character contains U+FE0E.
fn presentation(request: GlyphRequest<'_>) -> Presentation {
    let first = request.text.chars().next().unwrap_or(' ');
    let asks = request.text.contains('\u{fe0f}') || request.text.contains('\u{20e3}');
    let emoji = first.properties().is_emoji() || first.properties().is_extended_pictographic();
    let flag = matches!(first, '\u{1f1e6}'..='\u{1f1ff}');
    let wants_emoji = asks || (request.cells == 2 && (emoji || flag));
    if wants_emoji && !request.text.contains('\u{fe0e}') {
        Presentation::Emoji
    } else {
        Presentation::Text
    }
}

/// A rasterized character; the origin is the position of its first glyph on the baseline.
#[derive(Debug, Default)]
struct RasterGlyph {
    left: i32,
    top: i32,
    width: usize,
    height: usize,
    /// Coverage from 0 to 255; `colors` has the colours with alpha of a coloured glyph.
    coverage: Vec<u8>,
    colors: Vec<Pixel>,
    advance: f32,
}

impl RasterGlyph {
    fn add_coverage(&mut self, left: i32, top: i32, width: u32, height: u32, data: &[u8]) {
        let width = width as usize;
        self.grow(left, top, width, height as usize);
        for (y, line) in data.chunks_exact(width.max(1)).enumerate() {
            let start = self.start(left, top, y);
            for (kept, new) in self.coverage[start..].iter_mut().zip(line) {
                *kept = (*kept).max(*new);
            }
        }
    }

    fn add_colors(&mut self, left: i32, top: i32, width: u32, height: u32, data: &[u8]) {
        let width = width as usize;
        self.grow(left, top, width, height as usize);
        self.colors.resize(self.coverage.len(), [0; 4]);
        for (y, line) in data.chunks_exact((width * 4).max(1)).enumerate() {
            let start = self.start(left, top, y);
            for (kept, new) in self.colors[start..].iter_mut().zip(line.as_chunks().0) {
                if new[3] >= kept[3] {
                    *kept = *new;
                }
            }
        }
    }

    /// Returns the index at which a line of a new image begins.
    fn start(&self, left: i32, top: i32, y: usize) -> usize {
        let (x, y) = ((left - self.left) as usize, (top - self.top) as usize + y);
        y * self.width + x
    }

    /// Enlarges the picture for another image.
    fn grow(&mut self, left: i32, top: i32, width: usize, height: usize) {
        if self.coverage.is_empty() {
            (self.left, self.top, self.width, self.height) = (left, top, width, height);
            self.coverage = vec![0; width * height];
            return;
        }
        let new_left = self.left.min(left);
        let new_top = self.top.min(top);
        let right = (self.left + self.width as i32).max(left + width as i32);
        let bottom = (self.top + self.height as i32).max(top + height as i32);
        let mut grown = RasterGlyph {
            left: new_left,
            top: new_top,
            width: (right - new_left) as usize,
            height: (bottom - new_top) as usize,
            advance: self.advance,
            ..RasterGlyph::default()
        };
        grown.coverage = vec![0; grown.width * grown.height];
        grown.colors = if self.colors.is_empty() {
            Vec::new()
        } else {
            vec![[0; 4]; grown.coverage.len()]
        };
        for y in 0..self.height {
            let from = y * self.width..(y + 1) * self.width;
            let start = grown.start(self.left, self.top, y);
            let to = start..start + self.width;
            grown.coverage[to.clone()].copy_from_slice(&self.coverage[from.clone()]);
            if !grown.colors.is_empty() {
                grown.colors[to].copy_from_slice(&self.colors[from]);
            }
        }
        *self = grown;
    }

    /// Returns the scale factor that makes the glyph fit its cells.
    fn fitting(&self, request: GlyphRequest<'_>) -> f32 {
        let cell = request.grid.cell(request.cells);
        let (width, height) = (cell.width as f32, cell.height as f32);
        let ink_width = (self.width as f32).max(1.0);
        let ink_height = (self.height as f32).max(1.0);
        if !self.colors.is_empty() {
            return (width / ink_width).min(height / ink_height);
        }
        let advance = if self.advance > 0.0 {
            self.advance.max(ink_width)
        } else {
            ink_width
        };
        let most = if request.cells == 2 { GROWTH } else { 1.0 };
        (width / advance).min(height / ink_height).min(most)
    }

    /// Places the glyph as the font defines, with extra space divided between both sides.
    fn centred_by_advance(self, request: GlyphRequest<'_>) -> Glyph {
        let cell = request.grid.cell(request.cells).width as i32;
        let advance = match request.cells {
            1 => request.grid.advance() as i32,
            _ => self.advance.round() as i32,
        };
        let left = self.left + (cell - advance).div_euclid(2);
        let top = self.top + request.grid.baseline as i32;
        self.into_glyph(left, top)
    }

    /// Places text on the baseline and coloured pictures in the centre, entirely inside the cells.
    fn inside(self, request: GlyphRequest<'_>) -> Glyph {
        let cell = request.grid.cell(request.cells);
        let (width, height) = (self.width as i32, self.height as i32);
        let (across, down) = (cell.width as i32 - width, cell.height as i32 - height);
        if !self.colors.is_empty() {
            return self.into_glyph(across.div_euclid(2), down.div_euclid(2));
        }
        let spare = cell.width as f32 - self.advance;
        let left = self.left + (spare / 2.0).round() as i32;
        let top = self.top + request.grid.baseline as i32;
        self.into_glyph(
            left.clamp(across.min(0), across.max(0)),
            top.clamp(down.min(0), down.max(0)),
        )
    }

    fn into_glyph(self, left: i32, top: i32) -> Glyph {
        let pixels = if self.colors.is_empty() {
            GlyphPixels::Coverage(self.coverage.iter().map(|c| level(*c)).collect())
        } else {
            GlyphPixels::Colors(self.colors.into())
        };
        Glyph {
            left,
            top,
            width: self.width,
            height: self.height,
            pixels,
        }
    }
}
