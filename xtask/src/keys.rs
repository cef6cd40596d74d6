//! `cargo xtask keys`: counts lost keys for each program and each interface.
//!
//! The tests of `crates/cli/tests/it/keys` append a line per run to a file. A run without a line
//! counts as lost, for example if its test hung or panicked.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};

use crate::setup;
use crate::step::CommandLine;

/// Output file of the table.
const TABLE: &str = "target/keys.md";
/// File to which the tests append.
const LOG: &str = "target/keys.log";

/// The options of the command line.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    runs: usize,
    /// Number of tests that run in parallel.
    jobs: usize,
    busy: bool,
    /// Maximum seconds of a wait.
    patience: Option<String>,
    /// Value of `SCREENTEST_AUTO_WAIT`.
    auto_wait: Option<String>,
    program: Option<String>,
    interface: Option<String>,
}

/// A test, for example `keys::vim::tape`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    program: String,
    interface: String,
}

/// Runs the tests in counting mode, prints the table and writes it to `target/keys.md`.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let options = Options::parse(words)?;
    setup::programs()?;
    setup::apps()?;
    let build = CommandLine::new("cargo build -p screentest-cli -p screentest-examples --bins");
    if !build.run()?.success() {
        bail!("`{build}` failed");
    }
    let test = || CommandLine::new("cargo test --quiet -p screentest-cli --test it --");
    let list = test().arg("--list").output()?;
    let pairs: Vec<Pair> = pairs(&String::from_utf8_lossy(&list.stdout))
        .into_iter()
        .filter(|pair| options.wants(pair))
        .collect();
    if pairs.is_empty() {
        bail!("no such program or interface; see crates/cli/tests/it/keys.rs");
    }
    let _ = fs::remove_file(LOG);
    let log = std::path::absolute(LOG)?;
    let mut line = test()
        .arg(format!("--test-threads={}", options.jobs))
        .arg("--exact")
        .env("SCREENTEST_KEYS_RUNS", options.runs.to_string())
        .env("SCREENTEST_KEYS_LOG", log.display().to_string())
        .without("SCREENTEST_KEYS_BUSY");
    if options.busy {
        line = line.env("SCREENTEST_KEYS_BUSY", "1");
    }
    if let Some(patience) = &options.patience {
        line = line.env("SCREENTEST_KEYS_PATIENCE", patience);
    }
    if let Some(auto_wait) = &options.auto_wait {
        line = line.env("SCREENTEST_AUTO_WAIT", auto_wait);
    }
    for pair in &pairs {
        line = line.arg(pair.test());
    }
    // The result is in the log, whatever the exit status; the tests' output helps to explain
    // losses.
    let status = line.run()?;
    let log = fs::read_to_string(LOG).with_context(|| format!("no test ran ({status})"))?;
    let table = table(&pairs, &log, options.runs);
    print!("\n{table}");
    fs::write(TABLE, table).with_context(|| format!("cannot write {TABLE}"))?;
    Ok(())
}

impl Options {
    fn parse(words: &[&str]) -> Result<Options> {
        let mut options = Options {
            runs: 10,
            // Two programs at a time slow each other down, so the times of runs would mean less.
            jobs: 1,
            busy: false,
            patience: None,
            auto_wait: None,
            program: None,
            interface: None,
        };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || match words.next() {
                Some(&value) => Ok(value.to_owned()),
                None => bail!("`{word}` needs a value"),
            };
            match word {
                "--runs" => options.runs = value()?.parse().context("`--runs` needs a number")?,
                "--jobs" => options.jobs = value()?.parse().context("`--jobs` needs a number")?,
                "--busy" => options.busy = true,
                "--patience" => options.patience = Some(value()?),
                "--auto-wait" => options.auto_wait = Some(value()?),
                "--program" => options.program = Some(value()?),
                "--interface" => options.interface = Some(value()?),
                _ => bail!("unknown argument `{word}`; see `cargo xtask help`"),
            }
        }
        Ok(options)
    }

    fn wants(&self, pair: &Pair) -> bool {
        let is = |wanted: &Option<String>, name: &str| {
            wanted.as_ref().is_none_or(|wanted| wanted == name)
        };
        is(&self.program, &pair.program) && is(&self.interface, &pair.interface)
    }
}

