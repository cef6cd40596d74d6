//! `screentest run`: runs tapes, as demos and as tests.
//!
//! All tapes are read and checked before the first one runs, and all errors are reported at once.
//!
//! See also: `run/select.rs` (which tapes run), `run/reading.rs` (reading and checking them),
//! `run/pool.rs` (running them in parallel), `run/tape_result.rs` (results), `run/reporter.rs` and
//! `run/progress.rs` (output), `run/watch_mode.rs` (`--watch`).

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, thread};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use regex::Regex;
use screentest::clock::Clock;
use screentest::test::project;
use screentest::{RunOptions, Update};
use screentest_tape::language::{Dialect, Output};
use screentest_tape::{ReadyTape, TapeFailureKind, TapeOptions, TapeScript};

use crate::args::input_args::InputArgs;
use crate::args::secrets::secrets;
use crate::config::{Config, MAX_WORKERS};
use crate::failure::{self, Exit, Failure};
use interrupt::SignalInterrupt;
use last_failed::LastFailed;
use pool::{PoolOptions, TapeEvent};
use progress::{ProgressDisplay, ProgressMode};
use reporter::Reporters;
use select::{SelectedTape, Selection, TapeFilter};
use shard::Shard;
use tape_result::{RunResults, Verdict, title};

mod attempt_artifacts;
mod file_watcher;
mod interrupt;
mod last_failed;
mod pool;
mod progress;
pub(crate) mod reading;
mod reporter;
pub(crate) mod select;
mod shard;
mod tape_result;
mod watch_mode;

pub(crate) use reporter::Reporter;
pub(crate) use tape_result::counted;

const AFTER_HELP: &str = "\
A tape is a script in the language of VHS and Betamax; `screentest new` writes one to start
from. When all of its steps succeed, the files of its `Output` lines are written: .gif,
.apng, .webp, .mp4, .webm, .png, .svg, .json, .txt, .cassette, .cast, or a directory of
frames if the name ends with `/`. -o adds an output; it replaces one of the same type.

--fast skips pauses: a pause ends as soon as the program waits for input. Recordings keep
the tape's timing, so they look the same unless the program shows something by itself.

All tapes are checked first, and nothing runs if one has errors. A failed tape writes no
output; its screen and details are in artifacts/tapes. A tape that passes on a retry is
flaky, which is not a failure.

Reporters: list and line print to stderr. json, junit and github print to stdout, or to a
file, as in `junit=report.xml`. html writes a page, by default artifacts/report.html.

The table `[run]` of a screentest.toml in this directory or a parent sets the project's
defaults: tapes, artifacts, dialect, fast, reporter, retries, strict, workers. Options of
the command line take precedence.

Exit codes: 0 if all tapes passed, 1 if one failed, 2 if one has errors, needs something
that is missing, or could not write its output.

