//! Command line options of the soak.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use screentest_fixtures::random::Random;

pub(crate) const HELP: &str = "\
Usage: cargo xtask soak [--minutes N] [--seed S] [--at-once N] [--waves N]

Starts, drives, resizes, kills, records and replays sessions of real and synthetic programs at random, while every processor is
busy, and checks that no process, thread, descriptor, file or memory is left.

  --minutes N   Duration in minutes (1). The current wave is finished.
  --seed S      Seed of the random choices (a new one each time).
  --at-once N   Number of sessions at the same time (100).
  --waves N     Number of waves, instead of a duration.
  --life S      Run one session only, with the seed that a finding prints.
";

/// What to run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mode {
    Help,
    Soak(Plan),
    /// One session.
    SessionRun {
        seed: u64,
    },
    /// The child process that is killed.
    Host {
        seed: u64,
        place: PathBuf,
    },
}

/// Parameters of a soak.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) at_once: usize,
    pub(crate) until: Until,
}

/// When the soak ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Until {
    Minutes(f64),
    Waves(usize),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
}

impl Options {
    pub(crate) fn parse(words: impl IntoIterator<Item = String>) -> Result<Options> {
        let mut words = words.into_iter();
        let mut plan = Plan {
            seed: Random::new(screentest::clock::Clock::system().date().as_nanos() as u64).bits()
                >> 32,
            at_once: 100,
            until: Until::Minutes(1.0),
        };
        let mut mode = None;
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .with_context(|| format!("`{word}` needs a value"))
            };
            match word.as_str() {
                "--help" | "-h" | "help" => mode = Some(Mode::Help),
                "--minutes" => {
                    let minutes: f64 = number(&word, &value()?)?;
                    if !(minutes.is_finite() && minutes > 0.0) {
                        bail!("`--minutes {minutes}`: expected a number above 0");
                    }
                    plan.until = Until::Minutes(minutes);
                }
                "--waves" => plan.until = Until::Waves(at_least_one(&word, &value()?)?),
                "--at-once" => plan.at_once = at_least_one(&word, &value()?)?,
                "--seed" => plan.seed = number(&word, &value()?)?,
                "--life" => {
                    let seed = number(&word, &value()?)?;
                    mode = Some(Mode::SessionRun { seed });
                }
                "--host" => {
                    let seed = number(&word, &value()?)?;
                    let place = value()?.into();
                    mode = Some(Mode::Host { seed, place });
                }
                other => bail!("unknown argument `{other}`\n\n{HELP}"),
            }
        }
        let mode = mode.unwrap_or(Mode::Soak(plan));
        Ok(Options { mode })
    }
}

fn number<T: std::str::FromStr>(word: &str, value: &str) -> Result<T> {
    let parsed = value.parse().ok();
    parsed.with_context(|| format!("`{word} {value}`: expected a number"))
}

fn at_least_one(word: &str, value: &str) -> Result<usize> {
    match number(word, value)? {
        0 => bail!("`{word} 0`: expected at least 1"),
        some => Ok(some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Mode> {
        Options::parse(line.split_whitespace().map(str::to_owned)).map(|options| options.mode)
    }

    #[test]
    fn options_choose_duration_and_seed() {
        let plan = |seed, at_once, until| {
            Mode::Soak(Plan {
                seed,
                at_once,
                until,
            })
        };
        let minutes = parsed("--minutes 0.5 --seed 7").unwrap();
        assert_eq!(minutes, plan(7, 100, Until::Minutes(0.5)));
        let waves = parsed("--waves 2 --seed 7 --at-once 12").unwrap();
        assert_eq!(waves, plan(7, 12, Until::Waves(2)));
        assert_eq!(parsed("--life 9").unwrap(), Mode::SessionRun { seed: 9 });
        assert_eq!(parsed("--help").unwrap(), Mode::Help);
    }

    #[test]
    fn invalid_options_are_named() {
        for (line, expected) in [
            ("--minutes", "`--minutes` needs a value"),
            ("--minutes 0", "`--minutes 0`: expected a number above 0"),
            ("--minutes x", "`--minutes x`: expected a number"),
            ("--waves 0", "`--waves 0`: expected at least 1"),
            ("--hours 2", "unknown argument `--hours`"),
        ] {
            let error = parsed(line).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }
}
