//! A running program and its screen.
//!
//! A session starts a program in a terminal, interprets its output, sends it input as a terminal
//! would, waits for conditions, and ends everything when it is closed or dropped.
//!
//! See also: `intake.rs` (the path of a byte), `wait.rs` (waiting), `history.rs` (earlier screens),
//! `session/input.rs` (input), `session/recording.rs` (recording), `session/ready.rs` (whether the
//! program is ready for input).

use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use screentest_core::emulator::{self, Counts, Notes, TransientScreens};
use screentest_core::{
    Appeared, Backend, Condition, Identity, Screen, Secrets, Size, State, Theme,
};

use crate::app::App;
use crate::clock::Clock;
use crate::pty::replayed;
use crate::recording::fake_program::FakeProgram;
use crate::recording::recorder::{RecordOptions, RecordingStart, TerminalInfo};
use crate::session::background_reader::Pump;
use crate::session::exit_status::ExitStatus;
use crate::session::history::{Forgotten, Frame, Mark};
use crate::session::output_tail::OutputTail;
use crate::session::reader::Intake;
use crate::session::redact::Veil;
use crate::session::terminal_leaks::TerminalLeak;
use crate::session::wait::enter_baseline::Entered;
use crate::session::wait::limits::WaitLimits;
use crate::session::wait::report::Report;
use crate::session::wait::{Subject, Unanswered, WaitError};
use crate::session::watcher::Watcher;

use crate::test::sandbox_home::Home;
use crate::{pty, pty::Pty, pty::SpawnError};

pub(crate) mod background_reader;
pub(crate) mod deferred_wake;
pub mod exit_status;
pub mod history;
pub(crate) mod input;
pub(crate) mod output_tail;
pub(crate) mod reader;
pub(crate) mod ready;
mod recording;
pub(crate) mod redact;
pub(crate) mod state;
pub mod terminal_leaks;
pub(crate) mod wait;
pub mod watcher;

pub use input::options::{AutoWait, InputOptions};
pub use input::sender::InputSender;
pub(crate) use input::sender::click;
use input::turn::InputTurn;
pub use input::{MouseError, ResizeError};
use ready::Readiness;
pub use ready::Unready;
use recording::{Origin, Progress};

/// Options of a session.
#[derive(Debug, Clone)]
pub struct Options {
    /// The terminal's size.
    pub size: Size,
    /// Maximum number of scrollback rows.
    pub scrollback: usize,
    /// The emulator that interprets the output.
    pub backend: Backend,
    /// The colours that the terminal reports to the program.
    pub theme: Theme,
    /// The source of time.
    pub clock: Clock,
    /// How long processes may take to exit when the session is closed, before they are killed.
    pub grace: Duration,
    /// Records the session, if set.
    pub record: Option<RecordOptions>,
    /// What answers the program's terminal queries.
    pub answers: Answers,
    /// Secrets that are masked in everything that this session returns: screens, waits and the
    /// history show other cells in their places.
    pub unseen: Secrets,
    /// How input is sent: by default, each input waits until the program is ready for it.
    pub input: InputOptions,
}

/// What answers a program's terminal queries: its type, the cursor's position, its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answers {
    /// The emulator.
    #[default]
    Emulator,
    /// The terminal to which the caller passes the output on. Its answers arrive as input.
    Caller,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: Size { cols: 80, rows: 24 },
            scrollback: 10_000,
            backend: Backend::default(),
            theme: Theme::default(),
            clock: Clock::system(),
            // Most programs exit within a millisecond of SIGHUP; those that ignore it should not
            // slow down a test suite.
            grace: Duration::from_millis(100),
            record: None,
            answers: Answers::Emulator,
            unseen: Secrets::default(),
            input: InputOptions::default(),
        }
    }
}

/// A running program and its screen. Dropping it ends the program and all processes that it
/// started.
#[derive(Debug)]
pub struct Session {
    intake: Arc<Intake>,
    pump: Mutex<Option<Pump>>,
    grace: Duration,
    theme: Theme,
    recording: Mutex<Progress>,
    origin: Origin,
    /// Removed with the session, when no process can be using it any more.
    home: Option<Home>,
    input_options: InputOptions,
    readiness: Mutex<Readiness>,
    input_turn: InputTurn,
    /// For waits that must progress while a test's manual clock is stopped.
    real_time: Clock,
}