Examples:
  screentest run demo.tape                    run a tape and write its outputs
  screentest run --fast -o demo.gif demo.tape skip pauses, also write a GIF
  screentest run --fast tests/*.tape          run tapes as tests
  screentest run --retries 2 --reporter junit=report.xml tests/*.tape
                                              run in CI, with a JUnit report
  screentest run --shard 1/3 tests/*.tape     run a third, on one of three machines
  screentest run --last-failed                run the tapes that failed in the last run
  screentest run --watch demo.tape            run again after each change";

/// Run tapes: scripts of keys, waits, checks and recordings
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Run {
    /// Tape files; `-` reads stdin. Default: the tapes of screentest.toml
    #[arg(value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    /// Also write this output; the extension selects the format
    #[arg(short, long, value_name = "OUT", value_parser = output)]
    output: Vec<Output>,
    /// Redact the value of this environment variable in everything that is written; well-known
    /// tokens are always redacted
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    #[command(flatten)]
    tape_args: TapeArgs,
    #[command(flatten)]
    input: InputArgs,
    /// Skip pauses: each ends as soon as the program waits for input. Recordings keep the tape's
    /// timing
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    fast: Option<bool>,
    /// Write snapshots: `all`, `changed`, `missing` or `none` [default: `missing`, in CI `none`;
    /// `-u` alone: `changed`, which includes missing ones]
    #[arg(short, long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "changed", hide_possible_values = true)]
    update_snapshots: Option<SnapshotUpdate>,
    /// Run only tapes whose name matches this regular expression
    #[arg(short, long, value_name = "PATTERN", value_parser = Regex::new)]
    grep: Option<Regex>,
    /// Run only shard K of N
    #[arg(long, value_name = "K/N", value_parser = str::parse::<Shard>, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Run only the tapes that failed in the last run
    #[arg(long)]
    last_failed: bool,
    /// Print the names of the selected tapes and exit
    #[arg(long, conflicts_with = "watch")]
    list: bool,
    /// Number of tapes to run in parallel [default: number of processors]
    #[arg(long, value_name = "N", value_parser = workers, allow_hyphen_values = true)]
    workers: Option<usize>,
    /// Number of times to retry a failed tape [default: 0]
    #[arg(long, value_name = "N", value_parser = retries, allow_hyphen_values = true)]
    retries: Option<u32>,
    /// Number of times to run each tape
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroU32>, allow_hyphen_values = true)]
    repeat: NonZeroU32,
    /// Start no more tapes after N failures
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>, allow_hyphen_values = true)]
    max_failures: Option<NonZeroUsize>,
    /// Run tapes again when they or the files they source change
    #[arg(long)]
    watch: bool,
    /// Reporters: list, line, json, junit, github, html. Repeatable; NAME=FILE writes to a file
    /// [default: list]
    #[arg(long, value_name = "NAME[=FILE]", value_parser = str::parse::<Reporter>)]
    reporter: Vec<Reporter>,
    /// Print only failures and the summary
    #[arg(short, long)]
    quiet: bool,
}

/// Options for reading tapes, shared by all commands that read them.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TapeArgs {
    /// Treat warnings as errors
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) strict: Option<bool>,
    /// The tapes' dialect, vhs or betamax [default: vhs, unless the tape sets it]
    #[arg(long, value_name = "D", value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,
}

impl TapeArgs {
    /// Fills options that are missing on the command line from the project's configuration.
    pub(crate) fn or(self, config: &Config) -> TapeArgs {
        TapeArgs {
            strict: self.strict.or(config.strict),
            dialect: self.dialect.or(config.dialect),
        }
    }
}

/// Values of `--update-snapshots`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum SnapshotUpdate {
    All,
    Changed,
    Missing,
    None,
}

fn output(path: &str) -> Result<Output, String> {
    path.parse::<Output>().map_err(|error| error.to_string())
}

pub(crate) fn dialect(name: &str) -> Result<Dialect, String> {
    name.parse::<Dialect>().map_err(|error| error.to_string())
}

fn workers(text: &str) -> Result<usize, String> {
    let count = text.parse().ok();
    let count = count.filter(|count| (1..=MAX_WORKERS).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {MAX_WORKERS}"))
}

fn count<N: FromStr>(text: &str) -> Result<N, String> {
    let expected = |_| "expected a whole number, 1 or more".to_owned();
    text.parse().map_err(expected)
}

fn retries(text: &str) -> Result<u32, String> {
    let expected = |_| "expected a whole number, 0 or more".to_owned();
    text.parse().map_err(expected)
}

pub(crate) fn run(run: &Run) -> Result<(), Failure> {
    if let Some(which) = run.misplaced_update_mode() {
        let error = anyhow!("tape `{which}` not found");
        let hint = format!("to select which snapshots are written, use `-u={which}`");
        return Err(Failure::usage(error).hint(hint));
    }
    let config = Config::find()?;
    let Selection {
        tapes: selected,
        empty_reason,
    } = run.select_tapes(&config)?;
    if let Some(reason) = empty_reason {
        failure::note(reason);
        return Ok(());
    }
    if run.list {
        let names: String = selected
            .iter()
            .map(|tape| format!("{}\n", tape.name))
            .collect();
        let printed = crate::output::print(names.as_bytes());
        return printed.map_err(Failure::usage);
    }
    let signals = SignalInterrupt::new()?;
    if run.watch {
        return watch_mode::run(run, config, selected, signals);
    }
    let result = run.run_once(&config, &selected, &signals, &mut |_| Ok(()));
    signals.wait_for_exit();
    result
}

/// Returns the artifact directory: from the environment, else from screentest.toml, else the
/// default.
fn artifacts(config: &Config) -> PathBuf {
    let cwd = env::current_dir().unwrap_or_default();
    let variable = |name: &str| env::var_os(name);
    match &config.artifacts {
        Some(folder) => project::artifacts_or(variable, &cwd, folder),
        None => project::artifacts(variable, &cwd),
    }
}

/// Callback for each tape that was read, with the files it sources. Called before any tape runs.
type ScriptCallback<'a> = dyn FnMut(&TapeScript) -> Result<(), Failure> + 'a;

impl Run {
    /// Returns the value of `-u` that was given as a separate argument and so parsed as a tape.
    fn misplaced_update_mode(&self) -> Option<&str> {
        self.update_snapshots?;
        let mut arguments = self.tapes.iter().filter_map(|path| path.to_str());
        arguments
            .find(|word| SnapshotUpdate::from_str(word, false).is_ok() && !Path::new(word).exists())
    }

    /// Returns the tapes to run. `-o` requires that there is only one.
    fn select_tapes(&self, config: &Config) -> Result<Selection, Failure> {
        let failed = if self.last_failed {
            Some(LastFailed::within(&artifacts(config)).read()?)
        } else {
            None
        };
        let all = match &failed {
            // `--last-failed` alone needs no other selection of tapes.
            Some(failed) if self.tapes.is_empty() && config.tapes.is_empty() => {
                let paths = failed.iter().cloned();
                paths.map(SelectedTape::at).collect()
            }
            _ => select::resolve("run", &self.tapes, config)?,
        };
        let filter = TapeFilter {
            pattern: self.grep.as_ref().filter(|_| !all.is_empty()),
            last_failed: failed,
            shard: self.shard,
        };
        let selection = filter.apply(all)?;
        let count = selection.tapes.len().max(self.tapes.len());
        if count > 1 && !self.output.is_empty() {
            let error = anyhow!("`-o` needs exactly one tape, got {count}");
            return Err(Failure::usage(error).hint("for several tapes, use `Output` in each tape"));
        }
        Ok(selection)
    }

    /// Returns the options with which the tapes run.
    fn options(&self, config: &Config, signals: &SignalInterrupt) -> Result<TapeOptions, Failure> {
        let secrets = secrets("run", &self.secret, |name| env::var_os(name))?;
        let mut run = RunOptions::default().secrets(secrets.with_known_tokens());
        run = run.input_overrides(self.input.overrides());
        if let Some(folder) = &config.artifacts {
            run = run.artifacts_dir(folder);
        }
        if let Some(retries) = config.retries {
            run = run.retries(retries);
        }
        let options = TapeOptions::default().run(run);
        let options = options.interrupt(signals.interrupt().clone());
        let options = match self.fast.or(config.fast) {
            Some(true) => options.fast(),
            _ => options,
        };
        let options = match self.update_snapshots {
            Some(SnapshotUpdate::All) => options.update(Update::All),
            Some(SnapshotUpdate::Changed) => options.update(Update::Changed),
            Some(SnapshotUpdate::Missing) => options.update(Update::Missing),
            Some(SnapshotUpdate::None) => options.update(Update::None),
            None => options,
        };
        let outputs = self.output.iter().cloned();
        Ok(outputs.fold(options, TapeOptions::output))
    }

    /// Reads the tapes, runs them once, and writes all reports.
    fn run_once(
        &self,
        config: &Config,
        selected: &[SelectedTape],
        signals: &SignalInterrupt,
        on_script: &mut ScriptCallback<'_>,
    ) -> Result<(), Failure> {
        let tape_args = self.tape_args.or(config);
        let options = self.options(config, signals)?;
        let tapes = reading::all_ready(selected, tape_args, &options, on_script)?;
        let artifacts = artifacts(config);
        let requested = match self.reporter.as_slice() {
            [] => &config.reporters,
            requested => requested,
        };
        let reporters = Reporters::new(requested, &artifacts)?;
        signals.set_busy(true);
        let results = self.run_pool(config, &tapes, &reporters, signals);
        let mut failures = reporters.write(&results);
        failures.extend(LastFailed::within(&artifacts).update(&results).err());
        // The signal ends the process soon, so the caller could not print them.
        if signals.interrupt().is_raised() {
            failures.drain(..).for_each(|failure| failure.print());
        }
        signals.set_busy(false);
        failures.extend(self.verdict(&results).err());
        Failure::most_severe(failures)
    }

    /// Runs tapes in parallel, and shows their progress and results on stderr.
    fn run_pool(
        &self,
        config: &Config,
        tapes: &[ReadyTape],
        reporters: &Reporters,
        signals: &SignalInterrupt,
    ) -> RunResults {
        let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let workers = self.workers.or(config.workers).unwrap_or_else(processors);
        let options = PoolOptions {
            workers: workers.min(tapes.len()),
            repeat: self.repeat.get(),
            retries: self.retries,
            max_failures: self.max_failures.map(NonZeroUsize::get),
            interrupt: signals.interrupt().clone(),
        };
        let kind = match (self.quiet, reporters.line()) {
            (true, _) => ProgressMode::Nothing,
            (false, true) => ProgressMode::Line,
            (false, false) => ProgressMode::Bars,
        };
        let cases = tapes.len().saturating_mul(self.repeat.get() as usize);
        // The last repetition has the longest title.
        let last = (self.repeat.get(), self.repeat.get());
        let widths = tapes
            .iter()
            .map(|tape| title(tape.name(), last).chars().count());
        let title_width = widths.max().unwrap_or_default();
        let mut display = ProgressDisplay::new(kind, options.workers, cases, title_width);
        signals.set_clear_handle(display.clear_handle());
        let brief = self.quiet || reporters.line();
        let clock = Clock::system();
        let cases = pool::run(tapes, &options, |worker, event| {
            display.show(worker, event);
            if let TapeEvent::Ended { case, .. } = event
                && !(brief && case.verdict() == Verdict::Passed)
            {
                display.print_above(|| reporter::print_result(case));
            }
        });
        drop(display);
        let results = RunResults {
            cases,
            duration: clock.now(),
        };
        if results.cases.len() > 1 || signals.interrupt().is_raised() {
            failure::note(&results.summary());
        }
        results
    }

    /// Returns the failure that sets the exit code, if a tape failed or did not finish.
    fn verdict(&self, results: &RunResults) -> Result<(), Failure> {
        let all = results.cases.len();
        let all = counted(all, if self.repeat.get() > 1 { "run" } else { "tape" });
        let failed = results.count(Verdict::Failed);
        let unfinished = results.count(Verdict::Stopped) + results.count(Verdict::NotRun);
        let error = match (failed, unfinished) {
            (0, 0) => return Ok(()),
            (0, _) => anyhow!("not all of {all} finished"),
            (failed, _) => anyhow!("{failed} of {all} failed"),
        };
        let failures = results.cases.iter().flat_map(|case| case.last());
        let mut broken = failures.filter_map(|last| Some(last.run.failure.as_ref()?.kind));
        let is_usage =
            broken.any(|broken| matches!(broken, TapeFailureKind::Start | TapeFailureKind::Output));
        let exit = if is_usage { Exit::Usage } else { Exit::Failed };
        Err(Failure::new(exit, error))
    }
}
