//! npm packages in folders below `target`, installed once.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::step::CommandLine;
use crate::tree;

/// Whether packages may run install scripts, such as a compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scripts {
    Forbidden,
    Run,
}

/// Installs packages, each given by name and version, into a folder below `target`.
pub(crate) fn with(folder: &str, packages: &[(&str, &str)], scripts: Scripts) -> Result<()> {
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
    let line = CommandLine::new("npm install --no-save --no-audit --no-fund --prefix")
        .arg(folder.display().to_string());
    let line = match scripts {
        Scripts::Forbidden => line.arg("--ignore-scripts"),
        // Native packages need the headers of Node, which Debian has in /usr; elsewhere npm
        // downloads them.
        Scripts::Run if Path::new("/usr/include/node/node.h").exists() => {
            line.env("npm_config_nodedir", "/usr")
        }
        Scripts::Run => line,
    };
    let line = wanted.into_iter().fold(line, CommandLine::arg);
    let output = line.output()?;
    ensure!(
        output.status.success(),
        "`{line}` failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
