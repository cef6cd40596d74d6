//! One face of a font file.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use swash::text::{Category, Codepoint as _};
use swash::{CacheKey, FontRef, StringId};

use super::shaping::{ShapedGlyph, ShapingRules};
use super::tables;
use crate::glyph::FontStyle;

/// Maximum size of a font file. Large faces, with tens of thousands of Chinese characters, take
/// about 30 MB.
const MAX_BYTES: u64 = 128 << 20;

/// One face of a font.
pub(crate) struct Face {
    name: String,
    data: FontData,
    key: CacheKey,
    color: bool,
    /// Whether it may have glyphs of COLR version 1.
    paint_graphs: bool,
    /// Whether the shaping tables are whole. Rules of damaged tables are not applied.
    valid_shaping: bool,
    /// Read when a text needs them; `None` if they are damaged.
    rules: OnceLock<Option<ShapingRules>>,
    cell_metrics: FaceMetrics,
    /// Set after reading the font has panicked; it is not read again.
    broken: AtomicBool,
}

/// The metrics from which the size of cells is computed. In font units, unless scaled to a font
/// size.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FaceMetrics {
    /// Units per em.
    em: f32,
    pub(crate) ascent: f32,
    pub(crate) descent: f32,
    /// Advance width of `M`.
    pub(crate) advance: f32,
}

impl FaceMetrics {
    /// Maximum height of a line and width of a letter, in em. Lines of the fonts in use are up to
    /// 2.5 em high, for scripts that stack their signs, and monospaced letters are at most as wide
    /// as high.
    const MAX_HEIGHT: f32 = 4.0;
    const MAX_WIDTH: f32 = 2.0;

    fn of(font: FontRef<'_>) -> FaceMetrics {
        let metrics = font.metrics(&[]);
        let letter = font.charmap().map('M');
        FaceMetrics {
            em: f32::from(metrics.units_per_em),
            ascent: metrics.ascent,
            descent: metrics.descent,
            advance: font.glyph_metrics(&[]).advance_width(letter),
        }
    }

    /// Returns the metrics for a font size.
    pub(crate) fn scaled(self, size: f32) -> FaceMetrics {
        let factor = size / self.em;
        FaceMetrics {
            em: size,
            ascent: self.ascent * factor,
            descent: self.descent * factor,
            advance: self.advance * factor,
        }
    }

    /// Whether cells can be made from these metrics: a damaged font can ask for more pixels than
    /// there is memory. NaN is out of range.
    fn is_plausible(self) -> bool {
        let FaceMetrics {
            ascent,
            descent,
            advance,
            ..
        } = self.scaled(1.0);
        let height = ascent + descent;
        height > 0.0
            && height <= FaceMetrics::MAX_HEIGHT
            && ascent.abs() <= FaceMetrics::MAX_HEIGHT
            && advance <= FaceMetrics::MAX_WIDTH
    }
}

/// Where the bytes of a face are.
pub(super) enum FontData {
    Bytes(Cow<'static, [u8]>),
    /// In a system font file, which is mapped when it is read: some files are large, and few of
    /// their glyphs are used.
    Mapped(Arc<fontdb::Database>, fontdb::ID),
}

impl Face {
    /// Loads a bundled font.
    pub(super) fn bundled(bytes: &'static [u8]) -> Face {
        Face::from_data(FontData::Bytes(Cow::Borrowed(bytes)))
            .expect("the bundled fonts can be read")
    }

