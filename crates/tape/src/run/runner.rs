//! Runs a tape: starts and records its program, performs the steps, and makes the outputs from the
//! recording.
//!
//! If a step fails, the run keeps files written by earlier steps, writes a bundle that explains the
//! failure, and writes no outputs.
//!
//! See also: `run/step.rs` (the steps), `run/scheduler.rs` (their schedule), `run/outputs.rs` (the
//! outputs).

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::language::{Output, OutputKind, Span, Spanned, TapeStep};
use screentest_core::action::Pointer;
use screentest_core::{Condition, Screen, Secrets};

use super::options::Tempo;
use super::outputs::golden_text::GoldenText;
use super::outputs::{self, OutputWriter};
use super::paths;
use super::result::{TapeFailure, TapeFailureKind, TapeRun};
use super::scheduler::Scheduler;
use super::script::ReadyTape;
use super::shells::Prompt;
use super::step::{MAX_FINISHING, StepError, StepRunner};
use screentest::clock::Clock;
use screentest::internals::Owner;
use screentest::internals::chain;
use screentest::internals::failure_bundle;
use screentest::internals::{Runner, environment};
use screentest::recording::recorder::RecordOptions;
use screentest::session::Interrupt;
use screentest::session::{Session, SessionOptions};
use screentest::test::artifacts::Artifacts;

/// Maximum time for the program to become ready for its first input. A shell needs a hundredth of
/// this; programs that never wait for input are not delayed for long.
const FIRST_INPUT: Duration = Duration::from_secs(1);

/// How long to wait for a shell's prompt.
const PROMPT: Duration = Duration::from_secs(10);

/// How long the first screen, such as a prompt, is shown before the first step: a few frames of a
/// video.
const FIRST_SCREEN: Duration = Duration::from_millis(50);

/// How long to wait for the effect of the last step.
const LAST_STEP: Duration = Duration::from_millis(100);

/// Progress of a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum TapeProgress<'a> {
    /// A step begins.
    Step {
        /// Its number, from 0.
        number: usize,
        /// The number of steps.
        of: usize,
        /// The step and its position in the tape.
        step: &'a Spanned<TapeStep>,
    },
    /// A step succeeded.
    Done {
        /// Its number, from 0.
        number: usize,
        /// The number of steps.
        of: usize,
        /// How long it took.
        took: Duration,
    },
    /// All steps succeeded, and this output is being written.
    Writing {
        /// The output.
        output: &'a Output,
    },
}