impl Pair {
    /// Returns the name of the test.
    fn test(&self) -> String {
        format!("keys::{}::{}", self.program, self.interface)
    }
}

/// Parses the output of `--list`.
fn pairs(list: &str) -> Vec<Pair> {
    let pair = |line: &str| {
        let name = line.strip_suffix(": test")?.strip_prefix("keys::")?;
        let (program, interface) = name.split_once("::")?;
        Some(Pair {
            program: program.to_owned(),
            interface: interface.to_owned(),
        })
    };
    list.lines().filter_map(pair).collect()
}

/// Formats a Markdown table with a row per program and a column per interface. Each cell contains
/// the number of runs that lost a key and the median time of a run.
fn table(pairs: &[Pair], log: &str, runs: usize) -> String {
    // Times of the runs that lost nothing, and of those that lost a key.
    let mut times: BTreeMap<Pair, (Vec<u64>, Vec<u64>)> = BTreeMap::new();
    for line in log.lines() {
        if let [program, interface, kept, time] = line.split('\t').collect::<Vec<_>>()[..] {
            let pair = Pair {
                program: program.to_owned(),
                interface: interface.to_owned(),
            };
            let (kept_times, lost_times) = times.entry(pair).or_default();
            let times = if kept == "kept" {
                kept_times
            } else {
                lost_times
            };
            times.extend(time.parse::<u64>());
        }
    }
    let cell = |program: &str, interface: &str| {
        let pair = Pair {
            program: program.to_owned(),
            interface: interface.to_owned(),
        };
        if !pairs.contains(&pair) {
            return String::new();
        }
        let (mut kept, lost) = times.get(&pair).cloned().unwrap_or_default();
        let count = runs - kept.len();
        // A run that lost a key took as long as its last wait, so the median is that of the other
        // runs.
        let mut of = if kept.is_empty() {
            lost
        } else {
            std::mem::take(&mut kept)
        };
        of.sort_unstable();
        match of.get(of.len() / 2) {
            Some(median) => format!("{count}/{runs}, {median} ms"),
            None => format!("{count}/{runs}"),
        }
    };
    let unique = |name: fn(&Pair) -> &str| {
        let mut names: Vec<&str> = Vec::new();
        for pair in pairs {
            if !names.contains(&name(pair)) {
                names.push(name(pair));
            }
        }
        names
    };
    let interfaces = unique(|pair| &pair.interface);
    let mut table = format!("| program | {} |\n|---|", interfaces.join(" | "));
    table.push_str(&"---|".repeat(interfaces.len()));
    table.push('\n');
    for program in unique(|pair| &pair.program) {
        let cells = interfaces.iter().map(|interface| cell(program, interface));
        let cells: Vec<String> = cells.collect();
        table.push_str(&format!("| {program} | {} |\n", cells.join(" | ")));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_counts_losses_and_has_the_median_of_the_other_runs() {
        let list = "keys::vim::shell: test\nkeys::vim::tape: test\nkeys::bash::tape: test\nother::vim: test\n\n3 tests\n";
        let log = "vim\ttape\tkept\t30\nvim\ttape\tlost\t9000\nvim\ttape\tkept\t10\nvim\ttape\tkept\t20\nvim\tshell\tlost\t9000\n";
        assert_eq!(
            table(&pairs(list), log, 4),
            "| program | shell | tape |\n\
             |---|---|---|\n\
             | vim | 4/4, 9000 ms | 1/4, 20 ms |\n\
             | bash |  | 4/4 |\n"
        );
    }

    #[test]
    fn options_choose_programs_and_interfaces() {
        let options = Options::parse(&["--runs", "3", "--busy", "--program", "vim"]).unwrap();
        assert_eq!((options.runs, options.busy), (3, true));
        let wanted = |list| pairs(list).iter().all(|pair| options.wants(pair));
        assert!(wanted("keys::vim::tape: test"));
        assert!(!wanted("keys::bash::tape: test"));
        let error = Options::parse(&["--runs"]).unwrap_err();
        assert_eq!(error.to_string(), "`--runs` needs a value");
    }
}
