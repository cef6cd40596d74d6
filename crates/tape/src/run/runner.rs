//! Runs a tape: starts and records its program, performs the steps, and makes the outputs from the
//! recording.
//!
//! A failed run keeps files written by earlier steps and a bundle that explains the failure, and
//! writes no outputs.
//!
//! See also: `tape/step.rs` (the steps), `tape/pace.rs` (their schedule), `tape/develop.rs` (the
//! outputs).

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::language::{Output, OutputKind, Place, Placed, Step};
use screentest_core::{Condition, Position, Screen};

use super::golden::Golden;
use super::options::Tempo;
use super::outputs::{self, OutputWriter};
use super::paths::Scratch;
use super::result::{Broken, Failed, Run};
use super::scheduler::Scheduler;
use super::script::Ready;
use super::shells::Prompt;
use super::step::{FINISHING, StepError, StepRunner};
use screentest::Interrupt;
use screentest::clock::Clock;
use screentest::internals::Owner;
use screentest::internals::chain;
use screentest::internals::failure_bundle;
use screentest::internals::{Runner, environment};
use screentest::recording::recorder::RecordOptions;
use screentest::session::{Options, Session};
use screentest::test::artifacts::Artifacts;

/// How long to wait until the program waits for its first input. A shell needs a hundredth of this;
/// programs that never wait for input are not delayed for long.
const STARTING: Duration = Duration::from_secs(1);

/// How long to wait for a shell's prompt.
const PROMPTING: Duration = Duration::from_secs(10);

/// How long the first screen, such as a prompt, is shown before the first step: a few frames of a
/// video.
const SEEN: Duration = Duration::from_millis(50);

/// How long to wait for the effect of the last step.
const ENDING: Duration = Duration::from_millis(100);

