//! Selects the font that draws each character.
//!
//! The order is fixed: the files or the family that the caller names, then the bundled family,
//! then, for characters that these lack, the system's fonts, if the caller allows them. Every
//! character drawn with a system font is recorded, so that callers can report that a picture
//! depends on the machine. Fonts are read once; clones and threads share a [`Fonts`] and its
//! glyphs.
//!
//! See also: `font/face.rs` (one font file), `font/system.rs` (installed fonts), `glyph.rs`
//! (drawing a glyph).

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::glyph::{FontStyle, GlyphCache};

mod canonical;
mod face;
mod family;
mod shaping;
mod system;
mod tables;

pub(crate) use canonical::composed;
pub use face::FontError;
pub(crate) use face::{Face, FaceMetrics, SynthesizedStyle, is_mark};
use family::Family;
pub(crate) use shaping::ShapedGlyph;
use system::InstalledFonts;

/// Whether installed fonts may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum SystemFonts {
    /// For characters that the chosen fonts lack, such as Chinese characters and emoji.
    #[default]
    Allowed,
    /// Never: the picture is the same on every machine.
    Forbidden,
}

/// Loaded fonts; clones share them.
#[derive(Clone)]
pub struct Fonts(Arc<SharedFonts>);

struct SharedFonts {
    family: Family,
    /// Faces for characters that the family lacks, searched in order: the files after the first
    /// that the caller named, then the bundled regular face.
    more: Vec<Face>,
    allowed: SystemFonts,
    /// Scanning the system's fonts takes tens of milliseconds, so it is delayed until a character
    /// needs it.
    system: OnceLock<InstalledFonts>,
    fallback: Mutex<FallbackLog>,
    cache: GlyphCache,
}

impl Fonts {
    /// Returns the bundled fonts: DejaVu Sans Mono in four faces.
    pub fn bundled(allowed: SystemFonts) -> Fonts {
        Fonts::with(Family::bundled(), Vec::new(), allowed)
    }

    /// Loads fonts from files. The first must be monospaced and sets the size of the cells; the
    /// others are used for characters that it lacks, and after them the bundled fonts. Without
    /// files, only the bundled fonts are used.
    pub fn from_files(paths: &[PathBuf], allowed: SystemFonts) -> Result<Fonts, FontError> {
        let Some((first, others)) = paths.split_first() else {
            return Ok(Fonts::bundled(allowed));
        };
        let family = Family::from_file(first)?;
        let mut more = Vec::new();
        for path in others {
            more.push(Face::from_file(path)?);
        }
        more.extend(Family::bundled().into_regular());
        Ok(Fonts::with(family, more, allowed))
    }

    /// Returns the first family of a comma-separated list, as in CSS, that is bundled or installed
    /// and can set the size of cells; the bundled fonts follow as fallback. `None` if there is no
    /// such family.
    pub fn named(names: &str, allowed: SystemFonts) -> Option<Fonts> {
        let quotes = ['"', '\'', ' '];
        let mut names = names.split(',').map(|name| name.trim_matches(quotes));
        let family = names.find_map(Family::named)?;
        let more = Family::bundled().into_regular();
        Some(Fonts::with(family, more.into_iter().collect(), allowed))
    }

    fn with(family: Family, more: Vec<Face>, allowed: SystemFonts) -> Fonts {
        Fonts(Arc::new(SharedFonts {
            family,
            more,
            allowed,
            system: OnceLock::new(),
            fallback: Mutex::default(),
            cache: GlyphCache::default(),
        }))
    }

    /// Returns the characters that were drawn with system fonts so far, by this value and its
    /// clones.
    pub fn fallbacks(&self) -> Vec<FontFallback> {
        self.fallback().fallbacks.iter().cloned().collect()
    }

    /// Returns what no font had so far of all screens that were drawn with this value and its
    /// clones: the text of a cell if no font has its first character, which was drawn as a box with
    /// the code point; otherwise each lacking character of it, such as a combining mark, which was
    /// left out.
    pub fn missing(&self) -> Vec<String> {
        self.fallback().missing.iter().cloned().collect()
    }

    /// Returns the face that sets the size of the cells.
    pub(crate) fn regular(&self) -> &Face {
        self.0.family.regular()
    }

    pub(crate) fn cache(&self) -> &GlyphCache {
        &self.0.cache
    }

