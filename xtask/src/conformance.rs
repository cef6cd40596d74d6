//! `cargo xtask conformance`: compares our emulator with a real xterm.

use anyhow::{Result, bail};

use crate::setup;
use crate::step::CommandLine;

/// Runs the comparison with the options of `conformance --help`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(word));
    if has(&["--record"]) {
        setup::programs()?;
        setup::apps()?;
        // The recorder, and the program with Ratatui.
        for package in ["screentest-cli", "screentest-examples"] {
            finish(CommandLine::new("cargo build --quiet -p").arg(package))?;
        }
    } else if !has(&["--stored", "--help", "-h"]) {
        setup::xterm()?;
    }
    let line = CommandLine::new("cargo run --quiet -p screentest-conformance --");
    finish(arguments.iter().fold(line, |line, word| line.arg(*word)))
}

fn finish(line: CommandLine) -> Result<()> {
    let status = line.run()?;
    if !status.success() {
        bail!("`{line}`: {status}");
    }
    Ok(())
}
