//! Shaping: the glyphs of a cell's text, and where they are, by the rules of a font.
//!
//! A cell has one grapheme cluster, for which a font may have one glyph (a flag, a family, a
//! conjunct) or several (a letter and its marks).
//!
//! The rules are applied by HarfBuzz. The shaper of the library that draws the glyphs panics with
//! common fonts (at a flag that Noto Color Emoji lacks), and knows the rules of Indic scripts only
//! in part.

use std::fmt;

use harfrust::{BufferClusterLevel, FontRef, ShapeOptions, ShaperData, UnicodeBuffer};

/// A glyph of a font and its place. Lengths are in em, upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ShapedGlyph {
    pub(crate) id: u16,
    /// Distance from the place that the glyphs before it lead to.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// Distance from its place to the place of the next glyph; 0 for a mark.
    pub(crate) advance: f32,
}

/// The shaping rules of a face, prepared for use.
pub(super) struct ShapingRules(ShaperData);

impl ShapingRules {
    /// Reads the rules of a face; `None` if they cannot be read.
    pub(super) fn read(bytes: &[u8], index: u32) -> Option<ShapingRules> {
        let font = FontRef::from_index(bytes, index).ok()?;
        Some(ShapingRules(ShaperData::new(&font)))
    }

    /// Returns the glyphs of a text, from left to right, each with the first character that it
    /// stands for. `bytes` and `index` are of the same face. Characters that the face lacks have
    /// glyph 0.
    pub(super) fn shape(
        &self,
        bytes: &[u8],
        index: u32,
        text: &str,
    ) -> Option<Vec<(ShapedGlyph, char)>> {
        let font = FontRef::from_index(bytes, index).ok()?;
        let shaper = self.0.shaper(&font).build();
        let em = shaper.units_per_em().max(1) as f32;
        let mut buffer = UnicodeBuffer::new();
        // Each glyph keeps the number of its character.
        buffer.set_cluster_level(BufferClusterLevel::Characters);
        buffer.push_str(text);
        // From the characters alone: no language of the machine takes part.
        buffer.guess_segment_properties();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let places = shaped.glyph_infos().iter().zip(shaped.glyph_positions());
        let glyphs = places.map(|(glyph, place)| {
            let character = text.get(glyph.cluster as usize..)?.chars().next()?;
            let glyph = ShapedGlyph {
                id: glyph.glyph_id.try_into().ok()?,
                x: place.x_offset as f32 / em,
                y: place.y_offset as f32 / em,
                advance: place.x_advance as f32 / em,
            };
            Some((glyph, character))
        });
        glyphs.collect()
    }
}

impl fmt::Debug for ShapingRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapingRules").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::face::Face;
    use super::*;

    /// Opens a font that `cargo xtask test` installs.
    fn installed(path: &str) -> Face {
        let face = Face::from_file(Path::new(path));
        face.unwrap_or_else(|error| panic!("{error}; `cargo xtask test` installs it"))
    }

    /// Checks how many glyphs a text has that take room, and how many that do not.
    #[track_caller]
    fn check(face: &Face, text: &str, letters: usize, marks: usize) {
        let glyphs = face.shape(text).expect("the font is whole");
        assert!(
            glyphs.iter().all(|glyph| glyph.id != 0),
            "{text}: a character is lacking"
        );
        let visible = glyphs.iter().filter(|glyph| {
            // A joiner that takes no part is an empty glyph without an advance.
            glyph.advance > 0.0 || face.has_ink(glyph.id)
        });
        let (wide, narrow): (Vec<&ShapedGlyph>, Vec<&ShapedGlyph>) =
            visible.partition(|glyph| glyph.advance > 0.0);
        assert_eq!(
            (wide.len(), narrow.len()),
            (letters, marks),
            "{text} {text:?}: {glyphs:?}"
        );
    }

    #[test]
    fn a_cluster_of_emoji_is_one_glyph() {
        let face = installed("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf");
        for text in [
            "😀",
            "❤\u{fe0f}",
            "🇩🇪",
            "🇺🇳",
            "👍🏽",
            "🧑🏽\u{200d}🚀",
            "👨\u{200d}👩\u{200d}👧\u{200d}👦",
            "👩🏾\u{200d}🤝\u{200d}👨🏼",
            "❤\u{fe0f}\u{200d}🔥",
            "🏳\u{fe0f}\u{200d}🌈",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "1\u{fe0f}\u{20e3}",
            "#\u{fe0f}\u{20e3}",
        ] {
            check(&face, text, 1, 0);
        }
        // The font has no glyph for these: the parts are drawn.
        check(&face, "👨\u{200d}🦰\u{200d}🚀", 2, 0);
        check(&face, "😀\u{200d}🚀", 2, 0);
        // The shaper of swash panicked at this flag, which does not exist.
        check(&face, "🇽🇽", 1, 0);
    }

    #[test]
    fn conjuncts_and_vowels_of_devanagari_follow_its_rules() {
        let face = installed("/usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf");
        check(&face, "क", 1, 0);
        // Two letters become one; with a non-joiner they stay apart, and the first has a virama.
        check(&face, "क\u{94d}ष", 1, 0);
        check(&face, "क\u{94d}\u{200c}ष", 2, 1);
        // A vowel that is written after the letter is drawn before it.
        let glyphs = face.shape("कि").expect("the font is whole");
        let letter = face.shape("क").expect("the font is whole")[0];
        assert_eq!(glyphs.len(), 2);
        assert_eq!(glyphs[1].id, letter.id, "the vowel is left of the letter");
        // An R before a consonant is a hook above it.
        check(&face, "र\u{94d}क", 1, 1);
    }

    #[test]
    fn marks_take_no_room_and_are_on_their_letter() {
        let face = Face::bundled(dejavu::sans_mono::regular());
        check(&face, "e\u{301}", 1, 0);
        check(&face, "q\u{303}", 1, 1);
        check(&face, "Z\u{321}\u{327}\u{328}", 1, 3);
        check(&face, "o\u{332}\u{305}", 1, 2);
        let glyphs = face.shape("x\u{302}").expect("the font is whole");
        let [letter, mark] = &glyphs[..] else {
            panic!("two glyphs: {glyphs:?}");
        };
        assert!(letter.advance > 0.5 && mark.x < -0.25, "{glyphs:?}");
    }
}
