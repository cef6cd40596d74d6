//! Where a project begins.
//!
//! A test runs in its package's folder, an editor starts it in another: paths in options count from the project's root,
//! so that both mean the same place.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variables that name the root; the first one that is set counts.
const VARIABLES: [&str; 2] = ["SCREENTEST_PROJECT_ROOT", "TUISPEC_PROJECT_ROOT"];

/// The project's root: what a variable says, else the nearest folder at or above `cwd` that has a `.git` or the manifest
/// of a workspace, else `cwd` itself.
pub fn root(variable: impl Fn(&str) -> Option<OsString>, cwd: &Path) -> PathBuf {
    let named = VARIABLES.into_iter().find_map(variable);
    match named.filter(|root| !root.is_empty()) {
        Some(root) => cwd.join(root),
        None => cwd
            .ancestors()
            .find(|folder| is_root(folder))
            .unwrap_or(cwd)
            .to_owned(),
    }
}

fn is_root(folder: &Path) -> bool {
    // In a worktree or a submodule `.git` is a file.
    folder.join(".git").exists()
        || std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|toml| is_workspace(&toml))
}

/// Whether a manifest has the table of a workspace. It is a line of its own in every manifest that cargo writes.
fn is_workspace(toml: &str) -> bool {
    toml.lines().any(|line| {
        let line = line.split('#').next().unwrap_or_default().trim();
        line == "[workspace]" || line.starts_with("[workspace.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_variable(_: &str) -> Option<OsString> {
        None
    }

    /// This crate's own folder has a manifest without a workspace; the one two above has the workspace.
    fn package() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn the_nearest_workspace_or_repository_is_the_root() {
        let root = root(no_variable, &package().join("src"));
        assert_eq!(root, package().ancestors().nth(2).unwrap());
    }

    #[test]
    fn without_either_the_current_folder_is() {
        let nowhere = Path::new("/nonexistent/screentest");
        assert_eq!(root(no_variable, nowhere), nowhere);
    }

    #[test]
    fn the_variable_wins_and_the_seeds_own_name_for_it_loses() {
        let only = |name: &'static str| move |asked: &str| (asked == name).then(|| name.into());
        let cwd = Path::new("/here");
        assert_eq!(
            root(only(VARIABLES[1]), cwd),
            Path::new("/here/TUISPEC_PROJECT_ROOT")
        );
        let both = |asked: &str| Some(asked.into());
        assert_eq!(root(both, cwd), Path::new("/here/SCREENTEST_PROJECT_ROOT"));
        assert_eq!(
            root(|_| Some(OsString::new()), Path::new("/nonexistent")),
            Path::new("/nonexistent")
        );
    }

    #[test]
    fn a_workspace_is_known_by_its_table() {
        assert!(is_workspace("[package]\n[workspace] # all\nmembers = []"));
        assert!(is_workspace("[workspace.package]"));
        assert!(!is_workspace("[package]\nversion.workspace = true"));
        assert!(!is_workspace("# [workspace]"));
    }
}
