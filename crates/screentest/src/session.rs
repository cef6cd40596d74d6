//! A running program and its screen.
//!
//! A session starts a program in a terminal, interprets its output, sends it input as a terminal
//! would, waits for conditions, and ends everything when it is closed or dropped.
//!
//! One thread at a time reads the terminal. It feeds the emulator, publishes the new screen and
//! wakes the others:
//!
//! ```text
//!                         program
//!                     output │ ▲ input, replies
//!                            ▼ │
//!   ┌──────────── Pty (kernel or scripted) ◄────────── InputQueue ◄── press, paste, … (InputTurn:
//!   │ one reader at a time: a waiting thread,              ▲          one caller at a time)
//!   │ or else the background reader                        │ replies
//!   ▼                                                      │
//! PtyReader ──► [in a flood: feeder thread] ──► emulator ──┘
//!   │                                              │ screens, masked by ScreenRedactor
//!   │ events                                       ▼
//!   ▼                                         SessionState ──► waits, background reader, watchers
//! SessionObserver (recorder)
//! ```
//!
//! | Thread | blocks in | is woken by |
//! |---|---|---|
//! | wait that is the reader | `Pty::wait` | output, the program's exit, `Pty::wake` |
//! | other waits | condvar `SessionState::changed` | a new screen or state, a free reader role |
//! | background reader, reading | `Pty::wait` | the same as a wait; a new wait takes its role |
//! | background reader, idle | `DeferredWake` (timerfd) | 5 ms without a wait; at once on closing |
//! | feeder | condvar `feeder_work` | the reader has gathered bytes |
//! | reader, far ahead of the feeder | condvar `feeder_progress`, 1 ms | the feeder took bytes |
//! | caller that sends input | condvar `InputTurn::free` | the input of another caller is sent |
//!
//! `PtyReader` holds the locks of the read buffer, the emulator and the feeder's queue.
//! `SessionState` holds the lock of the data that waits evaluate. No thread holds any of them while
//! it evaluates a condition.
//!
//! See also: `reader.rs` (the path of a byte), `state.rs` (transitions, and which threads are
//! woken), `wait.rs` (waiting), `history.rs` (earlier screens), `input.rs` (input), `observer.rs`
//! (recording), `ready.rs` (whether the program is ready for input).

use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use screentest_core::emulator::{self, Counts, Notes, TransientScreens};
use screentest_core::{Appeared, Backend, Condition, Identity, Screen, Size, State, Theme};

use crate::app::App;
use crate::app::sandbox_home::Home;
use crate::clock::Clock;
use crate::lock::lock;
use crate::pty::signal::Signal;
use crate::session::background_reader::BackgroundReader;
use crate::session::observer::{SessionEvent, SessionObserver, SessionOrigin};
use crate::session::reader::{LastOutput, PtyReader};
use crate::session::redact::ScreenRedactor;
use crate::session::wait::enter_baseline::EnterBaseline;
use crate::session::wait::{WaitEnd, WaitSubject};
use crate::{pty, pty::Pty, pty::SpawnError};

pub(crate) mod background_reader;
pub(crate) mod deferred_wake;
pub mod exit_status;
pub mod history;
pub(crate) mod input;
pub(crate) mod observer;
mod options;
pub(crate) mod output_tail;
pub(crate) mod reader;
pub(crate) mod ready;
pub(crate) mod redact;
pub(crate) mod state;
pub mod terminal_leaks;
pub(crate) mod wait;
pub mod watcher;

pub use exit_status::ExitStatus;
pub use history::{Forgotten, Mark, SessionFrame};
pub use input::log::{AutoWaitTimeout, Input, InputKind};
pub use input::options::{AutoWait, InputOptions};
pub use input::queue::InputError;
pub use input::sender::InputSender;
pub(crate) use input::sender::click;
use input::turn::InputTurn;
pub use input::{MouseError, ResizeError};
pub use observer::AttachAtStart;
pub use options::{Answers, SessionOptions};
pub use output_tail::OutputTail;
use ready::ReadinessState;
pub use ready::Unready;
pub use terminal_leaks::TerminalLeak;
pub use wait::WaitError;
pub use wait::diagnosis::{Unmet, WaitDiagnosis};
pub use wait::limits::{Interrupt, WaitLimits};
pub use wait::report::WaitReport;
pub use watcher::Watcher;

