//! Finds the binaries of the package under test.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Error: a binary of the package was not found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
   "binary `{name}` not found: cargo gave no path, and `{}` does not exist; is it a `[[bin]]` of the package of this \
     `tests/` directory? build it with `cargo build --bin {name}`",
    looked.display()
)]
pub struct CargoBinError {
    /// The binary's name.
    pub name: String,
    /// The path where it would be.
    pub looked: PathBuf,
}

/// Returns the path of a binary: as given by cargo or nextest, otherwise in the directory above the
/// test's executable.
pub(super) fn find(
    name: &str,
    variable: impl Fn(&str) -> Option<OsString>,
    exe: &Path,
) -> Result<PathBuf, CargoBinError> {
    let named = ["CARGO_BIN_EXE_", "NEXTEST_BIN_EXE_"]
        .into_iter()
        .find_map(|prefix| variable(&format!("{prefix}{name}")));
    if let Some(path) = named {
        return Ok(path.into());
    }
    let folder = exe.parent().unwrap_or(Path::new(""));
    // Tests are built in `deps`, examples in `examples`; binaries are in the directory above.
    let folder = match folder.file_name().and_then(|folder| folder.to_str()) {
        Some("deps" | "examples") => folder.parent().unwrap_or(folder),
        _ => folder,
    };
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() {
        return Ok(path);
    }
    Err(CargoBinError {
        name: name.to_owned(),
        looked: path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_that_cargo_gives_wins() {
        let cargo = |name: &str| (name == "CARGO_BIN_EXE_tool").then(|| "/target/tool".into());
        let found = find("tool", cargo, Path::new("/elsewhere/deps/test-1"));
        assert_eq!(found.unwrap(), Path::new("/target/tool"));
    }

    #[test]
    fn otherwise_the_binary_is_above_the_directory_of_the_tests() {
        // This test's own executable serves as the binary.
        let exe = std::env::current_exe().unwrap();
        let name = exe.file_name().unwrap().to_str().unwrap();
        let tests = exe.parent().unwrap().join("deps").join("test-1");
        assert_eq!(find(name, |_| None, &tests).unwrap(), exe);
    }

    #[test]
    fn a_missing_binary_is_reported_with_its_path() {
        let error = find("tool", |_| None, Path::new("/nonexistent/deps/test-1")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "binary `tool` not found: cargo gave no path, and `/nonexistent/tool` does not exist; is it a `[[bin]]` of \
             the package of this `tests/` directory? build it with `cargo build --bin tool`"
        );
    }
}
