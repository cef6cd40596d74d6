//! The contenders: each is a command that performs a task and prints figures.
//!
//! Every turn is a separate process, so that no threads, caches or servers of one contender exist
//! while another is measured.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Kinds of contenders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContenderKind {
    /// A screen that a test can read.
    Screen,
    /// The bytes that the program wrote, without a screen.
    Stream,
    /// Writes or plays recordings.
    Recorder,
    /// Draws pictures.
    Painter,
    /// Bare system calls: a lower bound.
    Floor,
}

/// A contender.
#[derive(Debug, Clone)]
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) kind: ContenderKind,
    command: Vec<String>,
}

/// The result of a turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Turn {
    /// Nanoseconds.
    pub(crate) figures: Vec<f64>,
    /// Processor time in nanoseconds, if reported.
    pub(crate) cpu_time: Option<f64>,
}

/// The name of our contender.
pub(crate) const OURS: &str = "screentest";
/// The name of the lower bound.
pub(crate) const FLOOR: &str = "floor (C)";

/// Paths of the contenders' tools.
#[derive(Debug, Clone)]
pub(crate) struct Tools {
    /// The lower bound in C, which is also the child that writes at random moments.
    pub(crate) floor: PathBuf,
    /// A Python with pexpect, pyte and Pillow.
    pub(crate) python: String,
    /// Folder of the npm packages.
    pub(crate) packages: String,
    /// asciinema 3.
    pub(crate) asciinema_3: String,
}

impl Tools {
    /// Compiles the lower bound; takes the other paths from the environment, where `cargo xtask
    /// bench --peers` puts them.
    pub(crate) fn prepare(scratch: &Path) -> Tools {
        let floor = scratch.join("floor");
        let status = Command::new("cc")
            .args(["-O2", "-w", "-o"])
            .arg(&floor)
            .arg(script("src/floor.c"))
            .status()
            .expect("a C compiler is installed (Debian: gcc)");
        assert!(status.success(), "floor.c compiles");
        let from_env = |variable: &str, otherwise: &str| {
            std::env::var(variable).unwrap_or_else(|_| otherwise.to_owned())
        };
        Tools {
            floor,
            python: from_env("SCREENTEST_BENCH_PYTHON", "python3"),
            packages: from_env("SCREENTEST_BENCH_NODE_MODULES", "node_modules"),
            asciinema_3: from_env("SCREENTEST_BENCH_ASCIINEMA_3", "asciinema"),
        }
    }
}

/// Returns the path of a file of this crate.
pub(crate) fn script(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the contenders that drive programs; ours is first, the lower bound last.
pub(crate) fn drivers(tools: &Tools) -> Vec<Contender> {
    let exe = std::env::current_exe().expect("this program has a path");
    let exe = exe.to_string_lossy().into_owned();
    let rust = |name: &'static str, package: &str, kind| Contender {
        name,
        version: crate_version(package),
        kind,
        command: vec![exe.clone(), "as".to_owned(), name.to_owned()],
    };
    let other = |name: &'static str, version: String, kind, command: &[&str]| Contender {
        name,
        version,
        kind,
        command: command.iter().map(|&word| word.to_owned()).collect(),
    };
    let python = script("scripts/python.py");
    let node = script("scripts/node.mjs");
    let python = |way| [tools.python.as_str(), python.as_str(), way];
    vec![
        rust(OURS, "screentest", ContenderKind::Screen),
        rust("termlens", "termlens", ContenderKind::Screen),
        rust("tui-test-rs", "tui-test-rs", ContenderKind::Screen),
        rust("termwright", "termwright", ContenderKind::Screen),
        rust("rust-expect + screen", "rust-expect", ContenderKind::Screen),
        other(
            "pexpect + pyte",
            python_version(tools, "pyte"),
            ContenderKind::Screen,
            &python("pyte"),
        ),
        other(
            "node-pty + xterm",
            npm_version(tools, "@xterm/headless"),
            ContenderKind::Screen,
            &["node", &node, &tools.packages],
        ),
        Contender {
            version: program_version("tmux", &["-V"]),
            ..rust("tmux", "peers", ContenderKind::Screen)
        },
        rust("rust-expect", "rust-expect", ContenderKind::Stream),
        rust("expectrl", "expectrl", ContenderKind::Stream),
        rust("rexpect", "rexpect", ContenderKind::Stream),
        other(
            "pexpect",
            python_version(tools, "pexpect"),
            ContenderKind::Stream,
            &python("pexpect"),
        ),
        other(
            FLOOR,
            String::new(),
            ContenderKind::Floor,
            &[&tools.floor.to_string_lossy()],
        ),
    ]
}