/// A running program and its screen. Dropping it ends the program and all processes that it
/// started.
#[derive(Debug)]
pub struct Session {
    reader: Arc<PtyReader>,
    /// `None` once the session is closed.
    background_reader: Mutex<Option<BackgroundReader>>,
    grace: Duration,
    theme: Theme,
    /// The observer that was set last, attached or not.
    observer: Mutex<Option<Arc<dyn SessionObserver>>>,
    origin: SessionOrigin,
    /// Removed with the session, when no process can be using it any more.
    home: Option<Home>,
    input_options: InputOptions,
    readiness: Mutex<ReadinessState>,
    input_turn: InputTurn,
    /// For waits that must progress while a test's manual clock is stopped.
    real_time: Clock,
}

impl Session {
    /// Starts a program.
    pub fn start(app: &App, options: SessionOptions) -> Result<Session, SpawnError> {
        Size::checked(options.size.cols.into(), options.size.rows.into())?;
        let (app, home) = Home::create_for(app).map_err(SpawnError::Home)?;
        let identity = || Some(identity_of(options.backend));
        let pty = pty::spawn_with(&app, options.size, &options.clock, identity)?;
        let session = Session::new(Arc::from(pty), options, Some(&app));
        let mut session = session.map_err(SpawnError::thread)?;
        session.home = home;
        Ok(session)
    }

    /// Creates a session on an existing PTY.
    pub fn over(pty: Arc<dyn Pty>, options: SessionOptions) -> io::Result<Session> {
        Session::new(pty, options, None)
    }

    fn new(pty: Arc<dyn Pty>, options: SessionOptions, app: Option<&App>) -> io::Result<Session> {
        let emulator = options.backend.emulator(
            options.size,
            emulator::EmulatorOptions {
                scrollback: options.scrollback,
                theme: options.theme.clone(),
                hostname: pty::hostname(),
                transient_screens: TransientScreens::Keep,
            },
        );
        let origin = SessionOrigin {
            app: app.cloned(),
            size: options.size,
            scrollback: options.scrollback,
            identity: emulator.identity(),
            hostname: pty::hostname(),
            secrets: options.masked_secrets.clone(),
        };
        let mut reader = PtyReader::new(pty, emulator, options.clock.clone())?;
        reader.answers = options.answers;
        reader.redactor = ScreenRedactor::new(options.masked_secrets);
        let session = Session {
            reader: Arc::new(reader),
            background_reader: Mutex::default(),
            grace: options.grace,
            theme: options.theme,
            observer: Mutex::default(),
            origin,
            home: None,
            input_options: options.input,
            readiness: Mutex::default(),
            input_turn: InputTurn::default(),
            real_time: Clock::system(),
        };
        if let Some(observer) = options.observer {
            observer.attach_to(&session);
        }
        let weak = Arc::downgrade(&session.reader);
        options.clock.on_advance(move || match weak.upgrade() {
            Some(reader) => {
                reader.reevaluate_waits();
                true
            }
            None => false,
        });
        let background_reader = BackgroundReader::start(Arc::clone(&session.reader))?;
        *lock(&session.background_reader) = Some(background_reader);
        Ok(session)
    }

    /// Returns the terminal's colours.
    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    /// Ends the program and all processes that it started. Waits end at once. Closing again does
    /// nothing.
    ///
    /// The program's last output is read first, except what would take more than about 100 ms to
    /// interpret.
    pub fn close(&self) -> io::Result<()> {
        self.close_within(self.grace)
    }

