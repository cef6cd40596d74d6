//! Where a project's files are: its root, and the folder for artifacts.
//!
//! Both are told by the environment or found from where one stands, and neither is looked at further: whether the folder
//! is there is for its user to find out.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::test::run_options::Variables;

/// How much of a `Cargo.toml` is looked at: far more than people write.
const MOST: u64 = 1 << 20;

/// The root of the project that `cwd` is in: what the environment says, else the nearest folder above with `.git` or a
/// Cargo workspace, else the nearest with a `screentest.toml`, else `cwd` itself.
pub fn root(variable: impl Fn(&str) -> Option<OsString>, cwd: &Path) -> PathBuf {
    match variable.told("PROJECT_ROOT") {
        Some((_, root)) => cwd.join(root),
        None => cwd
            .ancestors()
            .find(|folder| folder.join(".git").exists() || is_workspace(folder))
            .or_else(|| {
                cwd.ancestors()
                    .find(|folder| folder.join("screentest.toml").exists())
            })
            .unwrap_or(cwd)
            .to_owned(),
    }
}

/// The folder for artifacts of that project: `artifacts` in its root, unless the environment names another.
pub fn artifacts(variable: impl Fn(&str) -> Option<OsString>, cwd: &Path) -> PathBuf {
    artifacts_or(variable, cwd, Path::new("artifacts"))
}

/// The same for a project that has its own name for the folder, which counts from its root.
pub fn artifacts_or(
    variable: impl Fn(&str) -> Option<OsString>,
    cwd: &Path,
    usual: &Path,
) -> PathBuf {
    let told = variable.told("ARTIFACTS_DIR");
    let folder = told.map_or_else(|| usual.to_owned(), |(_, folder)| folder.into());
    root(variable, cwd).join(folder)
}

fn is_workspace(folder: &Path) -> bool {
    let mut text = Vec::new();
    let read = File::open(folder.join("Cargo.toml"))
        .and_then(|file| file.take(MOST).read_to_end(&mut text));
    let is_table = |line: &[u8]| {
        let line = line.trim_ascii();
        line.starts_with(b"[workspace]") || line.starts_with(b"[workspace.")
    };
    read.is_ok() && text.split(|byte| *byte == b'\n').any(is_table)
}
