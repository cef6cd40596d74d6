//! Runs the body of a test or of a script.
//!
//! A test has a time limit, is tried again if the options say so, and leaves files that explain a
//! failure next to its snapshots. It panics at its caller's line, as Rust's own assertions do.

use std::any::Any;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use screentest_core::Paint;

use crate::environment::{Variables, environment};
use crate::format_duration::Elapsed;
use crate::test::artifacts::{ArtifactError, Artifacts};
use crate::test::dir_lock::Owner;
use crate::test::failure::{Failure, FailureOrigin};
use crate::test::failure_bundle;
use crate::test::run_options::{RunOptions, Runner};
use crate::test::terminal::{MORE_TIME, Terminal, TuiError};

/// Runs a test, in a `#[test]` function. Panics at the caller's line if the body fails in every
/// attempt.
///
/// ```no_run
/// use screentest::{App, RunOptions, tui_test};
///
/// // #[test]
/// fn adds_two_numbers() {
///     tui_test(RunOptions::default(), "adds two numbers", |tui| {
///         tui.launch(App::new("bc").arg("-q"))?;
///         tui.send_line("6 * 7")?;
///         tui.wait_for_text("42")?;
///         Ok(())
///     });
/// }
/// ```
///
/// The body runs in its own thread, so that it can be abandoned after the time limit, and once per
/// attempt: captured values are moved or cloned into it (`move |tui| …`), and shared mutable state
/// needs a `Mutex`. The name also names the directory of its artifacts, so it must be unique in the
/// project.
#[track_caller]
pub fn tui_test(
    options: RunOptions,
    name: &str,
    body: impl Fn(&Terminal) -> Result<(), Failure> + Send + Sync + 'static,
) {
    let body: Arc<Body> = Arc::new(body);
    let place = Location::caller();
    match test(options, name, place, &body, &environment) {
        Ok(summary) => print_note(&summary),
        Err(report) => panic!("{report}"),
    }
}

/// Prints a note to stderr. Test harnesses capture stderr and show it for failed tests.
#[expect(
    clippy::print_stderr,
    reason = "the summary of a test goes to its user, through the harness"
)]
pub(crate) fn print_note(summary: &str) {
    eprintln!("{summary}");
}

/// How much longer than its time limit a test may take. Its waits end with the limit; building
/// their reports takes a moment, longer on a busy machine.
const EXPLAINING: Duration = Duration::from_secs(2);

/// How long a body may take to return once its program was ended, before another attempt begins.
const LEAVING: Duration = Duration::from_secs(1);

type Body = dyn Fn(&Terminal) -> Result<(), Failure> + Send + Sync;

/// Runs all attempts. Returns the summary of the one that passed, or the report of the last that
/// failed.
fn test(
    options: RunOptions,
    name: &str,
    place: &Location<'_>,
    body: &Arc<Body>,
    variables: &impl Variables,
) -> Result<String, String> {
    let setup = |message: String| format!("test `{name}` could not start: {message}");
    let options = options
        .overridden(Runner::Test, variables)
        .map_err(|error| setup(format!("{:?}", Failure::from(error))))?;
    let owner = Owner::test(name, place);
    let artifacts = open_artifacts(&options, Runner::Test, &owner, variables).map_err(|error| {
        let hint = error.hint().map(|hint| format!("\nhint: {hint}"));
        let hint = hint.unwrap_or_default();
        setup(format!("{:?}{hint}", Failure::from(error)))
    })?;
    let attempts = options.retries.saturating_add(1);
    let mut attempt = 1;
    loop {
        artifacts
            .clear()
            .map_err(|error| setup(format!("{:?}", Failure::from(error))))?;
        let tui = Terminal::new(
            name,
            options.clone(),
            Arc::clone(&artifacts),
            Some(options.timeout),
        );
        let (ended, under_way) = run(&tui, Arc::clone(body), options.timeout);
        let report = ended.map_err(|problem| {
            let head = match attempts {
                1 => format!("test `{name}` failed"),
                _ => format!("test `{name}` failed, attempt {attempt} of {attempts}"),
            };
            write_report(&head, &problem, &tui, &artifacts).text
        });
        tui.end();
        // A body that is still running fails at its next call, because its program has ended.
        let left = under_way.is_none_or(|ended| ended.recv_timeout(LEAVING).is_ok());
        match report {
            Ok(()) => return Ok(summary(name, attempt, &tui, &artifacts)),
            Err(report) if attempt == attempts => return Err(report),
            // The running body would share its directory, and other resources, with the next
            // attempt.
            Err(report) if !left => {
                return Err(format!("{report}\nnot retried: its body is still running"));
            }
            Err(report) => print_note(&report),
        }
        attempt += 1;
    }
}

