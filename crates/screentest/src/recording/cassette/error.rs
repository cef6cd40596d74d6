//! Why a cassette was not taken.

use std::io;
use std::path::PathBuf;

use screentest_core::formats::cassette::millis::Millis;
use screentest_core::formats::cassette::{Digest, LineError, ManifestError, OtherEmulator};

/// Why a cassette was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CassetteError {
    /// Nothing is there.
    #[error("`{path}` is not a cassette: there is no such directory", path = path.display())]
    NoDirectory {
        /// Where.
        path: PathBuf,
    },
    /// There is something else than a directory.
    #[error("`{path}` is not a cassette: a cassette is a directory", path = path.display())]
    NotADirectory {
        /// Where.
        path: PathBuf,
    },
    /// There is a directory, but no manifest.
    #[error("`{path}` has no manifest: it is no cassette, or one that was never finished, of which `screentest cassette recover` makes one", path = path.display())]
    NoManifest {
        /// Where.
        path: PathBuf,
    },
    /// The manifest is not one.
    #[error("`{path}` cannot be trusted", path = path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        source: ManifestError,
    },
    /// The manifest does not say what it must of a file.
    #[error("the manifest does not list `{name}`")]
    Unlisted {
        /// The file.
        name: String,
    },
    /// The manifest lists a file that no cassette has.
    #[error("the manifest lists `{name}`, which is no file of a cassette")]
    Stranger {
        /// The file.
        name: String,
    },
    /// The manifest is of another cassette.
    #[error(
        "the manifest is of another cassette: its id is `{manifest}`, and that of the recording `{recording}`"
    )]
    Swapped {
        /// What the manifest says.
        manifest: String,
        /// What the recording says.
        recording: String,
    },
    /// A file is missing.
    #[error("`{path}` is missing", path = path.display())]
    Missing {
        /// Which.
        path: PathBuf,
    },
    /// A file is a link, which may lead anywhere.
    #[error("`{path}` is a link: a cassette holds its files itself", path = path.display())]
    Link {
        /// Which.
        path: PathBuf,
    },
    /// A file is a directory or a device.
    #[error("`{path}` is not a file", path = path.display())]
    NotAFile {
        /// Which.
        path: PathBuf,
    },
    /// Something is there that no cassette has.
    #[error("`{path}` is no file of a cassette, which holds nothing else: is it in the right place?", path = path.display())]
    Foreign {
        /// What.
        path: PathBuf,
    },
    /// A file was cut off.
    #[error("`{path}` is cut off: it has {found} of {told} bytes", path = path.display())]
    CutOff {
        /// Which.
        path: PathBuf,
        /// Its length in the manifest.
        told: u64,
        /// Its length.
        found: u64,
    },
    /// A file has grown.
    #[error("`{path}` has grown: it has {found} bytes instead of {told}", path = path.display())]
    Grown {
        /// Which.
        path: PathBuf,
        /// Its length in the manifest.
        told: u64,
        /// Its length.
        found: u64,
    },
    /// A byte of a file is another.
    #[error("`{path}` was changed: its digest is `{found}`, and the manifest says `{told}`", path = path.display())]
    Changed {
        /// Which.
        path: PathBuf,
        /// What the manifest says.
        told: Digest,
        /// What it is.
        found: Digest,
    },
    /// A line is not what belongs there.
    #[error("`{file}`, {source}")]
    Line {
        /// The file.
        file: &'static str,
        /// The line, and what is wrong.
        source: LineError,
    },
    /// A frame is not what the emulator shows.
    #[error(
        "the frame at {time} (`seq` {seq}) is not what `{emulator}` shows after the same bytes:\n{difference}"
    )]
    Frame {
        /// Its number.
        seq: u64,
        /// When it was shown.
        time: Millis,
        /// The emulator.
        emulator: String,
        /// What differs.
        difference: String,
    },
    /// The last screen is not what the emulator shows.
    #[error(
        "the last screen, in `final.json`, is not what `{emulator}` shows after all bytes:\n{difference}"
    )]
    Last {
        /// The emulator.
        emulator: String,
        /// What differs.
        difference: String,
    },
    /// The frames were derived by an emulator that is not here.
    #[error("{0}; derive them again with what there is to see what differs")]
    Emulator(OtherEmulator),
    /// A file could not be read.
    #[error("could not read `{path}`", path = path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
