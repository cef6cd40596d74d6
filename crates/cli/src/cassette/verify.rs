//! `screentest cassette verify`: whether every byte is the one that was recorded, and every frame is what the emulator shows.

use std::path::{Path, PathBuf};

use clap::Args;
use screentest::core::Backend;
use screentest::core::formats::cassette::manifest::Pin;
use screentest::{Cassette, CassetteError};

use super::{compare, count, drawn, refused, refused_unless, say, status};
use crate::failure::Failure;

/// How many differences are shown of a cassette whose emulator is not here.
const MOST: usize = 10;

/// Check every byte, and derive every frame again
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// The cassettes
    #[arg(value_name = "X.cassette", required = true)]
    paths: Vec<PathBuf>,
    /// Where the emulator that derived the frames is not here, derive them with the one that is, and show what differs
    #[arg(long)]
    any_emulator: bool,
}

pub(super) fn run(asked: &Verify) -> Result<(), Failure> {
    let mut failed = None;
    for path in &asked.paths {
        let Err(failure) = verify(path, asked.any_emulator) else {
            continue;
        };
        // All are looked at, and each is told of; the last one is told of by who called.
        if let Some(before) = failed.replace(failure) {
            before.print();
        }
    }
    failed.map_or(Ok(()), Err)
}

fn verify(path: &Path, any_emulator: bool) -> Result<(), Failure> {
    let cassette = Cassette::open(path).map_err(|error| within(error, path))?;
    let verified = match cassette.verify() {
        Err(CassetteError::Emulator(_)) if any_emulator => {
            let backend = nearest(&cassette.manifest().terminal.emulator);
            return compare::compare(&cassette, backend, MOST);
        }
        verified => verified.map_err(|error| within(error, path))?,
    };
    let ended = match verified.ended {
        true => "",
        false => ", without the program's end",
    };
    let counts = [
        (verified.frames, "frame"),
        (verified.inputs, "input"),
        (verified.events, "event"),
    ];
    let counts = counts.map(|(number, thing)| count(number as u64, thing));
    say(&format!(
        "{}: {}, {} of output{}, {}{ended}\n",
        path.display(),
        status(&verified.status),
        count(verified.output, "byte"),
        drawn(cassette.manifest().provenance.portrait_bytes),
        counts.join(", "),
    ))
}

/// Which cassette is meant, unless the error says so itself.
fn within(error: CassetteError, path: &Path) -> Failure {
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
    match named {
        true => refused(error),
        false => refused_unless(error, "`--any-emulator` shows what differs")
            .within(path.display().to_string()),
    }
}

/// The emulator that is most like the one that is not here: another version of the same, or the one that records.
fn nearest(pin: &Pin) -> Backend {
    let same = |backend: &Backend| backend.identity().name == pin.name;
    let mut all = Backend::ALL.into_iter();
    all.find(same).unwrap_or_default()
}
