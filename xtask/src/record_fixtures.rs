//! `cargo xtask record-fixtures`: replaces the cassettes that the tests check by new recordings.
//!
//! The scripts of the cassettes are tests, which record into their own folder on every run.
//! With an environment variable set, they replace the committed cassettes and check the same
//! assertions on them.

use anyhow::{Result, bail};

use crate::setup;
use crate::step::{CommandLine, Steps};
use crate::tree;

/// Folder of the committed cassettes.
const CASSETTES: &str = "crates/screentest/tests/cassettes";

/// Records every fixture, or only the named one.
pub(crate) fn run(only: Option<&str>) -> Result<()> {
    let known = known()?;
    if let Some(name) = only
        && !known.iter().any(|known| known == name)
    {
        bail!("no fixture `{name}`; available: {}", known.join(", "));
    }
    setup::programs()?;
    let mut steps = Steps::default();
    steps.command(&line(only));
    steps.finish()
}

/// Returns the command that runs the recording tests.
fn line(only: Option<&str>) -> CommandLine {
    let test = match only {
        None => "conformance::recorded::rerecord::".to_owned(),
        Some(name) => format!(
            "conformance::recorded::rerecord::{}",
            name.trim_start_matches("synthetic-")
        ),
    };
    let line = CommandLine::new("cargo test --quiet -p screentest --test it --").arg(test);
    line.env("SCREENTEST_RECORD_FIXTURES", "1")
}

/// Returns the names of the committed cassettes.
fn known() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tree::root().join(CASSETTES))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(name.strip_suffix(".cassette").map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fixture_is_recorded_by_the_test_of_its_name() {
        assert_eq!(
            line(None).to_string(),
            "SCREENTEST_RECORD_FIXTURES=1 cargo test --quiet -p screentest --test it -- conformance::recorded::rerecord::"
        );
        let tests = std::fs::read_to_string(
            tree::root().join("crates/screentest/tests/it/conformance/recorded.rs"),
        );
        let tests = tests.unwrap();
        for name in known().unwrap() {
            let line = line(Some(&name)).to_string();
            let (_, test) = line.rsplit_once("::").unwrap();
            assert!(tests.contains(&format!("{test} = \"{name}\",")), "{name}");
        }
    }
}