/// Why a body failed.
#[derive(Debug)]
pub(crate) enum Problem {
    Failed(Failure),
    /// It returned, but its program did not restore the terminal.
    Untidy(TuiError),
    Panicked(String),
    /// It was still running at the time limit, in these steps.
    TimedOut(Duration, Vec<String>),
}

impl Problem {
    /// Formats the whole report.
    fn to_text(&self, paint: Paint) -> String {
        match self {
            Problem::Failed(failure) => {
                format!("at {}\n{}", failure.place(), failure.to_text(paint))
            }
            Problem::Untidy(error) => error.to_text(paint),
            Problem::Panicked(message) => format!("it panicked: {message}"),
            Problem::TimedOut(time, steps) => {
                let steps: Vec<String> = steps.iter().map(|step| format!("`{step}`")).collect();
                let steps = match steps.as_slice() {
                    [] => String::new(),
                    steps => format!(" in step {}", steps.join(", ")),
                };
                let time = Elapsed(*time);
                format!("it was still running{steps} after {time}\nhint: {MORE_TIME}")
            }
        }
    }

    /// Returns whether the formatted report contains a screen.
    fn shows_screen(&self) -> bool {
        matches!(self, Problem::Failed(failure) if failure.shows_screen())
    }
}

/// Result of a body.
type Ended = Result<(), Problem>;