impl Session {
    /// Starts a program.
    pub fn start(app: &App, options: Options) -> Result<Session, SpawnError> {
        Size::checked(options.size.cols.into(), options.size.rows.into())?;
        if let Some(fake) = app.fake_program() {
            let smallest = Size { cols: 2, rows: 1 };
            let emulator = options
                .backend
                .emulator(smallest, emulator::EmulatorOptions::default());
            let identity = Some(emulator.identity());
            let fake_program = FakeProgram::open(fake, Some(options.size), identity)?;
            let pty = replayed::start(fake_program, options.size, &options.clock)?;
            return Session::of(Arc::new(pty), options, Some(app)).map_err(SpawnError::thread);
        }
        let (app, home) = Home::furnish(app).map_err(SpawnError::Home)?;
        let pty = pty::spawn(&app, options.size)?;
        let session = Session::of(Arc::from(pty), options, Some(&app));
        let mut session = session.map_err(SpawnError::thread)?;
        session.home = home;
        Ok(session)
    }

    /// Creates a session on an existing PTY.
    pub fn over(pty: Arc<dyn Pty>, options: Options) -> io::Result<Session> {
        Session::of(pty, options, None)
    }

    fn of(pty: Arc<dyn Pty>, options: Options, app: Option<&App>) -> io::Result<Session> {
        let emulator = options.backend.emulator(
            options.size,
            emulator::EmulatorOptions {
                scrollback: options.scrollback,
                theme: options.theme.clone(),
                hostname: pty::hostname(),
                transient_screens: TransientScreens::Keep,
            },
        );
        let origin = Origin {
            app: app.cloned(),
            setting: TerminalInfo {
                size: options.size,
                scrollback: options.scrollback,
                identity: emulator.identity(),
                hostname: pty::hostname(),
            },
            unseen: options.unseen.clone(),
        };
        let mut intake = Intake::new(pty, emulator, options.clock.clone())?;
        intake.answers = options.answers;
        let recording = match options.record {
            None => Progress::None,
            Some(record) => {
                let recorder =
                    origin.recorder(record, RecordingStart::WithSession, None, &options.clock);
                Progress::begin(recorder, &intake)
            }
        };
        intake.veil = Veil::new(options.unseen);
        let intake = Arc::new(intake);
        let weak = Arc::downgrade(&intake);
        options.clock.on_advance(move || match weak.upgrade() {
            Some(intake) => {
                intake.look_again();
                true
            }
            None => false,
        });
        let pump = Pump::start(Arc::clone(&intake))?;
        Ok(Session {
            intake,
            pump: Mutex::new(Some(pump)),
            grace: options.grace,
            theme: options.theme,
            recording: Mutex::new(recording),
            origin,
            home: None,
            input_options: options.input,
            readiness: Mutex::default(),
            input_turn: InputTurn::default(),
            real_time: Clock::system(),
        })
    }

    /// Returns the terminal's colours.
    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Ends the program and all processes that it started. Waits end at once. Closing again does
    /// nothing.
    pub fn close(&self) -> io::Result<()> {
        self.close_within(self.grace)
    }

    /// Closes without asking any process to exit first.
    pub fn kill(&self) -> io::Result<()> {
        self.close_within(Duration::ZERO)
    }

    fn close_within(&self, grace: Duration) -> io::Result<()> {
        let mut pump = self.pump.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(pump) = pump.take() else {
            return Ok(());
        };
        // Set first, so that waits report the closing and not the exit that it causes. The pump
        // keeps reading meanwhile: a program that is blocked on its output could not exit.
        self.intake.board.note(|known| known.closing = true);
        self.intake.wake_any_reader();
        self.record_close(grace);
        let closed = self.intake.pty.close(grace);
        self.intake.board.note(|known| known.closed = true);
        self.intake.wake_any_reader();
        pump.wait();
        // The program may have exited before it was asked to, and a recording lasts until here.
        // Failure to read the remaining output is not reported.
        if self.intake.tap().is_some() || !self.intake.board.lock().has_ended() {
            let _ = self.intake.announce_end();
        }
        // The kernel may still echo typed input; reading it would show more than was recorded.
        self.intake.read_no_more();
        self.finish_recording();
        self.intake.dismiss_listeners();
        closed
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The supervisor process ends the rest; a drop cannot return an error.
        let _ = self.close();
        self.intake.stop_feeder();
    }
}

/// Current state.
impl Session {
    /// Returns the current screen, including all output that the program has already written.
    pub fn screen(&self) -> Screen {
        self.catch_up();
        self.intake.board.lock().history.last().screen.clone()
    }

    /// Like [`Session::screen`], as a frame with its revision in the history.
    pub fn frame(&self) -> Arc<Frame> {
        self.catch_up();
        Arc::clone(self.intake.board.lock().history.last())
    }

    /// Returns the frame of a revision; `None` if it was discarded or does not exist yet.
    pub fn frame_at(&self, revision: u64) -> Option<Arc<Frame>> {
        self.intake.board.lock().history.at(revision).cloned()
    }

    /// Returns the current state with at most `scrollback` rows of scrollback.
    pub fn state(&self, scrollback: usize) -> State {
        self.catch_up();
        let state = self.intake.emulator().state(scrollback);
        self.intake.veil.state(state)
    }

