//! A terminal that a test drives.
//!
//! The body of a test receives a [`Terminal`]. It starts a program, types and clicks, waits, and
//! compares the screen with stored snapshots. Every error contains its explanation.
//!
//! See also: `runner.rs` (runs a body, with time limit, retries and artifacts), `session.rs` (the
//! program itself).

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use screentest_core::action::Pointer;
use screentest_core::{Ambiguity, Screen, Secrets, Selector, Size, Theme};

use crate::app::App;
use crate::clock::Clock;
use crate::environment::environment;
use crate::lock::lock;
use crate::recording::recorder::RecordOptions;
use crate::session::exit_status::ExitStatus;
use crate::session::history::Mark;
use crate::session::{Session, SessionOptions};
use crate::test::artifacts::Artifacts;
use crate::test::run_options::{ExitCheck, RunOptions};

mod error;
mod expect;
mod input;
mod notes;
mod perform;
mod step;
mod tuispec;
mod waits;

pub(crate) use error::MORE_TIME;
pub use error::TuiError;
pub use step::StepOptions;
pub use waits::WaitOptions;

/// A terminal, and the program that runs in it.
///
/// Clones refer to the same terminal.
#[derive(Debug, Clone)]
pub struct Terminal {
    shared: Arc<Shared>,
    waits: WaitOptions,
}

/// State that all clones share.
#[derive(Debug)]
struct Shared {
    name: String,
    options: RunOptions,
    artifacts: Arc<Artifacts>,
    clock: Clock,
    /// When the test must be over; `None` for a session and for a `Tui`, which have no time limit.
    deadline: Option<Duration>,
    /// Held while one program replaces another, so that concurrent launches happen one after the
    /// other.
    launching: Mutex<()>,
    running: Mutex<Running>,
    /// Paths of this run's snapshots.
    snapshots: Mutex<Vec<PathBuf>>,
    /// Labels of the running steps, outermost first.
    steps: Mutex<Vec<String>>,
}

#[derive(Debug)]
struct Running {
    size: Size,
    /// The mouse after the last mouse event.
    pointer: Pointer,
    session: Option<Arc<Session>>,
    /// The last session, also after it was closed: its screen explains later failures.
    last: Option<Arc<Session>>,
    /// Whether the test is over and nothing may be started any more.
    over: bool,
}

