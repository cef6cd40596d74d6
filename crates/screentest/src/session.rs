//! A running program and its screen.
//!
//! The session starts a program in a terminal, understands what it shows, gives it input as a terminal would, waits, and
//! ends everything when it is closed or dropped.
//!
//! Elsewhere: the way of a byte (`intake.rs`), waiting (`wait.rs`), what was shown before (`history.rs`), its input (`session/input.rs`), its
//! recording (`session/recording.rs`), whether it is ready for input (`session/ready.rs`).

use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use screentest_core::emulator::{self, Counts, Notes, Passed};
use screentest_core::{
    Appeared, Backend, Condition, Identity, Screen, Secrets, Size, State, Theme,
};

use crate::app::App;
use crate::clock::Clock;
use crate::pty::replayed;
use crate::recording::fake_program::Impersonator;
use crate::recording::recorder::{Begins, RecordOptions, Setting};
use crate::session::background_reader::Pump;
use crate::session::exit_status::Outcome;
use crate::session::history::{Forgotten, Frame, Mark};
use crate::session::output_tail::OutputTail;
use crate::session::reader::Intake;
use crate::session::redact::Veil;
use crate::session::terminal_leaks::Leftover;
use crate::session::wait::enter_baseline::Entered;
use crate::session::wait::limits::Patience;
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
mod ready;
mod recording;
pub(crate) mod redact;
pub(crate) mod state;
pub mod terminal_leaks;
pub(crate) mod wait;
pub mod watcher;

pub use input::options::{AutoWait, InputOptions};
#[cfg(feature = "render")]
pub(crate) use input::pause::PauseEnd;
pub use input::sender::InputSender;
pub(crate) use input::sender::click;
use input::turn::InputTurn;
pub use input::{MouseError, ResizeError};
use ready::Readiness;
#[cfg(feature = "render")]
pub(crate) use ready::Ready;
pub use ready::Unready;
use recording::{Origin, Progress};

/// How a session is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// The terminal's size.
    pub size: Size,
    /// How many rows are kept once they scroll out.
    pub scrollback: usize,
    /// Which emulator understands the output.
    pub backend: Backend,
    /// The colours that the terminal tells a program it has.
    pub theme: Theme,
    /// How time passes.
    pub clock: Clock,
    /// How long processes may take to leave when the session is closed, before they are killed.
    pub grace: Duration,
    /// Where the session is recorded, if anywhere.
    pub record: Option<RecordOptions>,
    /// Who answers what the program asks its terminal.
    pub answers: Answers,
    /// Values that nobody sees who asks this session, in whatever way: screens, waits and the history have other cells in their places.
    pub unseen: Secrets,
    /// How input is sent: by default, each input waits until the program is ready for it.
    pub input: InputOptions,
}

/// Who answers what a program asks its terminal: what it is, where the cursor is, which colours it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answers {
    /// The emulator.
    #[default]
    Emulator,
    /// The terminal to which a caller passes the output on; its answers come as input.
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
            // Most programs leave within a millisecond of being asked; the ones that ignore it should not hold up a
            // suite of tests.
            grace: Duration::from_millis(100),
            record: None,
            answers: Answers::Emulator,
            unseen: Secrets::default(),
            input: InputOptions::default(),
        }
    }
}

/// A running program and its screen. Dropping it ends the program and everything that it started.
#[derive(Debug)]
pub struct Session {
    intake: Arc<Intake>,
    pump: Mutex<Option<Pump>>,
    grace: Duration,
    theme: Theme,
    recording: Mutex<Progress>,
    origin: Origin,
    /// Removed with the session, when nothing runs any more that could be in it.
    home: Option<Home>,
    input_options: InputOptions,
    readiness: Mutex<Readiness>,
    input_turn: InputTurn,
    /// For waits that go on while a clock of a test stands still.
    real_time: Clock,
}

