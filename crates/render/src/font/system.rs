//! The fonts that are installed on the system.
//!
//! The choice of the font for a character depends only on the fonts' names, styles and paths, not
//! on the order of directories or on earlier queries. A font that cannot be read or is damaged is
//! skipped.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fontdb::{Database, FaceInfo, ID, Source, Style, Weight};

use super::Presentation;
use super::face::{Face, FontData};

/// The installed fonts, best first.
pub(super) struct InstalledFonts {
    database: Arc<Database>,
    candidates: Vec<Candidate>,
    found: Mutex<HashMap<(String, Presentation), Option<usize>>>,
}

struct Candidate {
    id: ID,
    kind: FontClass,
    face: OnceLock<Option<Arc<Face>>>,
}

/// The class of a font, derived from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FontClass {
    Mono,
    Sans,
    Other,
    Serif,
    Emoji,
}

impl InstalledFonts {
    /// Maximum number of cached results: a program can print every character there is.
    const MAX_CACHED: usize = 10_000;

    pub(super) fn scan() -> InstalledFonts {
        let mut database = Database::new();
        database.load_system_fonts();
        InstalledFonts::of(database)
    }

    fn of(database: Database) -> InstalledFonts {
        let mut faces: Vec<&FaceInfo> = database.faces().collect();
        faces.sort_by_cached_key(|face| {
            // Upright and regular weight first: bold and slant are synthesized.
            let plain = (face.style != Style::Normal, weight_off(face.weight));
            let name = face.post_script_name.clone();
            (kind(face), plain, face.index, name, path(face))
        });
        let candidates = faces
            .into_iter()
            .map(|face| Candidate {
                id: face.id,
                kind: kind(face),
                face: OnceLock::new(),
            })
            .collect();
        InstalledFonts {
            candidates,
            database: Arc::new(database),
            found: Mutex::default(),
        }
    }

    /// Returns the best face that has a character.
    pub(super) fn face(&self, text: &str, presentation: Presentation) -> Option<Arc<Face>> {
        let key = (text.to_owned(), presentation);
        let known = self.found().get(&key).copied();
        let index = known.unwrap_or_else(|| {
            let index = self.search(text, presentation);
            let mut found = self.found();
            if found.len() < InstalledFonts::MAX_CACHED {
                found.insert(key, index);
            }
            index
        })?;
        self.open(&self.candidates[index]).cloned()
    }

    /// Returns a candidate's face, reading it on first use; `None` if it cannot be read.
    fn open<'a>(&self, candidate: &'a Candidate) -> Option<&'a Arc<Face>> {
        let opened = candidate.face.get_or_init(|| {
            let data = FontData::Mapped(Arc::clone(&self.database), candidate.id);
            Face::from_data(data).map(Arc::new)
        });
        opened.as_ref()
    }

    fn search(&self, text: &str, presentation: Presentation) -> Option<usize> {
        let matching = |emoji: bool, fits: &dyn Fn(&Face) -> bool| {
            self.candidates.iter().position(|candidate| {
                let lends = |face: &Arc<Face>| fits(face) && face.covers(text);
                // Fonts of the other class are not even opened, which would read their tables.
                (candidate.kind == FontClass::Emoji) == emoji
                    && self.open(candidate).is_some_and(lends)
            })
        };
        let emoji = || matching(true, &|_| true);
        let other = || matching(false, &|_| true);
        match presentation {
            Presentation::Text => other().or_else(emoji),
            Presentation::Emoji => {
                let colored = matching(true, &Face::has_color);
                colored.or_else(emoji).or_else(other)
            }
        }
    }

    fn found(&self) -> std::sync::MutexGuard<'_, HashMap<(String, Presentation), Option<usize>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn kind(face: &FaceInfo) -> FontClass {
    let name = face.post_script_name.to_lowercase();
    if name.contains("emoji") {
        FontClass::Emoji
    } else if face.monospaced || name.contains("mono") {
        FontClass::Mono
    } else if name.contains("sans") {
        FontClass::Sans
    } else if name.contains("serif") {
        FontClass::Serif
    } else {
        FontClass::Other
    }
}

/// Returns the path of a font, which distinguishes two fonts of one name.
fn path(face: &FaceInfo) -> Option<PathBuf> {
    match &face.source {
        Source::File(path) | Source::SharedFile(path, _) => Some(path.clone()),
        Source::Binary(_) => None,
    }
}

fn weight_off(weight: Weight) -> u16 {
    weight.0.abs_diff(Weight::NORMAL.0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// Returns the bundled font with one table that reaches beyond the end of the file.
    fn damaged() -> Vec<u8> {
        let mut font = dejavu::sans_mono::regular().to_vec();
        let records = font[12..].chunks_exact_mut(16);
        let record = records.into_iter().find(|record| record[..4] == *b"GPOS");
        record.expect("it places marks")[12..].fill(0x7f);
        font
    }

    #[test]
    fn a_damaged_font_does_not_hide_a_whole_one() {
        let mut database = Database::new();
        database.load_font_data(damaged());
        database.load_font_data(dejavu::sans_mono::regular().to_vec());
        assert_eq!(database.len(), 2, "the list of fonts has both");
        let system = InstalledFonts::of(database);
        let face = system.face("a", Presentation::Text).expect("the whole one");
        assert_eq!(face.name(), "DejaVu Sans Mono");
        assert!(system.face("漢", Presentation::Text).is_none());
    }

    #[test]
    fn of_two_fonts_with_one_name_the_path_decides() {
        let folder = TempDir::new().expect("a temporary folder");
        let places = ["a.ttf", "b.ttf"].map(|name| folder.path().join(name));
        for place in &places {
            fs::write(place, dejavu::sans_mono::regular()).expect("it can be written");
        }
        let first = |places: [&PathBuf; 2]| {
            let mut database = Database::new();
            for place in places {
                database.load_font_file(place).expect("a font");
            }
            let system = InstalledFonts::of(database);
            let face = system.database.face(system.candidates[0].id);
            path(face.expect("it is listed"))
        };
        let [one, other] = &places;
        assert_eq!(first([one, other]), first([other, one]));
    }
}
