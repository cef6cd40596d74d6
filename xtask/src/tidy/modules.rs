//! Finds test files that are not declared as modules and therefore never run.

use super::Finding;
use super::crates::declares;
use super::source::lines;
use crate::tree::File;

/// Folder of a crate's only test binary.
const TESTS: &str = "tests/it/";

/// Returns the files below `tests/it/` that their parent does not declare.
pub(super) fn findings(code: &[File]) -> Vec<Finding> {
    code.iter()
        .filter_map(|file| {
            let (folder, within) = file.path.split_once(TESTS)?;
            let within = within.strip_suffix(".rs").filter(|name| *name != "main")?;
            let (parent, name) = match within.rsplit_once('/') {
                Some((parent, name)) => (format!("{folder}{TESTS}{parent}.rs"), name),
                None => (format!("{folder}{TESTS}main.rs"), within),
            };
            let declared = code
                .iter()
                .filter(|other| other.path == parent)
                .any(|other| lines(&other.text).any(|(_, line)| declares(line, name)));
            (!declared).then(|| Finding {
                path: file.path.clone(),
                line: 0,
                message: format!("not declared: add `mod {name};` to `{parent}`"),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_file_is_declared_by_its_parent() {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("crates/a/tests/it/main.rs", "mod waits;\n// mod keys;\n"),
            file("crates/a/tests/it/waits.rs", "mod long;\n"),
            file("crates/a/tests/it/waits/long.rs", ""),
            file("crates/a/tests/it/waits/short.rs", ""),
            file("crates/a/tests/it/keys.rs", ""),
            file("crates/a/src/free.rs", ""),
            file("crates/b/tests/it/main.rs", "mod keys;\n"),
            file("crates/b/tests/it/keys.rs", "mod short;\n"),
        ];
        let shown: Vec<String> = findings(&files).iter().map(Finding::to_string).collect();
        assert_eq!(
            shown,
            [
                "crates/a/tests/it/waits/short.rs: not declared: add `mod short;` to `crates/a/tests/it/waits.rs`",
                "crates/a/tests/it/keys.rs: not declared: add `mod keys;` to `crates/a/tests/it/main.rs`",
            ]
        );
    }
}
