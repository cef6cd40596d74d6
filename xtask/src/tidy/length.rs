//! Reports long files, which may contain a second idea.

use super::Finding;
use crate::tree::File;

/// Returns the files of more than `limit` lines, excluding tests.
pub(super) fn warnings(code: &[File], limit: usize) -> Vec<Finding> {
    code.iter()
        .filter(|file| !is_test(&file.path))
        .filter_map(|file| {
            let lines = file
                .text
                .lines()
                .take_while(|line| *line != "#[cfg(test)]")
                .count();
            (lines > limit).then(|| Finding {
                path: file.path.clone(),
                line: 0,
                message: format!("{lines} lines: split it if it contains a second idea"),
            })
        })
        .collect()
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|folder| folder == "tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_reported_and_tests_are_not_counted() {
        let file = |path: &str, text: &str| File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("src/short.rs", "1\n2\n"),
            file("src/long.rs", "1\n2\n3\n"),
            file("src/tested.rs", "1\n2\n#[cfg(test)]\nmod tests {}\n"),
            file("src/a/tests.rs", "1\n2\n3\n"),
            file("tests/it/a.rs", "1\n2\n3\n"),
        ];
        let shown: Vec<String> = warnings(&files, 2).iter().map(Finding::to_string).collect();
        assert_eq!(
            shown,
            ["src/long.rs: 3 lines: split it if it contains a second idea"]
        );
    }
}
