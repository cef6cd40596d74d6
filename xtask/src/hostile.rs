//! `cargo xtask hostile`: runs the commands with hostile inputs and counts violations.
//!
//! Each input is written into an empty directory, and every command that reads its kind runs there
//! with the built binary, once in a terminal and once with pipes. A run must end with exit code 0,
//! 1 or 2 within 10 seconds of processor time and 256 MB of memory, without a panic. It must write
//! nothing outside of its directory. It must not write control characters to the terminal, except
//! for the styles of the tool's own messages.
//!
//! See also: `hostile/inputs.rs` (the inputs), `hostile/commands.rs` (the commands),
//! `hostile/process.rs` (terminal, limits), `hostile/violation.rs` (what is checked),
//! `hostile/report.rs` (the table).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};

use crate::step::CommandLine;
use commands::{COMMANDS, InputKind, ToolCommand};
use inputs::{Folders, HostileInput};
use process::Connection;
use report::{Report, RunResult};
use violation::ViolationKind;

mod commands;
mod inputs;
mod process;
mod report;
mod violation;

/// Output file of the table.
const TABLE: &str = "target/hostile.md";
/// Working directories of the runs.
const WORK: &str = "target/hostile";

/// The options of the command line.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    quick: bool,
    jobs: usize,
    /// Text in the names of the inputs to use.
    input: Option<String>,
    /// Text in the lines of the commands to run.
    command: Option<String>,
    /// The binary to run instead of building one.
    tool: Option<PathBuf>,
}

impl Options {
    fn parse(words: &[&str]) -> Result<Options> {
        let mut options = Options {
            quick: false,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            input: None,
            command: None,
            tool: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                let value = words.next();
                value.with_context(|| format!("`{word}` needs a value"))
            };
            match *word {
                "--quick" => options.quick = true,
                "--input" => options.input = Some((*value()?).to_owned()),
                "--command" => options.command = Some((*value()?).to_owned()),
                "--tool" => options.tool = Some(value()?.into()),
                "--jobs" => {
                    let jobs = *value()?;
                    options.jobs = match jobs.parse() {
                        Ok(jobs @ 1..) => jobs,
                        _ => bail!("`--jobs {jobs}`: expected a number above 0"),
                    };
                }
                other => bail!("unknown argument `{other}`"),
            }
        }
        Ok(options)
    }

    /// Returns the commands for an input. The quick run has few commands, and skips two of three
    /// inputs.
    fn commands(&self, index: usize, input: &HostileInput) -> Vec<&'static ToolCommand> {
        let named = |text: &Option<String>, name: &str| {
            text.as_deref().is_none_or(|text| name.contains(text))
        };
        let input_name = format!("{:?} {}", input.kind, input.name);
        // Similar inputs are adjacent, so the quick run still uses some of each group.
        if !named(&self.input, &input_name) || (self.quick && !index.is_multiple_of(QUICK_STEP)) {
            return Vec::new();
        }
        let commands = COMMANDS.iter().filter(|command| {
            command.kind == input.kind
                && named(&self.command, command.line)
                && (!self.quick || command.quick)
        });
        commands.collect()
    }

    fn connections(&self) -> &'static [Connection] {
        if self.quick {
            &[Connection::Terminal]
        } else {
            &[Connection::Terminal, Connection::Pipe]
        }
    }
}

/// The quick run uses every third input.
const QUICK_STEP: usize = 3;

/// Builds the tool, runs all commands and writes the table. Fails if there are violations.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let options = Options::parse(words)?;
    let tool = match &options.tool {
        Some(tool) => {
            fs::canonicalize(tool).with_context(|| format!("cannot find `{}`", tool.display()))?
        }
        None => build()?,
    };
    let inputs = inputs::all()?;
    let work = fs::canonicalize(".")?.join(WORK);
    let results = results(&options, &inputs, &tool, &work)?;
    let report = Report::new(results);
    println!("{}", report.summary());
    fs::write(TABLE, report.to_string()).with_context(|| format!("cannot write `{TABLE}`"))?;
    // The directories are not kept, because a failed run can be repeated by hand.
    fs::remove_dir_all(&work)?;
    match report.violations() {
        0 => Ok(()),
        count => bail!("{count} runs with violations; `{TABLE}` lists them"),
    }
}

/// Builds the tool and returns its path.
fn build() -> Result<PathBuf> {
    let build = CommandLine::new("cargo build -p screentest-cli");
    if !build.run()?.success() {
        bail!("`{build}` failed");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let tool = Path::new(&target).join("debug/screentest");
    fs::canonicalize(&tool).with_context(|| format!("cannot find `{}`", tool.display()))
}

/// Runs all commands, several inputs at a time.
fn results(
    options: &Options,
    inputs: &[HostileInput],
    tool: &Path,
    work: &Path,
) -> Result<Vec<RunResult>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let work_on_inputs = || -> Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(input) = inputs.get(index) else {
                return Ok(());
            };
            let commands = options.commands(index, input);
            if commands.is_empty() {
                continue;
            }
            let place = InputFolder {
                base: work.join(index.to_string()),
                tool,
            };
            let found = place.run_all(input, &commands, options.connections())?;
            fs::remove_dir_all(&place.base)?;
            let mut results = results
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            results.extend(found);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|_| scope.spawn(work_on_inputs))
            .collect();
        let ended = workers
            .into_iter()
            .map(|worker| worker.join().expect("no worker panics"));
        ended.collect::<Result<Vec<()>>>()
    })?;
    let mut results = results
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_by(|one, other| one.order().cmp(&other.order()));
    Ok(results)
}