    /// Calls `draw` with the face that has all characters of a text, and with the equivalent of the
    /// text for which it has them; returns `None` if no face has them.
    pub(crate) fn with_face<T>(
        &self,
        text: &str,
        style: FontStyle,
        presentation: Presentation,
        draw: impl FnOnce(SelectedFace<'_>, &str) -> T,
    ) -> Option<T> {
        let forms = canonical::forms(text);
        let mut forms = forms.iter().map(|form| &form[..]);
        let own = forms.clone().find_map(|form| {
            let face = self.own_face(form, style, presentation)?;
            Some((face, form))
        });
        let good = |face: &Face| presentation == Presentation::Text || face.has_color();
        if let Some((selected, form)) = own.filter(|(selected, _)| good(selected.face)) {
            return Some(draw(selected, form));
        }
        let fallback = forms.find_map(|form| Some((self.system_face(form, presentation)?, form)));
        // A monochrome emoji looks better in the font of the surrounding text.
        if let Some((face, form)) = fallback.filter(|(face, _)| own.is_none() || good(face)) {
            self.remember(|fallback| {
                fallback.fallbacks.insert(FontFallback {
                    text: text.to_owned(),
                    font: face.name().to_owned(),
                });
            });
            return Some(draw(SelectedFace::fallback(&face, style), form));
        }
        own.map(|(selected, form)| draw(selected, form))
    }

    /// Records that no font has a character.
    pub(crate) fn note_missing(&self, text: &str) {
        self.remember(|fallback| {
            fallback.missing.insert(text.to_owned());
        });
    }

    fn own_face(
        &self,
        text: &str,
        style: FontStyle,
        presentation: Presentation,
    ) -> Option<SelectedFace<'_>> {
        let lends = |color: bool| {
            let mut faces = self.0.more.iter();
            let face = faces.find(|face| face.has_color() == color && face.covers(text))?;
            Some(SelectedFace::fallback(face, style))
        };
        let family = || {
            let (face, synthesized) = self.0.family.face(text, style)?;
            Some(SelectedFace {
                face,
                synthesized,
                is_primary: true,
            })
        };
        match presentation {
            Presentation::Text => family().or_else(|| lends(false)).or_else(|| lends(true)),
            Presentation::Emoji => lends(true).or_else(family).or_else(|| lends(false)),
        }
    }

    fn system_face(&self, text: &str, presentation: Presentation) -> Option<Arc<Face>> {
        match self.0.allowed {
            SystemFonts::Forbidden => None,
            SystemFonts::Allowed => self
                .0
                .system
                .get_or_init(InstalledFonts::scan)
                .face(text, presentation),
        }
    }

    fn fallback(&self) -> std::sync::MutexGuard<'_, FallbackLog> {
        self.0
            .fallback
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, note: impl FnOnce(&mut FallbackLog)) {
        let mut fallback = self.fallback();
        // Bounds the memory: a program can print every character there is.
        if fallback.fallbacks.len() + fallback.missing.len() < FallbackLog::MAX_ENTRIES {
            note(&mut fallback);
        }
    }
}

impl fmt::Debug for Fonts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fonts")
            .field("regular", &self.regular().name())
            .field("system", &self.0.allowed)
            .finish_non_exhaustive()
    }
}

/// The face that draws a character.
#[derive(Clone, Copy)]
pub(crate) struct SelectedFace<'a> {
    pub(crate) face: &'a Face,
    /// Bold or slant that the face lacks and that is synthesized.
    pub(crate) synthesized: SynthesizedStyle,
    /// Whether the face belongs to the family that sets the size of the cells.
    pub(crate) is_primary: bool,
}

impl SelectedFace<'_> {
    /// Selects a face of another family, which is neither bold nor slanted.
    fn fallback(face: &Face, style: FontStyle) -> SelectedFace<'_> {
        SelectedFace {
            face,
            synthesized: SynthesizedStyle::missing(style),
            is_primary: false,
        }
    }
}

/// The text of a cell that was drawn with a system font.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct FontFallback {
    /// The character, or the characters that are joined to one.
    pub text: String,
    /// The name of the font.
    pub font: String,
}

/// The preferred presentation of a character that several fonts have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Presentation {
    /// As text, in the colour of the text.
    Text,
    /// As an emoji, in its own colours.
    Emoji,
}

#[derive(Debug, Default)]
struct FallbackLog {
    fallbacks: BTreeSet<FontFallback>,
    missing: BTreeSet<String>,
}

impl FallbackLog {
    const MAX_ENTRIES: usize = 1000;
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use proptest::prelude::*;
    use screentest_core::{Screen, Size, Theme};
    use tempfile::TempDir;

