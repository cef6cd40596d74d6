//! `cargo xtask bench --peers`: installs the projects that we are compared with and runs the
//! comparison, which is a separate workspace (`bench/peers`).
//!
//! The table states the versions below and those in the `Cargo.lock` of that workspace, so they
//! change only on purpose.

use anyhow::{Result, bail};

use crate::asciinema;
use crate::node::{self, Scripts};
use crate::step::CommandLine;
use crate::{python, setup, tree};

/// Installation folders below `target`.
const PYTHON: &str = "peers-python";
const NODE: &str = "peers-node";
/// Build folder and output file.
const BUILT: &str = "target/peers";
const TABLE: &str = "target/bench-peers.md";

const PYTHON_PACKAGES: &str = "pexpect==4.9.0 pyte==0.8.2 pillow==13.0.0";
const NODE_PACKAGES: [(&str, &str); 2] = [("node-pty", "1.1.0"), ("@xterm/headless", "6.0.0")];

/// Installs, builds and compares. Compares only the named rows, if any are named.
pub(crate) fn run(rows: &[&str]) -> Result<()> {
    setup::peers()?;
    let python = python::with(PYTHON, PYTHON_PACKAGES, "import pexpect, pyte, PIL")?;
    // One package has a native part that its own install scripts compile.
    node::with(NODE, &NODE_PACKAGES, Scripts::Run)?;
    let asciinema = asciinema::installed()?;
    let modules = tree::root().join("target").join(NODE).join("node_modules");
    let line = CommandLine::new(
        "cargo run --release --locked --quiet --manifest-path bench/peers/Cargo.toml --target-dir",
    )
    .arg(BUILT)
    .arg("--")
    .env("SCREENTEST_BENCH_PYTHON", python)
    .env(
        "SCREENTEST_BENCH_NODE_MODULES",
        modules.display().to_string(),
    )
    .env("SCREENTEST_BENCH_ASCIINEMA_3", asciinema)
    .env("SCREENTEST_BENCH_TABLE", TABLE);
    let line = rows.iter().fold(line, |line, row| line.arg(*row));
    let status = line.run()?;
    if !status.success() {
        bail!("`{line}`: {status}");
    }
    println!("\nthe table is in {TABLE}");
    Ok(())
}
