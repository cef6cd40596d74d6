//! Packages of npm, in folders below `target`: installed once, and found again after that.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::step::Line;
use crate::tree;

/// Has packages, each a name and its version, in a folder below `target`.
pub(crate) fn with(folder: &str, packages: &[(&str, &str)]) -> Result<()> {
    let folder = tree::root().join("target").join(folder);
    let has = |(name, version): &(&str, &str)| {
        let about = folder.join("node_modules").join(name).join("package.json");
        fs::read_to_string(about)
            .is_ok_and(|about| about.contains(&format!("\"version\": \"{version}\"")))
    };
    if packages.iter().all(has) {
        return Ok(());
    }
    let wanted: Vec<String> = packages
        .iter()
        .map(|(name, version)| format!("{name}@{version}"))
        .collect();
    println!("installing {} into {}", wanted.join(" "), folder.display());
    fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
    // Nothing of theirs is run while they are installed.
    let line = Line::new("npm install --no-save --no-audit --no-fund --ignore-scripts --prefix")
        .arg(folder.display().to_string());
    let line = wanted.into_iter().fold(line, Line::arg);
    let output = line.output()?;
    ensure!(
        output.status.success(),
        "`{line}` failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
