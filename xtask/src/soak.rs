//! `cargo xtask soak`: sessions by the hundred, and nothing left of them.

use anyhow::{Result, bail};

use crate::setup;
use crate::step::CommandLine;

/// Runs the soak with what it is told, as in `soak --help`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    // Who asks how it is used needs nothing installed.
    if !arguments
        .iter()
        .any(|word| matches!(*word, "-h" | "--help"))
    {
        setup::programs()?;
    }
    let line = CommandLine::new("cargo run --release --quiet -p screentest-soak --");
    let line = arguments.iter().fold(line, |line, word| line.arg(*word));
    let status = line.run()?;
    if !status.success() {
        bail!("`{line}`: {status}");
    }
    Ok(())
}
