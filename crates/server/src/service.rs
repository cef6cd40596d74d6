//! Holds the sessions and executes requests.
//!
//! All interfaces call the same service. A request names its session. Without a name it refers to
//! the session that was opened without a name, or to the only open session.
//!
//! See also: `method.rs` (the methods), `session.rs` (one session), `service/recording.rs`
//! (recordings of requests and frames).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use screentest::clock::Clock;
use screentest::core::redact::secret::SecretError;
use screentest::core::{Ambiguity, Screen, Secrets, Size, State};
use screentest::render::{Fonts, SystemFonts};
use screentest::session::Interrupt;
use screentest::test::InputOverrides;
use screentest::{RunOptions, Session};
use serde_json::Value;

use crate::limits::{MAX_BATCH_STEPS, MAX_CELLS, MAX_LISTED_NAMES};
use crate::method::{self, MethodCall, MethodEffect, SessionNeed};
use crate::service::client::{ClientHandle, Role};
use crate::service::recording::TranscriptRecorder;
use crate::session::NamedSession;
use crate::session::screenshot::{self, ScreenshotOptions};
use crate::wire::send_options::SendOptions;
use crate::wire::session_name::{self, shortened};
use crate::wire::{Answer, ErrorCode, RpcError};

mod answer_memory;
pub(crate) mod app_spec;
pub(crate) mod client;
pub mod fuzz_entry;
mod method_context;
mod notification;
pub mod recording;
pub(crate) mod request_thread;
pub(crate) mod stop;

pub(crate) use answer_memory::{AnswerMemory, Reservation};
pub(crate) use method_context::{MethodContext, RequestOrigin};
pub(crate) use notification::NoNotifications;
pub use notification::{Notification, NotificationSink};

/// Settings that all sessions of a server share.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    /// Directory for artifacts, relative to the project's root.
    pub artifact_dir: PathBuf,
    /// Directory for cassettes. `None` puts them among the artifacts.
    pub cassette_dir: Option<PathBuf>,
    /// Default size of the terminal.
    pub size: Size,
    /// Default timeout of waits.
    pub timeout: Duration,
    /// Default for selectors with more than one match.
    pub ambiguity: Ambiguity,
    /// Secrets that no client may see.
    pub secrets: Secrets,
    /// How input is sent, from command-line flags. Overrides the environment and the options of
    /// `initialize`.
    pub input: InputOverrides,
    /// Maximum number of open sessions.
    pub max_sessions: usize,
}

/// Holds the sessions and executes requests.
#[derive(Debug)]
pub struct Service {
    pub(crate) settings: ServiceSettings,
    pub(crate) sink: Arc<dyn NotificationSink>,
    pub(crate) recorder: Arc<TranscriptRecorder>,
    pub(crate) clock: Clock,
    /// Memory for answers that are being built or have not been sent yet.
    pub(crate) answer_memory: AnswerMemory,
    sessions: Mutex<OpenSessions>,
    secrets: Mutex<Secrets>,
    fonts: OnceLock<Fonts>,
    shutting_down: AtomicBool,
}

#[derive(Debug, Default)]
struct OpenSessions {
    by_name: BTreeMap<String, Arc<NamedSession>>,
    /// The session that was opened without a name.
    unnamed: Option<String>,
    /// Whether opening sessions is refused.
    closing: bool,
    /// Time at which the last session was closed, by the service's clock. For a new service, the
    /// end of [`FIRST_REQUEST_GRACE`].
    empty_since: Duration,
}

/// Memory of a cell, with its text, in a state that is read: scrollback and screen.
const CELL_BYTES: usize = 16;

/// Memory of a cell while it is drawn: 9×20 pixels of 4 bytes, with a margin and the file.
const DRAWN_CELL_BYTES: usize = 1000;

/// Maximum number of threads that close sessions in parallel.
const CLOSE_THREADS: usize = 64;

/// Time after its start during which a service does not count as empty. A process that starts a
/// server in order to open a session needs this time to send its first request.
const FIRST_REQUEST_GRACE: Duration = Duration::from_secs(10);

