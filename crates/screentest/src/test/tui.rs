//! A terminal that a test drives.
//!
//! A [`Tui`] is what the body of a test is given: it starts a program, types and clicks, waits, and compares what is shown
//! with what was kept. Everything that goes wrong is an error that explains itself.
//!
//! Elsewhere: what runs a body, with its time, its retries and its artifacts (`runner.rs`); the program itself
//! (`session.rs`).

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest_core::{Ambiguity, Screen, Secrets, Selector, Size, Theme};

use crate::app::App;
use crate::clock::Clock;
use crate::recording::recorder::RecordOptions;
use crate::session::exit_status::Outcome;
use crate::session::history::Mark;
use crate::session::{Options, Session};
use crate::test::artifacts::Artifacts;
use crate::test::run_options::{ExitCheck, RunOptions, environment};

mod error;
mod expect;
mod input;
mod notes;
mod step;
mod waits;

pub(crate) use error::MORE_TIME;
pub use error::TuiError;
pub use step::StepOptions;
pub use waits::WaitOptions;

/// A terminal, and the program that runs in it.
///
/// A clone is the same terminal.
#[derive(Debug, Clone)]
pub struct Tui {
    shared: Arc<Shared>,
    waits: WaitOptions,
}

/// What all clones share.
#[derive(Debug)]
struct Shared {
    name: String,
    options: RunOptions,
    artifacts: Arc<Artifacts>,
    clock: Clock,
    /// When the test must be over; a session has no end.
    deadline: Option<Duration>,
    /// Held while one program takes the place of another: who launches at once does so one after the other.
    launching: Mutex<()>,
    running: Mutex<Running>,
    /// Where the snapshots of this run are.
    snapshots: Mutex<Vec<PathBuf>>,
    /// The steps that are under way, the outermost first.
    steps: Mutex<Vec<String>>,
}

#[derive(Debug)]
struct Running {
    size: Size,
    session: Option<Arc<Session>>,
    /// The one that ran last, also when it was closed: what it showed explains what fails after it.
    last: Option<Arc<Session>>,
    /// The test is over: nothing is started any more.
    over: bool,
}

impl Tui {
    pub(crate) fn new(
        name: &str,
        options: RunOptions,
        artifacts: Arc<Artifacts>,
        time: Option<Duration>,
    ) -> Tui {
        let clock = Clock::system();
        Tui {
            shared: Arc::new(Shared {
                name: name.to_owned(),
                artifacts,
                deadline: time.map(|time| clock.now().saturating_add(time)),
                clock,
                launching: Mutex::default(),
                running: Mutex::new(Running {
                    size: options.size,
                    session: None,
                    last: None,
                    over: false,
                }),
                snapshots: Mutex::default(),
                steps: Mutex::default(),
                options,
            }),
            waits: WaitOptions::default(),
        }
    }

    /// The same terminal, whose waits and expectations obey other options. No wait outlasts its test: who needs more than
    /// [`RunOptions::timeout`] gives the test that time.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use screentest::{Tui, TuiError, WaitOptions};
    /// # fn body(tui: &Tui) -> Result<(), TuiError> {
    /// tui.with(WaitOptions::timeout(Duration::from_millis(500))).wait_for_text("at once")?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with(&self, waits: WaitOptions) -> Tui {
        Tui {
            shared: Arc::clone(&self.shared),
            waits,
        }
    }

    /// The name of the test or the session.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The options, after the environment has had its say.
    pub fn options(&self) -> &RunOptions {
        &self.shared.options
    }

    /// The terminal's colours.
    pub fn theme(&self) -> Theme {
        self.shared.options.snapshot_theme.theme(&environment)
    }

    /// The folder of this run's artifacts.
    pub fn artifacts(&self) -> PathBuf {
        self.shared.artifacts.run().to_owned()
    }
}

/// The program.
impl Tui {
    /// Starts a program, in place of the one that runs. One that ended by itself must have left the terminal as it found it,
    /// unless [`RunOptions::exit_check`] is off.
    pub fn launch(&self, app: impl Into<App>) -> Result<(), TuiError> {
        self.launch_recorded(app, None)
    }

