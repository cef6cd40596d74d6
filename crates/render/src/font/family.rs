//! The four faces of the font that sets the size of the cells: regular, bold, italic, bold italic.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fontdb::{Database, FaceInfo, Stretch, Style, Weight};

use super::face::{Face, FontData, FontError, SynthesizedStyle};
use crate::glyph::FontStyle;

/// File name suffixes of the faces other than the regular one.
const SUFFIXES: [&[&str]; 3] = [
    &["Bold"],
    &["Italic", "Oblique"],
    &["BoldItalic", "BoldOblique"],
];

/// A family of faces. The regular face always exists; missing faces are synthesized from it.
pub(super) struct Family {
    regular: Face,
    bold: Option<Face>,
    italic: Option<Face>,
    bold_italic: Option<Face>,
}

impl Family {
    /// Returns DejaVu Sans Mono. Of the fonts that a crate packages, it was chosen for its coverage
    /// (Latin, Greek, Cyrillic, arrows, mathematics and symbols), its four faces, and a licence
    /// that allows it to be distributed with a program.
    pub(super) fn bundled() -> Family {
        Family {
            regular: Face::bundled(dejavu::sans_mono::regular()),
            bold: Some(Face::bundled(dejavu::sans_mono::bold())),
            italic: Some(Face::bundled(dejavu::sans_mono::oblique())),
            bold_italic: Some(Face::bundled(dejavu::sans_mono::bold_oblique())),
        }
    }

    /// Loads the family that a file belongs to: the files in the same directory that are named
    /// after it, as in `Hack-Regular.ttf` and `Hack-Bold.ttf`.
    pub(super) fn from_file(path: &Path) -> Result<Family, FontError> {
        let regular = Face::from_file(path)?;
        if let Some(error) = regular.unfit_for_cells(path) {
            return Err(error);
        }
        // An unreadable sibling is skipped: the caller did not name it.
        let sibling = |suffixes: &[&str]| {
            suffixes
                .iter()
                .filter_map(|suffix| sibling(path, suffix))
                .find(|path| path.is_file())
                .and_then(|path| Face::from_file(&path).ok())
        };
        let [bold, italic, bold_italic] = SUFFIXES.map(sibling);
        Ok(Family {
            regular,
            bold,
            italic,
            bold_italic,
        })
    }

    /// Returns the bundled or installed family of this name; `None` if it does not exist or cannot
    /// set the size of cells.
    pub(super) fn named(name: &str) -> Option<Family> {
        // `monospace`, the generic name in CSS, means the bundled family, which always exists.
        let bundled = ["DejaVu Sans Mono", "monospace"];
        if bundled.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            return Some(Family::bundled());
        }
        let mut database = Database::new();
        database.load_system_fonts();
        let database = Arc::new(database);
        let is_named = |face: &&FaceInfo| {
            let mut names = face.families.iter();
            face.stretch == Stretch::Normal
                && names.any(|(known, _)| known.eq_ignore_ascii_case(name))
        };
        let face = |weight: Weight, slanted: bool| {
            let like = |face: &&FaceInfo| {
                face.weight == weight && (face.style != Style::Normal) == slanted
            };
            let faces = database.faces().filter(is_named).filter(like);
            // Makes the choice independent of the order of the directory.
            let face = faces.min_by_key(|face| face.post_script_name.clone())?;
            Face::from_data(FontData::Mapped(Arc::clone(&database), face.id))
        };
        let regular = face(Weight::NORMAL, false)?;
        if regular.unfit_for_cells(Path::new(name)).is_some() {
            return None;
        }
        Some(Family {
            regular,
            bold: face(Weight::BOLD, false),
            italic: face(Weight::NORMAL, true),
            bold_italic: face(Weight::BOLD, true),
        })
    }

    pub(super) fn regular(&self) -> &Face {
        &self.regular
    }

    pub(super) fn into_regular(self) -> Option<Face> {
        Some(self.regular)
    }

    /// Returns the closest face that has a character.
    pub(super) fn face(&self, text: &str, style: FontStyle) -> Option<(&Face, SynthesizedStyle)> {
        let plain = SynthesizedStyle::default();
        let embolden = SynthesizedStyle {
            embolden: true,
            ..plain
        };
        let slant = SynthesizedStyle {
            slant: true,
            ..plain
        };
        let nearest = match (style.bold, style.italic) {
            (false, false) => [None, None, None],
            (true, false) => [self.bold.as_ref().map(|face| (face, plain)), None, None],
            (false, true) => [self.italic.as_ref().map(|face| (face, plain)), None, None],
            (true, true) => [
                self.bold_italic.as_ref().map(|face| (face, plain)),
                self.bold.as_ref().map(|face| (face, slant)),
                self.italic.as_ref().map(|face| (face, embolden)),
            ],
        };
        nearest
            .into_iter()
            .flatten()
            .chain([(&self.regular, SynthesizedStyle::missing(style))])
            .find(|(face, _)| face.covers(text))
    }
}

/// Returns the path of the face with this suffix.
fn sibling(path: &Path, suffix: &str) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_str()?;
    let family = stem.strip_suffix("-Regular").unwrap_or(stem);
    let mut name = format!("{family}-{suffix}");
    if let Some(extension) = path.extension() {
        name.push('.');
        name.push_str(extension.to_str()?);
    }
    Some(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, suffix: &str, expected: &str) {
        let found = sibling(Path::new(file), suffix);
        assert_eq!(found.as_deref(), Some(Path::new(expected)));
    }

    #[test]
    fn faces_of_a_family_are_named_after_the_regular_one() {
        check("/f/Hack-Regular.ttf", "Bold", "/f/Hack-Bold.ttf");
        check(
            "/f/DejaVuSansMono.ttf",
            "Oblique",
            "/f/DejaVuSansMono-Oblique.ttf",
        );
    }
}