/// Methods that a replay skips: they would end this server or the recording in progress.
const NOT_REPLAYED: [&str; 3] = ["server.shutdown", "recording.start", "recording.stop"];

impl Service {
    /// Creates a service without sessions.
    pub fn new(settings: ServiceSettings, sink: Arc<dyn NotificationSink>) -> Service {
        let clock = Clock::system();
        let empty_since = clock.now() + FIRST_REQUEST_GRACE;
        Service {
            secrets: Mutex::new(settings.secrets.clone()),
            settings,
            sink,
            recorder: Arc::new(TranscriptRecorder::new(clock.clone())),
            clock,
            answer_memory: AnswerMemory::default(),
            sessions: Mutex::new(OpenSessions {
                empty_since,
                ..OpenSessions::default()
            }),
            fonts: OnceLock::new(),
            shutting_down: AtomicBool::new(false),
        }
    }

    /// Executes a method with full access. The result contains no secrets.
    pub fn call(
        &self,
        method: &str,
        params: Value,
        interrupt: &Interrupt,
    ) -> Result<Answer, RpcError> {
        let caller = ClientHandle::owner(Arc::clone(&self.sink));
        self.call_as(caller, method, params, interrupt)
    }

    /// Executes a method for a client, within the limits of its role.
    pub(crate) fn call_as(
        &self,
        caller: ClientHandle,
        method: &str,
        params: Value,
        interrupt: &Interrupt,
    ) -> Result<Answer, RpcError> {
        let origin = RequestOrigin {
            caller,
            depth: 0,
            steps_left: Arc::new(AtomicUsize::new(MAX_BATCH_STEPS)),
            session_name: None,
            replayed: false,
        };
        self.call_within(method, params, interrupt, origin)
    }

    /// Executes a method, either on its own or as part of another request.
    pub(crate) fn call_within(
        &self,
        method: &str,
        params: Value,
        interrupt: &Interrupt,
        origin: RequestOrigin,
    ) -> Result<Answer, RpcError> {
        if origin.replayed && NOT_REPLAYED.contains(&method) {
            let memory = self.answer_memory.reservation(origin.caller.role);
            return Answer::new(&Value::Null, &self.secrets(), memory);
        }
        let (Some(need), Some(effect)) = (method::session_need(method), method::effect(method))
        else {
            return Err(RpcError::unknown_method(method));
        };
        if effect != MethodEffect::Reads && origin.caller.role == Role::ReadOnly {
            return Err(RpcError::new(
                ErrorCode::Forbidden,
                format!("`{method}` needs full access, but this client is read-only"),
            ));
        }
        let session_name = match params.get("session") {
            None | Some(Value::Null) => origin.session_name.clone(),
            Some(Value::String(name)) => Some(name.clone()),
            Some(_) => return Err(RpcError::invalid_params("`session`: expected a string")),
        };
        if need == SessionNeed::NotOpen
            && let Some(name) = &session_name
        {
            session_name::check("session", name)?;
        }
        let session = self.session(session_name.as_deref());
        let _in_use = session.as_ref().ok().map(NamedSession::begin_use);
        // The session is checked first: without a session, the parameters do not matter.
        match (need, &session) {
            (SessionNeed::Open, Err(error)) => return Err(error.clone()),
            (SessionNeed::NotOpen, _) => self.check_name_free(session_name.as_deref())?,
            (_, Ok(session)) if effect == MethodEffect::Types => {
                session.control.check(&origin.caller)?;
            }
            _ => {}
        }
        let context = MethodContext {
            service: self,
            interrupt,
            session_name,
            origin,
            send: SendOptions::read(&params)?,
            session,
        };
        MethodCall::parse(method, params)?.perform(&context)
    }

    /// Kills every program. No further session is opened.
    pub fn kill(&self) {
        let sessions = {
            let mut sessions = self.sessions();
            sessions.closing = true;
            std::mem::take(&mut sessions.by_name)
        };
        for session in sessions.values() {
            session.kill();
        }
    }

