//! Errors of opening and verifying a cassette.

use std::io;
use std::path::{Path, PathBuf};

use screentest_core::SizeError;
use screentest_core::formats::cassette::millis::Millis;
use screentest_core::formats::cassette::{DeriveError, Digest, LineError, ManifestError};

/// Why a cassette was rejected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CassetteError {
    /// The path does not exist.
    #[error("`{path}` is not a cassette: there is no such directory", path = path.display())]
    NoDirectory {
        /// The path.
        path: PathBuf,
    },
    /// The path is not a directory.
    #[error("`{path}` is not a cassette: not a directory", path = path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// The directory has no manifest.
    #[error(
        "`{path}` has no manifest: it is not a cassette, or an unfinished one (see `screentest cassette recover`)",
        path = path.display()
    )]
    NoManifest {
        /// The path.
        path: PathBuf,
    },
    /// The manifest is invalid.
    #[error("`{path}` cannot be trusted", path = path.display())]
    Manifest {
        /// The path of the manifest.
        path: PathBuf,
        /// The reason.
        source: ManifestError,
    },
    /// The manifest does not list a required file.
    #[error("the manifest does not list `{name}`")]
    Unlisted {
        /// The name of the file.
        name: String,
    },
    /// The manifest lists a file that is not part of the format.
    #[error("the manifest lists `{name}`, which does not belong in a cassette")]
    UnknownFile {
        /// The name of the file.
        name: String,
    },
    /// The manifest belongs to another cassette.
    #[error(
        "the manifest belongs to another cassette: its id is `{manifest}`, the recording's id is `{recording}`"
    )]
    IdMismatch {
        /// The id in the manifest.
        manifest: String,
        /// The id in the recording.
        recording: String,
    },
    /// A file is missing.
    #[error("`{path}` is missing", path = path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// A file is a link, which may lead anywhere.
    #[error("`{path}` is a link; links are not allowed in a cassette", path = path.display())]
    Link {
        /// The path.
        path: PathBuf,
    },
    /// A file is not a regular file: a directory, a pipe or a device.
    #[error("`{path}` is not a file", path = path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A file has a length, but hardly any content.
    #[error(
        "`{path}` is sparse: hardly any of its {length} bytes are on the disk; a recorder writes all of them, so get the file again from its source",
        path = path.display()
    )]
    Sparse {
        /// The path.
        path: PathBuf,
        /// The length.
        length: u64,
    },
    /// The directory holds something that is not part of the format.
    #[error(
        "`{path}` does not belong in a cassette; check the path, or move the file",
        path = path.display()
    )]
    ForeignFile {
        /// The path.
        path: PathBuf,
    },
    /// A file is shorter than the manifest says.
    #[error("`{path}` is truncated: it has {found} of {expected} bytes", path = path.display())]
    Truncated {
        /// The path.
        path: PathBuf,
        /// The length in the manifest.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// A file is longer than the manifest says.
    #[error("`{path}` has grown: it has {found} bytes instead of {expected}", path = path.display())]
    Grown {
        /// The path.
        path: PathBuf,
        /// The length in the manifest.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// The contents of a file differ from the recorded digest.
    #[error(
        "`{path}` was changed: its digest is `{found}`, but the manifest says `{expected}`",
        path = path.display()
    )]
    DigestMismatch {
        /// The path.
        path: PathBuf,
        /// The digest in the manifest.
        expected: Digest,
        /// The actual digest.
        found: Digest,
    },
    /// A line of a stream is invalid.
    #[error("`{file}`, {source}")]
    Line {
        /// The name of the file.
        file: &'static str,
        /// The line number and the reason.
        source: LineError,
    },
    /// A stored frame differs from the one that the emulator derives.
    #[error(
        "the frame at {time} (`seq` {seq}) is not what `{emulator}` shows after the same bytes:\n{difference}"
    )]
    Frame {
        /// The `seq` of the frame.
        seq: u64,
        /// The time of the frame.
        time: Millis,
        /// The emulator.
        emulator: String,
        /// The difference, for people.
        difference: String,
    },
    /// The stored last screen differs from the one that the emulator derives.
    #[error(
        "the last screen, in `final.json`, is not what `{emulator}` shows after all bytes:\n{difference}"
    )]
    LastScreen {
        /// The emulator.
        emulator: String,
        /// The difference, for people.
        difference: String,
    },
    /// The frames cannot be derived again, usually because this build does not have the emulator
    /// that derived them.
    #[error("{0}; derive the frames again with an available emulator to see the differences")]
    Emulator(DeriveError),
    /// The manifest's size is not valid.
    #[error("invalid size in `terminal`, in `manifest.json`")]
    Size(#[from] SizeError),
    /// `portrait_bytes` is larger than the output.
    #[error(
        "`portrait_bytes` in `manifest.json` is {portrait}, but there are only {output} bytes of output"
    )]
    Portrait {
        /// The value in the manifest.
        portrait: u64,
        /// The length of the output.
        output: u64,
    },
    /// A file could not be read.
    #[error("could not read `{path}`", path = path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl From<DeriveError> for CassetteError {
    fn from(error: DeriveError) -> CassetteError {
        match error {
            DeriveError::Size(error) => CassetteError::Size(error),
            error => CassetteError::Emulator(error),
        }
    }
}

/// Returns a function that adds the name of the file to the error of a line.
pub(crate) fn line_error(file: &'static str) -> impl Fn(LineError) -> CassetteError {
    move |source| CassetteError::Line { file, source }
}

/// Returns the error for a directory of which the metadata could not be read.
pub(crate) fn directory_error(path: &Path, error: io::Error) -> CassetteError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => CassetteError::NoDirectory {
            path: path.to_owned(),
        },
        _ => read_error(path)(error),
    }
}

/// Returns a function that adds the path to an error of reading it.
pub(crate) fn read_error(path: &Path) -> impl Fn(io::Error) -> CassetteError {
    move |source| CassetteError::Read {
        path: path.to_owned(),
        source,
    }
}
