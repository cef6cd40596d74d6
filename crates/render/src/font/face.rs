//! One face of a font file.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use swash::{CacheKey, FontRef, StringId};

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
    shaping: Shaping,
    cell_metrics: FaceMetrics,
    /// Set after reading the font has panicked; it is not read again.
    broken: AtomicBool,
}

/// Whether the font's shaping rules are applied to its glyphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shaping {
    /// Applied as the font defines them.
    FontRules,
    /// Not applied, because the tables are damaged.
    Disabled,
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
            tables::is_complete(bytes, index)
                .then(|| tables::has_valid_shaping_tables(bytes, index))
        };
        let valid_shaping = match &data {
            FontData::Bytes(bytes) => read(bytes, 0),
            FontData::Mapped(database, id) => database.with_face_data(*id, read)?,
        }?;
        let mut face = Face {
            name: String::new(),
            data,
            key: CacheKey::new(),
            color: false,
            shaping: if valid_shaping {
                Shaping::FontRules
            } else {
                Shaping::Disabled
            },
            cell_metrics: FaceMetrics::default(),
            broken: AtomicBool::new(false),
        };
        (face.name, face.color, face.cell_metrics) = face.with(|font| {
            let name = font
                .localized_strings()
                .find_by_id(StringId::Full, None)
                .map(|name| name.chars().collect());
            let tables = [*b"COLR", *b"CBDT", *b"sbix"];
            let color = tables
                .iter()
                .any(|tag| font.table(swash::tag_from_bytes(tag)).is_some());
            (name.unwrap_or_default(), color, FaceMetrics::of(font))
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

    /// Returns how its glyphs are shaped.
    pub(crate) fn shaping(&self) -> Shaping {
        self.shaping
    }

    /// Whether the face has a glyph for every visible code point of `text`.
    pub(crate) fn covers(&self, text: &str) -> bool {
        self.with(|font| covers(font, text)).unwrap_or(false)
    }

    /// Calls `read` with the parsed font. Returns `None` if the font cannot be parsed, or if `read`
    /// panics, which a damaged font can cause. After a panic, every later call returns `None`, too.
    /// State that `read` captured may then be half-changed, so the caller must discard it.
    pub(crate) fn with<T>(&self, read: impl FnOnce(FontRef<'_>) -> T) -> Option<T> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        let parsed = |bytes: &[u8], index: u32| {
            let mut font = FontRef::from_index(bytes, index as usize)?;
            font.key = self.key;
            // The font library computes with the values that it reads, and a damaged file can make
            // that overflow.
            let result = catch_unwind(AssertUnwindSafe(|| read(font)));
            if result.is_err() {
                self.broken.store(true, Ordering::Relaxed);
            }
            result.ok()
        };
        match &self.data {
            FontData::Bytes(bytes) => parsed(bytes, 0),
            FontData::Mapped(database, id) => database.with_face_data(*id, parsed).flatten(),
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

/// Whether a font has a glyph for every visible code point of `text`.
fn covers(font: FontRef<'_>, text: &str) -> bool {
    let charmap = font.charmap();
    text.chars()
        .filter(|c| !is_invisible_joiner(*c))
        .all(|c| charmap.map(c) != 0)
}

/// Whether a character is invisible and only changes how its neighbours are drawn: joiners,
/// variation selectors, tags.
pub(crate) fn is_invisible_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}')
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
