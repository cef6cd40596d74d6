//! Covering secrets in a cassette that is there already.
//!
//! Elsewhere: how it is written again (`recorder/again.rs`).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use screentest_core::redact::scrub::Rules;

use super::partial::{Part, Start};
use super::{Cassette, CassetteError};
use crate::recording::recorder::{Existing, Kept, RecordError, again, id};

/// Why there is no cassette without the secrets.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScrubError {
    /// The cassette is not as it was recorded.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// The other one could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Cassette {
    /// Makes a cassette of the same recording in which these secrets are covered too, in all files. This one stays as it is, secrets and all.
    pub fn scrub(&self, secrets: Rules, target: &Path) -> Result<PathBuf, ScrubError> {
        // What is not true would be no truer without its secrets.
        self.verify()?;
        let (manifest, ending) = (self.manifest(), self.ending());
        let kept = Kept {
            folder: self.path(),
            lengths: &[],
            report: self.scrub_report()?,
            status: manifest.status.clone(),
            seq: ending.seq,
            time: ending.t_ms,
            exit_code: ending.exit_code,
            signal: ending.signal.clone(),
            says_where: manifest.terminal.hostname.is_some(),
        };
        let start = Start {
            id: id(),
            command: manifest.command.clone(),
            environment: manifest.environment.clone(),
            terminal: manifest.terminal.clone(),
            provenance: manifest.provenance.clone(),
            secrets: Vec::new(),
        };
        again(kept, start, Arc::new(secrets), |start| {
            Part::create(target, Existing::Kept, start)
        })
    }
}
