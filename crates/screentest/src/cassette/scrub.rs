//! Covering secrets in a cassette that is there already.
//!
//! Elsewhere: how it is written again (`recorder/again.rs`).

use std::path::{Path, PathBuf};

use screentest_core::scrub::Secrets;

use super::{Cassette, CassetteError};
use crate::recorder::{RecordError, again};

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
    pub fn scrub(&self, secrets: Secrets, target: &Path) -> Result<PathBuf, ScrubError> {
        // What is not true would be no truer without its secrets.
        self.verify()?;
        again(self, secrets, target)
    }
}
