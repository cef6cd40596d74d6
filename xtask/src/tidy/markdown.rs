//! Checks that documents name existing files.

use super::Finding;
use crate::tree::File;

/// Returns links to files that do not exist.
pub(super) fn dead_links(page: &File, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    prose(&page.text)
        .flat_map(|(line, text)| links(text).map(move |target| (line, target)))
        .filter_map(|(line, target)| {
            let path = resolve(&page.path, target)?;
            (!exists(&path)).then(|| Finding {
                path: page.path.clone(),
                line,
                message: format!("the link to `{target}` is broken"),
            })
        })
        .collect()
}

/// Returns paths in backticks, relative to the root, that do not exist.
pub(super) fn dead_paths(page: &File, exists: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, text) in prose(&page.text) {
        // Every second piece is between backticks.
        for name in text.split('`').skip(1).step_by(2) {
            if is_path(name) && !exists(name) {
                findings.push(Finding {
                    path: page.path.clone(),
                    line,
                    message: format!("`{name}` does not exist"),
                });
            }
        }
    }
    findings
}

/// Returns pages below `folder` to which none of the `indexes` links.
pub(super) fn unlinked(pages: &[File], folder: &str, indexes: &[&str]) -> Vec<Finding> {
    let linked: Vec<String> = pages
        .iter()
        .filter(|page| indexes.contains(&page.path.as_str()))
        .flat_map(|page| {
            prose(&page.text)
                .flat_map(|(_, text)| links(text))
                .filter_map(|target| resolve(&page.path, target))
        })
        .collect();
    pages
        .iter()
        .filter(|page| page.path.starts_with(folder) && !linked.contains(&page.path))
        .map(|page| Finding {
            path: page.path.clone(),
            line: 0,
            message: format!("not linked from {}", indexes.join(" or ")),
        })
        .collect()
}

/// Returns the lines outside code blocks, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines()
        .enumerate()
        .filter(move |(_, line)| {
            let fence = line.trim_start().starts_with("```");
            code ^= fence;
            !code && !fence
        })
        .map(|(index, line)| (index + 1, line))
}

/// Returns the targets of the links in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// Resolves a link on `page` to a path relative to the root; `None` for URLs and anchors on the
/// same page.
fn resolve(page: &str, target: &str) -> Option<String> {
    let target = target.split('#').next().unwrap_or_default();
    if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether an inline code span is a path: it has folders or a known extension, and no placeholders.
fn is_path(name: &str) -> bool {
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let ending = [".rs", ".md", ".toml"]
        .iter()
        .any(|end| name.ends_with(end));
    plain && (ending || name.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, text: &str) -> File {
        File {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn shown(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(Finding::to_string).collect()
    }

    #[test]
    fn links_are_followed_from_the_page_they_are_on() {
        let text = "\
[a](vt2.md), [b](../../README.md#use) and [c](lost.md)
[web](https://example.org/x.md), [here](#header)
```text
[code](gone.md)
```
[up](../lost.md)
";
        let exists = |path: &str| ["docs/formats/vt2.md", "README.md"].contains(&path);
        assert_eq!(
            shown(&dead_links(&page("docs/formats/all.md", text), exists)),
            [
                "docs/formats/all.md:1: the link to `lost.md` is broken",
                "docs/formats/all.md:6: the link to `../lost.md` is broken",
            ]
        );
    }

    #[test]
    fn paths_in_backticks_exist() {
        let text = "`src/a.rs` and `src/b.rs`, `cargo xtask test`, `a::b`, `docs/<name>.md`, `Screen`, `lost.toml`";
        let exists = |path: &str| path == "src/a.rs";
        assert_eq!(
            shown(&dead_paths(&page("ARCHITECTURE.md", text), exists)),
            [
                "ARCHITECTURE.md:1: `src/b.rs` does not exist",
                "ARCHITECTURE.md:1: `lost.toml` does not exist",
            ]
        );
    }

    #[test]
    fn every_format_is_linked_from_an_index() {
        let pages = [
            page("README.md", "[binary](docs/formats/vt2.md)"),
            page("docs/other.md", "[ansi](formats/ansi.md)"),
            page("docs/formats/vt2.md", ""),
            page("docs/formats/ansi.md", ""),
        ];
        assert_eq!(
            shown(&unlinked(&pages, "docs/formats/", &["README.md"])),
            ["docs/formats/ansi.md: not linked from README.md"]
        );
    }
}
