//! Installs asciinema 3, which Debian does not package, and records the asciicast fixtures again.
//!
//! It is built from crates.io, which takes minutes, so this is a separate command. Review the
//! recordings before you commit them.

use anyhow::{Context, Result, bail};

use crate::setup;
use crate::step::CommandLine;
use crate::tree;

/// Installation folder below `target`.
const FOLDER: &str = "asciinema-3";
/// Fixed, because the recordings contain the version.
const VERSION: &str = "3.2.0";

/// Installs asciinema if it is missing; returns its path.
pub(crate) fn installed() -> Result<String> {
    let root = tree::root().join("target").join(FOLDER);
    let path = root.to_str().context("the project's path is not UTF-8")?;
    let program = format!("{path}/bin/asciinema");
    let has = CommandLine::new("").arg(&program).arg("--version").output();
    if !has.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(VERSION)) {
        let install =
            CommandLine::new("cargo install asciinema --locked --force --version").arg(VERSION);
        run_line(&install.arg("--root").arg(path))?;
    }
    Ok(program)
}

fn run_line(line: &CommandLine) -> Result<()> {
    println!("{line}");
    let status = line.run()?;
    if !status.success() {
        bail!("`{line}`: {status}");
    }
    Ok(())
}

/// Installs asciinema 2 and 3 and runs the test that records.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    let program = installed()?;
    // The other tests read the recordings, so they run afterwards.
    let record = "cargo test -p screentest --test it -- cassettes::asciinema::asciinema_3_agrees";
    let record = CommandLine::new(record);
    run_line(&record.env("SCREENTEST_ASCIINEMA_3", program))?;
    run_line(&CommandLine::new(
        "cargo test -p screentest --test it -- cassettes::asciinema",
    ))
}