    /// Closes without asking any process to exit first.
    pub fn kill(&self) -> io::Result<()> {
        self.close_within(Duration::ZERO)
    }

    fn close_within(&self, grace: Duration) -> io::Result<()> {
        // Locked until the end, so that another call returns when the session is closed.
        let mut background_reader = lock(&self.background_reader);
        let Some(background_reader) = background_reader.take() else {
            return Ok(());
        };
        let state = &self.reader.state;
        // Set first, so that waits report the closing and not the exit that it causes. The
        // background reader keeps reading meanwhile: a program that is blocked on its output could
        // not exit.
        state.set_closing();
        self.reader.wake_active_reader();
        self.report_close_signal(grace);
        let closed = self.reader.pty.close(grace);
        state.set_closed();
        self.reader.wake_active_reader();
        background_reader.join();
        // Reads the last output and records the exit. With an observer, this is done even if the
        // exit is known, because a recording lasts until here. A read error is not reported.
        if self.is_observed() || !state.lock().has_ended() {
            let _ = self.reader.record_exit(LastOutput::Drop);
        }
        // The kernel may still echo typed input; reading it would show more than was recorded.
        self.reader.stop_reading();
        let observer = self.observer().clone();
        if let Some(observer) = observer {
            observer.session_closed(self);
        }
        self.reader.close_listeners();
        closed
    }

    /// Reports to the observer the signal that closing sends to a running program. It explains the
    /// output after it.
    fn report_close_signal(&self, grace: Duration) {
        if self.is_observed() && self.exit_status().is_none() {
            let signal = if grace.is_zero() {
                Signal::KILL
            } else {
                Signal::HUP
            };
            self.report_event(SessionEvent::Signal(signal));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The supervisor process ends the rest; a drop cannot return an error.
        let _ = self.close();
        self.reader.stop_feeder();
    }
}

/// Current state.
impl Session {
    /// Returns the current screen, including the output that the program has already written,
    /// unless it takes more than about 100 ms to interpret.
    pub fn screen(&self) -> Screen {
        self.catch_up();
        self.reader.state.last_frame().screen.clone()
    }

    /// Like [`Session::screen`], as a frame with its revision in the history.
    pub fn frame(&self) -> Arc<SessionFrame> {
        self.catch_up();
        self.reader.state.last_frame()
    }

    /// Returns the frame of a revision; `None` if it was discarded or does not exist yet.
    pub fn frame_at(&self, revision: u64) -> Option<Arc<SessionFrame>> {
        self.reader.state.lock().history().at(revision).cloned()
    }

    /// Returns the current state with at most `scrollback` rows of scrollback.
    pub fn state(&self, scrollback: usize) -> State {
        self.catch_up();
        let state = self.reader.emulator().state(scrollback);
        self.reader.redactor.redact_state(state)
    }

    /// Returns the program's exit status; `None` while it runs, or while its last output takes more
    /// than about 100 ms to interpret.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        let exit_status = self.try_exit_status();
        if exit_status.is_none() && self.reader.pty.exit_status().is_some() {
            // The output has not been read to its end yet. Waits report read errors.
            let _ = self.reader.record_exit(LastOutput::Keep);
            return self.try_exit_status();
        }
        exit_status
    }

    /// Returns the identity of the emulator that derives the screens.
    pub fn identity(&self) -> Identity {
        self.reader.emulator().identity()
    }

    /// Returns notes of the program's effects that are not in the cells.
    pub fn notes(&self) -> Notes {
        self.catch_up();
        self.reader.emulator().notes().clone()
    }

    /// Returns how often the program rang the bell, cleared the screen, repainted and so on.
    pub fn counts(&self) -> Counts {
        self.catch_up();
        self.reader.state.lock().counts()
    }

