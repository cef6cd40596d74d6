//! Runs tapes in parallel.
//!
//! Retries and repetitions of one tape run one after the other, since they write the same files.
//! Workers send their events to one listener, in order.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use screentest::session::Interrupt;
use screentest_tape::{ReadyTape, TapeFailureKind, TapeProgress};

use super::attempt_artifacts::AttemptArtifacts;
use super::tape_result::{Attempt, StepResult, TapeResult, Verdict};
use crate::output::sanitize;

/// How tapes are run.
#[derive(Debug, Clone)]
pub(crate) struct PoolOptions {
    /// Number of tapes that run in parallel.
    pub(crate) workers: usize,
    /// How often each tape runs.
    pub(crate) repeat: u32,
    /// How often a failed tape is retried; `None` uses the tape's own options.
    pub(crate) retries: Option<u32>,
    /// After this many failures, no more tapes start.
    pub(crate) max_failures: Option<usize>,
    /// Interrupts all tapes.
    pub(crate) interrupt: Interrupt,
}

/// An event of a worker; workers are numbered from 0.
#[derive(Debug)]
pub(crate) struct WorkerEvent {
    pub(crate) worker: usize,
    pub(crate) event: TapeEvent,
}

/// An event while tapes run.
#[derive(Debug)]
pub(crate) enum TapeEvent {
    /// An attempt at a tape begins.
    Began { title: String, steps: usize },
    /// A step begins; steps are numbered from 0.
    Step { number: usize, text: String },
    /// An output file is being written.
    Writing { path: String },
    /// The tape is done: no more attempts follow.
    Ended { key: ResultKey, case: TapeResult },
}

/// Sort key of a result: the index of the tape, and the repetition from 1.
pub(crate) type ResultKey = (usize, u32);

/// Runs all tapes. Tapes that did not start, after an interrupt or too many failures, are included
/// in the results.
pub(crate) fn run(
    tapes: &[ReadyTape],
    options: &PoolOptions,
    mut on_event: impl FnMut(usize, &TapeEvent),
) -> Vec<TapeResult> {
    let state = PoolState {
        tapes,
        options,
        next: Mutex::new(0),
        failed: AtomicUsize::new(0),
    };
    let mut cases: BTreeMap<ResultKey, TapeResult> = BTreeMap::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for worker in 0..options.workers.min(tapes.len()) {
            let state = &state;
            let sender = sender.clone();
            let send = move |event| {
                // The receiver outlives the workers.
                let _ = Sender::send(&sender, WorkerEvent { worker, event });
            };
            scope.spawn(move || state.work(&send));
        }
        drop(sender);
        for WorkerEvent { worker, event } in receiver {
            on_event(worker, &event);
            if let TapeEvent::Ended { key, case } = event {
                cases.insert(key, case);
            }
        }
    });
    cases.into_values().collect()
}

struct PoolState<'a> {
    tapes: &'a [ReadyTape],
    options: &'a PoolOptions,
    next: Mutex<usize>,
    failed: AtomicUsize,
}

impl PoolState<'_> {
    /// Runs one tape after the other until none is left.
    fn work(&self, send: &dyn Fn(TapeEvent)) {
        loop {
            let number = {
                let mut next = self
                    .next
                    .lock()
                    .expect("no worker panics with the lock held");
                let number = *next;
                *next += 1;
                number
            };
            let Some(tape) = self.tapes.get(number) else {
                return;
            };
            let mut artifacts = AttemptArtifacts::new(tape);
            for repetition in 1..=self.options.repeat {
                let case = self.run_tape(tape, repetition, &mut artifacts, send);
                if case.verdict() == Verdict::Failed {
                    self.failed.fetch_add(1, Ordering::SeqCst);
                }
                let key = (number, repetition);
                send(TapeEvent::Ended { key, case });
            }
        }
    }

    fn is_over(&self) -> bool {
        let max_failures = self.options.max_failures.unwrap_or(usize::MAX);
        self.options.interrupt.is_raised() || self.failed.load(Ordering::SeqCst) >= max_failures
    }

    fn run_tape(
        &self,
        tape: &ReadyTape,
        repetition: u32,
        artifacts: &mut AttemptArtifacts,
        send: &dyn Fn(TapeEvent),
    ) -> TapeResult {
        let mut case = TapeResult {
            name: tape.name().to_owned(),
            repetition: (repetition, self.options.repeat),
            steps: tape.steps(),
            theme: tape.theme().clone(),
            attempts: Vec::new(),
        };
        let retries = self.options.retries;
        let mut retries_left = retries.unwrap_or(tape.options().run.retries);
        // A tape that was started gets all of its retries, however many other tapes have failed.
        let is_over = |case: &TapeResult| {
            if case.attempts.is_empty() {
                self.is_over()
            } else {
                self.options.interrupt.is_raised()
            }
        };
        while !is_over(&case) {
            send(TapeEvent::Began {
                title: case.title(),
                steps: case.steps,
            });
            let mut attempt = run_attempt(tape, send);
            // A missing program or an unwritable file will not be different in a retry.
            let failed = attempt.run.failure.as_ref();
            let is_retryable = failed.is_some_and(|failure| failure.kind == TapeFailureKind::Step);
            let retry = is_retryable && retries_left > 0;
            if retry || repetition < self.options.repeat {
                artifacts.preserve(&mut attempt.run);
            }
            case.attempts.push(attempt);
            if !retry {
                break;
            }
            retries_left -= 1;
        }
        case
    }
}

fn run_attempt(tape: &ReadyTape, send: &dyn Fn(TapeEvent)) -> Attempt {
    let mut steps: Vec<StepResult> = Vec::new();
    let run = tape.run(|progress| match progress {
        TapeProgress::Step { number, step, .. } => {
            let text = tape.options().run.secrets.text(step.span.text());
            let text = sanitize::replace_controls(&text);
            send(TapeEvent::Step {
                number,
                text: text.clone(),
            });
            steps.push(StepResult {
                place: format!("{}:{}", step.span.source().name(), step.span.line()),
                text,
                took: None,
            });
        }
        TapeProgress::Done { took, .. } => {
            if let Some(last) = steps.last_mut() {
                last.took = Some(took);
            }
        }
        TapeProgress::Writing { output } => send(TapeEvent::Writing {
            path: sanitize::replace_controls(&tape.options().run.secrets.text(&output.path)),
        }),
        _ => {}
    });
    // Reports list the steps of failed attempts only.
    if run.passed() {
        steps.clear();
    }
    Attempt {
        run,
        started_steps: steps,
    }
}