/// Runs a tape.
pub(super) fn run(ready: &ReadyTape, mut watch: impl FnMut(TapeProgress<'_>)) -> TapeRun {
    let clock = Clock::system();
    let mut run = TapeRun {
        name: ready.name.clone(),
        duration: Duration::ZERO,
        recorded: Duration::ZERO,
        steps_done: 0,
        steps: ready.plan.steps.len(),
        failure: None,
        files: Vec::new(),
        checkpoints: Vec::new(),
        snapshots: Vec::new(),
        baselines: Vec::new(),
        notes: Vec::new(),
    };
    if let Err(mut failed) = run_tape(ready, &clock, &mut run, &mut watch) {
        let secrets = &ready.options.run.secrets;
        for text in [&mut failed.message, &mut failed.details] {
            *text = secrets.text(text).into_owned();
        }
        failed.secrets = secrets.clone();
        run.failure = Some(*failed);
    }
    for note in &mut run.notes {
        *note = ready.options.run.secrets.text(note).into_owned();
    }
    run.duration = clock.now();
    run
}

type RunResult<T> = Result<T, Box<TapeFailure>>;

fn run_tape(
    ready: &ReadyTape,
    clock: &Clock,
    run: &mut TapeRun,
    watch: &mut dyn FnMut(TapeProgress<'_>),
) -> RunResult<()> {
    let temp = paths::temp_dir_in(&std::env::temp_dir()).map_err(|error| {
        start_failure(format!(
            "could not create a directory for the recording: {error}"
        ))
    })?;
    let cassette = temp.path().join("tape.cassette");
    let needs_artifacts = |step: &Spanned<TapeStep>| matches!(step.value, TapeStep::Snapshot(_));
    let artifacts = if ready.plan.steps.iter().any(needs_artifacts) {
        Some(artifacts(ready).map_err(start_failure)?)
    } else {
        None
    };
    let outputs = || {
        let from_tape = ready
            .plan
            .outputs
            .iter()
            .map(|output| (&output.value, Some(&output.span)));
        from_tape.chain(ready.options.outputs.iter().map(|output| (output, None)))
    };
    let golden_text = if outputs().any(|(output, _)| output.kind == OutputKind::Text) {
        let golden_text = GoldenText::create(&temp.path().join("golden.txt"));
        Some(golden_text.map_err(|error| {
            start_failure(format!("could not write the text of the screens: {error}"))
        })?)
    } else {
        None
    };
    let session = start_session(ready, &cassette)?;
    let mut step_runner = new_step_runner(ready, &session, artifacts.as_ref());
    let result = run_steps(&mut step_runner, golden_text, clock, run, watch);
    let caption = std::mem::take(&mut step_runner.caption);
    run.checkpoints = std::mem::take(&mut step_runner.checkpoints);
    run.snapshots = std::mem::take(&mut step_runner.snapshots);
    run.baselines = std::mem::take(&mut step_runner.baselines);
    drop(step_runner);
    // Finish the recording before the program is ended, so that its end is not recorded.
    let recorded = session.finish_recording();
    let golden_text = match result {
        Ok(golden_text) => golden_text,
        Err(mut failed) => {
            let screen = ready.options.run.secrets.screen(&session.screen());
            failed.screen = Some(Box::new(screen));
            if failed.kind == TapeFailureKind::Step {
                failed.bundle =
                    write_failure_bundle(ready, artifacts, &failed, &session, &cassette, run);
            }
            close(&session, run);
            return Err(failed);
        }
    };
    close(&session, run);
    if let Some(Err(error)) = recorded {
        return Err(start_failure(format!(
            "the recording failed: {}",
            chain(&*error)
        )));
    }
    let writer = OutputWriter::new(ready, &cassette, golden_text, caption);
    let mut writer = writer
        .map_err(|error| start_failure(format!("the recording failed: {}", chain(&error))))?;
    run.recorded = writer.duration();
    let interrupt = ready.options.interrupt.as_ref();
    let interrupted = || interrupt.is_some_and(Interrupt::is_raised);
    for (output, span) in outputs() {
        if interrupted() {
            return Err(failure(&StepError::Interrupted, None, &session, ready));
        }
        watch(TapeProgress::Writing { output });
        writer.write(output).map_err(|error| {
            if interrupted() {
                failure(&StepError::Interrupted, None, &session, ready)
            } else {
                Box::new(TapeFailure {
                    kind: TapeFailureKind::Output,
                    span: span.cloned(),
                    message: format!("could not make `{}`: {}", output.path, chain(&error)),
                    details: String::new(),
                    bundle: None,
                    screen: None,
                    secrets: Secrets::default(),
                })
            }
        })?;
        run.files.push(match output.kind {
            // Directories of frames end with a slash, as in the tape.
            OutputKind::Frames => format!("{}/", output.path.trim_end_matches('/')).into(),
            _ => PathBuf::from(&output.path),
        });
    }
    Ok(())
}

/// Starts the program and its recording.
fn start_session(ready: &ReadyTape, cassette: &Path) -> RunResult<Session> {
    let options = &ready.options;
    let session = Session::start(
        &ready.prepared.app,
        SessionOptions {
            size: ready.prepared.appearance.size,
            scrollback: options.run.scrollback,
            backend: options.run.backend,
            theme: ready.prepared.appearance.theme.clone(),
            clock: match options.tempo {
                Tempo::RealTime => Clock::system(),
                Tempo::Fast => Clock::skipping(),
            },
            input: options.run.input,
            // Typed text may be stored: it is in the tape anyway.
            ..SessionOptions::default().record(
                RecordOptions::new(cassette)
                    .keep_keys()
                    .secret_values(&options.run.secrets),
            )
        },
    );
    session
        .map_err(|error| start_failure(format!("could not start the program: {}", chain(&error))))
}

fn new_step_runner<'a>(
    ready: &'a ReadyTape,
    session: &'a Session,
    artifacts: Option<&'a Artifacts>,
) -> StepRunner<'a> {
    let options = &ready.options;
    StepRunner {
        ready,
        session,
        scheduler: Scheduler::new(session, options.tempo, options.interrupt.clone()),
        artifacts,
        typing_speed: ready.plan.settings.typing_speed,
        clipboard: String::new(),
        marks: Vec::new(),
        masks: Vec::new(),
        pointer: Pointer::default(),
        view: 0,
        hidden: false,
        caption: String::new(),
        checkpoints: Vec::new(),
        snapshots: Vec::new(),
        baselines: Vec::new(),
    }
}