    use super::*;
    use crate::{Pixels, RenderOptions, Window, draw};

    fn folder(files: &[(&str, &[u8])]) -> TempDir {
        let folder = TempDir::new().expect("a temporary folder");
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).expect("it can be written");
        }
        folder
    }

    #[track_caller]
    fn check_refused(name: &str, bytes: &[u8], message: &str) {
        let folder = folder(&[(name, bytes)]);
        let path = folder.path().join(name);
        let error = Fonts::from_files(std::slice::from_ref(&path), SystemFonts::Forbidden);
        let error = error.expect_err("it is refused").to_string();
        assert_eq!(error.replace(&*path.to_string_lossy(), "PATH"), message);
    }

    #[test]
    fn a_file_that_is_not_a_font_is_an_error_with_a_reason() {
        let reason =
            "cannot draw with the font `PATH`: it is not a complete TrueType or OpenType file";
        check_refused("empty.ttf", b"", reason);
        check_refused("text.ttf", b"hello", reason);
        check_refused(
            "sans.ttf",
            dejavu::sans::regular(),
            "the font `PATH` is not monospaced: `@` is wider than `i`",
        );
    }

    #[test]
    fn a_font_that_is_cut_off_anywhere_does_not_panic() {
        let whole = dejavu::sans_mono::regular();
        for length in (0..whole.len()).step_by(whole.len() / 40) {
            let folder = folder(&[("cut.ttf", &whole[..length])]);
            let path = folder.path().join("cut.ttf");
            if let Ok(fonts) = Fonts::from_files(&[path], SystemFonts::Forbidden) {
                picture(&fonts, "\x1b[1mA");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn a_damaged_font_does_not_panic(
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..400),
        ) {
            let mut bytes = dejavu::sans_mono::regular().to_vec();
            for (at, byte) in damage {
                // Every glyph reads the first tables; most later bytes belong to other glyphs.
                let at = at.index(bytes.len()) / if byte % 2 == 0 { 1 } else { 16 };
                bytes[at] = byte;
            }
            let folder = folder(&[("damaged.ttf", &bytes)]);
            let path = folder.path().join("damaged.ttf");
            if let Ok(fonts) = Fonts::from_files(&[path], SystemFonts::Forbidden) {
                picture(&fonts, "Ag e\u{301}\x1b[1;3mé");
            }
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let path = PathBuf::from("/no/such/font.ttf");
        let error =
            Fonts::from_files(&[path], SystemFonts::Forbidden).expect_err("it is not there");
        assert_eq!(
            error.to_string(),
            "cannot read the font `/no/such/font.ttf`"
        );
        let folder = folder(&[]);
        let error = Fonts::from_files(&[folder.path().to_owned()], SystemFonts::Forbidden);
        assert!(matches!(error, Err(FontError::NotAFont { .. })));
    }

    fn picture(fonts: &Fonts, bytes: &str) -> Pixels {
        let size = Size { cols: 8, rows: 1 };
        let mut emulator = screentest_core::Backend::Alacritty
            .emulator(size, screentest_core::emulator::EmulatorOptions::default());
        emulator.feed(bytes.as_bytes());
        let screen: Screen = emulator.screen();
        let options = RenderOptions {
            window: Window::bare(),
            ..RenderOptions::default()
        };
        draw(&screen, &Theme::DARK, fonts, &options).expect("it is small")
    }

    fn opened(folder: &Path) -> Fonts {
        let path = folder.join("Mono-Regular.ttf");
        Fonts::from_files(&[path], SystemFonts::Forbidden).expect("a font")
    }

    #[test]
    fn a_missing_face_is_synthesized_from_the_regular_one() {
        let alone = folder(&[("Mono-Regular.ttf", dejavu::sans_mono::regular())]);
        let fonts = opened(alone.path());
        let looks = ["", "\x1b[1m", "\x1b[3m", "\x1b[1;3m"];
        let pictures = looks.map(|style| picture(&fonts, &format!("{style}Hnq")));
        for (index, one) in pictures.iter().enumerate() {
            assert!(!pictures[..index].contains(one), "{:?}", looks[index]);
        }
    }

    #[test]
    fn faces_in_the_same_directory_are_used() {
        let family = folder(&[
            ("Mono-Regular.ttf", dejavu::sans_mono::regular()),
            ("Mono-Bold.ttf", dejavu::sans_mono::bold()),
        ]);
        let bundled = Fonts::bundled(SystemFonts::Forbidden);
        let bold = "\x1b[1mHnq";
        assert_eq!(
            picture(&opened(family.path()), bold),
            picture(&bundled, bold)
        );
    }

    /// Returns the offset of a table's contents.
    fn table(font: &[u8], tag: &[u8; 4]) -> usize {
        let records = font[12..].chunks_exact(16);
        let record = records.into_iter().find(|record| record[..4] == tag[..]);
        let offset = record.expect("the font has the table")[8..12].try_into();
        u32::from_be_bytes(offset.expect("four bytes")) as usize
    }

    /// Returns the font with two bytes of a table changed.
    fn changed(font: &[u8], tag: &[u8; 4], at: usize, value: u16) -> Vec<u8> {
        let mut bytes = font.to_vec();
        let at = table(font, tag) + at;
        bytes[at..at + 2].copy_from_slice(&value.to_be_bytes());
        bytes
    }

    #[test]
    fn a_font_with_implausible_metrics_is_damaged() {
        let reason = "cannot draw with the font `PATH`: it is damaged";
        // 16 units per em, and an ascent of 32767 units.
        let fine = changed(dejavu::sans_mono::regular(), b"head", 18, 16);
        let high = changed(&fine, b"hhea", 4, 32767);
        check_refused("high.ttf", &high, reason);
        check_refused("wide.ttf", &fine, reason);
        let flat = changed(dejavu::sans_mono::regular(), b"hhea", 4, 0);
        let flat = changed(&flat, b"hhea", 6, 0);
        let flat = changed(&flat, b"OS/2", 68, 0);
        let flat = changed(&flat, b"OS/2", 70, 0);
        let flat = changed(&flat, b"OS/2", 74, 0);
        check_refused("flat.ttf", &changed(&flat, b"OS/2", 76, 0), reason);
    }

    /// Returns the bundled font with an `A` of one red layer, which is the letter itself.
    fn colored() -> Vec<u8> {
        let font = dejavu::sans_mono::regular();
        let letter = Face::bundled(font).with(|font| font.charmap().map('A'));
        let glyph = letter.expect("the bundled font can be read").to_be_bytes();
        // COLR version 0: one glyph of one layer; the lists follow the header of 14 bytes.
        let mut layers = vec![0, 0, 0, 1, 0, 0, 0, 14, 0, 0, 0, 20, 0, 1];
        layers.extend([glyph[0], glyph[1], 0, 0, 0, 1, glyph[0], glyph[1], 0, 0]);
        // CPAL version 0: one palette of one colour, as blue, green, red and alpha.
        let mut colors = vec![0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 14, 0, 0];
        colors.extend([0, 0, 255, 255]);
        with_tables(font, &[(b"COLR", &layers), (b"CPAL", &colors)])
    }

    /// Returns a font with additional tables, whose tags must sort before the font's own tables.
    fn with_tables(font: &[u8], more: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let count = usize::from(u16::from_be_bytes([font[4], font[5]]));
        let (head, body) = font.split_at(12 + 16 * count);
        let shift = 16 * more.len() as u32;
        let mut bytes = head[..4].to_vec();
        bytes.extend(((count + more.len()) as u16).to_be_bytes());
        bytes.extend(&head[6..12]);
        let mut end = font.len() as u32 + shift;
        for (tag, table) in more {
            bytes.extend(*tag);
            let words = table.chunks(4).map(|word| {
                let mut padded = [0; 4];
                padded[..word.len()].copy_from_slice(word);
                u32::from_be_bytes(padded)
            });
            bytes.extend(words.fold(0, u32::wrapping_add).to_be_bytes());
            bytes.extend(end.to_be_bytes());
            bytes.extend((table.len() as u32).to_be_bytes());
            end += table.len() as u32;
        }
        for record in head[12..].chunks_exact(16) {
            let offset = u32::from_be_bytes(record[8..12].try_into().expect("four bytes")) + shift;
            bytes.extend(&record[..8]);
            bytes.extend(offset.to_be_bytes());
            bytes.extend(&record[12..]);
        }
        bytes.extend(body);
        more.iter().for_each(|(_, table)| bytes.extend(*table));
        bytes
    }

    /// Returns the bundled font with an `A` that is blue above and red below (COLR version 1).
    fn shaded() -> Vec<u8> {
        let font = dejavu::sans_mono::regular();
        let letter = Face::bundled(font).with(|font| font.charmap().map('A'));
        let [high, low] = letter.expect("the bundled font can be read").to_be_bytes();
        // No glyphs of version 0; a list of glyphs after the header of 34 bytes.
        let mut graph = vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 34];
        graph.extend([0; 16]);
        // One glyph, whose graph follows: the outline of the letter, filled with what follows.
        graph.extend([0, 0, 0, 1, high, low, 0, 0, 0, 10, 10, 0, 0, 6, high, low]);
        // A gradient along a line from 0 to 1493 font units, the height of the letter.
        graph.extend([4, 0, 0, 16, 0, 0, 0, 0, 0, 0, 5, 213, 4, 0, 0, 0]);
        // Two colours: at 0 the first of the palette, at 1 the second, both opaque.
        graph.extend([0, 0, 2, 0, 0, 0, 0, 64, 0, 64, 0, 0, 1, 64, 0]);
        let mut colors = vec![0, 0, 0, 2, 0, 1, 0, 2, 0, 0, 0, 14, 0, 0];
        colors.extend([0, 0, 255, 255, 255, 0, 0, 255]);
        with_tables(font, &[(b"COLR", &graph), (b"CPAL", &colors)])
    }

    #[test]
    fn a_letter_is_filled_with_a_gradient() {
        let font = shaded();
        let face = Face::from_data(face::FontData::Bytes(font.clone().into()));
        assert!(face.is_some_and(|face| face.has_color()));
        let folder = folder(&[("Mono-Regular.ttf", &font)]);
        let pixels = picture(&opened(folder.path()), "\x1b[?25lA");
        let inked = |y: usize| {
            let line = pixels.row(y)[..10].iter();
            line.copied().max_by_key(|pixel| pixel[0].max(pixel[2])).expect("a line")
        };
        // The letter is from line 3 to line 14.
        let (top, middle, bottom) = (inked(4), inked(9), inked(14));
        assert!(top[2] > 180 && top[0] < 70, "{top:?}");
        assert!(middle[0].abs_diff(middle[2]) < 70, "{middle:?}");
        assert!(bottom[0] > 180 && bottom[2] < 70, "{bottom:?}");
    }

    #[test]
    fn a_damaged_paint_graph_is_not_drawn() {
        let whole = shaded();
        let at = table(&whole, b"COLR");
        for damage in 0..60 {
            let mut font = whole.clone();
            font[at + damage] ^= 0x15;
            let folder = folder(&[("Mono-Regular.ttf", &font)]);
            // Its checksum is wrong, so the outline is drawn instead.
            let pixels = picture(&opened(folder.path()), "\x1b[?25lA");
            let colored = |pixel: &&crate::Pixel| pixel[0].abs_diff(pixel[2]) > 30;
            assert_eq!((0..19).flat_map(|y| &pixels.row(y)[..10]).filter(colored).count(), 0);
        }
    }

    #[test]
    fn the_edge_of_a_coloured_letter_is_between_its_colour_and_the_background() {
        let folder = folder(&[("Mono-Regular.ttf", &colored())]);
        let pixels = picture(&opened(folder.path()), "\x1b[?25l\x1b[48;2;255;255;255mA");
        let letter = (0..19).flat_map(|y| &pixels.row(y)[..10]);
        let red: Vec<_> = letter.filter(|pixel| pixel[1] < 250).collect();
        assert!(red.len() > 20, "there is a letter");
        // Red on white: only green and blue are blended.
        assert!(
            red.iter()
                .all(|[r, g, b, _]| *r > 250 && g.abs_diff(*b) < 3),
            "{red:?}"
        );
    }

    #[test]
    fn a_letter_whose_mark_no_font_has_is_drawn_without_it() {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        let bare = picture(&fonts, "Zx");
        assert_eq!(fonts.missing(), [""; 0]);
        assert_eq!(picture(&fonts, "Z\u{351}\u{36b}x"), bare);
        assert_eq!(fonts.missing(), ["\u{351}", "\u{36b}"]);
        // If the font has only some of the marks, these are drawn.
        let one = picture(&fonts, "Z\u{301}x");
        assert_ne!(one, bare);
        assert_eq!(picture(&fonts, "Z\u{301}\u{36b}x"), one);
    }

    #[test]
    fn a_character_without_a_font_is_reported_and_drawn_as_a_box() {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        assert_ne!(picture(&fonts, "漢"), picture(&fonts, "字"));
        assert_eq!(fonts.missing(), ["字", "漢"]);
        // Numbers of five digits are legible in one cell too.
        assert_ne!(picture(&fonts, "\u{1cc00}"), picture(&fonts, "\u{1cc01}"));
        assert_eq!(fonts.fallbacks(), []);
    }
}