    /// Returns how often the program rang the bell, cleared the screen, repainted and so on since a
    /// mark.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use screentest::pty::scripted::ScriptedPty;
    /// use screentest::Session;
    /// use screentest::session::SessionOptions;
    ///
    /// let options = SessionOptions::default();
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
        let shared = self.reader.state.lock();
        // A mark of an earlier program precedes everything that this program did.
        let earlier = if shared.history().follows(mark) {
            Counts::NONE
        } else {
            mark.counts
        };
        shared.counts().since(earlier)
    }

    /// Returns the terminal state that differs from the state at the program's start. Meant for a
    /// program that exited by itself: a running program still uses the modes it set, and a killed
    /// one had no chance to reset them.
    pub fn leftovers(&self) -> Vec<TerminalLeak> {
        self.catch_up();
        terminal_leaks::find(&self.reader)
    }

    /// Returns the last output of the program, byte for byte: at least the last mebibyte.
    pub fn output_tail(&self) -> OutputTail {
        self.catch_up();
        self.reader.output_tail.bytes()
    }

    /// Returns a channel with the program's output, byte for byte, as it arrives. It starts at the
    /// first byte, if the program has not written much more than a mebibyte yet. The channel closes
    /// with the session.
    pub fn listen(&self) -> Receiver<Vec<u8>> {
        self.reader.listen()
    }

    /// Returns the last frame that was read. Does not block; meant for watchers
    /// ([`Session::watch`]).
    pub fn shown(&self) -> Arc<SessionFrame> {
        self.reader.state.last_frame()
    }

    /// Returns the exit status; `None` until all output was read. Does not block.
    pub fn try_exit_status(&self) -> Option<ExitStatus> {
        self.reader.state.lock().exit_status()
    }

    /// Notifies `watcher` of all changes until the watcher is dropped.
    pub fn watch(&self, watcher: &Arc<dyn Watcher>) {
        self.reader.state.add_watcher(watcher);
    }

    /// Returns a report on a condition that does not hold.
    #[doc(hidden)]
    pub fn report(&self, condition: &Condition) -> WaitReport {
        self.catch_up();
        WaitReport::new(&self.reader, condition)
    }

    /// Returns a report without a condition.
    #[doc(hidden)]
    pub fn report_now(&self) -> WaitReport {
        self.report(&Condition::All(Vec::new()))
    }

    /// Returns the time between the start and a frame.
    #[doc(hidden)]
    pub fn since_start(&self, frame: &SessionFrame) -> Duration {
        frame.time.saturating_sub(self.reader.started)
    }

    /// Returns the session's clock.
    #[doc(hidden)]
    pub fn clock(&self) -> &Clock {
        &self.reader.clock
    }

    /// Reads the output written so far, so that a query reflects the present. Output that takes
    /// more than about 100 ms to interpret is left.
    #[doc(hidden)]
    pub fn catch_up(&self) {
        // Waits report read errors; the state read so far is still correct.
        let _ = self.reader.read_written();
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
        limits: impl Into<WaitLimits>,
    ) -> Result<Screen, WaitError> {
        let frame = self.wait_frame_for(&condition.into(), &limits.into())?;
        Ok(frame.screen.clone())
    }

    /// Like [`Session::wait_for`], but returns the frame.
    #[doc(hidden)]
    pub fn wait_frame_for(
        &self,
        condition: &Condition,
        limits: &WaitLimits,
    ) -> Result<Arc<SessionFrame>, WaitError> {
        wait::wait_for(&self.reader, condition, WaitSubject::Screens, limits)
    }

    /// Returns the error of a wait that ended without success.
    #[doc(hidden)]
    pub fn wait_error(&self, end: WaitEnd, condition: &Condition, waited: Duration) -> WaitError {
        wait::error::wait_error(&self.reader, end, condition, waited)
    }

    /// Returns the screen before Enter, if Enter was the last input and the wait counts only text
    /// that appeared after Enter.
    #[doc(hidden)]
    pub fn enter_baseline(&self, appeared: Appeared) -> Option<Arc<EnterBaseline>> {
        match appeared {
            Appeared::AfterEnter => self.reader.enters.last(),
            Appeared::Anytime => None,
        }
    }

    /// Returns whether a wait for this condition counts only text that appeared after Enter: Enter
    /// was the last input, and the condition can be satisfied by new text. [`WaitLimits::anytime`]
    /// makes a wait count everything.
    pub fn counts_only_new(&self, condition: &Condition) -> bool {
        condition.requires_new_text() && self.reader.enters.last().is_some()
    }

    /// Waits like [`Session::wait_for`], but also searches the screens since a mark, including the
    /// marked one. Finds text that the program showed before the wait began and has already
    /// removed.
    pub fn wait_since(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
        limits: impl Into<WaitLimits>,
    ) -> Result<Arc<SessionFrame>, WaitError> {
        let subject = WaitSubject::ScreensSince(since);
        wait::wait_for(&self.reader, &condition.into(), subject, &limits.into())
    }

    /// Waits until the screen has not changed for `debounce`, counted from now at the earliest.
    /// Changes of the title and of modes count, too.
    pub fn wait_for_stable(
        &self,
        debounce: Duration,
        limits: impl Into<WaitLimits>,
    ) -> Result<Screen, WaitError> {
        let frame = self.wait_until_settled(debounce, limits, |_| true)?;
        Ok(frame.screen.clone())
    }

    /// Waits until `is_change` has returned false for all frames of the last `debounce`, and
    /// returns the current frame. The result for the frame that is shown now is ignored.
    pub fn wait_until_settled(
        &self,
        debounce: Duration,
        limits: impl Into<WaitLimits>,
        is_change: impl FnMut(&SessionFrame) -> bool,
    ) -> Result<Arc<SessionFrame>, WaitError> {
        wait::wait_until_settled(&self.reader, debounce, &limits.into(), is_change)
    }

    /// Verifies that nothing visible changes for `duration` from now, and returns the screen. The
    /// first change returns [`WaitError::Changed`] at once, with the difference;
    /// [`Session::wait_for_stable`] would start over.
    pub fn unchanged_for(&self, duration: Duration) -> Result<Screen, WaitError> {
        wait::unchanged_for(&self.reader, duration)
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
        limits: impl Into<WaitLimits>,
    ) -> Result<Notes, WaitError> {
        wait::wait_for_notes(&self.reader, what.into(), noted, &limits.into())
    }

    /// Waits for the next screen after a mark: a change, or a whole synchronized update.
    pub fn wait_for_frame(
        &self,
        since: Mark,
        limits: impl Into<WaitLimits>,
    ) -> Result<Arc<SessionFrame>, WaitError> {
        wait::wait_for_frame(&self.reader, since, &limits.into())
    }

    /// Waits until the program has exited and all its output has been processed.
    pub fn wait_for_exit(&self, limits: impl Into<WaitLimits>) -> Result<ExitStatus, WaitError> {
        wait::wait_for_exit(&self.reader, &limits.into())
    }
}

/// Earlier screens.
impl Session {
    /// Returns a mark of this moment, for later queries.
    pub fn mark(&self) -> Mark {
        self.catch_up();
        let shared = self.reader.state.lock();
        Mark {
            counts: shared.counts(),
            ..shared.history().last().mark()
        }
    }

    /// Returns the first screen since a mark, including the marked one, for which `condition` held,
    /// however briefly it was shown.
    pub fn saw(
        &self,
        condition: impl Into<Condition>,
        since: Mark,
    ) -> Result<Option<Arc<SessionFrame>>, Forgotten> {
        self.catch_up();
        let condition = condition.into();
        let (frames, complete) = {
            let shared = self.reader.state.lock();
            let history = shared.history();
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

/// Returns the identity of an emulator.
fn identity_of(backend: Backend) -> Identity {
    let smallest = Size { cols: 2, rows: 1 };
    let emulator = backend.emulator(smallest, emulator::EmulatorOptions::default());
    emulator.identity()
}