/// Performs all steps. Returns the file of golden text, if any, or the failure of a step.
fn run_steps(
    step_runner: &mut StepRunner<'_>,
    mut golden_text: Option<GoldenText>,
    clock: &Clock,
    run: &mut TapeRun,
    watch: &mut dyn FnMut(TapeProgress<'_>),
) -> RunResult<Option<PathBuf>> {
    let session = step_runner.session;
    let ready = step_runner.ready;
    let step_failure =
        |error: StepError, span: Option<&Span>| failure(&error, span.cloned(), session, ready);
    let write_error = |source, span| {
        let path = "the text of the screens".into();
        step_failure(StepError::Write { path, source }, span)
    };
    let all = &step_runner.ready.plan.steps;
    let of = all.len();
    if matches!(all.first().map(|step| &step.value), Some(TapeStep::Hide)) {
        step_runner.hide();
    }
    wait_until_ready(step_runner).map_err(|error| step_failure(error, None))?;
    // Only the first late input is noted: later ones have the same cause.
    let mut is_late = false;
    for (number, step) in all.iter().enumerate() {
        watch(TapeProgress::Step { number, of, step });
        let began = clock.now();
        let span = Some(&step.span);
        let result = step_runner.perform(number, &step.value);
        result.map_err(|error| step_failure(error, span))?;
        if let Some(late) = session.take_auto_wait_timeout().filter(|_| !is_late) {
            is_late = true;
            let line = step.span.line();
            let note = format!("line {line}: input was sent after {late}");
            run.notes.push(note);
        }
        if let Some(golden_text) = golden_text.as_mut().filter(|_| !step_runner.hidden) {
            let settled = step_runner.scheduler.settle(MAX_FINISHING);
            settled.map_err(|interrupted| step_failure(interrupted.into(), span))?;
            let written =
                golden_text.add(&step_runner.without_secrets(&step_runner.visible_screen()));
            written.map_err(|source| write_error(source, span))?;
        }
        run.steps_done = number + 1;
        let took = clock.now().saturating_sub(began);
        watch(TapeProgress::Done { number, of, took });
    }
    let settled = step_runner.scheduler.settle(LAST_STEP);
    settled.map_err(|interrupted| step_failure(interrupted.into(), None))?;
    let golden_text = golden_text.map(GoldenText::finish).transpose();
    golden_text.map_err(|source| write_error(source, None))
}

/// Waits until the program is ready for its first input, so that typed text is neither lost nor
/// echoed twice.
fn wait_until_ready(step_runner: &mut StepRunner<'_>) -> Result<(), StepError> {
    if step_runner.ready.prepared.prompt == Prompt::Known {
        let prompt = Condition::new("a prompt", |screen: &Screen| {
            let row = screen.row(screen.cursor.position.row);
            row.is_some_and(|row| row.text().ends_with('>'))
        });
        let limits = step_runner.scheduler.wait_limits(PROMPT);
        // If the prompt looks different or the shell has exited, the steps will report it.
        let _ = step_runner.session.wait_for(prompt, limits);
    }
    step_runner.scheduler.settle(FIRST_INPUT)?;
    step_runner.scheduler.begin(FIRST_SCREEN)?;
    Ok(())
}

/// Ends the program and all of its child processes.
fn close(session: &Session, run: &mut TapeRun) {
    if let Err(error) = session.close() {
        run.notes
            .push(format!("could not end the program: {error}"));
    }
}

/// A failure before the first step, or of the recording.
fn start_failure(message: String) -> Box<TapeFailure> {
    Box::new(TapeFailure {
        kind: TapeFailureKind::Start,
        span: None,
        message,
        details: String::new(),
        bundle: None,
        screen: None,
        secrets: Secrets::default(),
    })
}

fn failure(
    error: &StepError,
    span: Option<Span>,
    session: &Session,
    ready: &ReadyTape,
) -> Box<TapeFailure> {
    let interrupted = error.is_interrupted();
    Box::new(TapeFailure {
        kind: if interrupted {
            TapeFailureKind::Interrupted
        } else {
            TapeFailureKind::Step
        },
        span,
        message: error.message(),
        details: if interrupted {
            String::new()
        } else {
            error.details(session, ready)
        },
        bundle: None,
        screen: None,
        secrets: Secrets::default(),
    })
}

/// Opens the artifacts directory of this tape and removes files of earlier runs.
fn artifacts(ready: &ReadyTape) -> Result<Artifacts, String> {
    let options = &ready.options.run;
    let owner = Owner::session(&ready.name);
    let artifacts = Artifacts::open(&options.artifacts_dir, Runner::Tape, &owner, &environment);
    let artifacts = artifacts.map(|artifacts| artifacts.without(options.secrets.clone()));
    let artifacts = artifacts.and_then(|artifacts| artifacts.clear().map(|()| artifacts));
    artifacts.map_err(|error| {
        let hint = error.hint().map(|hint| format!("; {hint}"));
        let hint = hint.unwrap_or_default();
        format!(
            "could not open the artifacts directory: {}{hint}",
            chain(&error)
        )
    })
}

/// Writes the files that explain a failure, and returns their directory. An error is added to the
/// notes.
fn write_failure_bundle(
    ready: &ReadyTape,
    opened: Option<Artifacts>,
    failed: &TapeFailure,
    session: &Session,
    cassette: &Path,
    run: &mut TapeRun,
) -> Option<PathBuf> {
    let artifacts = match opened {
        Some(artifacts) => Ok(artifacts),
        None => artifacts(ready),
    };
    let written = artifacts.and_then(|artifacts| {
        let text = failed.render(screentest_core::Paint::Plain);
        let directory = failure_bundle::write(&artifacts, &text, Some(session));
        let directory = directory.map_err(|error| chain(&error))?;
        let to = artifacts
            .run()
            .join(failure_bundle::FOLDER)
            .join("failure.cassette");
        // The recorder has redacted the secrets in it.
        if cassette.exists() {
            outputs::copy_directory(cassette, &to).map_err(|error| error.to_string())?;
        }
        Ok(directory)
    });
    match written {
        Ok(directory) => Some(directory),
        Err(why) => {
            run.notes
                .push(format!("could not write the failure artifacts: {why}"));
            None
        }
    }
}
