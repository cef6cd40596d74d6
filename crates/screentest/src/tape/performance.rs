//! Running a tape: its program is started and recorded, its steps are done, and what it wants written is made of the recording.
//!
//! What fails leaves what was written on the way and a bundle that explains it, and writes nothing else.
//!
//! Elsewhere: the steps (`tape/step.rs`), when they happen (`tape/pace.rs`), what is written (`tape/develop.rs`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use screentest_core::tape::{Output, OutputKind, Place, Placed, Step};
use screentest_core::{Condition, Position, Screen};

use super::develop::{self, Developer};
use super::golden::Golden;
use super::options::Tempo;
use super::pace::Pace;
use super::place::Scratch;
use super::run::{Broken, Failed, Run};
use super::script::Ready;
use super::shell::Prompt;
use super::step::{FINISHING, Performer, StepError};
use crate::clock::Clock;
use crate::recording::recorder::RecordOptions;
use crate::session::wait::limits::Interrupt;
use crate::session::{Options, Session};
use crate::test::artifacts::Artifacts;
use crate::test::dir_lock::Owner;
use crate::test::failure::chain;
use crate::test::failure_bundle;
use crate::test::run_options::{Runner, environment};

/// How long a program may take to wait for its first input. A shell is ready in a hundredth of it; what never waits for input is
/// not held up for long.
const STARTING: Duration = Duration::from_secs(1);

/// How long a shell may take to show its prompt.
const PROMPTING: Duration = Duration::from_secs(10);

/// How long what a program begins with is seen before the first step, such as a prompt: a few pictures of a film.
const SEEN: Duration = Duration::from_millis(50);

/// How long a program may take to show what came of the last step.
const ENDING: Duration = Duration::from_millis(100);

/// How far a run is.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A step begins.
    Step {
        /// Its number, from 0.
        number: usize,
        /// How many there are.
        of: usize,
        /// The step, and its place in the tape.
        step: &'a Placed<Step>,
    },
    /// A step went well.
    Done {
        /// Its number, from 0.
        number: usize,
        /// How many there are.
        of: usize,
        /// How long it took.
        took: Duration,
    },
    /// Every step went well, and this is being written.
    Writing {
        /// What.
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
            "could not make a folder for the recording: {error}"
        ))
    })?;
    let cassette = scratch.path().join("tape.cassette");
    let needs_artifacts = |step: &Placed<Step>| matches!(step.value, Step::Snapshot(_));
    let artifacts = match ready.plan.steps.iter().any(needs_artifacts) {
        true => Some(artifacts(ready).map_err(start)?),
        false => None,
    };
    let outputs = || {
        let own = ready
            .plan
            .outputs
            .iter()
            .map(|output| (&output.value, Some(&output.place)));
        own.chain(ready.options.outputs.iter().map(|output| (output, None)))
    };
    let golden = match outputs().any(|(output, _)| output.kind == OutputKind::Text) {
        true => {
            let golden = Golden::create(&scratch.path().join("golden.txt"));
            Some(golden.map_err(|error| start(format!("could not keep the text: {error}")))?)
        }
        false => None,
    };
    let session = begin(ready, &cassette)?;
    let mut performer = performer(ready, &session, artifacts.as_ref());
    let done = steps(&mut performer, golden, clock, run, watch);
    let caption = std::mem::take(&mut performer.caption);
    run.checkpoints = std::mem::take(&mut performer.checkpoints);
    run.snapshots = std::mem::take(&mut performer.snapshots);
    run.baselines = std::mem::take(&mut performer.baselines);
    drop(performer);
    // Before anything is ended, so that its end is no part of what was recorded.
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
    let developer = Developer::new(ready, &cassette, golden, caption);
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
        developer.make(output).map_err(|error| match stopped() {
            true => failed(&StepError::Stopped, None, &session, ready),
            false => Box::new(Failed {
                broken: Broken::Output,
                place: place.cloned(),
                message: format!("`{}` was not made: {}", output.path, chain(&error)),
                details: String::new(),
                bundle: None,
                screen: None,
            }),
        })?;
        run.files.push(match output.kind {
            // As the tape has it.
            OutputKind::Frames => format!("{}/", output.path.trim_end_matches('/')).into(),
            _ => PathBuf::from(&output.path),
        });
    }
    Ok(())
}

/// Starts the program, with all that happens recorded.
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
            // What is typed stands in the tape anyway.
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
) -> Performer<'a> {
    let options = &ready.options;
    Performer {
        ready,
        session,
        pace: Pace::new(session, options.tempo, options.interrupt.clone()),
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

/// Does all steps; gives the text of the screens, or the step that failed.
fn steps(
    performer: &mut Performer<'_>,
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
    // The first is noted: the others have the same reason.
    let mut is_late = false;
    for (number, step) in all.iter().enumerate() {
        watch(Progress::Step { number, of, step });
        let began = clock.now();
        let place = Some(&step.place);
        let done = performer.perform(number, &step.value);
        done.map_err(|error| fail(error, place))?;
        if let Some(late) = session.take_late().filter(|_| !is_late) {
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

/// Waits until the program is ready for its first input, so that nothing is typed that it would show twice, or lose.
fn start_up(performer: &mut Performer<'_>) -> Result<(), StepError> {
    if performer.ready.found.prompt == Prompt::Known {
        let prompt = Condition::new("a prompt", |screen: &Screen| {
            let row = screen.row(screen.cursor.position.row);
            row.is_some_and(|row| row.text().ends_with('>'))
        });
        let patience = performer.pace.patience(PROMPTING);
        // One that looks otherwise, or has ended, is for the steps to find out.
        let _ = performer.session.wait_for(prompt, patience);
    }
    performer.pace.settle(STARTING)?;
    performer.pace.begin(SEEN)?;
    Ok(())
}

/// Ends the program, and everything that it started.
fn close(session: &Session, run: &mut Run) {
    if let Err(error) = session.close() {
        run.notes
            .push(format!("the program could not be ended: {error}"));
    }
}

/// Something without which nothing can begin.
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
        broken: match stopped {
            true => Broken::Interrupted,
            false => Broken::Step,
        },
        place,
        message: error.message(),
        details: match stopped {
            true => String::new(),
            false => error.details(session, ready),
        },
        bundle: None,
        screen: None,
    })
}

/// The folder of this tape's artifacts, without what an earlier run left there.
fn artifacts(ready: &Ready) -> Result<Artifacts, String> {
    let options = &ready.options.run;
    let owner = Owner::session(&ready.name);
    let artifacts = Artifacts::open(&options.artifacts_dir, Runner::Tape, &owner, &environment);
    let artifacts = artifacts.map(|artifacts| artifacts.without(options.secrets.clone()));
    let artifacts = artifacts.and_then(|artifacts| artifacts.clear().map(|()| artifacts));
    artifacts.map_err(|error| {
        let hint = error.hint().map(|hint| format!("; {hint}"));
        let hint = hint.unwrap_or_default();
        format!("there is no folder for artifacts: {}{hint}", chain(&error))
    })
}

/// Leaves what explains a failure, and says where; what keeps it from that is noted.
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
            develop::copy_folder(cassette, &to).map_err(|error| error.to_string())?;
        }
        Ok(folder)
    });
    match left {
        Ok(folder) => Some(folder),
        Err(why) => {
            run.notes
                .push(format!("nothing was left that explains it: {why}"));
            None
        }
    }
}