    /// Returns the program's exit status; `None` while it runs.
    pub fn outcome(&self) -> Option<ExitStatus> {
        let known = self.intake.board.lock().outcome;
        if known.is_none() && self.intake.pty.outcome().is_some() {
            // The output has not been read to its end yet. Waits report read errors.
            let _ = self.intake.announce_end();
            return self.intake.board.lock().outcome;
        }
        known
    }

    /// Returns the identity of the emulator that derives the screens.
    pub fn identity(&self) -> Identity {
        self.intake.emulator().identity()
    }

    /// Returns notes of the program's effects that are not in the cells.
    pub fn notes(&self) -> Notes {
        self.catch_up();
        self.intake.emulator().notes().clone()
    }

    /// Returns how often the program rang the bell, cleared the screen, repainted and so on.
    pub fn counts(&self) -> Counts {
        self.catch_up();
        self.intake.board.lock().counts
    }

    /// Returns the same counts, since a mark.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use screentest::pty::scripted::ScriptedPty;
    /// use screentest::{Options, Session};
    ///
    /// let options = Options::default();
    /// let pty = ScriptedPty::new(options.size);
    /// let session = Session::over(Arc::new(pty.clone()), options)?;
    /// let mark = session.mark();
    /// pty.print(b"\x07");
    /// assert_eq!(session.counts_since(mark).bells, 1);
    /// assert_eq!(session.counts_since(mark).repaints, 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn counts_since(&self, mark: Mark) -> Counts {
        self.catch_up();
        let known = self.intake.board.lock();
        // A mark of an earlier program precedes everything that this program did.
        let earlier = if known.history.follows(mark) {
            Counts::NONE
        } else {
            mark.counts
        };
        known.counts.since(earlier)
    }

    /// Returns the terminal state that differs from the state at the program's start. Meant for a
    /// program that exited by itself: a running program still uses the modes it set, and a killed
    /// one had no chance to reset them.
    pub fn leftovers(&self) -> Vec<TerminalLeak> {
        self.catch_up();
        terminal_leaks::find(&self.intake)
    }

    /// Returns the last output of the program, byte for byte: at least the last mebibyte.
    pub fn output_tail(&self) -> OutputTail {
        self.catch_up();
        self.intake.tail.bytes()
    }

    /// Returns a channel with the program's output, byte for byte, as it arrives. It starts at the
    /// first byte, if the program has not written much more than a mebibyte yet. The channel closes
    /// with the session.
    pub fn listen(&self) -> Receiver<Vec<u8>> {
        self.intake.listen()
    }

    /// Returns the last frame that was read. Does not block; meant for watchers
    /// ([`Session::watch`]).
    pub fn shown(&self) -> Arc<Frame> {
        Arc::clone(self.intake.board.lock().history.last())
    }

    /// Returns the exit status once all output was read; `None` until then. Does not block either.
    pub fn known_outcome(&self) -> Option<ExitStatus> {
        self.intake.board.lock().outcome
    }

    /// Notifies `watcher` of all changes until it is dropped.
    pub fn watch(&self, watcher: &Arc<dyn Watcher>) {
        self.intake.board.watchers.add(watcher);
    }

    /// Returns a report on a condition that does not hold.
    #[doc(hidden)]
    pub fn report(&self, condition: &Condition) -> Report {
        self.catch_up();
        Report::new(&self.intake, condition)
    }

    /// Returns a report without a condition.
    #[doc(hidden)]
    pub fn report_now(&self) -> Report {
        self.report(&Condition::All(Vec::new()))
    }

    /// Returns the time between the start and a frame.
    #[doc(hidden)]
    pub fn since_start(&self, frame: &Frame) -> Duration {
        frame.time.saturating_sub(self.intake.started)
    }

    /// Returns the session's clock.
    #[doc(hidden)]
    pub fn clock(&self) -> &Clock {
        &self.intake.clock
    }

    /// Reads all output written so far, so that a query reflects the present.
    fn catch_up(&self) {
        // Waits report read errors; the state read so far is still correct.
        let _ = self.intake.take_written();
    }
}

/// Waiting.
impl Session {
    /// Waits until a screen is shown for which `condition` holds, and returns that screen.
    ///
    /// If Enter was the last input, a selector's match counts only if it appeared after Enter, so
    /// that the echo of a command line does not satisfy the wait for its output.
    /// [`WaitLimits::anytime`] accepts every match.
    pub fn wait_for(
        &self,
        condition: impl Into<Condition>,
        patience: impl Into<WaitLimits>,
    ) -> Result<Screen, WaitError> {
        let frame = self.wait_frame_for(&condition.into(), &limits.into())?;
        Ok(frame.screen.clone())
    }

