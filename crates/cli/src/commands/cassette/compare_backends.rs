//! `screentest cassette compare-backends`: where two emulators disagree.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use screentest::Cassette;
use screentest::core::Backend;

use super::{refused, say};
use crate::failure::{Exit, Failure};

/// Show where two emulators disagree
#[derive(Debug, Args)]
pub(super) struct CompareBackends {
    /// The cassette
    #[arg(value_name = "X.cassette")]
    path: PathBuf,
    /// The one to compare with what was kept
    #[arg(long, value_enum, default_value = "avt")]
    with: Named,
    /// How many differences are shown at most
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Named {
    Alacritty,
    Avt,
}

pub(super) fn run(asked: &CompareBackends) -> Result<(), Failure> {
    let cassette = Cassette::open(&asked.path).map_err(refused)?;
    let backend = match asked.with {
        Named::Alacritty => Backend::Alacritty,
        Named::Avt => Backend::Avt,
    };
    compare(&cassette, backend, asked.most as usize)
}

/// Derives every frame again, and shows those that differ.
pub(super) fn compare(cassette: &Cassette, backend: Backend, most: usize) -> Result<(), Failure> {
    // No emulator is blamed for damage.
    cassette.verify_digests().map_err(refused)?;
    let differences = cassette.compare(backend, most).map_err(refused)?;
    let mut text = String::new();
    for difference in &differences {
        text.push_str(&format!("at {}:\n{difference}\n\n", difference.shown.time));
    }
    let emulator = backend.identity();
    if differences.is_empty() {
        let path = cassette.path().display();
        text.push_str(&format!("{path}: `{emulator}` shows the same\n"));
    }
    say(&text)?;
    let told = match differences.len() {
        0 => return Ok(()),
        1 => "1 frame differs".to_owned(),
        count if count == most => format!("{count} frames or more differ"),
        count => format!("{count} frames differ"),
    };
    let error = anyhow!("{told} from what `{emulator}` shows");
    Err(Failure::new(Exit::Failed, error))
}
