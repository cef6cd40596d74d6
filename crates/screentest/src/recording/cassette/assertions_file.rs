//! The file of assertions beside a cassette.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use screentest_core::formats::assertions::{
    Assertions, AssertionsError, Beginning, MAX_FILE, Notation, rebound,
};

use super::{Believed, Cassette};
use crate::recording::player::{Moment, PlayError, Player};

/// Why there are no assertions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SidecarError {
    /// There is none beside the cassette.
    #[error("there is neither `{toml}` nor `{json}`", toml = toml.display(), json = json.display())]
    None {
        /// Where one as TOML would be.
        toml: PathBuf,
        /// Where one as JSON would be.
        json: PathBuf,
    },
    /// There are two.
    #[error("there are both `{toml}` and `{json}`: name the one that counts", toml = toml.display(), json = json.display())]
    Two {
        /// The one.
        toml: PathBuf,
        /// The other.
        json: PathBuf,
    },
    /// It could not be read.
    #[error("could not read `{path}`", path = path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("`{path}` has no assertions that can be checked", path = path.display())]
    Malformed {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        source: AssertionsError,
    },
}

/// Where the assertions of a cassette are: `NAME.assertions.toml` or `.json` beside `NAME.cassette`.
pub fn of(cassette: &Path) -> Result<PathBuf, SidecarError> {
    let (toml, json) = (beside(cassette, "toml"), beside(cassette, "json"));
    match (toml.exists(), json.exists()) {
        (true, false) => Ok(toml),
        (false, true) => Ok(json),
        (false, false) => Err(SidecarError::None { toml, json }),
        (true, true) => Err(SidecarError::Two { toml, json }),
    }
}

/// Where assertions in this notation would be.
pub fn beside(cassette: &Path, ending: &str) -> PathBuf {
    let mut name = match cassette.extension() {
        Some(extension) if extension == "cassette" => OsString::from(cassette.with_extension("")),
        _ => OsString::from(cassette),
    };
    name.push(".assertions.");
    name.push(ending);
    name.into()
}

/// Reads a file of assertions: JSON where its name says so, else TOML.
pub fn read(path: &Path) -> Result<Assertions, SidecarError> {
    parsed(&text(path)?, path)
}

/// The assertions of a text that stands in that file, or is to.
pub fn parsed(text: &str, path: &Path) -> Result<Assertions, SidecarError> {
    Assertions::parse(text, notation(path)).map_err(malformed(path))
}

/// The text of a file of assertions, bound to a cassette; everything else stays as it was written.
pub fn bound(path: &Path, cassette: &Cassette) -> Result<String, SidecarError> {
    let manifest = cassette.manifest();
    let bound = rebound(
        &text(path)?,
        notation(path),
        &manifest.id,
        manifest.digest(),
    );
    bound.map_err(malformed(path))
}

/// The text of a file of assertions to begin with, as TOML: what the cassette shows at its marks and at its end. One that was changed since it was
/// recorded is refused, and so are frames of an emulator that is not here unless they are believed as they are kept.
pub fn beginning(cassette: &Cassette, believed: Believed) -> Result<String, PlayError> {
    let mut player = match believed {
        Believed::Derived => Player::new(cassette)?,
        Believed::Kept => Player::of_any_emulator(cassette)?,
    };
    cassette.verify_digests()?;
    let last = cassette.ending().screen();
    let last = last.map_err(super::open::wrong("final.json"))?;
    let mut beginning = Beginning::new(cassette.manifest(), cassette.ending(), &last);
    let mut marks: Vec<String> = Vec::new();
    for (name, _) in player.marks() {
        // Of those with the same name, the first is meant.
        if !marks.iter().any(|known| known == name) {
            marks.push(name.to_owned());
        }
    }
    for name in marks {
        match player.seek(&Moment::Mark(name.clone())) {
            Ok(screen) => beginning.mark(&name, screen),
            Err(PlayError::Nothing { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(beginning.to_file().to_owned())
}

fn notation(path: &Path) -> Notation {
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("json") => Notation::Json,
        _ => Notation::Toml,
    }
}

fn text(path: &Path) -> Result<String, SidecarError> {
    let unread = |source| SidecarError::Read {
        path: path.to_owned(),
        source,
    };
    let mut text = String::new();
    let file = File::open(path).map_err(unread)?;
    // One more than may be, so that the reader says that it is too long.
    let read = file.take(MAX_FILE as u64 + 1).read_to_string(&mut text);
    read.map_err(unread)?;
    Ok(text)
}

fn malformed(path: &Path) -> impl FnOnce(AssertionsError) -> SidecarError {
    move |source| SidecarError::Malformed {
        path: path.to_owned(),
        source,
    }
}
