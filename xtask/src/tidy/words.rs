//! Checks for words that code must not contain.

use super::Finding;
use super::source::lines;
use crate::tree::File;

/// Returns the occurrences of the words outside comments.
pub(super) fn findings(file: &File, words: &[(&str, &str)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, code) in lines(&file.text) {
        for (word, instead) in words {
            if code.contains(word) {
                findings.push(Finding {
                    path: file.path.clone(),
                    line,
                    message: format!("no `{word}`: {instead}"),
                });
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_in_code_and_not_in_comments() {
        let file = File {
            path: "a.rs".to_owned(),
            text: "// never sleep()\nsleep(1); // at all\n".to_owned(),
        };
        let findings = findings(&file, &[("sleep(", "wait")]);
        let shown: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert_eq!(shown, ["a.rs:2: no `sleep(`: wait"]);
    }
}
