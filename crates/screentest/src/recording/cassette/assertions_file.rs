//! Reads and writes the assertions file next to a cassette.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use screentest_core::formats::assertions::{
    Assertions, AssertionsError, AssertionsSyntax, AssertionsTemplate, MAX_FILE, rebound,
};

use super::{Believed, Cassette};
use crate::recording::player::{Moment, PlayError, Player};

/// Why there are no assertions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SidecarError {
    /// There is no assertions file next to the cassette.
    #[error("there is neither `{toml}` nor `{json}`", toml = toml.display(), json = json.display())]
    None {
        /// The path of a TOML file.
        toml: PathBuf,
        /// The path of a JSON file.
        json: PathBuf,
    },
    /// There are two assertions files.
    #[error(
        "there are both `{toml}` and `{json}`: name the one to use",
        toml = toml.display(),
        json = json.display()
    )]
    Two {
        /// The TOML file.
        toml: PathBuf,
        /// The JSON file.
        json: PathBuf,
    },
    /// The file could not be read.
    #[error("could not read `{path}`", path = path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is invalid.
    #[error("`{path}` is not a valid assertions file", path = path.display())]
    Malformed {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: AssertionsError,
    },
}

/// Returns the path of a cassette's assertions: `NAME.assertions.toml` or `.json` next to
/// `NAME.cassette`.
pub fn of(cassette: &Path) -> Result<PathBuf, SidecarError> {
    let (toml, json) = (beside(cassette, "toml"), beside(cassette, "json"));
    match (toml.exists(), json.exists()) {
        (true, false) => Ok(toml),
        (false, true) => Ok(json),
        (false, false) => Err(SidecarError::None { toml, json }),
        (true, true) => Err(SidecarError::Two { toml, json }),
    }
}

/// Returns the path that an assertions file with this extension would have.
pub fn beside(cassette: &Path, ending: &str) -> PathBuf {
    let mut name = match cassette.extension() {
        Some(extension) if extension == "cassette" => OsString::from(cassette.with_extension("")),
        _ => OsString::from(cassette),
    };
    name.push(".assertions.");
    name.push(ending);
    name.into()
}

/// Reads an assertions file: JSON if its extension is `json`, else TOML.
pub fn read(path: &Path) -> Result<Assertions, SidecarError> {
    parsed(&text(path)?, path)
}

/// Parses the text of an assertions file. The path chooses the format and appears in errors.
pub fn parsed(text: &str, path: &Path) -> Result<Assertions, SidecarError> {
    Assertions::parse(text, notation(path)).map_err(malformed(path))
}

/// Returns the text of an assertions file, bound to a cassette; everything else stays as it was
/// written.
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

/// Returns the text of a first assertions file, as TOML: it asserts what the cassette shows at its
/// marks and at its end. Fails for a cassette that was changed after recording and, with
/// [`Believed::Derived`], for frames of an emulator that this build does not have.
pub fn beginning(cassette: &Cassette, believed: Believed) -> Result<String, PlayError> {
    let mut player = match believed {
        Believed::Derived => Player::new(cassette)?,
        Believed::Kept => Player::of_any_emulator(cassette)?,
    };
    cassette.verify_digests()?;
    let last = cassette.ending().screen();
    let last = last.map_err(super::open::wrong("final.json"))?;
    let mut beginning = AssertionsTemplate::new(cassette.manifest(), cassette.ending(), &last);
    let mut marks: Vec<String> = Vec::new();
    for (name, _) in player.marks() {
        // A name that several marks share means the first of them.
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

fn notation(path: &Path) -> AssertionsSyntax {
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("json") => AssertionsSyntax::Json,
        _ => AssertionsSyntax::Toml,
    }
}

fn text(path: &Path) -> Result<String, SidecarError> {
    let unread = |source| SidecarError::Read {
        path: path.to_owned(),
        source,
    };
    let mut text = String::new();
    let file = File::open(path).map_err(unread)?;
    // Read one byte more than allowed, so that the parser reports a file that is too long.
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
