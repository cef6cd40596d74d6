//! `screentest cassette compare-backends`: compares two terminal emulators.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use screentest::core::Backend;
use screentest::recording::Cassette;

use super::print_text;
use crate::failure::{Exit, Failure};
use crate::input::cassette_failure::cassette_failure;

/// Show where another terminal emulator produces a different screen
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  screentest cassette compare-backends demo.cassette --most 3")]
pub(super) struct CompareBackends {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// Emulator to compare with the stored frames
    #[arg(long, value_enum, default_value = "avt")]
    with: BackendArg,
    /// Maximum number of differences to print
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BackendArg {
    Vt,
    Avt,
}

pub(super) fn run(args: &CompareBackends) -> Result<(), Failure> {
    let cassette = Cassette::open(&args.path).map_err(cassette_failure)?;
    let backend = match args.with {
        BackendArg::Vt => Backend::Vt,
        BackendArg::Avt => Backend::Avt,
    };
    compare(&cassette, backend, args.most as usize)
}

/// Derives the frames again, and prints up to `most` differences.
pub(super) fn compare(cassette: &Cassette, backend: Backend, most: usize) -> Result<(), Failure> {
    // Damaged files must not look like a difference between emulators.
    cassette.verify_digests().map_err(cassette_failure)?;
    let differences = cassette.compare(backend, most).map_err(cassette_failure)?;
    let mut text = String::new();
    for difference in &differences {
        text.push_str(&format!("at {}:\n{difference}\n\n", difference.shown.time));
    }
    let emulator = backend.identity();
    if differences.is_empty() {
        let path = cassette.path().display();
        text.push_str(&format!("{path}: `{emulator}` shows the same screens\n"));
    }
    print_text(&text)?;
    let count = match differences.len() {
        0 => return Ok(()),
        1 => "1 frame differs".to_owned(),
        count if count == most => format!("at least {count} frames differ"),
        count => format!("{count} frames differ"),
    };
    let error = anyhow!("{count} from what `{emulator}` shows");
    Err(Failure::new(Exit::Failed, error))
}
