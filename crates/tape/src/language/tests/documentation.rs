//! Tests that the documentation of tapes is correct.

use crate::language::{Dialect, parse};
use screentest_core::Selector;

const PAGE: &str = include_str!("../../../../../docs/formats/tape.md");

/// Returns the code blocks of a language.
fn blocks(kind: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    for line in PAGE.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) if language == kind => open = Some(Vec::new()),
            (None, Some(_)) => open = Some(vec!["```"]),
            (Some(_), Some(_)) => {
                let lines = open.take().unwrap_or_default();
                if lines.first() != Some(&"```") {
                    blocks.push(lines.join("\n"));
                }
            }
            (Some(lines), None) => lines.push(line),
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn every_tape_in_the_docs_is_valid() {
    let tapes = blocks("tape");
    assert!(tapes.len() >= 11, "{}", tapes.len());
    for tape in tapes {
        let (read, report) = parse(&tape, "docs/formats/tape.md", None);
        assert!(report.is_empty(), "{report}");
        let (_, report) =
            read.resolve(|path, _| Ok::<_, &str>((path.to_owned(), "Enter".to_owned())));
        assert!(!report.has_errors(), "{report}");
    }
}

#[test]
fn every_selector_in_the_docs_is_valid() {
    let lines = blocks("selector").join("\n");
    assert!(lines.lines().count() >= 15);
    for line in lines.lines() {
        let selector = line.split("  # ").next().unwrap_or_default();
        assert!(selector.parse::<Selector>().is_ok(), "{line}");
    }
}

/// Returns the names between backticks in the first column of a table.
fn named(heading: &str) -> Vec<String> {
    let section = PAGE.split(heading).nth(1).unwrap_or_default();
    let rows = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|'));
    let names = rows.filter_map(|row| Some(row.split('`').nth(1)?.to_owned()));
    names.collect()
}

#[test]
fn every_setting_is_in_the_docs() {
    let mut table = named("## Settings");
    table.sort();
    let mut names = crate::language::setting::NAMES.map(str::to_owned).to_vec();
    names.sort();
    assert_eq!(table, names);
}

#[test]
fn every_command_is_in_the_docs() {
    for name in crate::language::parser::NAMES {
        assert!(PAGE.contains(&format!("`{name}")), "{name}");
    }
    for (extension, _) in crate::language::output::EXTENSIONS {
        let shown = if extension == "/" {
            "`x/`".to_owned()
        } else {
            format!("`.{extension}`")
        };
        assert!(PAGE.contains(&shown), "{extension}");
    }
    for (name, _) in Dialect::ALL {
        assert!(PAGE.contains(&format!("`{name}`")));
    }
}
