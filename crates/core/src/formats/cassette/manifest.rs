//! `manifest.json`: the recorded program, the recorder, and the digests of all files, including its
//! own.
//!
//! Its own digest is computed with zeros in place of that digest, so that no byte of the file can
//! change without being noticed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::recording_end::pretty;
use super::{Digest, LineError, Millis, VERSION, from_line};
use crate::{Identity, Size, SizeError};

/// The `format` field of a manifest.
pub const FORMAT: &str = "screentest-cassette";

/// The text before a manifest's own digest.
const OWN: &[u8] = b"\"sha256_of_manifest\": \"";

/// The manifest of a cassette.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    version: u64,
    sha256_of_manifest: Digest,
    /// Features that a reader must support; none are defined so far.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requires: Vec<String>,
    /// Unique id of the cassette.
    pub id: String,
    /// Whether the recording is complete.
    pub status: RecordingStatus,
    /// The recorded command.
    pub command: RecordedCommand,
    /// The environment of the command.
    pub environment: RecordedEnvironment,
    /// The terminal at the start.
    pub terminal: RecordedTerminal,
    /// Duration and clock.
    pub timing: RecordingTiming,
    /// Recorder and machine.
    pub provenance: Provenance,
    /// All other files, by name.
    pub files: BTreeMap<String, FileEntry>,
}

/// Whether a recording is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RecordingStatus {
    /// The recording was completed.
    Complete,
    /// The recorder was interrupted; the cassette was rebuilt from the files it left.
    Recovered {
        /// Bytes of output that were dropped because their time is unknown.
        dropped_output: u64,
        /// Invalid or unusable lines that were dropped from all streams.
        dropped_lines: u64,
    },
    /// A part of another cassette.
    Cut {
        /// Id of the original cassette.
        from: String,
    },
    /// Converted from another format.
    Converted {
        /// That format, such as `asciicast v3`.
        from: String,
    },
}

/// The recorded command. Secrets are redacted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedCommand {
    /// The program, as the caller named it.
    pub program: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// The working directory, if the caller set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// The environment of the command. Inherited variables are not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEnvironment {
    /// `most` if most of the recorder's variables are inherited, `least` if only those that are
    /// needed to start.
    pub inherit: String,
    /// Variables that the caller set. Secrets are redacted.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
    /// Variables that the caller removed.
    #[serde(default)]
    pub unset: Vec<String>,
}

/// The terminal at the start of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedTerminal {
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
    /// Number of scrollback rows that were kept; the reflow after a resize depends on it.
    pub scrollback: usize,
    /// Host name, stored only if a program reported its working directory with a host name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hostname: Option<String>,
    /// The emulator that derived the frames.
    pub emulator: PinnedEmulator,
}

impl RecordedTerminal {
    /// Returns the size at the start.
    pub fn size(&self) -> Result<Size, SizeError> {
        Size::checked(self.cols.into(), self.rows.into())
    }
}

/// The emulator that derived the frames. Another one may derive other frames, so it is used only on
/// request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedEmulator {
    /// Name of the wrapped crate.
    pub name: String,
    /// Version of the wrapped crate.
    pub version: String,
    /// Revision of our adapter.
    pub revision: u32,
}

impl PinnedEmulator {
    /// Returns the pin for an emulator.
    pub fn of(identity: Identity) -> PinnedEmulator {
        PinnedEmulator {
            name: identity.name.to_owned(),
            version: identity.version.to_owned(),
            revision: identity.revision,
        }
    }
}

impl std::fmt::Display for PinnedEmulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}+{}", self.name, self.version, self.revision)
    }
}

/// Duration and clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingTiming {
    /// `monotonic`: counted from the start by a clock that changes of the system time do not
    /// affect.
    pub clock: String,
    /// Duration of the recording.
    pub duration_ms: Millis,
}

impl RecordingTiming {
    /// Creates the entry for a recording made with the monotonic clock.
    pub fn monotonic(duration_ms: Millis) -> RecordingTiming {
        RecordingTiming {
            clock: "monotonic".to_owned(),
            duration_ms,
        }
    }
}

