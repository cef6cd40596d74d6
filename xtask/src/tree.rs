//! The files of the project, excluding build output and test artifacts.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Returns the root folder of the project.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask
        .parent()
        .expect("this crate is a folder of the project")
}

/// A file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Relative to the root, with `/` between folders.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Returns every file below the current folder with this extension, sorted by path.
pub(crate) fn files(ending: &str) -> Result<Vec<File>> {
    let mut paths = Vec::new();
    walk(Path::new("."), ending, &mut paths)?;
    paths.sort();
    let read = paths.into_iter().map(|path| {
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let path = path.strip_prefix(".").unwrap_or(&path);
        let path = path.to_string_lossy().replace('\\', "/");
        Ok(File { path, text })
    });
    read.collect()
}

fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            // Skips cargo's output, test artifacts and hidden folders of tools.
            if name != "target" && name != "artifacts" && !name.starts_with('.') {
                walk(&entry.path(), ending, found)?;
            }
        } else if name.ends_with(ending) {
            found.push(entry.path());
        }
    }
    Ok(())
}
