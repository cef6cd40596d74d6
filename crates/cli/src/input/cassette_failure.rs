//! Failures of cassettes, with hints.

use screentest::recording::{CassetteError, PlayError};

use crate::failure::{Exit, Failure};

/// Converts an error of a cassette into a failure.
pub(crate) fn cassette_failure(error: CassetteError) -> Failure {
    match &error {
        // The cassette is readable, but its frames do not match its bytes: a failed check.
        CassetteError::Frame { .. } | CassetteError::LastScreen { .. } => {
            Failure::new(Exit::Failed, error)
        }
        CassetteError::NotADirectory { .. } => {
            Failure::usage(error).hint("`screentest convert` converts an asciicast to a cassette")
        }
        _ => Failure::usage(error),
    }
}

/// Same as [`cassette_failure`], with a hint if the emulator is not available.
pub(crate) fn cassette_failure_with_hint(error: CassetteError, hint: &str) -> Failure {
    match error {
        error @ CassetteError::Emulator(_) => cassette_failure(error).hint(hint),
        error => cassette_failure(error),
    }
}

/// Same as [`cassette_failure`], with a hint at `--any-emulator` if the emulator is not available.
pub(crate) fn read_failure(error: CassetteError) -> Failure {
    cassette_failure_with_hint(error, "`--any-emulator` uses the stored frames")
}

/// Converts an error of a player into a failure.
pub(crate) fn play_failure(error: PlayError) -> Failure {
    match error {
        PlayError::Cassette(error) => read_failure(error),
        error => Failure::usage(error),
    }
}