/// Recorder and machine of a cassette.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name and version of the recorder.
    pub recorder: String,
    /// Operating system.
    #[serde(default)]
    pub os: String,
    /// Processor architecture.
    #[serde(default)]
    pub arch: String,
    /// Start time, in seconds since 1970, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<u64>,
    /// Number of bytes at the start of the output that did not come from the program. In a
    /// recording that was started during a session, they draw the screen of that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portrait_bytes: Option<u64>,
}

/// Length and digest of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Length.
    pub bytes: u64,
    /// Digest.
    pub sha256: Digest,
}

/// Reason why a manifest could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// Not JSON, or a field is missing or invalid.
    #[error("not a manifest: {}", .0.problem)]
    Malformed(LineError),
    /// The file has another `format`.
    #[error("`format` is `{0}`, not `{FORMAT}`")]
    Format(String),
    /// The file has a later version.
    #[error(
        "unsupported version `{0}` (expected at most {VERSION}); a newer screentest may read it"
    )]
    Newer(u64),
    /// The version is 0, which was never used.
    #[error("invalid version `{0}`: versions start at 1")]
    Version(u64),
    /// The cassette requires a feature that this version does not have.
    #[error("the cassette requires the unknown feature `{0}`; a newer screentest may read it")]
    Requires(String),
    /// A field contains a control character, which a terminal would execute.
    #[error("`{field}` contains the control character `{}`", char.escape_unicode())]
    Control {
        /// The path of the field.
        field: &'static str,
        /// The character.
        char: char,
    },
    /// The file was modified: its digest does not match.
    #[error("the manifest was changed: its digest is `{computed}`, but it records `{recorded}`")]
    Changed {
        /// The digest that the file records.
        recorded: Digest,
        /// The digest that was computed from the file.
        computed: Digest,
    },
}

/// The fields that are read first: a later version may have other fields.
#[derive(Deserialize)]
struct ManifestHead {
    format: String,
    version: u64,
    #[serde(default)]
    requires: Vec<String>,
}

impl Manifest {
    /// Creates a manifest of the current version.
    #[expect(clippy::too_many_arguments, reason = "each is a section of the file")]
    pub fn new(
        id: String,
        status: RecordingStatus,
        command: RecordedCommand,
        environment: RecordedEnvironment,
        terminal: RecordedTerminal,
        timing: RecordingTiming,
        provenance: Provenance,
        files: BTreeMap<String, FileEntry>,
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

    /// Returns its digest; zero until it was parsed or written.
    pub fn digest(&self) -> Digest {
        self.sha256_of_manifest
    }

    /// Returns the file, and stores its digest in `self`.
    pub fn to_file(&mut self) -> Vec<u8> {
        self.sha256_of_manifest = Digest::ZERO;
        self.sha256_of_manifest = Digest::of(&pretty(self));
        pretty(self)
    }

    /// Parses the file and checks its digest.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let head: ManifestHead = from_line(bytes, 1).map_err(ManifestError::Malformed)?;
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
        let recorded = manifest.sha256_of_manifest;
        let computed = own_digest(bytes);
        if computed != Some(recorded) {
            return Err(ManifestError::Changed {
                recorded,
                computed: computed.unwrap_or(Digest::ZERO),
            });
        }
        manifest.check_names()?;
        Ok(manifest)
    }

    /// Fails if the id, the emulator, the clock or the provenance contains a control character.
    /// Arguments and variables may contain them.
    fn check_names(&self) -> Result<(), ManifestError> {
        let emulator = &self.terminal.emulator;
        for (field, text) in [
            ("id", &self.id),
            ("terminal.emulator.name", &emulator.name),
            ("terminal.emulator.version", &emulator.version),
            ("timing.clock", &self.timing.clock),
            ("provenance.recorder", &self.provenance.recorder),
            ("provenance.os", &self.provenance.os),
            ("provenance.arch", &self.provenance.arch),
        ] {
            if let Some(char) = text.chars().find(|c| c.is_control()) {
                return Err(ManifestError::Control { field, char });
            }
        }
        Ok(())
    }
}

/// Returns the digest of a manifest with zeros in place of the stored digest; `None` if the file
/// does not contain that digest in the expected form.
fn own_digest(bytes: &[u8]) -> Option<Digest> {
    let start = memchr::memmem::find(bytes, OWN)? + OWN.len();
    let mut bytes = bytes.to_vec();
    bytes.get_mut(start..start + 64)?.fill(b'0');
    Some(Digest::of(&bytes))
}
