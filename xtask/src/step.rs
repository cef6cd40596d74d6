//! Runs steps one after another and reports each result.
//!
//! A step is a command that a person could type, and is printed as such. Later steps run even if
//! one failed, so that one run shows all failures.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    folder: Option<PathBuf>,
    /// `None` unsets the variable.
    environment: Vec<(&'static str, Option<String>)>,
    words: Vec<String>,
}

impl CommandLine {
    /// Creates a command line from words that need no quotes.
    pub(crate) fn new(words: &str) -> CommandLine {
        CommandLine {
            folder: None,
            environment: Vec::new(),
            words: words.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Adds a word, which may need quotes.
    pub(crate) fn arg(mut self, word: impl Into<String>) -> CommandLine {
        self.words.push(word.into());
        self
    }

    /// Sets the working directory.
    pub(crate) fn at(mut self, folder: &Path) -> CommandLine {
        self.folder = Some(folder.to_owned());
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &'static str, value: impl Into<String>) -> CommandLine {
        self.environment.push((name, Some(value.into())));
        self
    }

    /// Unsets an environment variable.
    pub(crate) fn without(mut self, name: &'static str) -> CommandLine {
        self.environment.push((name, None));
        self
    }

    /// Whether the command starts and succeeds; its output is ignored.
    pub(crate) fn succeeds(&self) -> bool {
        self.output().is_ok_and(|output| output.status.success())
    }

    /// Runs the command with inherited output.
    pub(crate) fn run(&self) -> Result<ExitStatus> {
        self.command()
            .status()
            .with_context(|| format!("cannot start `{self}`"))
    }

    /// Runs the command and returns its output.
    pub(crate) fn output(&self) -> Result<Output> {
        self.command()
            .output()
            .with_context(|| format!("cannot start `{self}`"))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "runs cargo and package managers, which need no terminal"
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

/// Formats the command as shell input.
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

/// The results so far.
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

    /// Runs a function as a step; `name` is the command that runs it alone.
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

    /// Returns an error with the commands to repeat, if any step failed.
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
    reason = "the duration of a step is only printed; no test depends on it"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_formatted_as_shell_input() {
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
    fn later_steps_run_and_failed_steps_are_named() {
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
