//! Where the forms of characters come from.
//!
//! The order is fixed: the files the caller names, else the bundled family; then, for what those lack, the system's
//! fonts, if the caller allows them. What a system's font lent is remembered, so that a picture that depends on the
//! machine can say so. Fonts are read once; a [`Fonts`] is shared by clones and threads, with its glyphs.
//!
//! Elsewhere: one font file (`font/face.rs`), the system's (`font/system.rs`), drawing a glyph (`glyph.rs`).

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::glyph::{Cache, Look};

mod face;
mod family;
mod system;
mod tables;

pub use face::FontError;
pub(crate) use face::{Face, Strength, joins_unseen};
use family::Family;
use system::System;

/// Whether fonts that happen to be installed may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SystemFonts {
    /// For characters that the chosen fonts lack, such as Chinese ones and emoji.
    #[default]
    Allowed,
    /// Never: the picture is the same on every machine.
    Forbidden,
}

/// Fonts, ready to draw with; clones share them.
#[derive(Clone)]
pub struct Fonts(Arc<Shared>);

struct Shared {
    family: Family,
    /// Files named by the caller after the first, asked in their order.
    more: Vec<Face>,
    allowed: SystemFonts,
    /// Looking through a system's fonts takes tens of milliseconds, so it waits for the first character that needs it.
    system: OnceLock<System>,
    lent: Mutex<Lent>,
    cache: Cache,
}

impl Fonts {
    /// The bundled fonts: DejaVu Sans Mono in four faces.
    pub fn bundled(allowed: SystemFonts) -> Fonts {
        Fonts::with(Family::bundled(), Vec::new(), allowed)
    }

    /// Fonts from files: the first must be monospaced and sets the size of the cells, the others lend what it lacks;
    /// then come the bundled ones. Without files, these alone.
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

    fn with(family: Family, more: Vec<Face>, allowed: SystemFonts) -> Fonts {
        Fonts(Arc::new(Shared {
            family,
            more,
            allowed,
            system: OnceLock::new(),
            lent: Mutex::default(),
            cache: Cache::default(),
        }))
    }

    /// What system fonts have lent so far, to this value and its clones.
    pub fn borrowed(&self) -> Vec<Borrowed> {
        self.lent().borrowed.iter().cloned().collect()
    }

    /// The characters that no font had so far; they were drawn as a box with their number.
    pub fn missing(&self) -> Vec<String> {
        self.lent().missing.iter().cloned().collect()
    }

    /// The face that sets the size of the cells.
    pub(crate) fn regular(&self) -> &Face {
        self.0.family.regular()
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.0.cache
    }

    /// Calls `draw` with the face that has a character, and what it must be helped with; `None` when no face has it.
    pub(crate) fn with_face<T>(
        &self,
        text: &str,
        look: Look,
        wish: Wish,
        draw: impl FnOnce(&Face, Strength) -> T,
    ) -> Option<T> {
        let own = self.own_face(text, look, wish);
        let good = |face: &Face| wish == Wish::Text || face.has_color();
        if let Some((face, strength)) = own.filter(|(face, _)| good(face)) {
            return Some(draw(face, strength));
        }
        let lent = self.system_face(text, wish);
        // An emoji without colours looks better in the font of the text around it.
        if let Some(face) = lent.filter(|face| own.is_none() || good(face)) {
            self.remember(|lent| {
                lent.borrowed.insert(Borrowed {
                    text: text.to_owned(),
                    font: face.name().to_owned(),
                });
            });
            return Some(draw(&face, Strength::missing(look)));
        }
        if let Some((face, strength)) = own {
            return Some(draw(face, strength));
        }
        self.remember(|lent| {
            lent.missing.insert(text.to_owned());
        });
        None
    }

    fn own_face(&self, text: &str, look: Look, wish: Wish) -> Option<(&Face, Strength)> {
        let lends = |face: &&Face| face.covers(text) && (wish == Wish::Text || face.has_color());
        let more = || {
            let face = self.0.more.iter().find(lends)?;
            Some((face, Strength::missing(look)))
        };
        let family = || self.0.family.face(text, look);
        match wish {
            Wish::Text => family().or_else(more),
            Wish::Emoji => more().or_else(family),
        }
    }

    fn system_face(&self, text: &str, wish: Wish) -> Option<Arc<Face>> {
        match self.0.allowed {
            SystemFonts::Forbidden => None,
            SystemFonts::Allowed => self.0.system.get_or_init(System::scan).face(text, wish),
        }
    }

    fn lent(&self) -> std::sync::MutexGuard<'_, Lent> {
        self.0.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, note: impl FnOnce(&mut Lent)) {
        let mut lent = self.lent();
        // A program can print every character there is; a person reads a few.
        if lent.borrowed.len() + lent.missing.len() < Lent::MOST {
            note(&mut lent);
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

/// A character that a font of the system has lent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Borrowed {
    /// The character.
    pub text: String,
    /// The font's name.
    pub font: String,
}

/// How a character wants to be seen where several fonts have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Wish {
    /// As text, in the colour of the text.
    Text,
    /// As an emoji, in its own colours.
    Emoji,
}

#[derive(Debug, Default)]
struct Lent {
    borrowed: BTreeSet<Borrowed>,
    missing: BTreeSet<String>,
}

impl Lent {
    const MOST: usize = 1000;
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use proptest::prelude::*;
    use screentest_core::{Screen, Size, Theme};
    use tempfile::TempDir;

    use super::*;
    use crate::{Options, Pixels, Window, draw};

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
    fn what_is_not_a_font_is_named_with_the_reason() {
        let reason =
            "cannot draw with the font `PATH`: it is not a whole TrueType or OpenType file";
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
                // Damage to the first tables is read by every glyph; further on most bytes are of other glyphs.
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
    fn a_file_that_is_not_there_is_named() {
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
            .emulator(size, screentest_core::emulator::Options::default());
        emulator.feed(bytes.as_bytes());
        let screen: Screen = emulator.screen();
        let options = Options {
            window: Window::bare(),
            ..Options::default()
        };
        draw(&screen, &Theme::DARK, fonts, &options).expect("it is small")
    }

    fn opened(folder: &Path) -> Fonts {
        let path = folder.join("Mono-Regular.ttf");
        Fonts::from_files(&[path], SystemFonts::Forbidden).expect("a font")
    }

    #[test]
    fn a_face_that_is_not_there_is_made_from_the_regular_one() {
        let alone = folder(&[("Mono-Regular.ttf", dejavu::sans_mono::regular())]);
        let fonts = opened(alone.path());
        let looks = ["", "\x1b[1m", "\x1b[3m", "\x1b[1;3m"];
        let pictures = looks.map(|look| picture(&fonts, &format!("{look}Hnq")));
        for (index, one) in pictures.iter().enumerate() {
            assert!(!pictures[..index].contains(one), "{:?}", looks[index]);
        }
    }

    #[test]
    fn faces_beside_the_regular_one_are_used() {
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

    #[test]
    fn what_no_font_has_is_told_and_drawn() {
        let fonts = Fonts::bundled(SystemFonts::Forbidden);
        assert_ne!(picture(&fonts, "漢"), picture(&fonts, "字"));
        assert_eq!(fonts.missing(), ["字", "漢"]);
        assert_eq!(fonts.borrowed(), []);
    }
}
