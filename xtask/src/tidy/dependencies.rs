//! Checks the licences, sources and duplicate versions of all dependencies, as `cargo metadata`
//! reports them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Finding;
use crate::step::CommandLine;

/// Licences that allow use in a program under any licence.
const LICENCES: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages of which two versions are built, because other dependencies require different versions.
/// Each costs build time and size, so think before you add one.
const DUPLICATES: [&str; 12] = [
    "base64",
    "cpufeatures",
    "getrandom",
    "miniz_oxide",
    "quick-error",
    "rand",
    "rand_core",
    "signal-hook",
    "syn",
    "thiserror",
    "thiserror-impl",
    "vte",
];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The file that findings refer to.
const LOCK: &str = "Cargo.lock";

/// A package of the dependency graph.
#[derive(Debug, Clone)]
struct Package {
    name: String,
    version: String,
    licence: Option<String>,
    /// `None` for a folder.
    source: Option<String>,
    in_workspace: bool,
}

/// Checks the dependencies of this project.
pub(super) fn findings() -> Result<Vec<Finding>> {
    // On a new machine, this downloads the dependencies. Those of other platforms are not needed.
    let line = CommandLine::new(
        "cargo metadata --format-version 1 --locked --filter-platform x86_64-unknown-linux-gnu",
    );
    let output = line.output()?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed: {}", errors.trim_end());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("`{line}` printed no JSON"))?;
    Ok(check(&packages(&metadata), &DUPLICATES))
}

fn packages(metadata: &Value) -> Vec<Package> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let members = list(&metadata["workspace_members"]);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let packages = list(&metadata["packages"]);
    let package = |package: &Value| Package {
        name: text(&package["name"]).unwrap_or_default(),
        version: text(&package["version"]).unwrap_or_default(),
        licence: text(&package["license"]),
        source: text(&package["source"]),
        in_workspace: members.contains(&package["id"]),
    };
    packages.iter().map(package).collect()
}

fn check(packages: &[Package], duplicates: &[&str]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |message: String| {
        findings.push(Finding {
            path: LOCK.to_owned(),
            line: 0,
            message,
        });
    };
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        let Package { name, version, .. } = package;
        versions.entry(name).or_default().insert(version);
        match &package.licence {
            Some(licence) if is_allowed(licence) => {}
            Some(licence) => add(format!("`{name}` {version} has the licence `{licence}`")),
            None => add(format!("`{name}` {version} states no licence")),
        }
        match package.source.as_deref() {
            Some(REGISTRY) => {}
            None if package.in_workspace => {}
            Some(source) => add(format!("`{name}` {version} comes from `{source}`")),
            None => add(format!("`{name}` {version} comes from a folder")),
        }
    }
    for (name, versions) in &versions {
        if versions.len() > 1 && !duplicates.contains(name) {
            let list: Vec<&str> = versions.iter().copied().collect();
            add(format!("`{name}` is built in versions {}", list.join(", ")));
        }
    }
    for name in duplicates {
        if versions.get(name).is_none_or(|versions| versions.len() < 2) {
            add(format!(
                "`{name}` has one version: remove it from DUPLICATES"
            ));
        }
    }
    findings
}

/// Returns whether one alternative of a licence expression has only allowed licences.
fn is_allowed(expression: &str) -> bool {
    // Before SPDX, a slash meant `OR`. `AND` binds more strongly, except for parentheses, which
    // occur only around alternatives.
    let expression = expression.replace('/', " OR ");
    let mut parts: Vec<String> = vec![String::new()];
    for (depth, piece) in pieces(&expression) {
        if depth == 0 && piece == "AND" {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push_str(piece);
            part.push(' ');
        }
    }
    let has_parentheses = expression.contains('(');
    if has_parentheses {
        return parts.iter().all(|part| any_alternative(part));
    }
    expression
        .split(" OR ")
        .any(|alternative| alternative.split(" AND ").all(is_listed))
}

/// Returns the words of an expression with the depth of their parentheses, which are left out.
fn pieces(expression: &str) -> Vec<(usize, &str)> {
    let mut depth: usize = 0;
    let mut pieces = Vec::new();
    for word in expression.split_whitespace() {
        depth += word.matches('(').count();
        pieces.push((depth, word.trim_matches(['(', ')'])));
        depth = depth.saturating_sub(word.matches(')').count());
    }
    pieces
}

fn any_alternative(part: &str) -> bool {
    part.trim().split(" OR ").any(is_listed)
}

fn is_listed(licence: &str) -> bool {
    let words: Vec<&str> = licence.split_whitespace().collect();
    LICENCES.contains(&words.join(" ").as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            licence: Some("MIT".to_owned()),
            source: Some(REGISTRY.to_owned()),
            in_workspace: false,
        }
    }

    fn found(packages: &[Package], duplicates: &[&str]) -> Vec<String> {
        let findings = check(packages, duplicates);
        findings
            .into_iter()
            .map(|finding| finding.message)
            .collect()
    }

    #[test]
    fn one_alternative_of_allowed_licences_is_enough() {
        for licence in [
            "MIT",
            "GPL-3.0 OR MIT",
            "Apache-2.0/MIT",
            "GPL-2.0 / Zlib",
            "Apache-2.0 WITH LLVM-exception",
            "MIT AND BSD-3-Clause",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
        ] {
            assert!(is_allowed(licence), "{licence}");
        }
        for licence in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR Apache-2.0) AND GPL-3.0",
            "(GPL-2.0 OR GPL-3.0) AND MIT",
            "Apache-2.0 WITH Other-exception",
            "",
        ] {
            assert!(!is_allowed(licence), "{licence}");
        }
    }

    #[test]
    fn licences_and_sources_are_checked() {
        let mut none = package("none", "1.0.0");
        none.licence = None;
        let mut git = package("git", "1.0.0");
        git.source = Some("git+https://x".to_owned());
        let mut folder = package("folder", "1.0.0");
        folder.source = None;
        let mut own = folder.clone();
        own.in_workspace = true;
        assert_eq!(
            found(&[none, git, folder, own], &[]),
            [
                "`none` 1.0.0 states no licence",
                "`git` 1.0.0 comes from `git+https://x`",
                "`folder` 1.0.0 comes from a folder",
            ]
        );
    }

    #[test]
    fn duplicates_are_listed_and_the_list_is_exact() {
        let packages = [
            package("a", "1.0.0"),
            package("a", "2.0.0"),
            package("b", "1.0.0"),
        ];
        assert_eq!(found(&packages, &["a"]), [""; 0]);
        assert_eq!(
            found(&packages, &[]),
            ["`a` is built in versions 1.0.0, 2.0.0"]
        );
        assert_eq!(
            found(&packages, &["a", "b"]),
            ["`b` has one version: remove it from DUPLICATES"]
        );
    }
}
