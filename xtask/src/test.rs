//! `cargo xtask test`: runs all checks that a change must pass.

use anyhow::Result;

use crate::step::{CommandLine, Steps};
use crate::{hostile, readme, setup, tidy};

/// How often the tests repeat random or long parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Enough to catch a mistake while working.
    Quick,
    /// The full counts.
    Full,
}

/// Sets up, then runs every check.
pub(crate) fn run(counts: Counts) -> Result<()> {
    setup::run()?;
    // nextest runs each test in its own process, so that a test that hangs or leaks is named.
    let nextest = CommandLine::new("cargo nextest --version").succeeds();
    let mut steps = Steps::default();
    for check in checks(counts, nextest) {
        match check {
            Check::Command(line) => steps.command(&line),
            Check::Hostile => {
                steps.step("cargo xtask hostile --quick", || hostile::run(&["--quick"]));
            }
            Check::Tidy => steps.step("cargo xtask tidy", tidy::run),
            Check::Readme => steps.step("cargo xtask readme", readme::run),
        }
    }
    steps.finish()
}

#[derive(Debug, PartialEq, Eq)]
enum Check {
    Command(CommandLine),
    Hostile,
    Tidy,
    Readme,
}

/// Returns the checks, the quick ones first.
fn checks(counts: Counts, nextest: bool) -> Vec<Check> {
    let test = |words| {
        let line = CommandLine::new(words);
        match counts {
            Counts::Quick => line,
            Counts::Full => line.env("SCREENTEST_FULL", "1"),
        }
    };
    let tests = if nextest {
        "cargo nextest run --workspace"
    } else {
        "cargo test --workspace --lib --bins --tests --examples"
    };
    // Only the libraries: the page of the binary would replace that of the library of the same
    // name.
    let documentation = CommandLine::new("cargo doc --workspace --no-deps --lib");
    vec![
        Check::Command(CommandLine::new("cargo fmt --all --check")),
        // A separate workspace, which is built only for the comparison.
        Check::Command(CommandLine::new(
            "cargo fmt --manifest-path bench/peers/Cargo.toml --check",
        )),
        Check::Tidy,
        Check::Command(CommandLine::new(
            "cargo clippy --workspace --all-targets -- -D warnings",
        )),
        // Other crates of the workspace enable features of the library; this checks its default
        // features.
        Check::Command(CommandLine::new(
            "cargo clippy -p screentest -- -D warnings",
        )),
        Check::Command(test(tests)),
        Check::Command(test("cargo test --workspace --doc")),
        Check::Hostile,
        Check::Readme,
        Check::Command(documentation.env("RUSTDOCFLAGS", "-D warnings")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(counts: Counts, nextest: bool) -> Vec<String> {
        checks(counts, nextest)
            .iter()
            .map(|check| match check {
                Check::Command(line) => line.to_string(),
                Check::Hostile => "hostile".to_owned(),
                Check::Tidy => "tidy".to_owned(),
                Check::Readme => "readme".to_owned(),
            })
            .collect()
    }

    #[test]
    fn the_checks_are_commands_that_a_person_can_repeat() {
        assert_eq!(
            shown(Counts::Quick, true),
            [
                "cargo fmt --all --check",
                "cargo fmt --manifest-path bench/peers/Cargo.toml --check",
                "tidy",
                "cargo clippy --workspace --all-targets -- -D warnings",
                "cargo clippy -p screentest -- -D warnings",
                "cargo nextest run --workspace",
                "cargo test --workspace --doc",
                "hostile",
                "readme",
                "RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --lib",
            ]
        );
        let full = shown(Counts::Full, false);
        assert_eq!(
            full[5],
            "SCREENTEST_FULL=1 cargo test --workspace --lib --bins --tests --examples"
        );
    }
}
