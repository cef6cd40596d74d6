//! Reports comment lines that are too long. rustfmt does not wrap comments.

use super::Finding;
use crate::tree::File;

/// Maximum number of characters of a line with a comment, as for code.
const MAX_CHARS: usize = 100;

/// Returns the comment lines that are longer than [`MAX_CHARS`]. Lines that cannot be wrapped are
/// allowed: URLs, and imports in examples.
pub(super) fn findings(file: &File) -> Vec<Finding> {
    let lines = file.text.lines().enumerate();
    let long = lines.filter(|(_, line)| is_comment(line) && line.chars().count() > MAX_CHARS);
    let finding = |(index, line): (usize, &str)| Finding {
        path: file.path.clone(),
        line: index + 1,
        message: format!(
            "a comment of {} characters: wrap it at {MAX_CHARS}",
            line.chars().count()
        ),
    };
    long.map(finding).collect()
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") && !line.contains("://") && !line.starts_with("/// use ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_comments_are_reported_with_their_line() {
        let long = "x".repeat(98);
        let file = File {
            path: "src/a.rs".to_owned(),
            text: format!("// short\n    // {long}\nlet x = 1; // {long}\n// https://{long}\n"),
        };
        let shown: Vec<String> = findings(&file).iter().map(Finding::to_string).collect();
        assert_eq!(
            shown,
            ["src/a.rs:2: a comment of 105 characters: wrap it at 100"]
        );
    }
}