    /// Closes every session as a client would, so that its recordings are complete. No further
    /// session is opened.
    pub(crate) fn close_all(&self) {
        self.sessions().closing = true;
        let all = self.all_sessions();
        // Mark all sessions first and close them in parallel: programs may take time to exit.
        all.iter().for_each(|session| session.mark_closed());
        std::thread::scope(|scope| {
            for chunk in all.chunks(all.len().div_ceil(CLOSE_THREADS).max(1)) {
                // The guardian ends the processes that could not be closed.
                let close = || chunk.iter().for_each(|session| drop(self.close(session)));
                if std::thread::Builder::new()
                    .spawn_scoped(scope, close)
                    .is_err()
                {
                    close();
                }
            }
        });
    }

    /// Returns how long no session has been open, or `None` while one is open.
    pub(crate) fn empty_for(&self) -> Option<Duration> {
        let sessions = self.sessions();
        let is_empty = sessions.by_name.is_empty();
        is_empty.then(|| self.clock.now().saturating_sub(sessions.empty_since))
    }

    /// If no session is open, refuses to open further ones. Returns whether the service refuses.
    pub(crate) fn close_if_empty(&self) -> bool {
        let mut sessions = self.sessions();
        sessions.closing |= sessions.by_name.is_empty();
        sessions.closing
    }

    /// Returns whether the service refuses to open sessions because it is about to end.
    pub(crate) fn is_closing(&self) -> bool {
        self.sessions().closing
    }

    /// Kills every program and closes the recording. No further session is opened.
    pub fn end(&self) {
        self.kill();
        self.recorder.stop();
    }

    /// Returns whether a client has requested the shutdown of the server.
    pub(crate) fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::SeqCst)
    }

    /// Kills every program and requests the shutdown of the server. The server ends after it has
    /// sent the response.
    pub(crate) fn shut_down(&self) {
        self.sessions().closing = true;
        // The sessions stay until the server ends, so that viewers can still be notified.
        self.all_sessions()
            .iter()
            .for_each(|session| session.kill());
        self.shutting_down.store(true, Ordering::SeqCst);
    }

    /// Returns the fonts for screenshots: the font file that the environment names, or the bundled
    /// fonts. Loads them once.
    pub(crate) fn fonts(&self) -> Result<&Fonts, RpcError> {
        if let Some(fonts) = self.fonts.get() {
            return Ok(fonts);
        }
        let fonts = screentest::test::picture::fonts(SystemFonts::Allowed)
            .map_err(|error| RpcError::with_cause("font", &error))?;
        Ok(self.fonts.get_or_init(|| fonts))
    }
}

/// Opening, finding and closing sessions.
impl Service {
    /// Opens a session. Clients address it by `key`; `name` names its artifact folder. `source`
    /// says whether the client chose the key.
    pub(crate) fn open(
        &self,
        key: &str,
        name: &str,
        source: KeySource,
        options: RunOptions,
    ) -> Result<Arc<NamedSession>, RpcError> {
        session_name::check("session", key)?;
        // Checked first, so that an open session with this name is not affected.
        self.sessions().check_free(key)?;
        self.check_session_limit(&self.sessions())?;
        let size = options.size;
        self.sessions().check_cells(size, None)?;
        let tui = screentest::open_session(options, name)
            .map_err(|error| RpcError::failed(format!("could not open `{name}`: {error:?}")))?;
        let session = Arc::new(NamedSession::new(key.to_owned(), tui, self.clock.clone()));
        let mut sessions = self.sessions();
        if sessions.closing {
            return Err(RpcError::failed("the server is about to end"));
        }
        sessions.check_free(key)?;
        // Checked again: other sessions may have been opened meanwhile.
        self.check_session_limit(&sessions)?;
        sessions.check_cells(session.size(), None)?;
        sessions
            .by_name
            .insert(key.to_owned(), Arc::clone(&session));
        if source == KeySource::Default {
            sessions.unnamed = Some(key.to_owned());
        }
        drop(sessions);
        self.recorder.session_opened(&session);
        Ok(session)
    }

