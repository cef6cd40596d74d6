//! `cargo xtask conformance`: compares our emulator with a real xterm.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "stdout is the report, stderr is for people"
)]

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use conformance::known::{self, Known};
use conformance::report::{self, FiguresTable, Outcome};
use conformance::suite::{Case, Suite};
use conformance::unicode::{self, Tally};
use conformance::xterm::Xterm;
use conformance::{Observation, emulator};
use screentest_core::Backend;

mod record;

const HELP: &str = "\
Usage: cargo xtask conformance [OPTIONS] [TEXT…]

Compares our emulator with a real xterm under Xvfb, cell by cell, for the probes and recorded programs whose topic or
name contains TEXT (all of them by default). Prints a table by topic and every difference without a reason; exits with
1 if there is one, or if xterm's stored answers are not its answers.

  --update   Store xterm's answers, and the list of differences that are to be fixed (known.txt).
  --stored   Use xterm's stored answers: no xterm is needed. With --update, writes only known.txt.
  --fresh    Start a new xterm for each probe, which is slow, to show that probes do not affect each other.
  --reasons  Also print the differences that have a reason.
  --json     Print the figures and every difference as JSON.
  --record   Record the named programs again (all by default) with the tapes in conformance/programs.
  --help     Print this.
";

#[derive(Debug, Default)]
struct Options {
    update: bool,
    stored: bool,
    fresh: bool,
    reasons: bool,
    json: bool,
    record: bool,
    texts: Vec<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<bool> {
    let mut options = Options::default();
    for word in std::env::args().skip(1) {
        match word.as_str() {
            "--update" => options.update = true,
            "--stored" => options.stored = true,
            "--fresh" => options.fresh = true,
            "--reasons" => options.reasons = true,
            "--json" => options.json = true,
            "--record" => options.record = true,
            "--help" | "-h" => {
                print!("{HELP}");
                return Ok(true);
            }
            unknown if unknown.starts_with('-') => bail!("unknown option `{unknown}`"),
            _ => options.texts.push(word),
        }
    }
    if options.record {
        record::run(&options.texts)?;
        return Ok(true);
    }
    compare(&options)
}

/// Compares the selected cases. Returns whether there is nothing to complain about.
fn compare(options: &Options) -> Result<bool> {
    let mut suite = Suite::read(&Suite::folder())?;
    let backend = Backend::default();
    let mut xterm = Xterm::new();
    let version = if options.stored {
        "stored answers".to_owned()
    } else {
        xterm.version()?
    };
    let mut outcomes = Vec::new();
    let unused = suite.unused_answers.iter();
    let mut outdated: Vec<String> = unused
        .map(|name| format!("{name}: an answer without a probe"))
        .collect();
    for case in suite
        .cases
        .iter_mut()
        .filter(|case| selected(case, &options.texts))
    {
        if options.fresh {
            xterm.restart();
        }
        if !options.stored {
            let seen = xterm.observe(case.size, &case.bytes);
            let seen = case.relevant(seen.with_context(|| case.place.to_string())?);
            if case.answer.as_ref() != Some(&seen) {
                outdated.push(difference_of_answers(case, &seen));
                case.answer = Some(seen);
            }
        }
        let answer = case.answer.as_ref();
        let answer = answer.with_context(|| format!("{}: no stored answer", case.place))?;
        let ours = case.relevant(emulator::observe(backend, case.size, &case.bytes));
        outcomes.push(Outcome::new(case, &ours, answer));
    }
    let folder = Suite::folder().join("unicode");
    let tallies = match options.texts.as_slice() {
        [] => unicode::check(&folder, backend)?,
        _ => BTreeMap::new(),
    };
    if options.update {
        if !options.stored {
            suite.write_answers()?;
        }
        write_known(&suite, &outcomes)?;
        if !tallies.is_empty() {
            std::fs::write(folder.join("known.txt"), unicode::write_known(&tallies))?;
        }
        outdated.clear();
    }
    if options.json {
        let emulator = backend.identity().to_string();
        print!(
            "{}",
            report::to_json(&emulator, &version, &outcomes, &tallies)
        );
    } else {
        print(options, &version, &outcomes, &outdated);
        print_unicode(&tallies);
    }
    let equal = |outcome: &Outcome| outcome.unexplained.is_empty() && outcome.stale.is_empty();
    let right = tallies.values().all(|tally| tally.failed == 0);
    Ok(outdated.is_empty() && right && outcomes.iter().all(equal))
}

fn selected(case: &Case, texts: &[String]) -> bool {
    let place = case.place.to_string();
    texts.is_empty() || texts.iter().any(|text| place.contains(text))
}

fn difference_of_answers(case: &Case, seen: &Observation) -> String {
    match &case.answer {
        None => format!("{}: no stored answer", case.place),
        Some(stored) => {
            let found = conformance::difference::compare(stored, seen);
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            // `compare` calls its first argument ours.
            let found = found
                .join("; ")
                .replace("ours ", "was ")
                .replace("xterm ", "is ");
            format!("{}: {found}", case.place)
        }
    }
}

/// Replaces the entries of the compared cases in the list of known differences.
fn write_known(suite: &Suite, outcomes: &[Outcome]) -> Result<()> {
    let file = suite.known_file();
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let mut list: Known = known::parse(&old).map_err(anyhow::Error::msg)?;
    list.retain(|place, _| {
        let exists = suite.cases.iter().any(|case| case.place == *place);
        exists && !outcomes.iter().any(|outcome| outcome.place == *place)
    });
    list.extend(report::known(outcomes));
    std::fs::write(&file, known::write(&list)).context("known.txt")
}

fn print(options: &Options, version: &str, outcomes: &[Outcome], outdated: &[String]) {
    for outcome in outcomes {
        for found in &outcome.unexplained {
            println!("{}: {found}", outcome.place);
        }
        for (found, reason) in outcome.explained.iter().filter(|_| options.reasons) {
            println!("{}: {found} ({reason})", outcome.place);
        }
        for aspect in &outcome.stale {
            println!(
                "{}: {aspect} no longer differs: remove its reason",
                outcome.place
            );
        }
    }
    for line in outdated {
        println!("outdated: {line}");
    }
    println!(
        "\n{} compared with {version}:\n",
        Backend::default().identity()
    );
    print!("{}", FiguresTable(outcomes));
}

fn print_unicode(tallies: &BTreeMap<String, Tally>) {
    if tallies.is_empty() {
        return;
    }
    println!("\n| Unicode 17 | sequences | right | wrong, such as |\n|---|---|---|---|");
    for (
        kind,
        Tally {
            all,
            failed,
            examples,
        },
    ) in tallies
    {
        let example = examples.first().map(|example| format!(" (`{example}`)"));
        let example = example.unwrap_or_default();
        println!("| {kind} | {all} | {} | {failed}{example} |", all - failed);
    }
}
