//! Redacts secrets in an existing cassette.
//!
//! See also: `recorder/rescrub.rs` (writes the cassette again).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::redact::scrub::Rules;

use crate::recording::cassette::directory::access::CassetteAccess;
use crate::recording::cassette::directory::partial::{PartialCassette, RecordingMetadata};
use crate::recording::cassette::{Cassette, CassetteError};
use crate::recording::recorder::{ExistingCassette, ExistingRecording, RecordError, rescrub};

/// Why a cassette could not be scrubbed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScrubError {
    /// The cassette could not be read or verified.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The new cassette could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Cassette {
    /// Writes a copy of this cassette in which the given secrets are redacted too, in all files.
    /// This cassette, with its secrets, stays unchanged.
    pub fn scrub(&self, secrets: Rules, target: &Path) -> Result<PathBuf, ScrubError> {
        // Do not copy a damaged cassette into one with valid digests.
        self.verify()?;
        let (manifest, ending) = (self.manifest(), self.ending());
        let existing = ExistingRecording {
            directory: self.path(),
            lengths: &[],
            report: self.scrub_report()?,
            status: manifest.status.clone(),
            seq: ending.seq,
            time: ending.t_ms,
            exit_code: ending.exit_code,
            signal: ending.signal.clone(),
            reports_host: manifest.terminal.hostname.is_some(),
        };
        let metadata = RecordingMetadata::of_copy(manifest);
        rescrub(existing, metadata, Arc::new(secrets), |metadata| {
            let access = CassetteAccess::of(self.path());
            PartialCassette::create(target, ExistingCassette::Keep, access, metadata)
        })
    }
}
