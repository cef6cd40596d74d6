//! `screentest run`: run tapes, as demos and as tests.
//!
//! Everything that is wrong with any of them is told before the first one runs.
//!
//! Elsewhere: which tapes (`run/select.rs`), running them side by side (`run/pool.rs`), what came of them (`run/case.rs`), who is told
//! (`run/reporter.rs`, `run/live.rs`), running again on changes (`run/again.rs`).

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{env, thread};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use regex::Regex;
use screentest::test::project;
use screentest::{Clock, RunOptions, Update};
use screentest_tape::language::{Dialect, Output};
use screentest_tape::{ReadyTape, TapeFailureKind, TapeOptions, TapeScript};

use crate::config::{Config, MOST_WORKERS};
use crate::failure::{self, Exit, Failure};
use crate::input_args::InputArgs;
use case::{Results, Verdict, title};
use ending::Ending;
use last_failed::LastFailed;
use live::{Kind, Live};
use pool::{Orders, What};
use reporter::Reporters;
use select::{Chosen, Picked, Wish};
use shard::Shard;

mod again;
mod aside;
mod case;
mod ending;
mod last_failed;
mod live;
mod pool;
pub(crate) mod reading;
mod reporter;
pub(crate) mod select;
mod shard;
mod watch;

pub(crate) use case::counted;
pub(crate) use reporter::Reporter;

const AFTER_HELP: &str = "\
A tape is a script that types, waits, looks and records (docs/formats/tape.md), in the
language of VHS and of Betamax. What it names with `Output` is written when all of it
went well: .gif, .apng, .webp, .mp4, .webm, .png, .svg, .json, .txt, .cassette, .cast, or
a folder of frames, whose name ends with `/`. -o writes another, in place of an output of
the same kind.

--fast does not live through pauses: a pause ends as soon as the program waits for input.
In what is recorded each has the time that the tape says, so that a program which shows
only what it is told to looks the same.

Nothing runs unless all tapes can be read and all that they need is there. A tape that
fails writes no output; what explains it is below artifacts/tapes. One that passes on a
retry is flaky, and no failure.

Reporters: list and line tell people, on stderr; json, junit and github write to stdout, or
to a file, as in `junit=report.xml`; html writes one page, artifacts/report.html unless told
otherwise (docs/formats/reports.md). All may be given, each once or more.

A screentest.toml, here or in a folder above, says what holds for a project: its tapes, and
what of these options (docs/formats/screentest-toml.md). The command line wins.

Exit codes: 0 when all passed, 1 when one failed, 2 when one is wrong, needs what is not
there, or could not write its output.