    /// Loads the first face of a file.
    pub(crate) fn from_file(path: &Path) -> Result<Face, FontError> {
        let unfit = |reason| FontError::NotAFont {
            path: path.to_owned(),
            reason,
        };
        let unreadable = |source| FontError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let about = fs::metadata(path).map_err(unreadable)?;
        if !about.is_file() {
            return Err(unfit("it is not a file"));
        }
        if about.len() > MAX_BYTES {
            return Err(unfit("it is larger than 128 MiB"));
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        Face::from_data(FontData::Bytes(Cow::Owned(bytes)))
            .ok_or_else(|| unfit("it is not a complete TrueType or OpenType file"))
    }

    pub(super) fn from_data(data: FontData) -> Option<Face> {
        let read = |bytes: &[u8], index| {
            tables::is_complete(bytes, index).then(|| {
                let whole = |tags: &[_]| tables::are_whole(tags, bytes, index);
                (whole(&tables::RULES), whole(&tables::LAYERS))
            })
        };
        let (valid_shaping, valid_layers) = match &data {
            FontData::Bytes(bytes) => read(bytes, 0),
            FontData::Mapped(database, id) => database.with_face_data(*id, read)?,
        }?;
        let mut face = Face {
            name: String::new(),
            data,
            key: CacheKey::new(),
            color: false,
            paint_graphs: false,
            valid_shaping,
            rules: OnceLock::new(),
            cell_metrics: FaceMetrics::default(),
            broken: AtomicBool::new(false),
        };
        (face.name, face.color, face.paint_graphs, face.cell_metrics) = face.with(|font| {
            let name = font
                .localized_strings()
                .find_by_id(StringId::Full, None)
                .map(|name| name.chars().collect());
            let table = |tag| font.table(swash::tag_from_bytes(tag));
            let bitmaps = [b"CBDT", b"sbix"]
                .into_iter()
                .any(|tag| table(tag).is_some());
            // A version, and the number of glyphs with layers of one colour each.
            let layers = table(b"COLR").and_then(|layers| layers.first_chunk());
            let [_, version, high, low] = layers.copied().unwrap_or_default();
            let graphs = version > 0 && valid_layers;
            let color = bitmaps || graphs || (high, low) != (0, 0);
            let metrics = FaceMetrics::of(font);
            (name.unwrap_or_default(), color, graphs, metrics)
        })?;
        Some(face)
    }

    /// Returns the full name from the font.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the metrics from which cells are made.
    pub(crate) fn cell_metrics(&self) -> FaceMetrics {
        self.cell_metrics
    }

    /// Whether the face has coloured glyphs.
    pub(crate) fn has_color(&self) -> bool {
        self.color
    }

    /// Whether the face has a glyph for every visible code point of `text`.
    pub(crate) fn covers(&self, text: &str) -> bool {
        self.with(|font| covers(font, text)).unwrap_or(false)
    }

    /// Whether it may have glyphs that are graphs of outlines and gradients.
    pub(crate) fn has_paint_graphs(&self) -> bool {
        self.paint_graphs
    }

    /// Returns the glyphs of a text and their places; `None` if the font cannot be read.
    pub(crate) fn shape(&self, text: &str) -> Option<Vec<ShapedGlyph>> {
        let simple = || self.with(|font| one_by_one(font, text));
        // Nearly all texts; no rule joins a character with itself.
        if !self.valid_shaping || text.chars().nth(1).is_none() {
            return simple();
        }
        let shaped = self.with_bytes(|bytes, index| {
            let rules = || ShapingRules::read(bytes, index);
            self.rules
                .get_or_init(rules)
                .as_ref()?
                .shape(bytes, index, text)
        });
        let shaped = shaped.flatten();
        shaped
            .and_then(|glyphs| self.with(|font| with_placed_marks(font, glyphs)))
            .or_else(simple)
    }

    /// Whether anything is drawn for a glyph.
    #[cfg(test)]
    pub(crate) fn has_ink(&self, glyph: u16) -> bool {
        let drawn = |font: FontRef<'_>| {
            let mut context = swash::scale::ScaleContext::new();
            let mut scaler = context.builder(font).size(64.0).build();
            let strike = swash::scale::StrikeWith::BestFit;
            let bitmap = scaler.scale_color_bitmap(glyph, strike).is_some();
            let mut outline = scaler.scale_outline(glyph).into_iter();
            bitmap || outline.any(|outline| outline.bounds().width() > 0.0)
        };
        self.with(drawn).unwrap_or(false)
    }

    /// Calls `read` with the parsed font. Returns `None` if the font cannot be parsed, or if `read`
    /// panics, which a damaged font can cause. After a panic, every later call returns `None`, too.
    /// State that `read` captured may then be half-changed, so the caller must discard it.
    pub(crate) fn with<T>(&self, read: impl FnOnce(FontRef<'_>) -> T) -> Option<T> {
        let parsed = |bytes: &[u8], index: u32| {
            let mut font = FontRef::from_index(bytes, index as usize)?;
            font.key = self.key;
            Some(read(font))
        };
        self.with_bytes(parsed).flatten()
    }

    /// Calls `read` with the bytes of the file and the number of the face, as for
    /// [`with`](Face::with).
    pub(crate) fn with_bytes<T>(&self, read: impl FnOnce(&[u8], u32) -> T) -> Option<T> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        let caught = |bytes: &[u8], index: u32| {
            // The font library computes with the values that it reads, and a damaged file can make
            // that overflow.
            let result = catch_unwind(AssertUnwindSafe(|| read(bytes, index)));
            if result.is_err() {
                self.broken.store(true, Ordering::Relaxed);
            }
            result.ok()
        };
        match &self.data {
            FontData::Bytes(bytes) => caught(bytes, 0),
            FontData::Mapped(database, id) => database.with_face_data(*id, caught).flatten(),
        }
    }

