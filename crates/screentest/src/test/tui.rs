//! The terminal of one test: it ends with the test, and a failure leaves its files.
//!
//! The test's function owns the [`Tui`] and returns [`Result`](crate::Result). Dropping the `Tui`
//! ends its program. If the test fails, the drop writes the failure bundle first. A test has failed
//! after a panic, or if a [`Failure`] that its thread created while the `Tui` existed still exists.
//! A failure that the test returns still exists; one that the test has handled was dropped.
//!
//! See also: `terminal.rs` (what a test does with it), `runner.rs` (tests as closures, with retries
//! and a time limit).

use std::cell::RefCell;
use std::ops::Deref;
use std::panic::Location;
use std::sync::{Arc, Mutex, Weak};
use std::thread;

use crate::app::App;
use crate::environment::environment;
use crate::lock::lock;
use crate::test::artifacts::Artifacts;
use crate::test::dir_lock::Owner;
use crate::test::failure::{Failure, FailureOrigin, FailureRef};
use crate::test::run_options::{RunOptions, Runner};
use crate::test::runner::{Problem, open_artifacts, print_note, write_report};
use crate::test::terminal::Terminal;

/// A terminal with a running program, for one test. Dropping it ends the program and every process
/// that the program started.
///
/// ```no_run
/// use screentest::{App, Tui};
///
/// // #[test]
/// fn greets() -> screentest::Result {
///     let tui = Tui::launch(App::cargo_bin("hello")?)?;
///     tui.expect("your name?")?;
///     tui.submit("Ada")?;
///     tui.expect("Hello, Ada!")?;
///     tui.expect_snapshot("greeting")?;
///     tui.expect_exit(0)
/// }
/// ```
///
/// The methods that a test calls are those of [`Terminal`]. Snapshots and artifacts are named after
/// the test. Its name is taken from the thread that the test harness started for it. If the test
/// fails, the message shows the last screen, and `artifacts/tests/<test>/failure-bundles` has the
/// files that explain the failure.
#[derive(Debug)]
pub struct Tui {
    terminal: Terminal,
    artifacts: Arc<Artifacts>,
    guard: Arc<Guard>,
}

/// Stores the failures of a test while the test runs.
#[derive(Debug)]
struct Guard {
    name: String,
    failures: Mutex<Vec<FailureRef>>,
}

impl Guard {
    /// Adds a failure, and removes those that the test has dropped.
    fn add(&self, failure: &Failure) {
        let mut failures = lock(&self.failures);
        failures.retain(FailureRef::exists);
        failures.push(failure.downgrade());
    }

    /// Returns the failures that the test has not dropped, in the order of their creation.
    fn remaining(&self) -> Vec<Failure> {
        let failures = lock(&self.failures);
        failures.iter().filter_map(FailureRef::upgrade).collect()
    }
}

thread_local! {
    /// The guards that exist in this thread.
    static GUARDS: RefCell<Vec<Weak<Guard>>> = const { RefCell::new(Vec::new()) };
}

impl Tui {
    /// Starts a program in a new terminal, with the default options.
    #[track_caller]
    pub fn launch(app: impl Into<App>) -> Result<Tui, Failure> {
        Tui::launch_with(app, RunOptions::default())
    }

    /// Starts a program in a new terminal. `retries` has no effect, because only [`tui_test`] can
    /// run the test again, and `timeout` applies to each wait but not to the test as a whole.
    ///
    /// [`tui_test`]: crate::tui_test
    #[track_caller]
    pub fn launch_with(app: impl Into<App>, options: RunOptions) -> Result<Tui, Failure> {
        let options = options.overridden(Runner::Test, &environment)?;
        let name = unused_name(test_name());
        // The owner is the file without a line: a test may launch several programs in sequence.
        let owner = Owner::in_file(&name, Location::caller().file());
        let artifacts = open_artifacts(&options, Runner::Test, &owner, &environment)?;
        artifacts.clear()?;
        let terminal = Terminal::new(&name, options, Arc::clone(&artifacts), None);
        let guard = Arc::new(Guard {
            name,
            failures: Mutex::default(),
        });
        GUARDS.with_borrow_mut(|guards| guards.push(Arc::downgrade(&guard)));
        let tui = Tui {
            terminal,
            artifacts,
            guard,
        };
        tui.terminal.launch(app)?;
        Ok(tui)
    }
}

impl Deref for Tui {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
    }
}

impl Drop for Tui {
    fn drop(&mut self) {
        let failures = self.guard.remaining();
        let problem = if thread::panicking() {
            Some(Problem::Panicked("see the message above".to_owned()))
        } else {
            failures.last().cloned().map(Problem::Failed)
        };
        if let Some(problem) = problem {
            let head = format!("test `{}` failed", self.guard.name);
            let report = write_report(&head, &problem, &self.terminal, &self.artifacts);
            if failures.is_empty() {
                print_note(&report.text);
            }
            // The harness prints the failure that the test returned, which may be any of them.
            for failure in failures {
                failure.set_origin(FailureOrigin {
                    artifacts: report.bundle.clone(),
                    secrets: self.artifacts.secrets().clone(),
                    shows_place: true,
                });
            }
        }
        self.terminal.end();
    }
}

/// Stores a failure that was created in this thread in each guard of the thread.
pub(crate) fn note_failure(failure: &Failure) {
    // The thread may be ending, and its guards with it.
    let _ = GUARDS.try_with(|guards| {
        let mut guards = guards.borrow_mut();
        guards.retain(|guard| guard.strong_count() > 0);
        for guard in guards.iter().filter_map(Weak::upgrade) {
            guard.add(failure);
        }
    });
}

/// Returns the name of the test that runs in this thread: its test binary and its path.
fn test_name() -> String {
    let binary = std::env::current_exe().ok();
    let binary = binary.as_deref().and_then(|path| path.file_stem());
    let binary = binary.map(|name| without_hash(&name.to_string_lossy()).to_owned());
    let thread = thread::current();
    // Without a test harness, the thread is `main`.
    let test = thread.name().filter(|name| *name != "main");
    match (binary, test) {
        (Some(binary), Some(test)) => format!("{binary}::{test}"),
        (Some(name), None) => name,
        (None, Some(test)) => test.to_owned(),
        (None, None) => "test".to_owned(),
    }
}

/// Removes the hash that cargo appends to the name of a test binary, as in
/// `greeting-0123456789abcdef`.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((stem, hash)) if hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()) => {
            stem
        }
        _ => name,
    }
}

/// Appends a number if another terminal of the test has the name.
fn unused_name(name: String) -> String {
    let names: Vec<String> = GUARDS.with_borrow(|guards| {
        let guards = guards.iter().filter_map(Weak::upgrade);
        guards.map(|guard| guard.name.clone()).collect()
    });
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut candidates = [name.clone()].into_iter().chain(numbered);
    let unused = candidates.find(|candidate| !names.contains(candidate));
    unused.unwrap_or(name)
}
