//! `cargo xtask readme`: the first steps that the readme gives a stranger lead where it says.
//!
//! The commands, the files and the failures are read from the page itself and tried in a new project outside of this
//! workspace, so that nothing of ours helps. What cargo builds for it is kept in target/readme, and nothing is downloaded that
//! the workspace has not needed already.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::step::CommandLine;
use crate::tree;

const PAGE: &str = "README.md";
const SECTION: &str = "## Test your TUI in five minutes";

/// The project that the page makes.
const PROJECT: &str = "hello";

/// Tries everything that the section says.
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
    // At a desk the baseline is made; on CI it must be there.
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

/// Something that the page says.
#[derive(Debug, PartialEq, Eq)]
enum Claim {
    /// To be typed into a shell.
    Commands(String),
    /// To be put into a file, which the line above names first.
    File { path: String, text: String },
    /// What the test prints when the program says one thing instead of another, as the line above has it.
    Failure {
        now: String,
        before: String,
        shown: String,
    },
}

/// What the section claims, in its order.
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
        // Between backticks is every second piece.
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
            _ => bail!("`{PAGE}`: nothing says what the block below {above:?} is"),
        });
    }
    Ok(claims)
}

/// Somebody with an empty folder and a clone of this project in it.
#[derive(Debug)]
struct TestProject {
    folder: PathBuf,
    target: String,
}

impl TestProject {
    fn new() -> Result<TestProject> {
        let root = tree::root();
        // One for each clone of this project, and the same each time, so that what was built for it is found again.
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
        // The versions that the workspace has downloaded.
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

    /// Changes the program, and looks for what its test should say then.
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
            "with `{now}` instead of `{before}` the page shows\n{shown}\nand the test says\n{said}"
        );
        Ok(())
    }
}

impl Drop for TestProject {
    fn drop(&mut self) {
        // It is in the folder for temporary files, which somebody empties.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The text with its times made even: `at 2ms` is as true as `at 3ms`.
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
    fn a_block_is_what_the_line_above_it_says() {
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
    fn a_block_of_which_nothing_is_said_is_an_error() {
        let page = format!("{SECTION}\nWhat it prints:\n```text\nx\n```\n");
        assert!(claims(&page).is_err());
        assert!(claims("# x\n").is_err());
    }
}
