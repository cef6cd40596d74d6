//! `screentest cassette verify`: checks that a recording is intact.

use std::path::{Path, PathBuf};

use clap::Args;
use screentest::core::Backend;
use screentest::core::formats::cassette::manifest::PinnedEmulator;
use screentest::{Cassette, CassetteError};

use super::{compare_backends, count, dump_note, print_text, status_text};
use crate::failure::Failure;
use crate::input::cassette_failure::{cassette_failure, cassette_failure_with_hint};

/// Maximum number of differences to print if the emulator is not available.
const MAX_DIFFERENCES: usize = 10;

/// Check that a recording is unchanged: every byte, and every frame derived again
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  screentest cassette verify *.cassette")]
pub(super) struct Verify {
    /// The cassettes
    #[arg(value_name = "X.cassette", required = true)]
    paths: Vec<PathBuf>,
    /// If this build lacks the recording's emulator, compare with its own and print the differences
    #[arg(long)]
    any_emulator: bool,
}

pub(super) fn run(args: &Verify) -> Result<(), Failure> {
    let mut failed = None;
    for path in &args.paths {
        let Err(failure) = verify(path, args.any_emulator) else {
            continue;
        };
        // All cassettes are checked and each failure is printed; `main` prints the last one.
        if let Some(before) = failed.replace(failure) {
            before.print();
        }
    }
    failed.map_or(Ok(()), Err)
}

fn verify(path: &Path, any_emulator: bool) -> Result<(), Failure> {
    let cassette = Cassette::open(path).map_err(|error| named_failure(error, path))?;
    let verified = match cassette.verify() {
        Err(CassetteError::Emulator(_)) if any_emulator => {
            let backend = most_similar(&cassette.manifest().terminal.emulator);
            return compare_backends::compare(&cassette, backend, MAX_DIFFERENCES);
        }
        verified => verified.map_err(|error| named_failure(error, path))?,
    };
    let ended = if verified.ended {
        ""
    } else {
        ", without the program's exit"
    };
    let counts = [
        (verified.frames, "frame"),
        (verified.inputs, "input"),
        (verified.events, "event"),
    ];
    let counts = counts.map(|(number, thing)| count(number as u64, thing));
    print_text(&format!(
        "{}: {}, {} of output{}, {}{ended}\n",
        path.display(),
        status_text(&verified.status),
        count(verified.output, "byte"),
        dump_note(cassette.manifest().provenance.portrait_bytes),
        counts.join(", "),
    ))
}

/// Adds the path of the cassette, unless the error contains it.
fn named_failure(error: CassetteError, path: &Path) -> Failure {
    let named = matches!(
        error,
        CassetteError::NoDirectory { .. }
            | CassetteError::NotADirectory { .. }
            | CassetteError::NoManifest { .. }
            | CassetteError::Manifest { .. }
            | CassetteError::Missing { .. }
            | CassetteError::Link { .. }
            | CassetteError::NotAFile { .. }
            | CassetteError::ForeignFile { .. }
            | CassetteError::Truncated { .. }
            | CassetteError::Grown { .. }
            | CassetteError::DigestMismatch { .. }
            | CassetteError::Read { .. }
    );
    if named {
        cassette_failure(error)
    } else {
        cassette_failure_with_hint(error, "`--any-emulator` prints the differences")
            .within(path.display().to_string())
    }
}

/// Returns the most similar available emulator: another version of the same one, or the default.
fn most_similar(pin: &PinnedEmulator) -> Backend {
    let same = |backend: &Backend| backend.identity().name == pin.name;
    let mut all = Backend::ALL.into_iter();
    all.find(same).unwrap_or_default()
}
