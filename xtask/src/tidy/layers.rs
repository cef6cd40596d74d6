//! Checks which modules a file names in its own crate.

use super::source::{is_identifier_char, lines};
use super::{Finding, LayerRule};
use crate::tree::File;

/// Returns the places where a file names a module of a layer above it.
pub(super) fn findings(file: &File, rules: &[LayerRule]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules {
        if !rule.below.iter().any(|start| file.path.starts_with(start)) {
            continue;
        }
        for module in rule.modules {
            let named = lines(&file.text).filter(|(_, code)| names(code, module));
            findings.extend(named.map(|(line, _)| Finding {
                path: file.path.clone(),
                line,
                message: format!("`crate::{module}` may not be named here: {}", rule.reason),
            }));
        }
    }
    findings
}

/// Whether a line names the module by its path: alone or in a group, such as
/// `use crate::{app, test};`.
fn names(code: &str, module: &str) -> bool {
    code.match_indices(module).any(|(at, _)| {
        let (before, rest) = code.split_at(at);
        let after = rest.strip_prefix(module).unwrap_or_default();
        if before.ends_with(is_identifier_char) || after.starts_with(is_identifier_char) {
            return false;
        }
        let in_group = before.contains("crate::{") && !before.ends_with("::");
        before.ends_with("crate::") || before.ends_with("super::") || in_group
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [LayerRule; 1] = [LayerRule {
        below: &["src/session"],
        modules: &["recording", "test"],
        reason: "it is above",
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
    fn a_lower_layer_does_not_name_a_higher_one() {
        let text = "use crate::app::App;\nuse crate::recording::Recorder;\n";
        let expected = ":2: `crate::recording` may not be named here: it is above";
        for path in ["src/session.rs", "src/session/wait.rs"] {
            assert_eq!(found(path, text), [format!("{path}{expected}")]);
        }
        assert_eq!(found("src/recording.rs", text), [""; 0]);
    }

    #[test]
    fn every_path_to_a_module_is_found() {
        for code in [
            "let it = crate::test::Tui::new();",
            "use crate::{app::App, test::Tui};",
            "use super::super::recording;",
            "Problem(#[from] crate::recording::Error),",
        ] {
            assert_eq!(found("src/session/a.rs", code).len(), 1, "{code}");
        }
    }

    #[test]
    fn similar_names_are_not_the_module() {
        for code in [
            "#[cfg(test)]",
            "use crate::testing::Tui;",
            "use crate::{app::test, clock};",
            "// crate::test::Tui",
            "let recording = true;",
        ] {
            assert_eq!(found("src/session/a.rs", code), [""; 0], "{code}");
        }
    }
}
