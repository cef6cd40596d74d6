//! The sessions, and doing what is asked of them.
//!
//! Every door asks the same service. Which session is meant, a request says by name; without one it is the session that was
//! opened without a name, or else the only one there is.
//!
//! Elsewhere: what can be asked (`method.rs`), one session (`stage.rs`).

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use screentest::core::redact::secret::SecretError;
use screentest::core::{Ambiguity, Secrets, Size};
use screentest::render::{Fonts, SystemFonts};
use screentest::{Clock, InputOverrides, Interrupt, RunOptions, WaitOptions};
use serde_json::Value;

use crate::caller::{Caller, Role};
use crate::method::{self, Action, Does, Needs};
use crate::recording::Recorder;
use crate::stage::Stage;
use crate::wire::input::SendOptions;
use crate::wire::{Code, Failure};

/// What the sessions of a server have in common.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where artifacts go, counted from the project's root.
    pub artifact_dir: PathBuf,
    /// Where cassettes go; among the artifacts where this is nothing.
    pub cassette_dir: Option<PathBuf>,
    /// The terminal's size, unless a client says otherwise.
    pub size: Size,
    /// How long a wait may take, unless a client says otherwise.
    pub timeout: Duration,
    /// What more than one match means, unless a client says otherwise.
    pub ambiguity: Ambiguity,
    /// What must not be shown to any client.
    pub secrets: Secrets,
    /// How input is sent, unless a single request says otherwise.
    pub input: InputOverrides,
    /// How many sessions may be open at once.
    pub most_sessions: usize,
}

/// Where what nobody asked for goes.
pub trait Outlet: Debug + Send + Sync {
    /// Tells a client. This must not block: what was not told yet is replaced by the newer of the same key.
    fn notify(&self, notice: Notice);

    /// Returns once all that was said before has gone out, or nobody takes it.
    fn flush(&self) {}

    /// Whether anybody is told.
    fn is_heard(&self) -> bool {
        true
    }
}

/// For those who only ask.
#[derive(Debug)]
pub(crate) struct Silent;

impl Outlet for Silent {
    fn notify(&self, _notice: Notice) {}

    fn is_heard(&self) -> bool {
        false
    }
}

/// Something that a client is told by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// What it is about: of two with the same key, only the newer counts.
    pub key: String,
    /// The method of the notification.
    pub method: &'static str,
    /// Its parameters.
    pub params: Value,
}

/// The sessions, and doing what is asked of them.
#[derive(Debug)]
pub struct Service {
    pub(crate) settings: Settings,
    pub(crate) outlet: Arc<dyn Outlet>,
    pub(crate) recorder: Arc<Recorder>,
    pub(crate) clock: Clock,
    stages: Mutex<Stages>,
    secrets: Mutex<Secrets>,
    fonts: OnceLock<Fonts>,
    shutting_down: AtomicBool,
}

#[derive(Debug, Default)]
struct Stages {
    by_name: BTreeMap<String, Arc<Stage>>,
    /// The one that was opened without being named.
    unnamed: Option<String>,
    /// Nothing is opened any more.
    over: bool,
    /// Since when none is open, by the service's clock. It is later than now before the first.
    empty_since: Duration,
}

/// One request on its way.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) service: &'a Service,
    pub(crate) interrupt: &'a Interrupt,
    /// The session that the request names.
    pub(crate) session: Option<String>,
    pub(crate) around: Around,
    /// How the request wants its input sent.
    pub(crate) send: SendOptions,
    stage: Result<Arc<Stage>, Failure>,
}

/// Who asked, and what the request is inside of: `batch`, `replay`, or nothing.
#[derive(Debug, Clone)]
pub(crate) struct Around {
    pub(crate) caller: Caller,
    /// How many requests it is inside of.
    pub(crate) depth: usize,
    /// The session of those that name none.
    pub(crate) session: Option<String>,
    /// Whether it comes from a recording.
    pub(crate) replayed: bool,
}

/// How many threads close sessions when all of them are to be closed.
const CLOSERS: usize = 64;

/// How long a service that nobody has used yet does not count as without sessions: whoever started it for one has yet to ask.
const FIRST: Duration = Duration::from_secs(10);

/// What a recording does not do again: it would end this server, or the recording that is being made.
const NOT_AGAIN: [&str; 3] = ["server.shutdown", "recording.start", "recording.stop"];