/// Returns the contenders that only record, play or draw.
pub(crate) fn others(tools: &Tools) -> Vec<Contender> {
    let of = |name: &'static str, version: String, kind, command: &[&str]| Contender {
        name,
        version,
        kind,
        command: command.iter().map(|&word| word.to_owned()).collect(),
    };
    vec![
        of(
            "script(1)",
            program_version("script", &["--version"]),
            ContenderKind::Recorder,
            &["script"],
        ),
        of(
            "asciinema 2",
            program_version("asciinema", &["--version"]),
            ContenderKind::Recorder,
            &["asciinema"],
        ),
        of(
            "asciinema 3",
            program_version(&tools.asciinema_3, &["--version"]),
            ContenderKind::Recorder,
            &[&tools.asciinema_3],
        ),
        of(
            "Pillow",
            python_version(tools, "pillow"),
            ContenderKind::Painter,
            &[&tools.python, &script("scripts/painter.py")],
        ),
    ]
}

impl Contender {
    /// Performs a task and returns its figures, or the reason why it failed.
    pub(crate) fn turn(&self, task: &[&str]) -> Result<Turn, String> {
        // A contender that hangs must not hold up the run.
        let mut command = Command::new("timeout");
        command.arg("180").args(&self.command).args(task);
        command.env("PS1", "> ").env("RUST_BACKTRACE", "0");
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let talk = String::from_utf8_lossy(&output.stderr);
            let words: Vec<&str> = talk.lines().collect();
            let last = words.len().saturating_sub(5);
            return Err(format!("{}: {}", output.status, words[last..].join("\n")));
        }
        read(&String::from_utf8_lossy(&output.stdout))
    }

    /// Returns the command that performs a task.
    pub(crate) fn command(&self, task: &[&str]) -> Command {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).args(task);
        command
    }
}

/// Parses the output of a contender.
fn read(text: &str) -> Result<Turn, String> {
    let mut turn = Turn::default();
    for line in text.lines() {
        let (word, cpu_time) = match line.strip_prefix("cpu ") {
            Some(word) => (word, true),
            None => (line, false),
        };
        let number = word
            .parse()
            .map_err(|_| format!("`{line}` is not a figure"))?;
        if cpu_time {
            turn.cpu_time = Some(number)
        } else {
            turn.figures.push(number)
        }
    }
    if turn.figures.is_empty() {
        Err("no figures".to_owned())
    } else {
        Ok(turn)
    }
}

/// Returns the version of a crate that this program was built with.
fn crate_version(package: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next().unwrap_or_default();
    version.trim_start_matches("version = ").replace('"', "")
}

/// Returns the first number in a program's version output.
fn program_version(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output();
    let output = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&output).into_owned();
    let mut numbers = text
        .split_whitespace()
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    numbers.next().unwrap_or("?").to_owned()
}

fn python_version(tools: &Tools, package: &str) -> String {
    let line = format!("import importlib.metadata as m; print(m.version('{package}'))");
    program_version(&tools.python, &["-c", &line])
}

fn npm_version(tools: &Tools, package: &str) -> String {
    let file = format!("{}/{package}/package.json", tools.packages);
    let about = std::fs::read_to_string(file).unwrap_or_default();
    let at = about.split("\"version\": \"").nth(1).unwrap_or("?");
    at.split('"').next().unwrap_or("?").to_owned()
}

/// Returns a contender that is never run.
#[cfg(test)]
pub(crate) fn contender_for_tests(
    name: &'static str,
    version: &str,
    kind: ContenderKind,
) -> Contender {
    Contender {
        name,
        version: version.to_owned(),
        kind,
        command: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_and_processor_time_are_distinguished() {
        let turn = read("12\n7\ncpu 90\n").unwrap();
        assert_eq!(turn.figures, [12.0, 7.0]);
        assert_eq!(turn.cpu_time, Some(90.0));
        assert!(read("").is_err());
        assert!(read("12\noops\n").is_err());
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        assert_eq!(crate_version("rexpect"), "0.7.1");
    }
}
