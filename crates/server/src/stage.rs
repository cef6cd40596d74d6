//! A session as clients know it: a name, and a terminal in which one program follows another.
//!
//! A client counts what it sees through all of them: the revisions of a program go on where those of the one before ended.
//! Nothing that is asked here shows a secret: the terminal has them covered for whoever asks.
//!
//! Elsewhere: the terminal itself ([`Terminal`]).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest::core::{Screen, Secrets, State};
use screentest::{
    App, Clock, Frame, Interrupt, RecordOptions, Session, Terminal, TuiError, Watcher,
};

use crate::audience::Audience;
use crate::caller::Caller;
use crate::service::lock;
use crate::subscription::Subscription;
use crate::wheel::Wheel;
use crate::wire::Failure;

/// A named session.
#[derive(Debug)]
pub(crate) struct Stage {
    name: String,
    /// By which it is told from another of the same name, at another time.
    number: u64,
    tui: Terminal,
    closed: AtomicBool,
    /// When something was last wanted of it.
    used: Mutex<Duration>,
    /// How many want something of it now.
    uses: AtomicUsize,
    clock: Clock,
    playing: Mutex<Playing>,
    /// What it is recorded into, or was last.
    cassette: Mutex<Option<String>>,
    /// Where the next program is recorded from its start on.
    record_next: Mutex<Option<RecordOptions>>,
    /// Another program has begun, or nobody should wait for one any more.
    changed: Condvar,
    /// Those who look at it on a page or from another terminal.
    pub(crate) audience: Arc<Audience>,
    /// Who drives it, where somebody took the wheel.
    pub(crate) wheel: Wheel,
    /// Who is told of changes, by the number of the caller.
    pub(crate) subscriptions: Mutex<BTreeMap<u64, Subscription>>,
}

#[derive(Debug, Default)]
struct Playing {
    session: Option<Arc<Session>>,
    /// What was started.
    command: Vec<String>,
    /// And where.
    directory: String,
    /// How many programs there have been.
    programs: u64,
    /// What is added to the revisions of this one.
    base: u64,
}

/// Something that is wanted of a stage, until dropped.
#[derive(Debug)]
pub(crate) struct InUse(Arc<Stage>);

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.use_now();
        self.0.uses.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A program on a stage, and what numbers clients know it by, all of one moment.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// How many there have been, with this one.
    pub(crate) number: u64,
    base: u64,
    pub(crate) session: Arc<Session>,
}

impl Program {
    /// The number by which clients know a frame of it.
    pub(crate) fn revision(&self, frame: &Frame) -> u64 {
        self.base + frame.revision
    }
}

impl Stage {
    pub(crate) fn new(name: String, tui: Terminal, clock: Clock) -> Stage {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Stage {
            name,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            tui,
            closed: AtomicBool::new(false),
            used: Mutex::new(clock.now()),
            uses: AtomicUsize::new(0),
            clock,
            playing: Mutex::default(),
            cassette: Mutex::default(),
            record_next: Mutex::default(),
            changed: Condvar::new(),
            audience: Arc::default(),
            wheel: Wheel::default(),
            subscriptions: Mutex::default(),
        }
    }

    /// What clients call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// By which it is told from every other.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// What runs in it: the program and its arguments.
    pub(crate) fn command(&self) -> Vec<String> {
        self.playing().command.clone()
    }

    /// Where that was started.
    pub(crate) fn directory(&self) -> String {
        self.playing().directory.clone()
    }

    /// Something is wanted of it.
    pub(crate) fn use_now(&self) {
        *lock(&self.used) = self.clock.now();
    }

    /// Something is wanted of it until this is dropped.
    pub(crate) fn in_use(self: &Arc<Stage>) -> InUse {
        self.uses.fetch_add(1, Ordering::SeqCst);
        InUse(Arc::clone(self))
    }

    /// How long nothing was wanted of it, and nobody watched.
    pub(crate) fn unused_for(&self) -> Duration {
        let is_used = self.uses.load(Ordering::SeqCst) > 0
            || self.audience.count() > 0
            || !lock(&self.subscriptions).is_empty();
        match is_used {
            true => Duration::ZERO,
            false => self.clock.now().saturating_sub(*lock(&self.used)),
        }
    }

    /// Its terminal.
    pub(crate) fn tui(&self) -> &Terminal {
        &self.tui
    }