impl Service {
    /// A service without sessions.
    pub fn new(settings: Settings, outlet: Arc<dyn Outlet>) -> Service {
        let clock = Clock::system();
        let empty_since = clock.now() + FIRST;
        Service {
            secrets: Mutex::new(settings.secrets.clone()),
            settings,
            outlet,
            recorder: Arc::new(Recorder::new(clock.clone())),
            clock,
            stages: Mutex::new(Stages {
                empty_since,
                ..Stages::default()
            }),
            fonts: OnceLock::new(),
            shutting_down: AtomicBool::new(false),
        }
    }

    /// Does what is asked. What is answered shows no secret.
    pub fn call(
        &self,
        method: &str,
        params: Value,
        interrupt: &Interrupt,
    ) -> Result<Value, Failure> {
        let caller = Caller::owner(Arc::clone(&self.outlet));
        self.call_as(caller, method, params, interrupt)
    }

    /// Does what somebody asks, as far as they may.
    pub(crate) fn call_as(
        &self,
        caller: Caller,
        method: &str,
        params: Value,
        interrupt: &Interrupt,
    ) -> Result<Value, Failure> {
        let around = Around {
            caller,
            depth: 0,
            session: None,
            replayed: false,
        };
        self.call_within(method, params, interrupt, around)
    }

    /// Does what is asked inside of other requests.
    pub(crate) fn call_within(
        &self,
        method: &str,
        params: Value,
        interrupt: &Interrupt,
        around: Around,
    ) -> Result<Value, Failure> {
        if around.replayed && NOT_AGAIN.contains(&method) {
            return Ok(Value::Null);
        }
        let (Some(needs), Some(does)) = (method::needs(method), method::does(method)) else {
            return Err(Failure::unknown_method(method));
        };
        if does != Does::Looks && around.caller.role == Role::Look {
            return Err(Failure::new(
                Code::Forbidden,
                format!("`{method}` is more than looking, and who asks may only look"),
            ));
        }
        let session = match params.get("session") {
            None | Some(Value::Null) => around.session.clone(),
            Some(Value::String(name)) => Some(name.clone()),
            Some(_) => return Err(Failure::params("`session`: expected a string")),
        };
        let stage = self.stage(session.as_deref());
        let _in_use = stage.as_ref().ok().map(Stage::in_use);
        // Before the parameters are looked at: without a session they do not matter.
        match (needs, &stage) {
            (Needs::Session, Err(failure)) => return Err(failure.clone()),
            (Needs::NoSession, _) => self.check_free(session.as_deref())?,
            (_, Ok(stage)) if does == Does::Drives => stage.wheel.check(&around.caller)?,
            _ => {}
        }
        let job = Job {
            service: self,
            interrupt,
            session,
            around,
            send: SendOptions::read(&params)?,
            stage,
        };
        Action::read(method, params)?.perform(&job)
    }

    /// Ends every program at once, and starts nothing any more.
    pub fn kill(&self) {
        let stages = {
            let mut stages = self.stages();
            stages.over = true;
            std::mem::take(&mut stages.by_name)
        };
        for stage in stages.values() {
            stage.kill();
        }
    }

    /// Closes every session as a client would, so that what is recorded of them is complete, and opens none any more.
    pub(crate) fn close_all(&self) {
        self.stages().over = true;
        let all = self.all();
        // Everybody is told at once; programs may take their time to end, and take it together.
        all.iter().for_each(|stage| stage.close());
        std::thread::scope(|scope| {
            for some in all.chunks(all.len().div_ceil(CLOSERS).max(1)) {
                // What could not be ended is in the hands of its supervisor.
                let close = || some.iter().for_each(|stage| drop(self.close(stage)));
                if std::thread::Builder::new()
                    .spawn_scoped(scope, close)
                    .is_err()
                {
                    close();
                }
            }
        });
    }

    /// How long no session has been open; `None` while one is.
    pub(crate) fn empty_for(&self) -> Option<Duration> {
        let stages = self.stages();
        let is_empty = stages.by_name.is_empty();
        is_empty.then(|| self.clock.now().saturating_sub(stages.empty_since))
    }