impl Terminal {
    pub(crate) fn new(
        name: &str,
        options: RunOptions,
        artifacts: Arc<Artifacts>,
        time: Option<Duration>,
    ) -> Terminal {
        let clock = Clock::system();
        Terminal {
            shared: Arc::new(Shared {
                name: name.to_owned(),
                artifacts,
                deadline: time.map(|time| clock.now().saturating_add(time)),
                clock,
                launching: Mutex::default(),
                running: Mutex::new(Running {
                    size: options.size,
                    pointer: Pointer::default(),
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

    /// Returns the same terminal with other options for waits and expectations. In a
    /// [`tui_test`](crate::tui_test), no wait outlasts the test: a longer timeout also needs a
    /// longer [`RunOptions::timeout`].
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use screentest::{Terminal, TuiError, WaitOptions};
    /// # fn body(tui: &Terminal) -> Result<(), TuiError> {
    /// tui.with(WaitOptions::timeout(Duration::from_millis(500))).wait_for_text("at once")?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with(&self, waits: WaitOptions) -> Terminal {
        Terminal {
            shared: Arc::clone(&self.shared),
            waits,
        }
    }

    /// Returns the name of the test or the session.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns the options, after environment variables were applied.
    pub fn options(&self) -> &RunOptions {
        &self.shared.options
    }

    /// Returns the terminal's colours.
    pub fn theme(&self) -> Theme {
        self.shared.options.snapshot_theme.theme(&environment)
    }

    /// Returns the directory of this run's artifacts.
    pub fn artifacts(&self) -> PathBuf {
        self.shared.artifacts.run().to_owned()
    }
}

/// The program.
impl Terminal {
    /// Starts a program in place of the current one. If the current one ended by itself, it must
    /// have restored the terminal, unless [`RunOptions::exit_check`] is off.
    pub fn launch(&self, app: impl Into<App>) -> Result<(), TuiError> {
        self.launch_recorded(app, None)
    }

    /// Like [`Terminal::launch`]. With `record`, records from the first byte;
    /// [`Session::finish_recording`] returns the result.
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
        let masked_secrets = if options.masked_secrets {
            options.secrets.clone()
        } else {
            Secrets::default()
        };
        let mut options = SessionOptions {
            size,
            masked_secrets,
            scrollback: options.scrollback,
            backend: options.backend,
            input: options.input,
            theme: self.theme(),
            clock: self.shared.clock.clone(),
            ..SessionOptions::default()
        };
        if let Some(record) = record {
            options = options.record(record);
        }
        let session = Arc::new(Session::start(&app, options)?);
        let mut running = self.running();
        if running.over {
            // The test ended meanwhile, and no other code can close this session.
            drop(running);
            session.close().map_err(TuiError::Close)?;
            return Err(TuiError::Over);
        }
        running.pointer = Pointer::default();
        running.last = Some(Arc::clone(&session));
        running.session = Some(session);
        Ok(())
    }

    /// Starts a program and waits until it shows `ready`.
    pub fn launch_and_wait(
        &self,
        app: impl Into<App>,
        ready: impl Into<Selector>,
    ) -> Result<(), TuiError> {
        self.launch(app)?;
        self.expect(ready)?;
        Ok(())
    }

    /// Returns the session of the program that runs or has run, for everything that [`Terminal`]
    /// does not offer.
    pub fn session(&self) -> Result<Arc<Session>, TuiError> {
        let running = self.running();
        match &running.session {
            Some(session) => Ok(Arc::clone(session)),
            None if running.over => Err(TuiError::Over),
            None => Err(TuiError::NotLaunched),
        }
    }

    /// Ends the program and all processes that it started. If it had ended by itself, it must have
    /// restored the terminal.
    pub fn close(&self) -> Result<(), TuiError> {
        let session = self.running().session.take();
        let Some(session) = session else {
            return Ok(());
        };
        let left = self.check_exit(&session);
        session.close().map_err(TuiError::Close)?;
        left
    }

    /// Returns the current screen.
    pub fn screen(&self) -> Result<Screen, TuiError> {
        Ok(self.session()?.screen())
    }

    /// Returns a mark of this moment, for later queries.
    pub fn mark(&self) -> Result<Mark, TuiError> {
        Ok(self.session()?.mark())
    }

    /// Checks that a program that ended by itself restored the terminal. Unlike
    /// [`Terminal::wait_for_exit`], does not wait for the end: a program that is about to end is
    /// not checked.
    fn check_exit(&self, session: &Session) -> Result<(), TuiError> {
        let Some(exit_status @ ExitStatus::Exited(_)) = session.exit_status() else {
            return Ok(());
        };
        let leftovers = match self.shared.options.exit_check {
            ExitCheck::On => session.leftovers(),
            ExitCheck::Off => Vec::new(),
        };
        if leftovers.is_empty() {
            return Ok(());
        }
        Err(TuiError::LeftBehind {
            exit_status,
            leftovers,
        })
    }
}

/// Functions for the runner.
impl Terminal {
    /// Checks the program that ran last, after the body returned.
    pub(crate) fn finish(&self) -> Result<(), TuiError> {
        let session = self.running().session.clone();
        match session {
            Some(session) => self.check_exit(&session),
            None => Ok(()),
        }
    }

    /// Ends the program and prevents further launches. Waits in other threads end at once.
    pub(crate) fn end(&self) {
        let session = {
            let mut running = self.running();
            running.over = true;
            running.session.take()
        };
        if let Some(session) = session {
            // The supervisor process ends the rest.
            let _ = session.close();
        }
    }

    /// Returns the session of the program that ran last.
    pub(crate) fn last_session(&self) -> Option<Arc<Session>> {
        self.running().last.clone()
    }

    pub(crate) fn snapshots(&self) -> Vec<PathBuf> {
        lock(&self.shared.snapshots).clone()
    }

    /// Returns the labels of the running steps, outermost first.
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
