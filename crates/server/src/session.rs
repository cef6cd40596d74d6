//! A session as clients know it: a name, and a terminal in which programs run one after another.
//!
//! Revisions continue across programs: the first revision of a program follows the last one of the
//! program before it. The terminal redacts secrets, so no screen returned here shows one.
//!
//! See also: [`Terminal`] (the terminal), `session/viewers.rs` (remote viewers),
//! `session/control.rs` (exclusive input), `session/follower.rs` (tasks that follow the screen).

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::{Screen, Secrets, Size};
use screentest::recording::RecordOptions;
use screentest::session::Watcher;
use screentest::{App, Session, SessionFrame, Terminal, TuiError};

use crate::service::client::ClientHandle;
use crate::service::lock;
use crate::session::control::Control;
use crate::session::subscription::Subscription;
use crate::session::viewers::Viewers;
use crate::wire::RpcError;

pub(crate) mod control;
pub(crate) mod follower;
pub(crate) mod screen_text;
pub(crate) mod screenshot;
pub(crate) mod subscription;
pub(crate) mod viewers;

/// A session with a name.
#[derive(Debug)]
pub(crate) struct NamedSession {
    name: String,
    /// Unique id; names can be reused.
    unique_id: u64,
    tui: Terminal,
    closed: AtomicBool,
    /// Time of the last request.
    last_used: Mutex<Duration>,
    /// Number of requests in progress.
    active_uses: AtomicUsize,
    clock: Clock,
    program: Mutex<ProgramState>,
    /// Name of the current or last cassette.
    cassette: Mutex<Option<String>>,
    /// Options to record the next program with, from its start.
    next_recording: Mutex<Option<RecordOptions>>,
    /// The size of the terminal.
    size: Mutex<Size>,
    /// Remote viewers: web pages and attached terminals.
    pub(crate) viewers: Arc<Viewers>,
    /// Subscriptions and recordings, which do not count as viewers.
    pub(crate) followers: Arc<Viewers>,
    /// Which client has exclusive control.
    pub(crate) control: Control,
    /// Subscriptions to changes, by the client's number.
    pub(crate) subscriptions: Mutex<BTreeMap<u64, Subscription>>,
}

#[derive(Debug, Default)]
struct ProgramState {
    session: Option<Arc<Session>>,
    command: Vec<String>,
    /// The working directory at its start.
    directory: String,
    /// Number of programs started so far.
    count: u64,
    /// Offset that is added to this program's revisions.
    base: u64,
}

/// Marks a session as in use until dropped.
#[derive(Debug)]
pub(crate) struct UseGuard(Arc<NamedSession>);

impl Drop for UseGuard {
    fn drop(&mut self) {
        self.0.mark_used();
        self.0.active_uses.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The current program of a session with the numbers by which clients know it, read at one moment.
#[derive(Debug, Clone)]
pub(crate) struct CurrentProgram {
    /// Number of programs started so far, including this one.
    pub(crate) number: u64,
    base: u64,
    pub(crate) session: Arc<Session>,
}

impl CurrentProgram {
    /// Returns the revision by which clients know a frame of this program.
    pub(crate) fn revision(&self, frame: &SessionFrame) -> u64 {
        self.base + frame.revision
    }

    /// Returns the frame of a revision. Returns `None` if it belongs to another program or is no
    /// longer in the history.
    pub(crate) fn frame_at(&self, revision: u64) -> Option<Arc<SessionFrame>> {
        self.session.frame_at(revision.checked_sub(self.base)?)
    }
}

impl NamedSession {
    pub(crate) fn new(name: String, tui: Terminal, clock: Clock) -> NamedSession {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        NamedSession {
            name,
            unique_id: NEXT.fetch_add(1, Ordering::Relaxed),
            size: Mutex::new(tui.options().size),
            tui,
            closed: AtomicBool::new(false),
            last_used: Mutex::new(clock.now()),
            active_uses: AtomicUsize::new(0),
            clock,
            program: Mutex::default(),
            cassette: Mutex::default(),
            next_recording: Mutex::default(),
            viewers: Arc::default(),
            followers: Arc::default(),
            control: Control::default(),
            subscriptions: Mutex::default(),
        }
    }

    /// Returns the name by which clients address the session.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns an id that no other session has, even one with the same name.
    pub(crate) fn unique_id(&self) -> u64 {
        self.unique_id
    }

    /// Returns the size of the terminal.
    pub(crate) fn size(&self) -> Size {
        *lock(&self.size)
    }

    /// Stores the size of the terminal, and returns the one before.
    pub(crate) fn set_size(&self, size: Size) -> Size {
        std::mem::replace(&mut *lock(&self.size), size)
    }

    /// Returns the program and its arguments.
    pub(crate) fn command(&self) -> Vec<String> {
        self.program_state().command.clone()
    }

    /// Returns the directory in which the program was started.
    pub(crate) fn directory(&self) -> String {
        self.program_state().directory.clone()
    }

    /// Resets the idle time.
    pub(crate) fn mark_used(&self) {
        *lock(&self.last_used) = self.clock.now();
    }

    /// Marks the session as in use until the returned value is dropped.
    pub(crate) fn begin_use(self: &Arc<NamedSession>) -> UseGuard {
        self.active_uses.fetch_add(1, Ordering::SeqCst);
        UseGuard(Arc::clone(self))
    }

    /// Returns how long the session has had no request, no viewer and no subscription.
    pub(crate) fn unused_for(&self) -> Duration {
        let is_used = self.active_uses.load(Ordering::SeqCst) > 0
            || self.viewers.count() > 0
            || !lock(&self.subscriptions).is_empty();
        if is_used {
            Duration::ZERO
        } else {
            self.clock.now().saturating_sub(*lock(&self.last_used))
        }
    }

    /// Returns the terminal.
    pub(crate) fn tui(&self) -> &Terminal {
        &self.tui
    }

    /// Returns the secrets that must not be shown.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.tui.options().secrets
    }

    /// Starts a program. Replaces the program before it.
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
        let record = lock(&self.next_recording).take();
        let launched = self.tui.launch_recorded(app, record);
        let mut program = self.program_state();
        if let Some(before) = program.session.take() {
            program.base += before.frame().revision + 1;
        }
        program.session = self.tui.session().ok();
        program.command = command;
        program.directory = directory;
        program.count += 1;
        if let Some(session) = &program.session {
            for watchers in [&self.viewers, &self.followers] {
                let watchers: Arc<dyn Watcher> = watchers.clone();
                session.watch(&watchers);
            }
        }
        drop(program);
        self.viewers.changed();
        self.followers.changed();
        if self.is_closed() {
            // The session was closed during the start, perhaps before this program existed.
            let _ = self.tui.close();
        }
        launched
    }