Examples:
  screentest run demo.tape                    run it, write what it says
  screentest run --fast -o demo.gif demo.tape the same sooner, and a GIF
  screentest run --fast tests/*.tape          as tests
  screentest run --retries 2 --reporter junit=report.xml tests/*.tape
                                              in CI
  screentest run --shard 1/3 tests/*.tape     the first third, on one of three machines
  screentest run --last-failed                what failed, once more
  screentest run --watch demo.tape            again whenever it changes";

/// Run tapes: scripts that type, wait, look and record.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Run {
    /// Tapes; `-` is stdin. Without any, those of screentest.toml
    #[arg(value_name = "TAPE")]
    tapes: Vec<PathBuf>,
    /// Write this as well; its ending says what it is
    #[arg(short, long, value_name = "OUT", value_parser = output)]
    output: Vec<Output>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    input: InputArgs,
    /// End each pause as soon as the program waits for input; recordings have the same times
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    fast: Option<bool>,
    /// Write snapshots anew: all, those that changed, those that are missing, or none [without the option: missing, in CI none;
    /// without WHICH: changed, and missing ones too]
    #[arg(short, long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "changed", hide_possible_values = true)]
    update_snapshots: Option<Which>,
    /// Run only tapes with this regular expression in their name
    #[arg(short, long, value_name = "PATTERN", value_parser = Regex::new)]
    grep: Option<Regex>,
    /// Run only the Kth of N parts of them
    #[arg(long, value_name = "K/N", value_parser = str::parse::<Shard>, allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Run only those that failed last
    #[arg(long)]
    last_failed: bool,
    /// Print the names of the tapes that would run, and run nothing
    #[arg(long, conflicts_with = "watch")]
    list: bool,
    /// How many tapes run side by side [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = workers, allow_hyphen_values = true)]
    workers: Option<usize>,
    /// How often a tape that failed is run again [default: 0]
    #[arg(long, value_name = "N", value_parser = retries, allow_hyphen_values = true)]
    retries: Option<u32>,
    /// Run each tape so many times
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<NonZeroU32>, allow_hyphen_values = true)]
    repeat: NonZeroU32,
    /// Begin no further tape once so many have failed
    #[arg(long, value_name = "N", value_parser = count::<NonZeroUsize>, allow_hyphen_values = true)]
    max_failures: Option<NonZeroUsize>,
    /// Run again whenever a tape, or what it sources, changes
    #[arg(long)]
    watch: bool,
    /// Who is told, and perhaps in which file: list, line, json, junit, github, html [default: list]
    #[arg(long, value_name = "KIND[=FILE]", value_parser = str::parse::<Reporter>)]
    reporter: Vec<Reporter>,
    /// Tell only what failed, and the summary
    #[arg(short, long)]
    quiet: bool,
}

/// How tapes are read, for every command that reads them.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Manner {
    /// Take warnings as errors
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true", hide_possible_values = true)]
    pub(crate) strict: Option<bool>,
    /// Whose words tapes use, vhs or betamax: vhs, unless a tape says otherwise
    #[arg(long, value_name = "D", value_parser = dialect)]
    pub(crate) dialect: Option<Dialect>,
}

impl Manner {
    /// The same, with what the project wants where the command line says nothing.
    pub(crate) fn or(self, config: &Config) -> Manner {
        Manner {
            strict: self.strict.or(config.strict),
            dialect: self.dialect.or(config.dialect),
        }
    }
}

/// Which snapshots are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Which {
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
    let count = count.filter(|count| (1..=MOST_WORKERS).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 1 to {MOST_WORKERS}"))
}

fn count<N: FromStr>(text: &str) -> Result<N, String> {
    let expected = |_| "expected a whole number, 1 or more".to_owned();
    text.parse().map_err(expected)
}

fn retries(text: &str) -> Result<u32, String> {
    let expected = |_| "expected a whole number, 0 or more".to_owned();
    text.parse().map_err(expected)
}

/// Runs tapes.
pub(crate) fn run(run: &Run) -> Result<(), Failure> {
    if let Some(which) = run.taken_for_a_tape() {
        let fault = anyhow!("there is no tape `{which}`");
        let hint = format!("`-u={which}` says which snapshots are written");
        return Err(Failure::usage(fault).hint(hint));
    }
    let config = Config::find()?;
    let Picked {
        tapes: chosen,
        why_none,
    } = run.chosen(&config)?;
    if let Some(why) = why_none {
        failure::note(why);
        return Ok(());
    }
    if run.list {
        let names: String = chosen.iter().map(|one| format!("{}\n", one.name)).collect();
        let printed = crate::output::print(names.as_bytes());
        return printed.map_err(Failure::usage);
    }
    let ending = Ending::new()?;
    if run.watch {
        return again::run(run, config, chosen, ending);
    }
    let went = run.round(&config, &chosen, &ending, &mut |_| Ok(()));
    ending.leave();
    went
}

/// Where artifacts go: where the environment says, else where the project does.
fn artifacts(config: &Config) -> PathBuf {
    let cwd = env::current_dir().unwrap_or_default();
    let variable = |name: &str| env::var_os(name);
    match &config.artifacts {
        Some(folder) => project::artifacts_or(variable, &cwd, folder),
        None => project::artifacts(variable, &cwd),
    }
}

/// Told of each tape that was read, and of what it sources, before any runs.
type Heard<'a> = dyn FnMut(&TapeScript) -> Result<(), Failure> + 'a;

impl Run {
    /// What was meant for `-u` and stands where a tape does.
    fn taken_for_a_tape(&self) -> Option<&str> {
        self.update_snapshots?;
        let mut words = self.tapes.iter().filter_map(|path| path.to_str());
        words.find(|word| Which::from_str(word, false).is_ok() && !Path::new(word).exists())
    }

    /// The tapes that were asked for: one, where `-o` says what is written.
    fn chosen(&self, config: &Config) -> Result<Picked, Failure> {
        let failed = match self.last_failed {
            true => Some(LastFailed::within(&artifacts(config)).read()?),
            false => None,
        };
        let all = match &failed {
            // What failed is known by itself.
            Some(failed) if self.tapes.is_empty() && config.tapes.is_empty() => {
                let paths = failed.iter().cloned();
                paths.map(Chosen::at).collect()
            }
            _ => select::meant(&self.tapes, config)?,
        };
        let wish = Wish {
            pattern: self.grep.as_ref().filter(|_| !all.is_empty()),
            last_failed: failed,
            shard: self.shard,
        };
        let picked = wish.pick(all)?;
        let count = picked.tapes.len().max(self.tapes.len());
        if count > 1 && !self.output.is_empty() {
            let fault = anyhow!("`-o` is for one tape, and these are {count}");
            return Err(Failure::usage(fault).hint("each of several says itself what it writes"));
        }
        Ok(picked)
    }

    /// How a tape is run.
    fn options(&self, config: &Config, ending: &Ending) -> TapeOptions {
        let mut run = RunOptions::default();
        run = run.input_overrides(self.input.overrides());
        if let Some(folder) = &config.artifacts {
            run = run.artifacts_dir(folder);
        }
        if let Some(retries) = config.retries {
            run = run.retries(retries);
        }
        let options = TapeOptions::default().run(run);
        let options = options.interrupt(ending.interrupt().clone());
        let options = match self.fast.or(config.fast) {
            Some(true) => options.fast(),
            _ => options,
        };
        let options = match self.update_snapshots {
            Some(Which::All) => options.update(Update::All),
            Some(Which::Changed) => options.update(Update::Changed),
            Some(Which::Missing) => options.update(Update::Missing),
            Some(Which::None) => options.update(Update::None),
            None => options,
        };
        let outputs = self.output.iter().cloned();
        outputs.fold(options, TapeOptions::output)
    }

    /// Reads these tapes and runs them, and tells whoever is to be told.
    fn round(
        &self,
        config: &Config,
        chosen: &[Chosen],
        ending: &Ending,
        heard: &mut Heard<'_>,
    ) -> Result<(), Failure> {
        let manner = self.manner.or(config);
        let options = self.options(config, ending);
        let tapes = reading::all_ready(chosen, manner, &options, heard)?;
        let artifacts = artifacts(config);
        let asked = match self.reporter.as_slice() {
            [] => &config.reporters,
            asked => asked,
        };
        let reporters = Reporters::new(asked, &artifacts)?;
        ending.busy(true);
        let results = self.perform(config, &tapes, &reporters, ending);
        let mut failures = reporters.write(&results);
        failures.extend(LastFailed::within(&artifacts).update(&results).err());
        // The signal ends us before anybody else could tell.
        if ending.interrupt().is_raised() {
            failures.drain(..).for_each(|failure| failure.print());
        }
        ending.busy(false);
        failures.extend(self.verdict(&results).err());
        Failure::gravest(failures)
    }

    /// Runs tapes, and tells people how they go.
    fn perform(
        &self,
        config: &Config,
        tapes: &[ReadyTape],
        reporters: &Reporters,
        ending: &Ending,
    ) -> Results {
        let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let workers = self.workers.or(config.workers).unwrap_or_else(processors);
        let orders = Orders {
            workers: workers.min(tapes.len()),
            repeat: self.repeat.get(),
            retries: self.retries,
            max_failures: self.max_failures.map(NonZeroUsize::get),
            interrupt: ending.interrupt().clone(),
        };
        let kind = match (self.quiet, reporters.line()) {
            (true, _) => Kind::Nothing,
            (false, true) => Kind::Line,
            (false, false) => Kind::Bars,
        };
        let cases = tapes.len().saturating_mul(self.repeat.get() as usize);
        // The last time has the longest title.
        let last = (self.repeat.get(), self.repeat.get());
        let widths = tapes
            .iter()
            .map(|tape| title(tape.name(), last).chars().count());
        let widest = widths.max().unwrap_or_default();
        let mut live = Live::new(kind, orders.workers, cases, widest);
        ending.shows(live.drawn());
        let brief = self.quiet || reporters.line();
        let clock = Clock::system();
        let cases = pool::run(tapes, &orders, |worker, what| {
            live.show(worker, what);
            if let What::Ended { case, .. } = what
                && !(brief && case.verdict() == Verdict::Passed)
            {
                live.say(|| reporter::tell(case));
            }
        });
        drop(live);
        let results = Results {
            cases,
            duration: clock.now(),
        };
        if results.cases.len() > 1 || ending.interrupt().is_raised() {
            failure::note(&results.summary());
        }
        results
    }

    /// What a script is told.
    fn verdict(&self, results: &Results) -> Result<(), Failure> {
        let all = results.cases.len();
        let all = counted(all, if self.repeat.get() > 1 { "run" } else { "tape" });
        let failed = results.count(Verdict::Failed);
        let ended = results.count(Verdict::Stopped) + results.count(Verdict::NotRun);
        let fault = match (failed, ended) {
            (0, 0) => return Ok(()),
            (0, _) => anyhow!("not all of {all} were run to their end"),
            (failed, _) => anyhow!("{failed} of {all} failed"),
        };
        let failures = results.cases.iter().flat_map(|case| case.last());
        let mut broken = failures.filter_map(|last| Some(last.run.failure.as_ref()?.kind));
        let ours =
            broken.any(|broken| matches!(broken, TapeFailureKind::Start | TapeFailureKind::Output));
        let exit = if ours { Exit::Usage } else { Exit::Failed };
        Err(Failure::new(exit, fault))
    }
}
