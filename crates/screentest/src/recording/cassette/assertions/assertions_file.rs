//! Reads and writes the assertions file next to a cassette.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use screentest_core::formats::assertions::{
    Assertions, AssertionsError, AssertionsSyntax, AssertionsTemplate, MAX_FILE, rebound,
};

use super::FrameSource;
use crate::recording::cassette::Cassette;
use crate::recording::cassette::error::line_error;
use crate::recording::player::{Moment, PlayError, Player};

/// Why an assertions file could not be found or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssertionsFileError {
    /// There is no assertions file next to the cassette.
    #[error("there is neither `{toml}` nor `{json}`", toml = toml.display(), json = json.display())]
    Missing {
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
    Ambiguous {
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
pub fn find(cassette: &Path) -> Result<PathBuf, AssertionsFileError> {
    let (toml, json) = (path_for(cassette, "toml"), path_for(cassette, "json"));
    match (toml.exists(), json.exists()) {
        (true, false) => Ok(toml),
        (false, true) => Ok(json),
        (false, false) => Err(AssertionsFileError::Missing { toml, json }),
        (true, true) => Err(AssertionsFileError::Ambiguous { toml, json }),
    }
}

/// Returns the path that an assertions file with this extension would have.
pub fn path_for(cassette: &Path, extension: &str) -> PathBuf {
    let mut name = match cassette.extension() {
        Some(extension) if extension == "cassette" => OsString::from(cassette.with_extension("")),
        _ => OsString::from(cassette),
    };
    name.push(".assertions.");
    name.push(extension);
    name.into()
}

/// Reads an assertions file: JSON if its extension is `json`, else TOML.
pub fn read(path: &Path) -> Result<Assertions, AssertionsFileError> {
    parse(&text(path)?, path)
}

/// Parses the text of an assertions file. The path chooses the format and appears in errors.
pub fn parse(text: &str, path: &Path) -> Result<Assertions, AssertionsFileError> {
    Assertions::parse(text, notation(path)).map_err(malformed(path))
}

/// Returns the text of an assertions file, bound to a cassette; everything else stays as it was
/// written.
pub fn rebind(path: &Path, cassette: &Cassette) -> Result<String, AssertionsFileError> {
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
/// [`FrameSource::Derived`], for frames of an emulator that this build does not have.
pub fn generate(cassette: &Cassette, frame_source: FrameSource) -> Result<String, PlayError> {
    let mut player = match frame_source {
        FrameSource::Derived => Player::new(cassette)?,
        FrameSource::Stored => Player::of_any_emulator(cassette)?,
    };
    cassette.verify_digests()?;
    let last = cassette.ending().screen();
    let last = last.map_err(line_error("final.json"))?;
    let mut template = AssertionsTemplate::new(cassette.manifest(), cassette.ending(), &last);
    let mut marks: Vec<String> = Vec::new();
    for (name, _) in player.marks() {
        // If several marks share a name, only the first one is used.
        if !marks.iter().any(|known| known == name) {
            marks.push(name.to_owned());
        }
    }
    for name in marks {
        match player.seek(&Moment::Mark(name.clone())) {
            Ok(screen) => template.mark(&name, screen),
            Err(PlayError::NothingShown { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(template.to_file().to_owned())
}

fn notation(path: &Path) -> AssertionsSyntax {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("json") => AssertionsSyntax::Json,
        _ => AssertionsSyntax::Toml,
    }
}

fn text(path: &Path) -> Result<String, AssertionsFileError> {
    let read_error = |source| AssertionsFileError::Read {
        path: path.to_owned(),
        source,
    };
    let mut text = String::new();
    let file = File::open(path).map_err(read_error)?;
    // Read one byte more than allowed, so that the parser reports a file that is too long.
    let read = file.take(MAX_FILE as u64 + 1).read_to_string(&mut text);
    read.map_err(read_error)?;
    Ok(text)
}

fn malformed(path: &Path) -> impl FnOnce(AssertionsError) -> AssertionsFileError {
    move |source| AssertionsFileError::Malformed {
        path: path.to_owned(),
        source,
    }
}