    /// Fails if the maximum number of sessions is open.
    fn check_session_limit(&self, sessions: &OpenSessions) -> Result<(), RpcError> {
        let most = self.settings.max_sessions;
        if sessions.by_name.len() < most {
            Ok(())
        } else {
            Err(RpcError::new(
                ErrorCode::TooMany,
                format!(
                    "{most} sessions are open, which is the maximum: close one, or start the server with a higher --max-sessions"
                ),
            ))
        }
    }

    /// Fails if the session that a request refers to is open. Without a name, this is the default
    /// session.
    fn check_name_free(&self, name: Option<&str>) -> Result<(), RpcError> {
        let sessions = self.sessions();
        match name.or_else(|| sessions.default_name()) {
            Some(name) => sessions.check_free(name),
            None => Ok(()),
        }
    }

    /// Closes a session with its subscriptions and its recording, and ends its program.
    pub(crate) fn close(&self, session: &Arc<NamedSession>) -> Result<(), RpcError> {
        {
            let mut sessions = self.sessions();
            // The name may belong to another session by now.
            let named = sessions.by_name.get(session.name());
            if named.is_some_and(|named| Arc::ptr_eq(named, session)) {
                sessions.by_name.remove(session.name());
                sessions.unnamed.take_if(|name| name == session.name());
            }
            sessions.empty_since = self.clock.now();
        }
        self.recorder.session_closed(session);
        session.mark_closed();
        lock(&session.subscriptions).clear();
        let closed = session.tui().close();
        // Set again: the program may have taken time to exit.
        self.sessions().empty_since = self.clock.now();
        closed.map_err(|error| RpcError::from_tui("close", &error))
    }

    /// Resizes a session's terminal with `resize`, within the limit on all cells.
    pub(crate) fn resize(
        &self,
        session: &NamedSession,
        size: Size,
        resize: impl FnOnce() -> Result<(), RpcError>,
    ) -> Result<(), RpcError> {
        let before = {
            let sessions = self.sessions();
            sessions.check_cells(size, Some(session))?;
            session.set_size(size)
        };
        let resized = resize();
        if resized.is_err() {
            session.set_size(before);
        }
        resized
    }

    /// Reads the state of a session's program with at most `scrollback` rows of scrollback. The
    /// reserved memory must be kept as long as the state.
    pub(crate) fn state(
        &self,
        role: Role,
        program: &Session,
        scrollback: usize,
    ) -> Result<(State, Reservation), RpcError> {
        let mut memory = self.answer_memory.reservation(role);
        let screen = &program.shown().screen;
        let rows = scrollback.min(screen.scrollback_rows) + screen.rows.len();
        memory.grow(rows.saturating_mul(usize::from(screen.size.cols) * CELL_BYTES))?;
        Ok((program.state(scrollback), memory))
    }

    /// Draws a screen as a PNG file. Meanwhile, reserves answer memory of the role.
    pub(crate) fn draw(
        &self,
        role: Role,
        screen: &Screen,
        options: &ScreenshotOptions,
    ) -> Result<Vec<u8>, RpcError> {
        let mut memory = self.answer_memory.reservation(role);
        memory.grow(cells(screen.size) * DRAWN_CELL_BYTES)?;
        screenshot::draw_png(screen, options, self.fonts()?)
    }

    /// Returns the session with this name, or the default session.
    pub(crate) fn session(&self, name: Option<&str>) -> Result<Arc<NamedSession>, RpcError> {
        let sessions = self.sessions();
        let names = || {
            let shown = sessions.by_name.keys().take(MAX_LISTED_NAMES);
            let shown: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
            match sessions.by_name.len().saturating_sub(MAX_LISTED_NAMES) {
                0 => shown.join(", "),
                more => format!("{} and {more} more", shown.join(", ")),
            }
        };
        let details = match name {
            Some(name) => match sessions.by_name.get(name) {
                Some(session) => return Ok(Arc::clone(session)),
                None => {
                    let shown = shortened(name);
                    if sessions.by_name.is_empty() {
                        format!("no session `{shown}`: no session is open; `initialize` opens one")
                    } else {
                        format!("no session `{shown}`; open sessions: {}", names())
                    }
                }
            },
            None => match sessions
                .default_name()
                .and_then(|name| sessions.by_name.get(name))
            {
                Some(session) => return Ok(Arc::clone(session)),
                None if sessions.by_name.is_empty() => {
                    "no session is open: `initialize` opens one".to_owned()
                }
                None => format!(
                    "several sessions are open; select one with `session`: {}",
                    names()
                ),
            },
        };
        Err(RpcError::new(ErrorCode::NoSession, details))
    }