    /// Opens no session any more, unless one is open. Says whether that is so.
    pub(crate) fn retire(&self) -> bool {
        let mut stages = self.stages();
        stages.over |= stages.by_name.is_empty();
        stages.over
    }

    /// Whether no session is opened any more.
    pub(crate) fn is_over(&self) -> bool {
        self.stages().over
    }

    /// Ends every program at once, closes the recording, and starts nothing any more.
    pub fn end(&self) {
        self.kill();
        self.recorder.stop();
    }

    /// Whether a client asked for the end of the server.
    pub(crate) fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::SeqCst)
    }

    /// Ends every program, and then the server, once it has said so.
    pub(crate) fn shut_down(&self) {
        self.stages().over = true;
        // They stay until the server ends, so that who watches them can be told.
        self.all().iter().for_each(|stage| stage.kill());
        self.shutting_down.store(true, Ordering::SeqCst);
    }

    /// The fonts of pictures, read once: those that the environment names, or those that come with us.
    pub(crate) fn fonts(&self) -> Result<&Fonts, Failure> {
        if let Some(fonts) = self.fonts.get() {
            return Ok(fonts);
        }
        let fonts = screentest::test::picture::fonts(SystemFonts::Allowed)
            .map_err(|error| Failure::caused("font", &error))?;
        Ok(self.fonts.get_or_init(|| fonts))
    }
}

/// The sessions.
impl Service {
    /// Opens a session. Clients know it by `key`, its folder is called by `name`; `named` says whether a client gave the key.
    pub(crate) fn open(
        &self,
        key: &str,
        name: &str,
        named: Named,
        options: RunOptions,
    ) -> Result<Arc<Stage>, Failure> {
        // Before anything is touched that belongs to the one of this name.
        self.stages().check_free(key)?;
        self.check_room(&self.stages())?;
        let tui = screentest::open_session(options, name)
            .map_err(|failure| Failure::failed(format!("could not open `{name}`: {failure:?}")))?;
        let stage = Arc::new(Stage::new(key.to_owned(), tui, self.clock.clone()));
        let mut stages = self.stages();
        if stages.over {
            return Err(Failure::failed("the server is about to end"));
        }
        stages.check_free(key)?;
        // Others may have been opened meanwhile.
        self.check_room(&stages)?;
        stages.by_name.insert(key.to_owned(), Arc::clone(&stage));
        if named == Named::No {
            stages.unnamed = Some(key.to_owned());
        }
        drop(stages);
        self.recorder.opened(&stage);
        Ok(stage)
    }

    /// Whether one more session may be open.
    fn check_room(&self, stages: &Stages) -> Result<(), Failure> {
        let most = self.settings.most_sessions;
        match stages.by_name.len() < most {
            true => Ok(()),
            false => Err(Failure::new(
                Code::TooMany,
                format!(
                    "{most} sessions are open, which is the most: close one, or start the server with a higher --max-sessions"
                ),
            )),
        }
    }

    /// Whether a session may be opened, as far as can be said before it has said its name.
    fn check_free(&self, name: Option<&str>) -> Result<(), Failure> {
        let stages = self.stages();
        match name.or_else(|| stages.default_name()) {
            Some(name) => stages.check_free(name),
            None => Ok(()),
        }
    }

    /// Closes a session, with all that follows it.
    pub(crate) fn close(&self, stage: &Arc<Stage>) -> Result<(), Failure> {
        {
            let mut stages = self.stages();
            // Its name may be another's by now.
            let named = stages.by_name.get(stage.name());
            if named.is_some_and(|named| Arc::ptr_eq(named, stage)) {
                stages.by_name.remove(stage.name());
            }
            stages.empty_since = self.clock.now();
            stages.unnamed.take_if(|name| name == stage.name());
        }
        self.recorder.closed(stage);
        stage.close();
        lock(&stage.subscriptions).clear();
        let closed = stage.tui().close();
        // Programs may take their time to end.
        self.stages().empty_since = self.clock.now();
        closed.map_err(|error| Failure::of("close", &error))
    }

