//! What came of a tape: how each attempt went, and what that makes of it.

use std::path::PathBuf;
use std::time::Duration;

use screentest::core::Theme;
use screentest_tape::{TapeFailure, TapeFailureKind, TapeRun};

/// A tape of this run, once for each time that it was to be run.
#[derive(Debug)]
pub(crate) struct Case {
    /// What messages call the tape.
    pub(crate) name: String,
    /// Which time it is, and of how many, both from 1.
    pub(crate) time: (u32, u32),
    /// How many steps it has.
    pub(crate) steps: usize,
    /// The colours of its terminal.
    pub(crate) theme: Theme,
    /// In their order; none where it was not run.
    pub(crate) attempts: Vec<Attempt>,
}

/// One attempt at running a tape.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) run: TapeRun,
    /// What was done, of an attempt that failed.
    pub(crate) done: Vec<Done>,
}

/// A step that was begun.
#[derive(Debug)]
pub(crate) struct Done {
    /// Where it stands, as `demo.tape:3`.
    pub(crate) place: String,
    /// What stands there.
    pub(crate) text: String,
    /// How long it took; `None` for the one that did not go well.
    pub(crate) took: Option<Duration>,
}

/// What is to be said of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Passed,
    /// It passed, but not at once.
    Flaky,
    Failed,
    /// Somebody ended it.
    Stopped,
    NotRun,
}

impl Verdict {
    pub(crate) const ALL: [Verdict; 5] = [
        Verdict::Passed,
        Verdict::Flaky,
        Verdict::Failed,
        Verdict::Stopped,
        Verdict::NotRun,
    ];

    /// As people read it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Flaky => "flaky",
            Verdict::Failed => "failed",
            Verdict::Stopped => "stopped",
            Verdict::NotRun => "not run",
        }
    }

    /// As files have it.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Verdict::NotRun => "not_run",
            other => other.word(),
        }
    }
}

impl Case {
    /// What messages call it: the tape, and which time it is where there are several.
    pub(crate) fn title(&self) -> String {
        title(&self.name, self.time)
    }

    pub(crate) fn verdict(&self) -> Verdict {
        let Some(last) = self.last() else {
            return Verdict::NotRun;
        };
        match &last.run.failure {
            None if self.attempts.len() == 1 => Verdict::Passed,
            None => Verdict::Flaky,
            Some(failure) if failure.kind == TapeFailureKind::Interrupted => Verdict::Stopped,
            Some(_) => Verdict::Failed,
        }
    }

    /// The attempt that decides.
    pub(crate) fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// How long all attempts took.
    pub(crate) fn duration(&self) -> Duration {
        self.attempts.iter().map(|one| one.run.duration).sum()
    }

    /// Each attempt that failed, with its number from 1.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (usize, &Attempt, &TapeFailure)> {
        let all = self.attempts.iter().enumerate();
        all.filter_map(|(index, one)| Some((index + 1, one, one.run.failure.as_ref()?)))
    }
}

impl Attempt {
    /// All that it left on disk.
    pub(crate) fn left(&self) -> Vec<PathBuf> {
        let TapeRun {
            files,
            checkpoints,
            snapshots,
            failure,
            ..
        } = &self.run;
        let bundle = failure.iter().filter_map(|failure| failure.bundle.clone());
        let written = files.iter().chain(checkpoints).chain(snapshots);
        written.cloned().chain(bundle).collect()
    }
}

/// All that came of a run, in the order in which the tapes were named.
#[derive(Debug)]
pub(crate) struct Results {
    pub(crate) cases: Vec<Case>,
    /// How long it took as a whole.
    pub(crate) duration: Duration,
}

impl Results {
    /// How many are so.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        let all = self.cases.iter();
        all.filter(|case| case.verdict() == verdict).count()
    }

    /// All verdicts that there are, in a few words.
    pub(crate) fn summary(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| (self.count(verdict), verdict.word()));
        let told = counts.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = told
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        format!(
            "{} in {:.1} s",
            told.join(", "),
            self.duration.as_secs_f64()
        )
    }
}

/// What messages call one of the times that a tape is run.
pub(crate) fn title(name: &str, time: (u32, u32)) -> String {
    match time {
        (_, 1) => name.to_owned(),
        (time, of) => format!("{name} ({time} of {of})"),
    }
}

/// So many of something.
pub(crate) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {one}s"),
    }
}