    /// Kills the program.
    pub(crate) fn kill(&self) {
        if let Ok(session) = self.tui.session() {
            // The guardian ends the processes that could not be killed.
            let _ = session.kill();
        }
    }

    /// Returns the program that runs or ran last. `doing` is the context of the error.
    pub(crate) fn program_session(&self, doing: &str) -> Result<Arc<Session>, RpcError> {
        self.tui
            .session()
            .map_err(|error| RpcError::from_tui(doing, &error))
    }

    /// Returns the program that runs or ran last, with the numbers by which clients know it.
    pub(crate) fn program_or_error(&self, doing: &str) -> Result<CurrentProgram, RpcError> {
        // Without a program, the terminal's error gives the reason.
        self.program_session(doing)?;
        self.program()
            .ok_or_else(|| RpcError::failed(format!("{doing}: no program has been started yet")))
    }

    /// Returns the current screen.
    pub(crate) fn screen(&self) -> Result<Screen, RpcError> {
        Ok(self.program_session("viewport sync")?.screen())
    }

    fn program_state(&self) -> MutexGuard<'_, ProgramState> {
        lock(&self.program)
    }
}

/// Recording to cassettes.
impl NamedSession {
    /// Records the next program from its start, to the cassette `name`.
    pub(crate) fn record_next(&self, name: &str, options: RecordOptions) {
        *lock(&self.cassette) = Some(name.to_owned());
        *lock(&self.next_recording) = Some(options);
    }

    /// Stores the name of the cassette to which the program is recorded.
    pub(crate) fn set_cassette_name(&self, name: &str) {
        *lock(&self.cassette) = Some(name.to_owned());
    }

    /// Returns the name of the cassette while the program is recorded.
    pub(crate) fn cassette(&self) -> Option<String> {
        let session = self.program()?.session;
        let name = lock(&self.cassette).clone();
        name.filter(|_| session.is_recording())
    }
}

/// Remote viewers and control.
impl NamedSession {
    /// Returns the current program.
    pub(crate) fn program(&self) -> Option<CurrentProgram> {
        let program = self.program_state();
        Some(CurrentProgram {
            number: program.count,
            base: program.base,
            session: Arc::clone(program.session.as_ref()?),
        })
    }

    /// Marks the session as closed and notifies the viewers. `Service::close` also ends its
    /// program.
    pub(crate) fn mark_closed(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.viewers.changed();
    }

    /// Returns whether the session is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// Gives control to a client and notifies the viewers.
    pub(crate) fn take_control(&self, caller: &ClientHandle, name: String) {
        self.control.take(caller, name);
        self.viewers.changed();
    }

    /// Releases control if the client has it, and notifies the viewers.
    pub(crate) fn release_control(&self, caller: &ClientHandle) {
        if self.control.release(caller) {
            self.viewers.changed();
        }
    }
}
