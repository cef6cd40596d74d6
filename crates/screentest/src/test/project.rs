//! Paths of a project: its root, and the artifact directory.
//!
//! Both come from environment variables or from the current directory. They are not checked here;
//! using a missing directory fails later.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::environment::Variables;

/// Maximum number of bytes to read of a `Cargo.toml`: far more than usual.
const MAX_MANIFEST_BYTES: u64 = 1 << 20;

/// Returns the root of the project that contains `cwd`: from the environment variable; else `cwd`
/// or its nearest parent with `.git` or a Cargo workspace; else the nearest with a
/// `screentest.toml`; else `cwd` itself.
pub fn root(variable: impl Fn(&str) -> Option<OsString>, cwd: &Path) -> PathBuf {
    match variable.library_variable("PROJECT_ROOT") {
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

/// Returns the artifact directory of that project: from the environment variable, else `artifacts`
/// in its root.
pub fn artifacts(variable: impl Fn(&str) -> Option<OsString>, cwd: &Path) -> PathBuf {
    artifacts_or(variable, cwd, Path::new("artifacts"))
}

/// Like [`artifacts`], with another default than `artifacts`, relative to the root.
pub fn artifacts_or(
    variable: impl Fn(&str) -> Option<OsString>,
    cwd: &Path,
    usual: &Path,
) -> PathBuf {
    let set = variable.library_variable("ARTIFACTS_DIR");
    let folder = set.map_or_else(|| usual.to_owned(), |(_, folder)| folder.into());
    root(variable, cwd).join(folder)
}

fn is_workspace(folder: &Path) -> bool {
    let mut text = Vec::new();
    let path = folder.join("Cargo.toml");
    // Opening a named pipe would block.
    if !path.is_file() {
        return false;
    }
    let read =
        File::open(path).and_then(|file| file.take(MAX_MANIFEST_BYTES).read_to_end(&mut text));
    let is_table = |line: &[u8]| {
        let line = line.trim_ascii();
        line.starts_with(b"[workspace]") || line.starts_with(b"[workspace.")
    };
    read.is_ok() && text.split(|byte| *byte == b'\n').any(is_table)
}
