//! `cargo xtask soak`: runs hundreds of sessions and checks that nothing is left of them.

use anyhow::{Result, bail};

use crate::setup;
use crate::step::CommandLine;

/// Runs the soak with the options of `soak --help`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    // Help needs no programs.
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
