//! Where cargo puts the binaries of the package under test.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Why a binary of the package was not found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no binary `{name}`: cargo named none, and `{}` does not exist; is it a `[[bin]]` of the package whose `tests/` \
     this is? `cargo build --bin {name}` builds it",
    looked.display()
)]
pub struct CargoBinError {
    /// The binary.
    pub name: String,
    /// Where it would be if it had been built.
    pub looked: PathBuf,
}

/// The path of a binary: as cargo or nextest names it, else beside the folder of the test's own executable.
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
    // Tests are built into `deps`, examples into `examples`; binaries are linked above.
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
    fn what_cargo_names_wins() {
        let cargo = |name: &str| (name == "CARGO_BIN_EXE_tool").then(|| "/target/tool".into());
        let found = find("tool", cargo, Path::new("/elsewhere/deps/test-1"));
        assert_eq!(found.unwrap(), Path::new("/target/tool"));
    }

    #[test]
    fn otherwise_it_is_beside_the_folder_of_the_tests() {
        // This very test is an executable that is there.
        let exe = std::env::current_exe().unwrap();
        let name = exe.file_name().unwrap().to_str().unwrap();
        let tests = exe.parent().unwrap().join("deps").join("test-1");
        assert_eq!(find(name, |_| None, &tests).unwrap(), exe);
    }

    #[test]
    fn a_binary_that_is_not_there_is_named_with_its_place() {
        let error = find("tool", |_| None, Path::new("/nonexistent/deps/test-1")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no binary `tool`: cargo named none, and `/nonexistent/tool` does not exist; is it a `[[bin]]` of the \
             package whose `tests/` this is? `cargo build --bin tool` builds it"
        );
    }
}
