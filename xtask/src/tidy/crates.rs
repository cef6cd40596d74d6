//! Checks which files name which foreign crates.

use super::source::{is_identifier_char, lines};
use super::{CrateRule, Finding};
use crate::tree::File;

/// Returns the places where a file names a crate that it must not.
pub(super) fn findings(file: &File, rules: &[CrateRule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules {
        if rule.only.iter().any(|start| file.path.starts_with(start)) {
            continue;
        }
        for name in rule.crates {
            // A module of the same name that wraps the crate is not the crate.
            if lines(&file.text).any(|(_, code)| declares(code, name)) {
                continue;
            }
            let named = lines(&file.text).filter(|(_, code)| names(code, name));
            findings.extend(named.map(|(line, _)| Finding {
                path: file.path.clone(),
                line,
                message: format!("`{name}` may not be named here: {}", rule.reason),
            }));
        }
    }
    findings
}

/// Whether a line declares a module of this name.
pub(super) fn declares(code: &str, name: &str) -> bool {
    let Some((before, after)) = code.split_once("mod ") else {
        return false;
    };
    let visible = before.is_empty() || before.ends_with(' ');
    let declared = after.trim_end().trim_end_matches([';', '{', ' ']);
    visible && declared == name
}

/// Whether a line names the crate: as the first part of a path, or as a whole `use`.
fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, rest) = code.split_at(at);
        let after = rest.strip_prefix(name).unwrap_or_default();
        if before.ends_with(is_identifier_char) || after.starts_with(is_identifier_char) {
            return false;
        }
        // `emulator::avt` is our own module; `::avt` is the crate.
        if let Some(path) = before.strip_suffix("::")
            && path.ends_with(is_identifier_char)
        {
            return false;
        }
        let used = before.trim_end().ends_with("use");
        after.starts_with("::") || (used && after.trim_start().starts_with([';', 'a']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [CrateRule; 1] = [CrateRule {
        crates: &["avt", "vte"],
        only: &["src/emulator/avt.rs"],
        reason: "it is hidden",
    }];

    fn found(path: &str, text: &str) -> Vec<String> {
        let file = File {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let findings = findings(&file, &RULES);
        findings.iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_crate_is_named_only_where_it_may_be() {
        let text = "//! Wraps avt.\n\nuse avt::Vt;\n";
        assert_eq!(found("src/emulator/avt.rs", text), [""; 0]);
        assert_eq!(
            found("src/screen.rs", text),
            ["src/screen.rs:3: `avt` may not be named here: it is hidden"]
        );
    }

    #[test]
    fn every_way_to_name_a_crate_is_found() {
        for code in [
            "let vt = avt::Vt::new();",
            "let vt = ::avt::Vt::new();",
            "use {avt::Vt, std::fmt};",
            "use avt;",
            "use avt as emulator;",
            "pub(crate) use vte::Parser;",
        ] {
            assert_eq!(found("src/a.rs", code).len(), 1, "{code}");
        }
    }

    #[test]
    fn similar_names_are_not_the_crate() {
        for code in [
            "use crate::emulator::avt::Avt;",
            "pub mod avt;\nlet it = avt::Avt::new();",
            "let my_avt::X = avtar::Y;",
            "// avt::Vt does this too",
            "/// [`avt::Vt`]",
            "Backend::Avt => avt,",
        ] {
            assert_eq!(found("src/a.rs", code), [""; 0], "{code}");
        }
    }
}
