//! Draws the coloured glyphs of COLR version 1: graphs of outlines, gradients and layers.
//!
//! Noto Color Emoji is such a font on some systems. The library that draws other glyphs knows
//! bitmaps and COLR version 0, which has layers of one colour each.
//!
//! See also: `glyph/paint_graph/gradient.rs` (the colour of a point),
//! `glyph/paint_graph/composite.rs` (one layer over another).

use skrifa::color::{Brush, ColorGlyphFormat, ColorPainter, CompositeMode, Transform};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::BoundingBox;
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, GlyphId, MetadataProvider};
use swash::zeno::{Command, Mask, PathBuilder};

use crate::Pixel;
use composite::Premultiplied;
use gradient::Shading;

mod composite;
mod gradient;

/// A drawn glyph. Its place is relative to the glyph's origin on the baseline.
#[derive(Debug)]
pub(super) struct PaintedGlyph {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Colours with straight alpha.
    pub(super) colors: Vec<Pixel>,
}

/// Returns the picture of a glyph at a size; `None` if the face has no paint graph for it.
pub(super) fn draw(bytes: &[u8], index: u32, glyph: u16, size: f32) -> Option<PaintedGlyph> {
    let font = FontRef::from_index(bytes, index).ok()?;
    let id = GlyphId::from(glyph);
    let graph = font
        .color_glyphs()
        .get_with_format(id, ColorGlyphFormat::ColrV1)?;
    let em = f32::from(font.head().ok()?.units_per_em().max(1));
    let scale = size / em;
    let location = LocationRef::default();
    let advance = font
        .glyph_metrics(Size::unscaled(), location)
        .advance_width(id);
    // Without a box, the graph is drawn on more than an em; what is empty is removed afterwards.
    let bounds = graph.bounding_box(location, Size::unscaled());
    let bounds = bounds.unwrap_or(BoundingBox {
        x_min: -0.25 * em,
        y_min: -0.5 * em,
        x_max: advance.unwrap_or(em).max(em) + 0.25 * em,
        y_max: 1.25 * em,
    });
    let (left, right) = (
        (bounds.x_min * scale).floor(),
        (bounds.x_max * scale).ceil(),
    );
    let (top, bottom) = (
        (-bounds.y_max * scale).floor(),
        (-bounds.y_min * scale).ceil(),
    );
    // A damaged font can ask for more pixels than there is memory.
    let plausible = |length: f32| (1.0..=4.0 * size + 2.0).contains(&length);
    if !plausible(right - left) || !plausible(bottom - top) {
        return None;
    }
    let (width, height) = ((right - left) as usize, (bottom - top) as usize);
    let mut canvas = GraphCanvas {
        colors: palette(&font),
        font,
        width,
        height,
        transforms: vec![Transform {
            xx: scale,
            yx: 0.0,
            xy: 0.0,
            yy: -scale,
            dx: -left,
            dy: -top,
        }],
        clips: Vec::new(),
        layers: vec![vec![[0; 4]; width * height]],
        steps: 0,
    };
    graph.paint(location, &mut canvas).ok()?;
    let layer = canvas.layers.into_iter().next()?;
    Some(PaintedGlyph {
        left: left as i32,
        top: top as i32,
        width,
        height,
        colors: layer.into_iter().map(composite::straight).collect(),
    })
}

/// Returns the colours of the font's first palette.
fn palette(font: &FontRef<'_>) -> Vec<Pixel> {
    let palettes = font.color_palettes();
    let first = palettes.get(0);
    let colors = first.iter().flat_map(|palette| palette.colors());
    colors.map(|color| [color.red, color.green, color.blue, color.alpha]).collect()
}

/// The canvas on which a graph is drawn.
struct GraphCanvas<'a> {
    font: FontRef<'a>,
    colors: Vec<Pixel>,
    width: usize,
    height: usize,
    /// From the units of the graph to pixels.
    transforms: Vec<Transform>,
    /// Coverage of the pixels that may be drawn; each is within the one before.
    clips: Vec<Vec<u8>>,
    layers: Vec<Vec<Premultiplied>>,
    /// Number of fills and layers so far.
    steps: usize,
}

impl GraphCanvas<'_> {
    /// Maximum number of fills and layers of a glyph. The most detailed emoji have some hundreds.
    const MAX_STEPS: usize = 10_000;
    /// Maximum number of layers at a time.
    const MAX_LAYERS: usize = 16;
    /// The colour of the text, which is unknown here, in a glyph that uses it.
    const FOREGROUND: Pixel = [128, 128, 128, 255];

    fn transform(&self) -> Transform {
        self.transforms.last().copied().unwrap_or_default()
    }

    /// Adds a clip to the one before.
    fn clip(&mut self, outline: &[Command]) {
        let size = (self.width as u32, self.height as u32);
        let (mut mask, _) = Mask::new(outline).size(size.0, size.1).render();
        if let Some(before) = self.clips.last() {
            for (part, outer) in mask.iter_mut().zip(before) {
                *part = composite::times(*part, *outer);
            }
        }
        self.clips.push(mask);
    }

    fn color(&self, index: u16, alpha: f32) -> Pixel {
        let known = self.colors.get(usize::from(index));
        let [r, g, b, a] = known.copied().unwrap_or(GraphCanvas::FOREGROUND);
        let alpha = (f32::from(a) * alpha.clamp(0.0, 1.0)).round();
        [r, g, b, alpha as u8]
    }

    /// Counts a step; returns whether it may be taken.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= GraphCanvas::MAX_STEPS
    }
}