/// Runs the body once in its own thread, up to the time limit. If it is still running then, also
/// returns the channel of its later result.
fn run(tui: &Terminal, body: Arc<Body>, time: Duration) -> (Ended, Option<Receiver<Ended>>) {
    let (done, ended) = mpsc::channel();
    let inside = tui.clone();
    // Named like the test's own thread, so that panics show the familiar name.
    let name = thread::current().name().unwrap_or("test").to_owned();
    let thread = thread::Builder::new().name(name).spawn(move || {
        let ended = catch_unwind(AssertUnwindSafe(|| body(&inside)));
        let ended = match ended {
            Ok(Ok(())) => inside.finish().map_err(Problem::Untidy),
            Ok(Err(failure)) => Err(Problem::Failed(failure)),
            Err(payload) => Err(Problem::Panicked(message(&*payload))),
        };
        // After a timeout there is no receiver.
        let _ = done.send(ended);
    });
    let thread = match thread {
        Ok(thread) => thread,
        Err(error) => return (Err(Problem::Failed(error.into())), None),
    };
    match ended.recv_timeout(time.saturating_add(EXPLAINING)) {
        Ok(ended) => {
            // The thread has sent its result and cannot panic any more.
            let _ = thread.join();
            (ended, None)
        }
        Err(RecvTimeoutError::Timeout) => (Err(Problem::TimedOut(time, tui.steps())), Some(ended)),
        Err(RecvTimeoutError::Disconnected) => {
            let gone = "the body's thread is gone".to_owned();
            (Err(Problem::Panicked(gone)), None)
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    match (
        payload.downcast_ref::<&str>(),
        payload.downcast_ref::<String>(),
    ) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without a message".to_owned(),
    }
}

/// A report of a failure, for people.
pub(crate) struct FailureReport {
    pub(crate) text: String,
    /// The directory of the failure bundle.
    pub(crate) bundle: PathBuf,
}

/// Formats the report of a failure, and writes the failure bundle.
pub(crate) fn write_report(
    head: &str,
    problem: &Problem,
    terminal: &Terminal,
    artifacts: &Artifacts,
) -> FailureReport {
    let session = terminal.last_session();
    let report = session
        .as_ref()
        .filter(|_| !problem.shows_screen())
        .map(|session| session.report_now());
    let text = |paint| {
        let mut text = format!("{head}: {}", problem.to_text(paint));
        if let Some(report) = &report {
            text.push('\n');
            text.push_str(&report.to_text(paint));
        }
        text.truncate(text.trim_end().len());
        artifacts.secrets().text(&text).into_owned()
    };
    let written = failure_bundle::write(artifacts, &text(Paint::Plain), session.as_deref());
    let bundle = failure_bundle::folder(artifacts);
    let place = match written {
        Ok(_) => bundle.display().to_string(),
        Err(error) => format!("{:?}", Failure::from(error)),
    };
    FailureReport {
        text: format!("{}\nartifacts: {place}", text(paint())),
        bundle,
    }
}

/// Returns [`Paint::Ansi`] if stderr is a terminal and `NO_COLOR` is unset or empty.
fn paint() -> Paint {
    let asked = environment("NO_COLOR").is_none_or(|value| value.is_empty());
    if asked && std::io::stderr().is_terminal() {
        Paint::Ansi
    } else {
        Paint::Plain
    }
}

/// Formats the summary of a passed test: its attempts, and its snapshots.
fn summary(name: &str, attempts: u32, tui: &Terminal, artifacts: &Artifacts) -> String {
    let mut summary = format!("[screentest] PASS {name} (attempts: {attempts})");
    for path in tui.snapshots() {
        let path = artifacts.shown(&path);
        let _ = write!(summary, "\n[screentest] snapshot: {}", path.display());
    }
    summary
}

/// Opens a terminal that exists as long as its handles, for programs that receive their steps one
/// by one, such as a server. Dropping the last handle ends its program. For a body that is known in
/// advance, [`with_session`] is better: it leaves a failure bundle.
///
/// Files of an earlier session of this name are removed; baselines stay.
///
/// ```no_run
/// use screentest::{RunOptions, open_session};
///
/// # fn main() -> Result<(), screentest::Failure> {
/// let tui = open_session(RunOptions::default(), "demo")?;
/// tui.launch("sh")?;
/// tui.send_line("echo hello")?;
/// tui.close()?;
/// # Ok(())
/// # }
/// ```
pub fn open_session(options: RunOptions, name: &str) -> Result<Terminal, Failure> {
    Ok(open(options, name)?.0)
}

/// Opens the directory of a run, with its secrets.
pub(crate) fn open_artifacts(
    options: &RunOptions,
    runner: Runner,
    owner: &Owner,
    variables: &impl Variables,
) -> Result<Arc<Artifacts>, ArtifactError> {
    let artifacts = Artifacts::open(&options.artifacts_dir, runner, owner, variables)?;
    Ok(Arc::new(artifacts.without(options.secrets.clone())))
}

fn open(options: RunOptions, name: &str) -> Result<(Terminal, Arc<Artifacts>), Failure> {
    let options = options.overridden(Runner::Session, &environment)?;
    let owner = Owner::session(name);
    let artifacts = open_artifacts(&options, Runner::Session, &owner, &environment)?;
    artifacts.clear()?;
    let tui = Terminal::new(name, options, Arc::clone(&artifacts), None);
    Ok((tui, artifacts))
}

/// Runs a script: gives the body a terminal, and ends its program afterwards. A failure leaves a
/// failure bundle in the directory of the session.
///
/// ```no_run
/// use screentest::{App, RunOptions, with_session};
///
/// # fn main() -> Result<(), screentest::Failure> {
/// let path = with_session(RunOptions::default(), "demo", |tui| {
///     tui.launch(App::new("sh"))?;
///     tui.submit("echo hello")?;
///     Ok(tui.dump_view("hello")?)
/// })?;
/// # Ok(())
/// # }
/// ```
pub fn with_session<T>(
    options: RunOptions,
    name: &str,
    body: impl FnOnce(&Terminal) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let (tui, artifacts) = open(options, name)?;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        let done = body(&tui)?;
        tui.finish()?;
        Ok(done)
    }));
    let problem = match &ended {
        Ok(Ok(_)) => None,
        Ok(Err(failure)) => Some(Problem::Failed(Failure::clone(failure))),
        Err(payload) => Some(Problem::Panicked(message(&**payload))),
    };
    if let Some(problem) = problem {
        // The caller gets the failure itself; the report is on disk.
        let head = format!("session `{name}` failed");
        write_report(&head, &problem, &tui, &artifacts);
    }
    tui.end();
    let ended = ended.unwrap_or_else(|payload| resume_unwind(payload));
    ended.inspect_err(|failure| {
        failure.set_origin(FailureOrigin {
            artifacts: failure_bundle::folder(&artifacts),
            secrets: artifacts.secrets().clone(),
            shows_place: false,
        });
    })
}

#[cfg(test)]
mod tests;