    /// Returns all sessions, sorted by name.
    pub(crate) fn all_sessions(&self) -> Vec<Arc<NamedSession>> {
        self.sessions().by_name.values().cloned().collect()
    }

    /// Returns the name of an open session.
    pub(crate) fn any_session_name(&self) -> Option<String> {
        self.sessions().by_name.keys().next().cloned()
    }

    fn sessions(&self) -> MutexGuard<'_, OpenSessions> {
        lock(&self.sessions)
    }
}

/// Returns the number of cells of a terminal.
fn cells(size: Size) -> usize {
    usize::from(size.cols) * usize::from(size.rows)
}

/// Origin of a session's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeySource {
    Client,
    Default,
}

impl OpenSessions {
    /// Fails if a session has this key.
    fn check_free(&self, key: &str) -> Result<(), RpcError> {
        if self.by_name.contains_key(key) {
            Err(RpcError::new(
                ErrorCode::AlreadyStarted,
                format!(
                    "session `{key}` is already open: close it with `close`, or name another with `session`"
                ),
            ))
        } else {
            Ok(())
        }
    }

    /// Fails if a terminal of this size would exceed the limit on the cells of all terminals.
    /// `resized` is the session that gets the size, or `None` for a new one.
    fn check_cells(&self, size: Size, resized: Option<&NamedSession>) -> Result<(), RpcError> {
        let others = self.by_name.values().filter(|session| {
            !resized.is_some_and(|resized| std::ptr::eq(Arc::as_ptr(session), resized))
        });
        let used: usize = others.map(|session| cells(session.size())).sum();
        if used + cells(size) <= MAX_CELLS {
            return Ok(());
        }
        Err(RpcError::new(
            ErrorCode::TooMany,
            format!(
                "a terminal of {}x{} needs {} cells, but {} of the {MAX_CELLS} cells of all sessions are left: \
                 close a session, or use smaller terminals",
                size.cols,
                size.rows,
                cells(size),
                MAX_CELLS.saturating_sub(used),
            ),
        ))
    }

    /// Returns the name of the session that requests without a name refer to.
    fn default_name(&self) -> Option<&str> {
        match &self.unnamed {
            Some(name) => Some(name),
            None if self.by_name.len() == 1 => self.by_name.keys().next().map(String::as_str),
            None => None,
        }
    }
}

/// Secrets.
impl Service {
    /// Returns all secrets known so far.
    pub(crate) fn secrets(&self) -> Secrets {
        lock(&self.secrets).clone()
    }

    /// Adds a secret.
    pub(crate) fn add_secret(&self, name: &str, value: &str) -> Result<(), SecretError> {
        lock(&self.secrets).add(name, value)
    }

    /// Returns the value with every secret replaced by its name.
    pub(crate) fn redact(&self, value: Value) -> Value {
        let secrets = self.secrets();
        if secrets.is_empty() {
            value
        } else {
            redact_value(&secrets, value)
        }
    }
}

fn redact_value(secrets: &Secrets, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(secrets.text(&text).into_owned()),
        Value::Array(values) => {
            let values = values.into_iter();
            Value::Array(values.map(|value| redact_value(secrets, value)).collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let name = secrets.text(&name).into_owned();
                (name, redact_value(secrets, value))
            });
            Value::Object(fields.collect())
        }
        other => other,
    }
}

/// Locks a mutex, also after a panic of its holder.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
