//! `manifest.json`: what was recorded, by what, and the digests of all files, its own included.
//!
//! Its own digest is that of the file with zeros where the digest stands, so that no byte of it can change unseen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ending::pretty;
use super::{Digest, LineError, Millis, VERSION, from_line};
use crate::{Identity, Size, SizeError};

/// What says that a file is a manifest of ours.
pub const FORMAT: &str = "screentest-cassette";

/// What stands before a manifest's own digest.
const OWN: &[u8] = b"\"sha256_of_manifest\": \"";

/// A manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    version: u64,
    sha256_of_manifest: Digest,
    /// What a reader must know to read it; none so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requires: Vec<String>,
    /// What tells it from every other cassette.
    pub id: String,
    /// Whether all is there.
    pub status: Status,
    /// What was started.
    pub command: Command,
    /// What it started with.
    pub environment: Environment,
    /// The terminal.
    pub terminal: Terminal,
    /// How long it took, and how times are kept.
    pub timing: Timing,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Every other file.
    pub files: BTreeMap<String, FileFacts>,
}

/// Whether all is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// The recorder finished.
    Complete,
    /// The recorder was cut off; what it left was put together again.
    Recovered {
        /// How many bytes of output, of which no time is known, were dropped.
        dropped_output: u64,
        /// How many broken or unusable lines were dropped from all streams.
        dropped_lines: u64,
    },
    /// A part of another cassette.
    Cut {
        /// The cassette that it was cut from.
        from: String,
    },
    /// Made from another format.
    Converted {
        /// Which, such as `asciicast v3`.
        from: String,
    },
}

/// What was started. Secrets are covered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The program, as it was named.
    pub program: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The directory it started in, where the caller named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// What a program started with. What is inherited is not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// `most` of the recorder's variables, or the `least` that it takes to start.
    pub inherit: String,
    /// What the caller set. Secrets are covered.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
    /// What the caller kept from the program.
    #[serde(default)]
    pub unset: Vec<String>,
}

/// The terminal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terminal {
    /// Columns at the start.
    pub cols: u16,
    /// Rows at the start.
    pub rows: u16,
    /// `TERM`.
    #[serde(default)]
    pub term: String,
    /// `LANG`.
    #[serde(default)]
    pub locale: String,
    /// How many rows were kept once they scrolled out; how lines break again after a resize depends on it.
    pub scrollback: usize,
    /// The machine's name, kept only where a program said in which directory of which machine it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostname: Option<String>,
    /// What derived the frames.
    pub emulator: Pin,
}

impl Terminal {
    /// The size at the start.
    pub fn size(&self) -> Result<Size, SizeError> {
        Size::checked(self.cols.into(), self.rows.into())
    }
}

/// The emulator that derived the frames; no other may assert on them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// The wrapped crate.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Our adapter's own.
    pub revision: u32,
}

impl Pin {
    /// The pin for an emulator.
    pub fn of(identity: Identity) -> Pin {
        Pin {
            name: identity.name.to_owned(),
            version: identity.version.to_owned(),
            revision: identity.revision,
        }
    }
}

impl std::fmt::Display for Pin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}+{}", self.name, self.version, self.revision)
    }
}

/// How times are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// `monotonic`: counted from the start by a clock that no change of date touches.
    pub clock: String,
    /// How long it took.
    pub duration_ms: Millis,
}

impl Timing {
    /// Times of our own clock.
    pub fn monotonic(duration_ms: Millis) -> Timing {
        Timing {
            clock: "monotonic".to_owned(),
            duration_ms,
        }
    }
}

/// Where a cassette comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// What wrote it, with its version.
    pub recorder: String,
    /// The system.
    #[serde(default)]
    pub os: String,
    /// The processor.
    #[serde(default)]
    pub arch: String,
    /// When it began, in seconds since 1970, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<u64>,
    /// How many of the first bytes of the output are not the program's: of a recording that began in the middle, they draw what was
    /// shown at that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portrait_bytes: Option<u64>,
}

/// What is known of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Its length.
    pub bytes: u64,
    /// Its digest.
    pub sha256: Digest,
}

/// Why a manifest was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// Not JSON, or without a field.
    #[error("not a manifest: {}", .0.problem)]
    Malformed(LineError),
    /// Another kind of file.
    #[error("`format` is `{0}`, not `{FORMAT}`")]
    Format(String),
    /// Written by a later version.
    #[error("version `{0}`: versions up to {VERSION} are read; a newer screentest may read it")]
    Newer(u64),
    /// No version of ours.
    #[error("version `{0}`: versions are counted from 1")]
    Version(u64),
    /// Something that this version does not know.
    #[error("it requires `{0}`, which this version does not know; a newer screentest may read it")]
    Requires(String),
    /// Something in the file was changed.
    #[error("the manifest was changed: its digest is `{found}`, and it says `{told}`")]
    Changed {
        /// What it says.
        told: Digest,
        /// What it is.
        found: Digest,
    },
}

/// What is looked at first: a later version may have other fields.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
    #[serde(default)]
    requires: Vec<String>,
}

impl Manifest {
    /// A manifest of this version.
    #[expect(clippy::too_many_arguments, reason = "each is a section of the file")]
    pub fn new(
        id: String,
        status: Status,
        command: Command,
        environment: Environment,
        terminal: Terminal,
        timing: Timing,
        provenance: Provenance,
        files: BTreeMap<String, FileFacts>,
    ) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            sha256_of_manifest: Digest::ZERO,
            requires: Vec::new(),
            id,
            status,
            command,
            environment,
            terminal,
            timing,
            provenance,
            files,
        }
    }

    /// Its digest, once it was read or written.
    pub fn digest(&self) -> Digest {
        self.sha256_of_manifest
    }

    /// The file, with its digest, which is kept.
    pub fn to_file(&mut self) -> Vec<u8> {
        self.sha256_of_manifest = Digest::ZERO;
        self.sha256_of_manifest = Digest::of(&pretty(self));
        pretty(self)
    }

    /// Reads the file and compares its digest.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let head: Head = from_line(bytes, 1).map_err(ManifestError::Malformed)?;
        match head.version {
            _ if head.format != FORMAT => return Err(ManifestError::Format(head.format)),
            0 => return Err(ManifestError::Version(0)),
            newer if newer > VERSION => return Err(ManifestError::Newer(newer)),
            _ => {}
        }
        if let Some(unknown) = head.requires.into_iter().next() {
            return Err(ManifestError::Requires(unknown));
        }
        let manifest: Manifest = from_line(bytes, 1).map_err(ManifestError::Malformed)?;
        let told = manifest.sha256_of_manifest;
        let found = own_digest(bytes);
        match found == Some(told) {
            true => Ok(manifest),
            false => Err(ManifestError::Changed {
                told,
                found: found.unwrap_or(Digest::ZERO),
            }),
        }
    }
}

/// The digest of a manifest with zeros where it stands; `None` where it stands nowhere as it is written.
fn own_digest(bytes: &[u8]) -> Option<Digest> {
    let start = memchr::memmem::find(bytes, OWN)? + OWN.len();
    let mut bytes = bytes.to_vec();
    bytes.get_mut(start..start + 64)?.fill(b'0');
    Some(Digest::of(&bytes))
}