    /// Returns the reason why this face cannot set the size of cells, if there is one.
    pub(super) fn unfit_for_cells(&self, path: &Path) -> Option<FontError> {
        let path = path.to_owned();
        let widths = self.with(|font| {
            let (charmap, metrics) = (font.charmap(), font.glyph_metrics(&[]));
            ['i', '.', '0', 'M', 'W', '@'].map(|c| match charmap.map(c) {
                0 => (c, 0.0),
                glyph => (c, metrics.advance_width(glyph)),
            })
        });
        let Some(widths) = widths else {
            return Some(FontError::NotAFont {
                path,
                reason: "it is damaged",
            });
        };
        if widths.iter().any(|(_, width)| *width <= 0.0) {
            return Some(FontError::NotAFont {
                path,
                reason: "it lacks Latin letters",
            });
        }
        if !self.cell_metrics.is_plausible() {
            return Some(FontError::NotAFont {
                path,
                reason: "it is damaged",
            });
        }
        let by_width = |one: &&(char, f32), other: &&(char, f32)| one.1.total_cmp(&other.1);
        let narrow = widths.iter().min_by(by_width)?;
        let wide = widths.iter().max_by(by_width)?;
        // Rounding may make widths differ by one font unit.
        (wide.1 - narrow.1 > 1.0).then_some(FontError::NotMonospaced {
            path,
            narrow: narrow.0,
            wide: wide.0,
        })
    }
}

/// Returns one glyph per visible character, without any rules.
fn one_by_one(font: FontRef<'_>, text: &str) -> Vec<ShapedGlyph> {
    let (charmap, metrics) = (font.charmap(), font.glyph_metrics(&[]));
    let em = f32::from(font.metrics(&[]).units_per_em.max(1));
    let seen = text.chars().filter(|c| !is_invisible_joiner(*c));
    let glyphs = seen.map(|c| {
        let id = charmap.map(c);
        let glyph = ShapedGlyph {
            id,
            x: 0.0,
            y: 0.0,
            advance: metrics.advance_width(id) / em,
        };
        (glyph, c)
    });
    with_placed_marks(font, glyphs.collect())
}

/// Moves marks onto their letter that the font does not place there. Such a mark is drawn as wide
/// as a letter, and is in its place if both begin at the same point.
fn with_placed_marks(font: FontRef<'_>, glyphs: Vec<(ShapedGlyph, char)>) -> Vec<ShapedGlyph> {
    let metrics = font.glyph_metrics(&[]);
    let mut letter: Option<f32> = None;
    let placed = glyphs.into_iter().map(|(mut glyph, c)| {
        match letter {
            Some(advance) if is_mark(c) => {
                let unplaced = (glyph.x, glyph.y) == (0.0, 0.0);
                if unplaced && metrics.advance_width(glyph.id) > 0.0 {
                    glyph.x = -advance;
                }
                glyph.advance = 0.0;
            }
            _ => letter = Some(glyph.advance),
        }
        glyph
    });
    placed.collect()
}

/// Whether a character is drawn on the letter before it and takes no room of its own.
pub(crate) fn is_mark(c: char) -> bool {
    c.combining_class() != 0
        || matches!(
            c.category(),
            Category::NonspacingMark | Category::EnclosingMark
        )
}

/// Whether a font has a glyph for every visible code point of `text`.
fn covers(font: FontRef<'_>, text: &str) -> bool {
    let charmap = font.charmap();
    text.chars()
        .filter(|c| !is_invisible_joiner(*c))
        .all(|c| charmap.map(c) != 0)
}

/// Whether a character is invisible and only changes how its neighbours are drawn: joiners,
/// variation selectors, tags.
fn is_invisible_joiner(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200c}'
            | '\u{200d}'
            | '\u{2060}'..='\u{2064}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0001}'
            | '\u{e0020}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Synthesized bold and slant, for a face that is not as bold or slanted as requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SynthesizedStyle {
    /// Strokes are made thicker.
    pub(crate) embolden: bool,
    /// Letters are slanted.
    pub(crate) slant: bool,
}

impl SynthesizedStyle {
    /// Returns everything that the style asks for, for a face that is neither bold nor slanted.
    pub(crate) fn missing(read: FontStyle) -> SynthesizedStyle {
        SynthesizedStyle {
            embolden: read.bold,
            slant: read.italic,
        }
    }
}

/// Reasons why a font cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FontError {
    /// The file cannot be read.
    #[error("cannot read the font `{}`", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// The error of the read.
        source: io::Error,
    },
    /// The file is not a font, or not one for text.
    #[error("cannot draw with the font `{}`: {reason}", path.display())]
    NotAFont {
        /// Path of the file.
        path: PathBuf,
        /// The reason.
        reason: &'static str,
    },
    /// Its letters have different widths.
    #[error("the font `{}` is not monospaced: `{wide}` is wider than `{narrow}`", path.display())]
    NotMonospaced {
        /// Path of the file.
        path: PathBuf,
        /// A narrow letter.
        narrow: char,
        /// A wide letter.
        wide: char,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_that_panicked_is_not_read_again() {
        let face = Face::bundled(dejavu::sans_mono::regular());
        assert!(face.covers("a"));
        let wrong = face.with(|_| -> u8 { std::panic::resume_unwind(Box::new("a damaged table")) });
        assert_eq!(wrong, None);
        assert_eq!(face.with(|_| 1), None);
        assert!(!face.covers("a"));
        assert!(
            face.cell_metrics().is_plausible(),
            "cells can still be made"
        );
    }
}
