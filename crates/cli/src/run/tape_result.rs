//! Result of a tape: its attempts, and the verdict.

use std::path::PathBuf;
use std::time::Duration;

use screentest::core::Theme;
use screentest_tape::{TapeFailure, TapeFailureKind, TapeRun};

/// The result of one repetition of a tape.
#[derive(Debug)]
pub(crate) struct TapeResult {
    /// The name of the tape in messages.
    pub(crate) name: String,
    /// The repetition and the number of repetitions, both from 1.
    pub(crate) repetition: (u32, u32),
    /// The number of steps in the tape.
    pub(crate) steps: usize,
    /// The colours of its terminal.
    pub(crate) theme: Theme,
    /// In order; empty if the tape did not run.
    pub(crate) attempts: Vec<Attempt>,
}

/// One attempt at running a tape.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) run: TapeRun,
    /// The steps that were started; recorded only for failed attempts.
    pub(crate) started_steps: Vec<StepResult>,
}

/// A step that was started.
#[derive(Debug)]
pub(crate) struct StepResult {
    /// The position, such as `demo.tape:3`.
    pub(crate) place: String,
    /// The text of the step.
    pub(crate) text: String,
    /// The duration; `None` if the step did not succeed.
    pub(crate) took: Option<Duration>,
}

/// Verdict on a tape, after all attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Passed,
    /// Passed after a failed attempt.
    Flaky,
    Failed,
    /// Interrupted.
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

    /// Returns the word for people.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Flaky => "flaky",
            Verdict::Failed => "failed",
            Verdict::Stopped => "stopped",
            Verdict::NotRun => "not run",
        }
    }

    /// Returns the word for report files.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Verdict::NotRun => "not_run",
            other => other.word(),
        }
    }
}

impl TapeResult {
    /// Returns the tape's name, with the repetition if there are several.
    pub(crate) fn title(&self) -> String {
        title(&self.name, self.repetition)
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

    /// Returns the last attempt, which decides the verdict.
    pub(crate) fn last(&self) -> Option<&Attempt> {
        self.attempts.last()
    }

    /// Returns the total duration of all attempts.
    pub(crate) fn duration(&self) -> Duration {
        self.attempts
            .iter()
            .map(|attempt| attempt.run.duration)
            .sum()
    }

    /// Returns each failed attempt, with its number from 1.
    pub(crate) fn failures(&self) -> impl Iterator<Item = (usize, &Attempt, &TapeFailure)> {
        let all = self.attempts.iter().enumerate();
        all.filter_map(|(index, attempt)| Some((index + 1, attempt, attempt.run.failure.as_ref()?)))
    }
}

impl Attempt {
    /// Returns all files and directories that the attempt wrote.
    pub(crate) fn artifacts(&self) -> Vec<PathBuf> {
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

/// All results of a run, in the order of the tapes.
#[derive(Debug)]
pub(crate) struct RunResults {
    pub(crate) cases: Vec<TapeResult>,
    /// The duration of the whole run.
    pub(crate) duration: Duration,
}

impl RunResults {
    /// Counts the results with a verdict.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        let all = self.cases.iter();
        all.filter(|case| case.verdict() == verdict).count()
    }

    /// Returns one line with the count of each verdict that occurs, and the duration.
    pub(crate) fn summary(&self) -> String {
        let counts = Verdict::ALL.map(|verdict| (self.count(verdict), verdict.word()));
        let parts = counts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        format!(
            "{} in {:.1} s",
            parts.join(", "),
            self.duration.as_secs_f64()
        )
    }
}

/// Returns the title of one repetition of a tape.
pub(crate) fn title(name: &str, repetition: (u32, u32)) -> String {
    match repetition {
        (_, 1) => name.to_owned(),
        (repetition, of) => format!("{name} ({repetition} of {of})"),
    }
}

/// Returns a count with its noun: `1 tape`, `2 tapes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}