    /// The session of this name; without one, the session that is meant then.
    pub(crate) fn stage(&self, name: Option<&str>) -> Result<Arc<Stage>, Failure> {
        let stages = self.stages();
        let names = || {
            let names: Vec<String> = stages
                .by_name
                .keys()
                .map(|name| format!("`{name}`"))
                .collect();
            names.join(", ")
        };
        let details = match name {
            Some(name) => match stages.by_name.get(name) {
                Some(stage) => return Ok(Arc::clone(stage)),
                None if stages.by_name.is_empty() => {
                    format!("no session is open, and none is `{name}`: `initialize` opens one")
                }
                None => format!("no session is `{name}`: there is {}", names()),
            },
            None => match stages
                .default_name()
                .and_then(|name| stages.by_name.get(name))
            {
                Some(stage) => return Ok(Arc::clone(stage)),
                None if stages.by_name.is_empty() => {
                    "no session is open: `initialize` opens one".to_owned()
                }
                None => format!(
                    "several sessions are open, `session` says which one: {}",
                    names()
                ),
            },
        };
        Err(Failure::new(Code::NoSession, details))
    }

    fn stages(&self) -> MutexGuard<'_, Stages> {
        lock(&self.stages)
    }
}

/// Whether a client gave a session its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Yes,
    No,
}

impl Stages {
    /// Whether no session has this key.
    fn check_free(&self, key: &str) -> Result<(), Failure> {
        match self.by_name.contains_key(key) {
            true => Err(Failure::new(
                Code::AlreadyStarted,
                format!("session `{key}` is open: `close` ends it, and `session` names another"),
            )),
            false => Ok(()),
        }
    }

    /// The one that is meant where none is named.
    fn default_name(&self) -> Option<&str> {
        match &self.unnamed {
            Some(name) => Some(name),
            None if self.by_name.len() == 1 => self.by_name.keys().next().map(String::as_str),
            None => None,
        }
    }
}

/// What must not be shown.
impl Service {
    /// All that is known up to now.
    pub(crate) fn secrets(&self) -> Secrets {
        lock(&self.secrets).clone()
    }

    /// All sessions, in the order of their names.
    pub(crate) fn all(&self) -> Vec<Arc<Stage>> {
        self.stages().by_name.values().cloned().collect()
    }

    /// The name of a session that is open.
    pub(crate) fn any_name(&self) -> Option<String> {
        self.stages().by_name.keys().next().cloned()
    }

    /// Adds what must not be shown from now on.
    pub(crate) fn add_secret(&self, name: &str, value: &str) -> Result<(), SecretError> {
        lock(&self.secrets).add(name, value)
    }

    /// A value with the names in place of what must not be shown.
    pub(crate) fn covered(&self, value: Value) -> Value {
        let secrets = self.secrets();
        match secrets.is_empty() {
            true => value,
            false => covered(&secrets, value),
        }
    }
}

fn covered(secrets: &Secrets, value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(secrets.text(&text).into_owned()),
        Value::Array(values) => {
            let values = values.into_iter();
            Value::Array(values.map(|value| covered(secrets, value)).collect())
        }
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let name = secrets.text(&name).into_owned();
                (name, covered(secrets, value))
            });
            Value::Object(fields.collect())
        }
        other => other,
    }
}

impl Job<'_> {
    /// Whether somebody still wants it.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.interrupt.is_raised() {
            true => Err(Failure::new(Code::Cancelled, "it was interrupted")),
            false => Ok(()),
        }
    }

    /// Waits of at most so long, or of the usual time, which end when the request is cancelled.
    pub(crate) fn waits(&self, timeout: Option<Duration>) -> WaitOptions {
        let mut waits = WaitOptions::default().interrupt(self.interrupt.clone());
        waits.timeout = timeout;
        self.send.apply(waits)
    }

    /// The same; with `anytime`, text that was on the screen before Enter counts as well.
    pub(crate) fn waits_for(
        &self,
        timeout: Option<Duration>,
        anytime: Option<bool>,
    ) -> WaitOptions {
        match anytime {
            Some(true) => self.waits(timeout).anytime(),
            _ => self.waits(timeout),
        }
    }

    /// What the requests inside of this one are inside of.
    pub(crate) fn around(&self) -> Around {
        Around {
            depth: self.around.depth + 1,
            session: self.session.clone(),
            ..self.around.clone()
        }
    }

    /// The session that is meant.
    pub(crate) fn stage(&self) -> Result<&Arc<Stage>, Failure> {
        self.stage.as_ref().map_err(Failure::clone)
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