/// Progress of a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A step begins.
    Step {
        /// Its number, from 0.
        number: usize,
        /// The number of steps.
        of: usize,
        /// The step and its position in the tape.
        step: &'a Placed<Step>,
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
pub(super) fn run(ready: &Ready, mut watch: impl FnMut(Progress<'_>)) -> Run {
    let clock = Clock::system();
    let mut run = Run {
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
    if let Err(mut failed) = perform(ready, &clock, &mut run, &mut watch) {
        let secrets = &ready.options.run.secrets;
        for text in [&mut failed.message, &mut failed.details] {
            *text = secrets.text(text).into_owned();
        }
        run.failure = Some(*failed);
    }
    run.duration = clock.now();
    run
}

type Failing<T> = Result<T, Box<Failed>>;

fn perform(
    ready: &Ready,
    clock: &Clock,
    run: &mut Run,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Failing<()> {
    let scratch = Scratch::within(&std::env::temp_dir()).map_err(|error| {
        start(format!(
            "could not create a directory for the recording: {error}"
        ))
    })?;
    let cassette = scratch.path().join("tape.cassette");
    let needs_artifacts = |step: &Placed<Step>| matches!(step.value, Step::Snapshot(_));
    let artifacts = if ready.plan.steps.iter().any(needs_artifacts) {
        Some(artifacts(ready).map_err(start)?)
    } else {
        None
    };
    let outputs = || {
        let own = ready
            .plan
            .outputs
            .iter()
            .map(|output| (&output.value, Some(&output.place)));
        own.chain(ready.options.outputs.iter().map(|output| (output, None)))
    };
    let golden =
        if outputs().any(|(output, _)| output.kind == OutputKind::Text) {
            let golden = Golden::create(&scratch.path().join("golden.txt"));
            Some(golden.map_err(|error| {
                start(format!("could not write the text of the screens: {error}"))
            })?)
        } else {
            None
        };
    let session = begin(ready, &cassette)?;
    let mut performer = performer(ready, &session, artifacts.as_ref());
    let done = steps(&mut performer, golden, clock, run, watch);
    let caption = std::mem::take(&mut performer.caption);
    run.checkpoints = std::mem::take(&mut performer.checkpoints);
    run.snapshots = std::mem::take(&mut performer.snapshots);
    run.baselines = std::mem::take(&mut performer.baselines);
    drop(performer);
    // Finish the recording before the program is ended, so that its end is not recorded.
    let recorded = session.finish_recording();
    let golden = match done {
        Ok(golden) => golden,
        Err(mut failed) => {
            let screen = ready.options.run.secrets.screen(&session.screen());
            failed.screen = Some(Box::new(screen));
            if failed.broken == Broken::Step {
                failed.bundle = leave(ready, artifacts, &failed, &session, &cassette, run);
            }
            close(&session, run);
            return Err(failed);
        }
    };
    close(&session, run);
    if let Some(Err(error)) = recorded {
        return Err(start(format!("the recording failed: {}", chain(&*error))));
    }
    let developer = OutputWriter::new(ready, &cassette, golden, caption);
    let mut developer =
        developer.map_err(|error| start(format!("the recording failed: {}", chain(&error))))?;
    run.recorded = developer.duration();
    let interrupt = ready.options.interrupt.as_ref();
    let stopped = || interrupt.is_some_and(Interrupt::is_raised);
    for (output, place) in outputs() {
        if stopped() {
            return Err(failed(&StepError::Stopped, None, &session, ready));
        }
        watch(Progress::Writing { output });
        developer.make(output).map_err(|error| {
            if stopped() {
                failed(&StepError::Stopped, None, &session, ready)
            } else {
                Box::new(Failed {
                    broken: Broken::Output,
                    place: place.cloned(),
                    message: format!("could not make `{}`: {}", output.path, chain(&error)),
                    details: String::new(),
                    bundle: None,
                    screen: None,
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
fn begin(ready: &Ready, cassette: &Path) -> Failing<Session> {
    let options = &ready.options;
    let session = Session::start(
        &ready.found.app,
        Options {
            size: ready.found.look.size,
            scrollback: options.run.scrollback,
            backend: options.run.backend,
            theme: ready.found.look.theme.clone(),
            clock: match options.tempo {
                Tempo::Lived => Clock::system(),
                Tempo::Fast => Clock::skipping(),
            },
            input: options.run.input,
            // Typed text may be stored: it is in the tape anyway.
            record: Some(
                RecordOptions::new(cassette)
                    .keep_keys()
                    .secret_values(&options.run.secrets),
            ),
            ..Options::default()
        },
    );
    session.map_err(|error| start(format!("could not start the program: {}", chain(&error))))
}

fn performer<'a>(
    ready: &'a Ready,
    session: &'a Session,
    artifacts: Option<&'a Artifacts>,
) -> StepRunner<'a> {
    let options = &ready.options;
    StepRunner {
        ready,
        session,
        pace: Scheduler::new(session, options.tempo, options.interrupt.clone()),
        artifacts,
        typing_speed: ready.plan.settings.typing_speed,
        clipboard: String::new(),
        marks: Vec::new(),
        masks: Vec::new(),
        mouse: Position::default(),
        held: None,
        view: 0,
        hidden: false,
        caption: String::new(),
        checkpoints: Vec::new(),
        snapshots: Vec::new(),
        baselines: Vec::new(),
    }
}

/// Performs all steps. Returns the golden text, or the step that failed.
fn steps(
    performer: &mut StepRunner<'_>,
    mut golden: Option<Golden>,
    clock: &Clock,
    run: &mut Run,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Failing<Option<PathBuf>> {
    let session = performer.session;
    let ready = performer.ready;
    let fail =
        |error: StepError, place: Option<&Place>| failed(&error, place.cloned(), session, ready);
    let unwritten = |source, place| {
        let path = "the text of the screens".into();
        fail(StepError::Write { path, source }, place)
    };
    let all = &performer.ready.plan.steps;
    let of = all.len();
    if matches!(all.first().map(|step| &step.value), Some(Step::Hide)) {
        performer.hide();
    }
    start_up(performer).map_err(|error| fail(error, None))?;
    // Only the first late input is noted: later ones have the same cause.
    let mut is_late = false;
    for (number, step) in all.iter().enumerate() {
        watch(Progress::Step { number, of, step });
        let began = clock.now();
        let place = Some(&step.place);
        let done = performer.perform(number, &step.value);
        done.map_err(|error| fail(error, place))?;
        if let Some(late) = session.take_auto_wait_timeout().filter(|_| !is_late) {
            is_late = true;
            let line = step.place.line();
            let note = format!("line {line}: input was sent after {late}");
            run.notes.push(note);
        }
        if let Some(golden) = golden.as_mut().filter(|_| !performer.hidden) {
            let settled = performer.pace.settle(FINISHING);
            settled.map_err(|stopped| fail(stopped.into(), place))?;
            let written = golden.add(&performer.kept(&performer.seen()));
            written.map_err(|source| unwritten(source, place))?;
        }
        run.steps_done = number + 1;
        let took = clock.now().saturating_sub(began);
        watch(Progress::Done { number, of, took });
    }
    let settled = performer.pace.settle(ENDING);
    settled.map_err(|stopped| fail(stopped.into(), None))?;
    let golden = golden.map(Golden::finish).transpose();
    golden.map_err(|source| unwritten(source, None))
}

/// Waits until the program is ready for its first input, so that typed text is neither lost nor
/// echoed twice.
fn start_up(performer: &mut StepRunner<'_>) -> Result<(), StepError> {
    if performer.ready.found.prompt == Prompt::Known {
        let prompt = Condition::new("a prompt", |screen: &Screen| {
            let row = screen.row(screen.cursor.position.row);
            row.is_some_and(|row| row.text().ends_with('>'))
        });
        let limits = performer.pace.limits(PROMPTING);
        // If the prompt looks different or the shell has exited, the steps will report it.
        let _ = performer.session.wait_for(prompt, limits);
    }
    performer.pace.settle(STARTING)?;
    performer.pace.begin(SEEN)?;
    Ok(())
}

/// Ends the program and all of its child processes.
fn close(session: &Session, run: &mut Run) {
    if let Err(error) = session.close() {
        run.notes
            .push(format!("could not end the program: {error}"));
    }
}

/// A failure before the first step.
fn start(message: String) -> Box<Failed> {
    Box::new(Failed {
        broken: Broken::Start,
        place: None,
        message,
        details: String::new(),
        bundle: None,
        screen: None,
    })
}

fn failed(
    error: &StepError,
    place: Option<Place>,
    session: &Session,
    ready: &Ready,
) -> Box<Failed> {
    let stopped = error.is_stop();
    Box::new(Failed {
        broken: if stopped {
            Broken::Interrupted
        } else {
            Broken::Step
        },
        place,
        message: error.message(),
        details: if stopped {
            String::new()
        } else {
            error.details(session, ready)
        },
        bundle: None,
        screen: None,
    })
}

/// Opens the artifacts directory of this tape and removes files of earlier runs.
fn artifacts(ready: &Ready) -> Result<Artifacts, String> {
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
fn leave(
    ready: &Ready,
    opened: Option<Artifacts>,
    failed: &Failed,
    session: &Session,
    cassette: &Path,
    run: &mut Run,
) -> Option<PathBuf> {
    let artifacts = match opened {
        Some(artifacts) => Ok(artifacts),
        None => artifacts(ready),
    };
    let left = artifacts.and_then(|artifacts| {
        let told = failed.painted(screentest_core::Paint::Plain);
        let folder = failure_bundle::write(&artifacts, &told, Some(session));
        let folder = folder.map_err(|error| chain(&error))?;
        let to = artifacts
            .run()
            .join(failure_bundle::FOLDER)
            .join("failure.cassette");
        if artifacts.secrets().is_empty() && cassette.exists() {
            outputs::copy_folder(cassette, &to).map_err(|error| error.to_string())?;
        }
        Ok(folder)
    });
    match left {
        Ok(folder) => Some(folder),
        Err(why) => {
            run.notes
                .push(format!("could not write the failure artifacts: {why}"));
            None
        }
    }
}