impl Session {
    /// Starts a program.
    pub fn start(app: &App, options: Options) -> Result<Session, SpawnError> {
        Size::checked(options.size.cols.into(), options.size.rows.into())?;
        if let Some(impersonation) = app.impersonation() {
            let smallest = Size { cols: 2, rows: 1 };
            let emulator = options
                .backend
                .emulator(smallest, emulator::Options::default());
            let identity = Some(emulator.identity());
            let impersonator = Impersonator::open(impersonation, Some(options.size), identity)?;
            let pty = replayed::play(impersonator, options.size, &options.clock)?;
            return Session::of(Arc::new(pty), options, Some(app)).map_err(SpawnError::thread);
        }
        let (app, home) = Home::furnish(app).map_err(SpawnError::Home)?;
        let pty = pty::spawn(&app, options.size)?;
        let session = Session::of(Arc::from(pty), options, Some(&app));
        let mut session = session.map_err(SpawnError::thread)?;
        session.home = home;
        Ok(session)
    }

    /// A session over a terminal that is already there.
    pub fn over(pty: Arc<dyn Pty>, options: Options) -> io::Result<Session> {
        Session::of(pty, options, None)
    }

    fn of(pty: Arc<dyn Pty>, options: Options, app: Option<&App>) -> io::Result<Session> {
        let emulator = options.backend.emulator(
            options.size,
            emulator::Options {
                scrollback: options.scrollback,
                theme: options.theme.clone(),
                hostname: pty::hostname(),
                passed: Passed::Kept,
            },
        );
        let origin = Origin {
            app: app.cloned(),
            setting: Setting {
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
                let recorder = origin.recorder(record, Begins::AtTheStart, None, &options.clock);
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

    /// The terminal's colours.
    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Ends the program and everything that it started; waits end at once. Closing again does nothing.
    pub fn close(&self) -> io::Result<()> {
        self.close_within(self.grace)
    }

    /// Closes without asking any process to leave first.
    pub fn kill(&self) -> io::Result<()> {
        self.close_within(Duration::ZERO)
    }

    fn close_within(&self, grace: Duration) -> io::Result<()> {
        let mut pump = self.pump.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(pump) = pump.take() else {
            return Ok(());
        };
        // Waits end for this reason, not for the end that it brings about. The pump reads on meanwhile: a program that
        // is blocked on its output could not leave.
        self.intake.board.note(|known| known.closing = true);
        self.intake.wake_any_reader();
        self.record_close(grace);
        let closed = self.intake.pty.close(grace);
        self.intake.board.note(|known| known.closed = true);
        self.intake.wake_any_reader();
        pump.wait();
        // It may have left before it heard of the end, and a recording goes on until here. What could not be read any more is not worth an
        // error.
        if self.intake.tap().is_some() || !self.intake.board.lock().has_ended() {
            let _ = self.intake.announce_end();
        }
        // The kernel may still echo what was typed; what is shown would be more than what was recorded.
        self.intake.read_no_more();
        self.finish_recording();
        self.intake.dismiss_listeners();
        closed
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // What could not be ended is still in the hands of its supervisor; there is nobody here to tell.
        let _ = self.close();
        self.intake.stop_feeder();
    }
}

/// What is there.
impl Session {
    /// What is shown now, including what the program has already written.
    pub fn screen(&self) -> Screen {
        self.catch_up();
        self.intake.board.lock().history.last().screen.clone()
    }

    /// The same as a frame, which knows its place in the history.
    pub fn frame(&self) -> Arc<Frame> {
        self.catch_up();
        Arc::clone(self.intake.board.lock().history.last())
    }

    /// What was shown at a revision; `None` where that is forgotten, or has not come yet.
    pub fn frame_at(&self, revision: u64) -> Option<Arc<Frame>> {
        self.intake.board.lock().history.at(revision).cloned()
    }

    /// What is shown now, with at most `scrollback` rows of what scrolled out above.
    pub fn state(&self, scrollback: usize) -> State {
        self.catch_up();
        let state = self.intake.emulator().state(scrollback);
        self.intake.veil.state(state)
    }

    /// How the program ended; `None` while it runs.
    pub fn outcome(&self) -> Option<Outcome> {
        let known = self.intake.board.lock().outcome;
        if known.is_none() && self.intake.pty.outcome().is_some() {
            // Nobody has read to the end yet. A failure to read is for the waits to report.
            let _ = self.intake.announce_end();
            return self.intake.board.lock().outcome;
        }
        known
    }

    /// Which emulator derives the screens.
    pub fn identity(&self) -> Identity {
        self.intake.emulator().identity()
    }

    /// What the program did that no cell shows.
    pub fn notes(&self) -> Notes {
        self.catch_up();
        self.intake.emulator().notes().clone()
    }

    /// How often the program did what no cell shows: bells, clears, repaints and the like.
    pub fn counts(&self) -> Counts {
        self.catch_up();
        self.intake.board.lock().counts
    }

    /// How often it did so since a mark.
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
        // All that this program did came after a mark of the one before it.
        let earlier = if known.history.follows(mark) {
            Counts::NONE
        } else {
            mark.counts
        };
        known.counts.since(earlier)
    }

    /// What of the terminal is not as it was when the program started. Meant for a program that has ended by itself: one that
    /// runs is still using what it turned on, and one that was killed had no chance to put it back.
    pub fn leftovers(&self) -> Vec<Leftover> {
        self.catch_up();
        terminal_leaks::find(&self.intake)
    }

    /// The last of what the program wrote, byte for byte: at least the last mebibyte.
    pub fn output_tail(&self) -> OutputTail {
        self.catch_up();
        self.intake.tail.bytes()
    }

    /// Everything that the program writes, byte for byte, as it comes: from its start, if it has not written much more than a mebibyte yet.
    /// It ends with the session.
    pub fn listen(&self) -> Receiver<Vec<u8>> {
        self.intake.listen()
    }

    /// What was shown last, as far as it was read: for who is told of what comes after it ([`Session::watch`]), and must not block.
    pub fn shown(&self) -> Arc<Frame> {
        Arc::clone(self.intake.board.lock().history.last())
    }

    /// How the program ended, once all it showed was read; `None` until then. This does not block either.
    pub fn known_outcome(&self) -> Option<Outcome> {
        self.intake.board.lock().outcome
    }

    /// Tells somebody of all that is news, until they are dropped.
    pub fn watch(&self, watcher: &Arc<dyn Watcher>) {
        self.intake.board.watchers.add(watcher);
    }

    /// What is there instead of what was asked.
    pub(crate) fn report(&self, condition: &Condition) -> Report {
        self.catch_up();
        Report::new(&self.intake, condition)
    }

    /// What is there, where nothing in particular was asked.
    pub(crate) fn report_now(&self) -> Report {
        self.report(&Condition::All(Vec::new()))
    }

    /// How long after the start something was shown.
    pub(crate) fn since_start(&self, frame: &Frame) -> Duration {
        frame.time.saturating_sub(self.intake.started)
    }

    /// How time passes for it.
    pub(crate) fn clock(&self) -> &Clock {
        &self.intake.clock
    }

    /// Takes what has been written up to now, so that a question asked now is answered for now.
    fn catch_up(&self) {
        // A failure to read is for the waits to report; what is known is still true.
        let _ = self.intake.take_written();
    }
}

/// Waiting.
impl Session {
    /// Waits until a screen is shown for which `condition` holds, and returns that screen.
    ///
    /// If Enter was the last input, a selector's match counts only if it appeared after Enter, so that the echo of a
    /// command line does not satisfy the wait for its output. [`Patience::anytime`] accepts every match.
    pub fn wait_for(
        &self,
        condition: impl Into<Condition>,
        patience: impl Into<Patience>,
    ) -> Result<Screen, WaitError> {
        let frame = self.wait_frame_for(&condition.into(), &patience.into())?;
        Ok(frame.screen.clone())
    }

    /// The same, as a frame.
    pub(crate) fn wait_frame_for(
        &self,
        condition: &Condition,
        patience: &Patience,
    ) -> Result<Arc<Frame>, WaitError> {
        wait::wait_for(&self.intake, condition, Subject::Screens, patience)
    }

    /// Why a wait ended without a yes.
    pub(crate) fn explain(
        &self,
        ending: Unanswered,
        condition: &Condition,
        waited: Duration,
    ) -> WaitError {
        wait::explain(&self.intake, ending, condition, waited)
    }

    /// When Enter was pressed, if that was the last input and a wait counts only what came after it.
    pub(crate) fn entered(&self, appeared: Appeared) -> Option<Arc<Entered>> {
        match appeared {
            Appeared::AfterEnter => self.intake.entry.last(),
            Appeared::Anytime => None,
        }
    }

    /// Whether a wait for this condition counts only what appeared after Enter: Enter was the last input, and the condition
    /// asks for something that can appear. [`Patience::anytime`] makes a wait count everything.
    pub fn counts_only_new(&self, condition: &Condition) -> bool {
        condition.asks_for_new() && self.intake.entry.last().is_some()
    }

    /// Waits like [`Session::wait_for`], but also looks at what was shown since a mark, that of the mark included: what a
    /// program answered before the wait began, and already took back, is not missed.
    pub fn wait_since(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
        patience: impl Into<Patience>,
    ) -> Result<Arc<Frame>, WaitError> {
        let subject = Subject::ScreensSince(since);
        wait::wait_for(&self.intake, &condition.into(), subject, &patience.into())
    }

    /// Waits until nothing visible has changed for `debounce`, counted from now at the earliest.
    pub fn wait_stable(
        &self,
        debounce: Duration,
        patience: impl Into<Patience>,
    ) -> Result<Screen, WaitError> {
        wait::wait_stable(&self.intake, debounce, &patience.into())
    }

    /// Makes sure that nothing visible changes for `duration` from now, and returns what is shown. Unlike
    /// [`Session::wait_stable`] it does not start over: the first change is a [`WaitError::Changed`] at once, which says
    /// what changed.
    pub fn unchanged_for(&self, duration: Duration) -> Result<Screen, WaitError> {
        wait::unchanged_for(&self.intake, duration)
    }

    /// Waits until `noted` says yes of what the program did that no cell shows, and returns that. What was done before counts
    /// as well; what came after a mark is the difference to [`Mark::counts`].
    ///
    /// `what` says in an error what was waited for.
    pub fn wait_noted(
        &self,
        what: impl Into<String>,
        noted: impl Fn(&Notes) -> bool,
        patience: impl Into<Patience>,
    ) -> Result<Notes, WaitError> {
        wait::wait_noted(&self.intake, what.into(), noted, &patience.into())
    }

    /// Waits for the next screen after a mark: a change, or a synchronized update as a whole.
    pub fn wait_frame(
        &self,
        since: Mark,
        patience: impl Into<Patience>,
    ) -> Result<Arc<Frame>, WaitError> {
        wait::wait_frame(&self.intake, since, &patience.into())
    }

    /// Waits until the program has ended and all it said has been shown.
    pub fn wait_exit(&self, patience: impl Into<Patience>) -> Result<Outcome, WaitError> {
        wait::wait_exit(&self.intake, &patience.into())
    }
}

/// What was shown.
impl Session {
    /// This moment, to ask about later.
    pub fn mark(&self) -> Mark {
        self.catch_up();
        let known = self.intake.board.lock();
        Mark {
            counts: known.counts,
            ..known.history.last().mark()
        }
    }

    /// The first screen since a mark for which `condition` held, that of the mark included, however briefly it was
    /// shown.
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
        // Asked without the lock: a question may take its time, or look at the session itself.
        let mut frames = frames.into_iter();
        match frames.find(|frame| condition.holds(&frame.screen)) {
            Some(frame) => Ok(Some(frame)),
            None => complete.map(|()| None),
        }
    }

    /// Whether no screen since a mark satisfied `condition`.
    pub fn never(&self, condition: impl Into<Condition>, since: Mark) -> Result<bool, Forgotten> {
        Ok(self.saw(condition, since)?.is_none())
    }
}