    /// The same, recorded from the first byte on where options are given. [`Session::finish_recording`] says what became of it.
    pub fn launch_recorded(
        &self,
        app: impl Into<App>,
        record: Option<RecordOptions>,
    ) -> Result<(), TuiError> {
        let app = app.into();
        let _one = lock(&self.shared.launching);
        self.close()?;
        let size = {
            let running = self.running();
            if running.over {
                return Err(TuiError::Over);
            }
            running.size
        };
        let options = &self.shared.options;
        let unseen = match options.unseen_secrets {
            true => options.secrets.clone(),
            false => Secrets::default(),
        };
        let options = Options {
            size,
            unseen,
            record,
            scrollback: options.scrollback,
            backend: options.backend,
            input: options.input,
            theme: self.theme(),
            clock: self.shared.clock.clone(),
            ..Options::default()
        };
        let session = Arc::new(Session::start(&app, options)?);
        let mut running = self.running();
        if running.over {
            // The test ended meanwhile, and nobody else knows of this one.
            drop(running);
            session.close().map_err(TuiError::Close)?;
            return Err(TuiError::Over);
        }
        running.last = Some(Arc::clone(&session));
        running.session = Some(session);
        Ok(())
    }

    /// Starts a program and waits until it shows something.
    pub fn launch_and_wait(
        &self,
        app: impl Into<App>,
        ready: impl Into<Selector>,
    ) -> Result<(), TuiError> {
        self.launch(app)?;
        self.wait_for_text(ready)?;
        Ok(())
    }

    /// The program that runs, or has run, with everything that can be asked of it.
    pub fn session(&self) -> Result<Arc<Session>, TuiError> {
        let running = self.running();
        match &running.session {
            Some(session) => Ok(Arc::clone(session)),
            None if running.over => Err(TuiError::Over),
            None => Err(TuiError::NotLaunched),
        }
    }

    /// Ends the program, and everything that it started. One that had ended by itself must have left the terminal as it
    /// found it.
    pub fn close(&self) -> Result<(), TuiError> {
        let session = self.running().session.take();
        let Some(session) = session else {
            return Ok(());
        };
        let left = self.check_exit(&session);
        session.close().map_err(TuiError::Close)?;
        left
    }

    /// What is shown now.
    pub fn current_view(&self) -> Result<Screen, TuiError> {
        Ok(self.session()?.screen())
    }

    /// This moment, to ask about later.
    pub fn mark(&self) -> Result<Mark, TuiError> {
        Ok(self.session()?.mark())
    }

    /// What a program left behind that ended by itself. Only [`Tui::wait_for_exit`] waits for an end: of one that is about
    /// to end, nothing is known.
    fn check_exit(&self, session: &Session) -> Result<(), TuiError> {
        let Some(outcome @ Outcome::Exited(_)) = session.outcome() else {
            return Ok(());
        };
        let leftovers = match self.shared.options.exit_check {
            ExitCheck::On => session.leftovers(),
            ExitCheck::Off => Vec::new(),
        };
        if leftovers.is_empty() {
            return Ok(());
        }
        Err(TuiError::LeftBehind { outcome, leftovers })
    }
}

/// What the runner needs.
impl Tui {
    /// Checks the program that ran last, once the body is through.
    pub(crate) fn finish(&self) -> Result<(), TuiError> {
        let session = self.running().session.clone();
        match session {
            Some(session) => self.check_exit(&session),
            None => Ok(()),
        }
    }

    /// Ends the program and lets nothing else start: waits in other threads end at once.
    pub(crate) fn end(&self) {
        let session = {
            let mut running = self.running();
            running.over = true;
            running.session.take()
        };
        if let Some(session) = session {
            // What could not be ended is in the hands of its supervisor.
            let _ = session.close();
        }
    }

    /// The program that ran last, if there was one.
    pub(crate) fn last_session(&self) -> Option<Arc<Session>> {
        self.running().last.clone()
    }

    pub(crate) fn snapshots(&self) -> Vec<PathBuf> {
        lock(&self.shared.snapshots).clone()
    }

    /// The steps that are under way, the outermost first.
    pub(crate) fn steps(&self) -> Vec<String> {
        lock(&self.shared.steps).clone()
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        lock(&self.shared.running)
    }

    fn ambiguity(&self) -> Ambiguity {
        self.waits
            .ambiguity
            .unwrap_or(self.shared.options.ambiguity)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
