//! Running one step after another and saying how each went.
//!
//! A step is a command that a person could type, and is shown as that. Later steps run even when one failed, so that one
//! run shows everything there is to repair.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    folder: Option<PathBuf>,
    /// `None` unsets.
    environment: Vec<(&'static str, Option<String>)>,
    words: Vec<String>,
}

impl CommandLine {
    /// A command line from its words, which must not need quotes.
    pub(crate) fn new(words: &str) -> CommandLine {
        CommandLine {
            folder: None,
            environment: Vec::new(),
            words: words.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// The same with one more word, which may need quotes.
    pub(crate) fn arg(mut self, word: impl Into<String>) -> CommandLine {
        self.words.push(word.into());
        self
    }

    /// The same in a folder.
    pub(crate) fn at(mut self, folder: &Path) -> CommandLine {
        self.folder = Some(folder.to_owned());
        self
    }

    /// The same with a variable set.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> CommandLine {
        self.environment.push((name, Some(value.into())));
        self
    }

    /// The same with a variable unset.
    pub(crate) fn without(mut self, name: &'static str) -> CommandLine {
        self.environment.push((name, None));
        self
    }

    /// Whether it can be started and ends well; what it says is of no interest.
    pub(crate) fn succeeds(&self) -> bool {
        self.output().is_ok_and(|output| output.status.success())
    }

    /// Runs it, with its output where ours goes.
    pub(crate) fn run(&self) -> Result<ExitStatus> {
        self.command()
            .status()
            .with_context(|| format!("cannot start `{self}`"))
    }

    /// Runs it and keeps what it says.
    pub(crate) fn output(&self) -> Result<Output> {
        self.command()
            .output()
            .with_context(|| format!("cannot start `{self}`"))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "chores run cargo and the package manager, which need no terminal"
    )]
    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }
}

/// Writes it as a shell would read it.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(folder) = &self.folder {
            write!(f, "cd {} && ", quoted(&folder.to_string_lossy()))?;
        }
        for (name, value) in &self.environment {
            match value {
                Some(value) => write!(f, "{name}={} ", quoted(value))?,
                None => write!(f, "{name}= ")?,
            }
        }
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        f.write_str(&words.join(" "))
    }
}

fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}

/// What has been run so far.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    failed: Vec<String>,
}

impl Steps {
    /// Runs a command as a step.
    pub(crate) fn command(&mut self, line: &CommandLine) {
        self.step(&line.to_string(), || {
            let status = line.run()?;
            if !status.success() {
                bail!("{status}");
            }
            Ok(())
        });
    }

    /// Runs a part of this program as a step; `name` is the command that would run it alone.
    pub(crate) fn step(&mut self, name: &str, run: impl FnOnce() -> Result<()>) {
        let clock = now();
        let result = run();
        let time = seconds(clock.elapsed());
        match result {
            Ok(()) => println!("ok    {time}  {name}"),
            Err(error) => {
                println!("FAIL  {time}  {name}: {error:#}");
                self.failed.push(name.to_owned());
            }
        }
    }

    /// An error that names what to repeat, if anything failed.
    pub(crate) fn finish(self) -> Result<()> {
        if self.failed.is_empty() {
            return Ok(());
        }
        let repeat = self.failed.join("\n  ");
        bail!(
            "{} failed; to repeat:\n  {repeat}",
            count(self.failed.len())
        )
    }
}

fn count(steps: usize) -> String {
    match steps {
        1 => "one step".to_owned(),
        steps => format!("{steps} steps"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:6.1} s", time.as_secs_f64())
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a step took is for people; no test depends on it"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_one_would_type_it() {
        let line = CommandLine::new("cargo doc --no-deps").env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            line.to_string(),
            "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps"
        );
        let line = CommandLine::new("cargo test").env("SCREENTEST_FULL", "1");
        assert_eq!(line.to_string(), "SCREENTEST_FULL=1 cargo test");
        let line = CommandLine::new("sh -c").arg("a b").at(Path::new("/tmp"));
        assert_eq!(line.without("CI").to_string(), "cd /tmp && CI= sh -c 'a b'");
    }

    #[test]
    fn later_steps_run_and_the_failed_are_named() {
        let mut steps = Steps::default();
        let mut ran = 0;
        steps.step("first", || bail!("no"));
        steps.step("second", || {
            ran += 1;
            Ok(())
        });
        assert_eq!(ran, 1);
        let error = steps.finish().unwrap_err().to_string();
        assert_eq!(error, "one step failed; to repeat:\n  first");
    }
}