/// The directory of one input: `work` in it is the working directory.
struct InputFolder<'a> {
    base: PathBuf,
    tool: &'a Path,
}

/// Directories that a run may write to.
const WRITABLE: [&str; 4] = ["work", "home", "run", "tmp"];

impl InputFolder<'_> {
    fn run_all(
        &self,
        input: &HostileInput,
        commands: &[&ToolCommand],
        connections: &[Connection],
    ) -> Result<Vec<RunResult>> {
        let mut results = Vec::new();
        let mut path = self.make(input)?;
        for command in commands {
            for (number, connection) in connections.iter().enumerate() {
                let before = violation::listing(&self.base, &WRITABLE)?;
                let out = format!("out{}-{number}", results.len());
                let words = self.words(command.line, &path, &out);
                let work = self.base.join("work");
                let finished = process::run(&words, &work, &self.variables(), *connection)?;
                let mut violations = violation::of_run(&finished, *connection, command);
                let after = violation::listing(&self.base, &WRITABLE)?;
                violations.extend(violation::of_listings(&before, &after));
                let is_damaged = violations
                    .iter()
                    .any(|violation| violation.kind == ViolationKind::Outside);
                results.push(RunResult {
                    kind: input.kind,
                    input: input.name.clone(),
                    command: command.line,
                    connection: *connection,
                    violations,
                });
                if command.changes_input || is_damaged {
                    path = self.make(input)?;
                }
            }
        }
        Ok(results)
    }

    /// Writes the input into new directories.
    fn make(&self, input: &HostileInput) -> Result<PathBuf> {
        if self.base.exists() {
            fs::remove_dir_all(&self.base)?;
        }
        for name in WRITABLE.iter().chain(&["outside"]) {
            fs::create_dir_all(self.base.join(name))?;
        }
        let folders = Folders {
            outside: self.base.join("outside"),
            work: self.base.join("work"),
        };
        fs::write(folders.outside.join("victim.txt"), "unchanged\n")?;
        // Marks the working directory as the root of a project.
        fs::create_dir(folders.work.join(".git"))?;
        match input.kind {
            InputKind::Assertions | InputKind::Word => {
                inputs::write_seed_cassette(&folders.work.join("seed.cassette"))?;
            }
            _ => {}
        }
        if matches!(input.kind, InputKind::Theme | InputKind::Word) {
            let state = "crates/core/tests/compatibility/styles.state.json";
            fs::copy(state, folders.work.join("seed.json"))?;
        }
        input.make(&folders)
    }

    /// Returns the words of a command line.
    fn words(&self, line: &str, input: &Path, out: &str) -> Vec<OsString> {
        let tool = self.tool.as_os_str().to_owned();
        if let Some(script) = line.strip_prefix("sh: ") {
            let script = script.replace("OUT", out);
            let words: [OsString; 3] = ["sh".into(), "-c".into(), script.into()];
            return words
                .into_iter()
                .chain([tool, input.as_os_str().to_owned()])
                .collect();
        }
        let word = |word: &str| -> OsString {
            match word {
                "IN" => input.as_os_str().to_owned(),
                "--IN" => {
                    let mut option = OsString::from("--");
                    option.push(input);
                    option
                }
                word => word.replace("OUT", out).into(),
            }
        };
        std::iter::once(tool)
            .chain(line.split_whitespace().map(word))
            .collect()
    }

    fn variables(&self) -> Vec<(&'static str, OsString)> {
        let folder = |name: &str| self.base.join(name).into_os_string();
        let path = std::env::var_os("PATH").unwrap_or_default();
        vec![
            ("PATH", path),
            ("HOME", folder("home")),
            ("XDG_RUNTIME_DIR", folder("run")),
            ("TMPDIR", folder("tmp")),
            ("SCREENTEST_PROJECT_ROOT", folder("work")),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_select_inputs_and_commands() {
        let options = Options::parse(&["--quick", "--jobs", "3", "--input", "x"]).unwrap();
        let expected = Options {
            quick: true,
            jobs: 3,
            input: Some("x".to_owned()),
            command: None,
            tool: None,
        };
        assert_eq!(options, expected);
        for (words, error) in [
            (&["--input"][..], "`--input` needs a value"),
            (&["--jobs", "0"], "`--jobs 0`: expected a number above 0"),
            (&["--all"], "unknown argument `--all`"),
        ] {
            assert_eq!(Options::parse(words).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn words_of_a_command_contain_the_input() {
        let folder = InputFolder {
            base: PathBuf::from("/base"),
            tool: Path::new("/tool"),
        };
        let words = |line| folder.words(line, Path::new("a b"), "out1");
        assert_eq!(
            words("convert -o OUT.png IN"),
            ["/tool", "convert", "-o", "out1.png", "a b"]
        );
        assert_eq!(words("--IN"), ["/tool", "--a b"]);
        assert_eq!(words("sh: $0 <$1"), ["sh", "-c", "$0 <$1", "/tool", "a b"]);
    }
}
