//! The fonts that happen to be installed.
//!
//! Which of them lends a character depends on their names alone, not on the order in which the disk lists them, nor on
//! what was asked before.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fontdb::{Database, FaceInfo, ID, Style, Weight};
use swash::FontRef;

use super::Wish;
use super::face::{Data, Face, covers};

/// The installed fonts, best first.
pub(super) struct System {
    database: Arc<Database>,
    candidates: Vec<Candidate>,
    found: Mutex<HashMap<(String, Wish), Option<usize>>>,
}

struct Candidate {
    id: ID,
    kind: Kind,
    face: OnceLock<Option<Arc<Face>>>,
}

/// What a font is good for, as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Mono,
    Sans,
    Other,
    Serif,
    Emoji,
}

impl System {
    /// Answers beyond these are found again each time: a program can print every character there is.
    const MOST_FOUND: usize = 10_000;

    pub(super) fn scan() -> System {
        let mut database = Database::new();
        database.load_system_fonts();
        let mut faces: Vec<&FaceInfo> = database.faces().collect();
        faces.sort_by_cached_key(|face| {
            // Upright and of normal weight first: what is bold or leans is made from it.
            let plain = (face.style != Style::Normal, weight_off(face.weight));
            (kind(face), plain, face.index, face.post_script_name.clone())
        });
        let candidates = faces
            .into_iter()
            .map(|face| Candidate {
                id: face.id,
                kind: kind(face),
                face: OnceLock::new(),
            })
            .collect();
        System {
            candidates,
            database: Arc::new(database),
            found: Mutex::default(),
        }
    }

    /// The best face that has a character.
    pub(super) fn face(&self, text: &str, wish: Wish) -> Option<Arc<Face>> {
        let key = (text.to_owned(), wish);
        let known = self.found().get(&key).copied();
        let index = known.unwrap_or_else(|| {
            let index = self.search(text, wish);
            let mut found = self.found();
            if found.len() < System::MOST_FOUND {
                found.insert(key, index);
            }
            index
        })?;
        let candidate = &self.candidates[index];
        let face = candidate.face.get_or_init(|| {
            let data = Data::Mapped(Arc::clone(&self.database), candidate.id);
            Face::from_data(data).map(Arc::new)
        });
        face.clone()
    }

    fn search(&self, text: &str, wish: Wish) -> Option<usize> {
        let matching = |emoji: bool| {
            self.candidates.iter().position(|candidate| {
                (candidate.kind == Kind::Emoji) == emoji && self.has(candidate.id, text)
            })
        };
        match wish {
            Wish::Text => matching(false).or_else(|| matching(true)),
            Wish::Emoji => matching(true).or_else(|| matching(false)),
        }
    }

    fn has(&self, id: ID, text: &str) -> bool {
        let has = self.database.with_face_data(id, |bytes, index| {
            FontRef::from_index(bytes, index as usize).is_some_and(|font| covers(font, text))
        });
        has.unwrap_or(false)
    }

    fn found(&self) -> std::sync::MutexGuard<'_, HashMap<(String, Wish), Option<usize>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn kind(face: &FaceInfo) -> Kind {
    let name = face.post_script_name.to_lowercase();
    if name.contains("emoji") {
        Kind::Emoji
    } else if face.monospaced || name.contains("mono") {
        Kind::Mono
    } else if name.contains("sans") {
        Kind::Sans
    } else if name.contains("serif") {
        Kind::Serif
    } else {
        Kind::Other
    }
}

fn weight_off(weight: Weight) -> u16 {
    weight.0.abs_diff(Weight::NORMAL.0)
}
