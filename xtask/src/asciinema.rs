//! Comparing with asciinema 3, which Debian does not have, and recording what the tests read afresh.
//!
//! It is built from crates.io, which takes minutes, so that only who asks for it does so. What is recorded is read before it is
//! committed.

use anyhow::{Context, Result, bail};

use crate::setup;
use crate::step::Line;
use crate::tree;

/// The folder below `target` that it is installed in.
const FOLDER: &str = "asciinema-3";
/// The version is part of what the recordings say.
const VERSION: &str = "3.2.0";

/// Installs both, and runs the test that records.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    let root = tree::root().join("target").join(FOLDER);
    let path = root.to_str().context("the project's path is not UTF-8")?;
    let install = Line::new("cargo install asciinema --locked --version").arg(VERSION);
    // What is recorded is read by the others, which come after it.
    let record = "cargo test -p screentest --test it -- cassettes::asciinema::in_the_record_step";
    let record = Line::new(record);
    for line in [
        install.arg("--root").arg(path),
        record.env("SCREENTEST_ASCIINEMA_3", format!("{path}/bin/asciinema")),
        Line::new("cargo test -p screentest --test it -- cassettes::asciinema"),
    ] {
        println!("{line}");
        let status = line.run()?;
        if !status.success() {
            bail!("`{line}`: {status}");
        }
    }
    Ok(())
}
