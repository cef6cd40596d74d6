//! The tests that the table of `docs/test-library.md` names exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const TABLE: &str = include_str!("../../../../../../docs/test-library.md");

/// Collects the functions without parameters of the Rust files below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let names = text.lines().filter_map(|line| {
                let rest = line.trim_start().strip_prefix("fn ")?;
                rest.split_once("()").map(|(name, _)| name.to_owned())
            });
            found.extend(names);
        }
    }
}

#[test]
fn every_test_in_the_documented_table_exists() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for folder in ["tests", "src", "../core/src"] {
        functions(&package.join(folder), &mut found);
    }
    // A test is named in backticks: by its path, or after the word `src` or `core`.
    let quoted: Vec<&str> = TABLE.split('`').collect();
    let named = quoted.chunks(2).filter_map(|pair| match pair {
        [before, name] => {
            let paths = ["tuispec_compat::", "test_library::", "sessions::"];
            let is_path = paths.iter().any(|path| name.contains(path));
            let is_other = before.ends_with("src ") || before.ends_with("core ");
            (is_path || is_other).then_some(*name)
        }
        _ => None,
    });
    let named: Vec<&str> = named
        .map(|name| name.rsplit("::").next().unwrap_or(name))
        .filter(|name| *name != "keys")
        .collect();
    assert!(named.len() > 70, "{}", named.len());
    let missing: Vec<&str> = named
        .into_iter()
        .filter(|name| !found.contains(*name))
        .collect();
    assert_eq!(missing, [""; 0]);
}
