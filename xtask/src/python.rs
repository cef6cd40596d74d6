//! Python environments with packages in folders below `target`, created once.

use anyhow::{Result, ensure};

use crate::step::CommandLine;
use crate::tree;

/// Returns the path of a Python with packages. `folder` is its folder below `target`, `packages`
/// are pip's names separated by spaces, and `check` is a line of Python that succeeds if they are
/// installed.
pub(crate) fn with(folder: &str, packages: &str, check: &str) -> Result<String> {
    let folder = tree::root().join("target").join(folder);
    let python = folder.join("bin/python").display().to_string();
    let word = |word: &str| CommandLine::new("").arg(word);
    let has_it = word(&python).arg("-c").arg(check);
    if !has_it.succeeds() {
        println!("installing {packages} into {}", folder.display());
        for line in [
            CommandLine::new("python3 -m venv").arg(folder.display().to_string()),
            ["-m", "pip", "install", "--quiet"]
                .into_iter()
                .chain(packages.split_whitespace())
                .fold(word(&python), CommandLine::arg),
        ] {
            let output = line.output()?;
            ensure!(
                output.status.success(),
                "`{line}` failed: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    Ok(python)
}