    /// Like [`Session::wait_for`], but returns the frame.
    #[doc(hidden)]
    pub fn wait_frame_for(
        &self,
        condition: &Condition,
        patience: &WaitLimits,
    ) -> Result<Arc<Frame>, WaitError> {
        wait::wait_for(&self.intake, condition, Subject::Screens, limits)
    }

    /// Returns the error of a wait that ended without success.
    #[doc(hidden)]
    pub fn explain(
        &self,
        ending: Unanswered,
        condition: &Condition,
        waited: Duration,
    ) -> WaitError {
        wait::explain(&self.intake, ending, condition, waited)
    }

    /// Returns the moment of Enter, if Enter was the last input and the wait counts only text that
    /// appeared after it.
    #[doc(hidden)]
    pub fn entered(&self, appeared: Appeared) -> Option<Arc<Entered>> {
        match appeared {
            Appeared::AfterEnter => self.intake.entry.last(),
            Appeared::Anytime => None,
        }
    }

    /// Returns whether a wait for this condition counts only text that appeared after Enter: Enter
    /// was the last input, and the condition can be satisfied by new text. [`WaitLimits::anytime`]
    /// makes a wait count everything.
    pub fn counts_only_new(&self, condition: &Condition) -> bool {
        condition.asks_for_new() && self.intake.entry.last().is_some()
    }

    /// Waits like [`Session::wait_for`], but also searches the screens since a mark, including the
    /// marked one. Finds text that the program showed before the wait began and has already
    /// removed.
    pub fn wait_since(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
        patience: impl Into<WaitLimits>,
    ) -> Result<Arc<Frame>, WaitError> {
        let subject = Subject::ScreensSince(since);
        wait::wait_for(&self.intake, &condition.into(), subject, &limits.into())
    }

    /// Waits until nothing visible has changed for `debounce`, counted from now at the earliest.
    pub fn wait_for_stable(
        &self,
        debounce: Duration,
        patience: impl Into<WaitLimits>,
    ) -> Result<Screen, WaitError> {
        wait::wait_for_stable(&self.intake, debounce, &patience.into())
    }

    /// Verifies that nothing visible changes for `duration` from now, and returns the screen.
    /// Unlike [`Session::wait_for_stable`] it does not start over: the first change returns
    /// [`WaitError::Changed`] at once, with the difference.
    pub fn unchanged_for(&self, duration: Duration) -> Result<Screen, WaitError> {
        wait::unchanged_for(&self.intake, duration)
    }

    /// Waits until `noted` returns true for the program's effects that are not in the cells, and
    /// returns them. Earlier effects count as well; for those since a mark, subtract
    /// [`Mark::counts`].
    ///
    /// `what` describes the condition in errors.
    pub fn wait_for_notes(
        &self,
        what: impl Into<String>,
        noted: impl Fn(&Notes) -> bool,
        patience: impl Into<WaitLimits>,
    ) -> Result<Notes, WaitError> {
        wait::wait_for_notes(&self.intake, what.into(), noted, &patience.into())
    }

    /// Waits for the next screen after a mark: a change, or a whole synchronized update.
    pub fn wait_for_frame(
        &self,
        since: Mark,
        patience: impl Into<WaitLimits>,
    ) -> Result<Arc<Frame>, WaitError> {
        wait::wait_for_frame(&self.intake, since, &patience.into())
    }

    /// Waits until the program has exited and all its output has been processed.
    pub fn wait_for_exit(&self, patience: impl Into<WaitLimits>) -> Result<ExitStatus, WaitError> {
        wait::wait_for_exit(&self.intake, &patience.into())
    }
}

/// Earlier screens.
impl Session {
    /// Returns a mark of this moment, for later queries.
    pub fn mark(&self) -> Mark {
        self.catch_up();
        let known = self.intake.board.lock();
        Mark {
            counts: known.counts,
            ..known.history.last().mark()
        }
    }

    /// Returns the first screen since a mark, including the marked one, for which `condition` held,
    /// however briefly it was shown.
    pub fn saw(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
    ) -> Result<Option<Arc<Frame>>, Forgotten> {
        self.catch_up();
        let condition = condition.into();
        let (frames, complete) = {
            let history = &self.intake.board.lock().history;
            let frames: Vec<_> = history.from(since).cloned().collect();
            (frames, history.reaches(since))
        };
        // Evaluated without the lock: a condition may be slow, or use the session itself.
        let mut frames = frames.into_iter();
        match frames.find(|frame| condition.holds(&frame.screen)) {
            Some(frame) => Ok(Some(frame)),
            None => complete.map(|()| None),
        }
    }

    /// Returns whether no screen since a mark satisfied `condition`.
    pub fn never(&self, condition: impl Into<Condition>, since: Mark) -> Result<bool, Forgotten> {
        Ok(self.saw(condition, since)?.is_none())
    }
}