impl ColorPainter for GraphCanvas<'_> {
    fn push_transform(&mut self, transform: Transform) {
        let combined = self.transform() * transform;
        self.transforms.push(combined);
    }

    fn pop_transform(&mut self) {
        self.transforms.pop();
    }

    fn push_clip_glyph(&mut self, glyph: GlyphId) {
        let mut pen = TransformedPen {
            transform: self.transform(),
            commands: Vec::new(),
        };
        if self.step()
            && let Some(outline) = self.font.outline_glyphs().get(glyph)
        {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            // A part that cannot be read is left out.
            let _ = outline.draw(settings, &mut pen);
        }
        self.clip(&pen.commands);
    }

    fn push_clip_box(&mut self, clip: BoundingBox<f32>) {
        let mut pen = TransformedPen {
            transform: self.transform(),
            commands: Vec::new(),
        };
        pen.move_to(clip.x_min, clip.y_min);
        pen.line_to(clip.x_max, clip.y_min);
        pen.line_to(clip.x_max, clip.y_max);
        pen.line_to(clip.x_min, clip.y_max);
        pen.close();
        self.clip(&pen.commands);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn fill(&mut self, brush: Brush<'_>) {
        let color = |index, alpha| self.color(index, alpha);
        let shading = Shading::new(&brush, color);
        let back = inverse(self.transform());
        if !self.step() {
            return;
        }
        let (Some(shading), Some(back)) = (shading, back) else {
            return;
        };
        let clip = self.clips.last();
        let Some(layer) = self.layers.last_mut() else {
            return;
        };
        for (place, under) in layer.iter_mut().enumerate() {
            let coverage = clip.map_or(255, |clip| clip[place]);
            if coverage == 0 {
                continue;
            }
            let (x, y) = (place % self.width, place / self.width);
            let at = back.transform(x as f32 + 0.5, y as f32 + 0.5);
            if let Some(color) = shading.at(at) {
                let over = composite::premultiplied(color, coverage);
                *under = composite::composed(over, *under, CompositeMode::SrcOver);
            }
        }
    }

    fn push_layer(&mut self, _: CompositeMode) {
        // Beyond the limit, empty layers keep the count.
        let room = self.step() && self.layers.len() < GraphCanvas::MAX_LAYERS;
        let pixels = if room { self.width * self.height } else { 0 };
        self.layers.push(vec![[0; 4]; pixels]);
    }

    fn pop_layer_with_mode(&mut self, mode: CompositeMode) {
        let [.., _, _] = self.layers[..] else {
            return;
        };
        let upper = self.layers.pop().unwrap_or_default();
        let clip = self.clips.last();
        if let Some(lower) = self.layers.last_mut() {
            for (place, (under, over)) in lower.iter_mut().zip(upper).enumerate() {
                let coverage = clip.map_or(255, |clip| clip[place]);
                let full = composite::composed(over, *under, mode);
                *under = composite::between(*under, full, coverage);
            }
        }
    }
}

/// Collects an outline in pixels.
struct TransformedPen {
    transform: Transform,
    commands: Vec<Command>,
}

impl OutlinePen for TransformedPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.commands.move_to(self.transform.transform(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.commands.line_to(self.transform.transform(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (towards, to) = (self.transform.transform(cx, cy), self.transform.transform(x, y));
        self.commands.quad_to(towards, to);
    }

    fn curve_to(&mut self, cx: f32, cy: f32, cx2: f32, cy2: f32, x: f32, y: f32) {
        let at = |x, y| self.transform.transform(x, y);
        let (first, second, to) = (at(cx, cy), at(cx2, cy2), at(x, y));
        self.commands.curve_to(first, second, to);
    }

    fn close(&mut self) {
        self.commands.close();
    }
}

/// Returns the transform back; `None` if there is none.
fn inverse(transform: Transform) -> Option<Transform> {
    let Transform {
        xx,
        yx,
        xy,
        yy,
        dx,
        dy,
    } = transform;
    let determinant = xx * yy - xy * yx;
    if !determinant.is_normal() {
        return None;
    }
    let (xx, yx, xy, yy) = (
        yy / determinant,
        -yx / determinant,
        -xy / determinant,
        xx / determinant,
    );
    Some(Transform {
        xx,
        yx,
        xy,
        yy,
        dx: -(xx * dx + xy * dy),
        dy: -(yx * dx + yy * dy),
    })
}