    /// What must not be shown.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.tui.options().secrets
    }

    /// Starts a program in place of the one before.
    pub(crate) fn launch(&self, app: App) -> Result<(), TuiError> {
        let words = std::iter::once(app.program()).chain(app.arguments().iter().map(AsRef::as_ref));
        let command = words
            .map(|word: &OsStr| word.to_string_lossy().into_owned())
            .collect();
        let directory = match app.directory() {
            Some(directory) => directory.to_owned(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        let directory = directory.to_string_lossy().into_owned();
        let record = lock(&self.record_next).take();
        let launched = self.tui.launch_recorded(app, record);
        let mut playing = self.playing();
        if let Some(before) = playing.session.take() {
            playing.base += before.frame().revision + 1;
        }
        playing.session = self.tui.session().ok();
        playing.command = command;
        playing.directory = directory;
        playing.programs += 1;
        if let Some(session) = &playing.session {
            let audience: Arc<dyn Watcher> = self.audience.clone();
            session.watch(&audience);
        }
        self.changed.notify_all();
        drop(playing);
        self.audience.news();
        if self.is_closed() {
            // Whoever closed it may not have met this one.
            let _ = self.tui.close();
        }
        launched
    }

    /// Ends the program at once.
    pub(crate) fn kill(&self) {
        if let Ok(session) = self.tui.session() {
            // What could not be ended is in the hands of its supervisor.
            let _ = session.kill();
        }
    }

    /// The program that runs, or has run.
    pub(crate) fn session(&self, doing: &str) -> Result<Arc<Session>, Failure> {
        self.tui
            .session()
            .map_err(|error| Failure::of(doing, &error))
    }

    /// The same, with the numbers by which clients know it.
    pub(crate) fn running(&self, doing: &str) -> Result<Program, Failure> {
        // Where there is none, the terminal knows why.
        self.session(doing)?;
        self.program()
            .ok_or_else(|| Failure::failed(format!("{doing}: nothing was started yet")))
    }

    /// What is shown now.
    pub(crate) fn screen(&self) -> Result<Screen, Failure> {
        Ok(self.session("viewport sync")?.screen())
    }

    /// What is shown now, with at most so many rows of what scrolled out.
    pub(crate) fn state(&self, scrollback: usize) -> Result<State, Failure> {
        Ok(self.session("viewport sync")?.state(scrollback))
    }

    /// The number by which clients know a frame of the program that is there now.
    pub(crate) fn revision(&self, frame: &Frame) -> u64 {
        self.playing().base + frame.revision
    }

    /// What was shown at a revision that a client knows; `None` where it is of a program before, or forgotten.
    pub(crate) fn frame_at(&self, revision: u64) -> Option<Arc<Frame>> {
        let playing = self.playing();
        let own = revision.checked_sub(playing.base)?;
        playing.session.as_ref()?.frame_at(own)
    }

    fn playing(&self) -> MutexGuard<'_, Playing> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// For those who keep what happens.
impl Stage {
    /// Records the next program from its start on, under a name.
    pub(crate) fn record_next(&self, name: &str, options: RecordOptions) {
        *lock(&self.cassette) = Some(name.to_owned());
        *lock(&self.record_next) = Some(options);
    }

    /// Says what the program is recorded into.
    pub(crate) fn recorded_as(&self, name: &str) {
        *lock(&self.cassette) = Some(name.to_owned());
    }

    /// What the program is recorded into now.
    pub(crate) fn cassette(&self) -> Option<String> {
        let session = self.program()?.session;
        let name = lock(&self.cassette).clone();
        name.filter(|_| session.is_recording())
    }
}

/// For those who look at it from afar.
impl Stage {
    /// The program that is there now.
    pub(crate) fn program(&self) -> Option<Program> {
        let playing = self.playing();
        Some(Program {
            number: playing.programs,
            base: playing.base,
            session: Arc::clone(playing.session.as_ref()?),
        })
    }

    /// It is closed: everybody is told.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.audience.news();
    }

    /// Whether it is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Somebody drives from now on.
    pub(crate) fn take_wheel(&self, caller: &Caller, name: String) {
        self.wheel.take(caller, name);
        self.audience.news();
    }

    /// Somebody does not drive any more.
    pub(crate) fn release_wheel(&self, caller: &Caller) {
        if self.wheel.release(caller) {
            self.audience.news();
        }
    }
}

/// For those who follow what is shown.
impl Stage {
    /// The program after the one of this number, once there is one; `None` when told to stop.
    pub(crate) fn program_after(
        &self,
        number: u64,
        stop: &Interrupt,
    ) -> Option<(u64, Arc<Session>)> {
        let mut playing = self.playing();
        loop {
            if stop.is_raised() {
                return None;
            } else if let Some(session) = &playing.session
                && playing.programs > number
            {
                return Some((playing.programs, Arc::clone(session)));
            }
            playing = self
                .changed
                .wait(playing)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has those who follow look whether they should stop.
    pub(crate) fn call_off(&self, stop: &Interrupt) {
        stop.raise();
        // Whoever has looked and not yet begun to wait holds the lock.
        drop(self.playing());
        self.changed.notify_all();
    }
}
