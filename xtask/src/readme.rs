//! `cargo xtask readme`: checks that the first steps in the readme work.
//!
//! The commands, files and failure outputs are read from the page and tried in a new project
//! outside of this workspace, so that nothing else of the workspace is involved. The build is
//! cached in target/readme, and only dependencies that the workspace already has are used.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::step::CommandLine;
use crate::tree;

const PAGE: &str = "README.md";
const SECTION: &str = "## Test your TUI in five minutes";

/// Name of the project that the page creates.
const PROJECT: &str = "hello";

/// Checks every block of the section.
pub(crate) fn run() -> Result<()> {
    let page = fs::read_to_string(PAGE).with_context(|| format!("cannot read `{PAGE}`"))?;
    let claims = claims(&page)?;
    let project = TestProject::new()?;
    for claim in &claims {
        if let Claim::Commands(commands) = claim {
            project.type_in(commands)?;
        }
    }
    for claim in &claims {
        if let Claim::File { path, text } = claim {
            project.write(path, text)?;
        }
    }
    // Locally the baseline is created; on CI it must exist.
    project.passes(&project.cargo("test").without("CI"))?;
    if CommandLine::new("cargo nextest --version").succeeds() {
        project.passes(&project.cargo("nextest run").env("CI", "true"))?;
    }
    for claim in &claims {
        if let Claim::Failure { now, before, shown } = claim {
            project.fails(now, before, shown)?;
        }
    }
    Ok(())
}

/// A block of the page and its meaning.
#[derive(Debug, PartialEq, Eq)]
enum Claim {
    /// Commands for a shell.
    Commands(String),
    /// The contents of a file. The line above names its path first.
    File { path: String, text: String },
    /// The test output if the program prints `now` instead of `before`, as the line above says.
    Failure {
        now: String,
        before: String,
        shown: String,
    },
}

/// Returns the blocks of the section in order.
fn claims(page: &str) -> Result<Vec<Claim>> {
    let (_, section) = page
        .split_once(SECTION)
        .with_context(|| format!("`{PAGE}` has no `{SECTION}`"))?;
    let section = section.split("\n## ").next().unwrap_or(section);
    let mut claims = Vec::new();
    let mut above = "";
    let mut lines = section.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else {
            if !line.is_empty() {
                above = line;
            }
            continue;
        };
        let block = lines.by_ref().take_while(|line| *line != "```");
        let block: String = block.map(|line| format!("{line}\n")).collect();
        // Every second piece is between backticks.
        let named: Vec<&str> = above.split('`').skip(1).step_by(2).collect();
        claims.push(match (language, named.as_slice()) {
            ("sh", _) => Claim::Commands(block),
            ("rust", [path, ..]) => Claim::File {
                path: (*path).to_owned(),
                text: block,
            },
            ("text", [now, before, ..]) if above.contains("` instead of `") => Claim::Failure {
                now: (*now).to_owned(),
                before: (*before).to_owned(),
                shown: block,
            },
            _ => bail!("`{PAGE}`: the block after {above:?} has no known meaning"),
        });
    }
    Ok(claims)
}

/// A folder for the new project, with a link to this workspace.
#[derive(Debug)]
struct TestProject {
    folder: PathBuf,
    target: String,
}

impl TestProject {
    fn new() -> Result<TestProject> {
        let root = tree::root();
        // One folder per clone of this repository, with a stable name, so that earlier builds are
        // reused.
        let mut hasher = DefaultHasher::new();
        root.hash(&mut hasher);
        let name = format!("screentest-readme-{:x}", hasher.finish());
        let folder = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        std::os::unix::fs::symlink(root, folder.join("screentest"))?;
        let target = root.join("target/readme").display().to_string();
        Ok(TestProject { folder, target })
    }

    fn project(&self) -> PathBuf {
        self.folder.join(PROJECT)
    }

    fn cargo(&self, command: &str) -> CommandLine {
        self.at(
            CommandLine::new(&format!("cargo {command}")),
            &self.project(),
        )
    }

    fn at(&self, line: CommandLine, folder: &Path) -> CommandLine {
        line.at(folder)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_NET_OFFLINE", "true")
    }

    fn type_in(&self, commands: &str) -> Result<()> {
        let shell = CommandLine::new("sh -e -c").arg(commands);
        self.passes(&self.at(shell, &self.folder))?;
        // Uses the versions that the workspace has downloaded.
        fs::copy("Cargo.lock", self.project().join("Cargo.lock"))?;
        Ok(())
    }

    fn write(&self, path: &str, text: &str) -> Result<()> {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    }

    fn passes(&self, line: &CommandLine) -> Result<()> {
        let output = line.output()?;
        let said = said(&output);
        ensure!(output.status.success(), "`{line}` failed:\n{said}");
        Ok(())
    }

    /// Changes the program and checks the output of its failing test.
    fn fails(&self, now: &str, before: &str, shown: &str) -> Result<()> {
        let path = self.project().join("src/main.rs");
        let program = fs::read_to_string(&path)?;
        ensure!(program.contains(before), "the program has no `{before}`");
        fs::write(&path, program.replace(before, now))?;
        let line = self.cargo("test");
        let output = line.output()?;
        fs::write(&path, &program)?;
        let said = said(&output);
        ensure!(!output.status.success(), "with `{now}` the test passes");
        ensure!(
            without_times(&said).contains(&without_times(shown)),
            "with `{now}` instead of `{before}` the page shows\n{shown}\nbut the test prints\n{said}"
        );
        Ok(())
    }
}

impl Drop for TestProject {
    fn drop(&mut self) {
        // The folder is in the system's temporary folder, so it is removed eventually.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Replaces times, which vary between runs: `at 2ms` and `at 3ms` become equal.
fn without_times(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once("ms, ") {
        Some((before, after)) if before.trim_start().starts_with("at ") => {
            format!("at …, {after}\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

fn said(output: &std::process::Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{out}{err}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_above_a_block_gives_its_meaning() {
        let page = format!(
            "# x\n```sh\nno\n```\n{SECTION}\n\n```sh\ncargo new hello\n```\n\n`src/main.rs`, it:\n\n```rust\nfn main() {{}}\n```\n\
             With `a` instead of `b`:\n\n```text\nno\n  yes\n```\n\n## Next\n```sh\nno\n```\n"
        );
        let [commands, file, failure] = &claims(&page).unwrap()[..] else {
            panic!("three blocks");
        };
        assert_eq!(*commands, Claim::Commands("cargo new hello\n".to_owned()));
        let path = "src/main.rs".to_owned();
        let text = "fn main() {}\n".to_owned();
        assert_eq!(*file, Claim::File { path, text });
        let (now, before, shown) = ("a".to_owned(), "b".to_owned(), "no\n  yes\n".to_owned());
        assert_eq!(*failure, Claim::Failure { now, before, shown });
    }

    #[test]
    fn a_block_without_a_known_meaning_is_an_error() {
        let page = format!("{SECTION}\nWhat it prints:\n```text\nx\n```\n");
        assert!(claims(&page).is_err());
        assert!(claims("# x\n").is_err());
    }
}
