//! The sessions of an agent: when each was last used, and which revision the agent has seen last.
//!
//! Revisions increase across all programs of all sessions, so that a revision of an earlier program
//! is never mistaken for one of the current program.
//!
//! See also: `service.rs` (the sessions, which other interfaces may also open and close).

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rmcp::model::JsonObject;
use screentest::SessionFrame;
use screentest::session::Interrupt;
use serde_json::Value;
use tokio::sync::Notify;

use super::error::ToolError;
use super::tool::{Call, DefaultSession, Reply, Tool};
use crate::limits::MAX_NAME_CHARS;
use crate::service::client::{ClientHandle, Role};
use crate::service::{NoNotifications, Service, ServiceSettings, lock};
use crate::session::{CurrentProgram, NamedSession, UseGuard};
use crate::wire::session_name;

/// How many names of sessions closed for idleness are remembered, so that an error can give the
/// reason.
const MAX_EXPIRED: usize = 16;

/// The name of a session that is opened without one.
pub(super) const DEFAULT_NAME: &str = "main";

/// The queue in which the calls of a role to a session wait for each other.
pub(super) type CallQueue = Arc<tokio::sync::Mutex<()>>;

/// The sessions of an agent.
#[derive(Debug)]
pub(super) struct AgentSessions {
    service: Arc<Service>,
    /// How long a session may be idle before it is closed. `None` if another interface closes idle
    /// sessions.
    idle: Option<Duration>,
    records: Mutex<SessionRecords>,
    queues: Mutex<BTreeMap<(Role, String), CallQueue>>,
    opened: Notify,
}

#[derive(Debug, Default)]
struct SessionRecords {
    open: BTreeMap<String, SessionRecord>,
    /// Names of sessions closed for idleness, the latest last.
    expired: VecDeque<String>,
    /// The highest revision reported for any session.
    highest: u64,
    /// Number of sessions opened so far.
    opened: u64,
}

impl SessionRecords {
    /// Returns the record of a session. Creates it if there is none.
    fn entry(&mut self, session: &Arc<NamedSession>, now: Duration) -> &mut SessionRecord {
        let is_same = |record: &SessionRecord| Arc::ptr_eq(&record.session, session);
        // Another interface may have closed sessions, whose names are free again.
        self.open.retain(|_, record| !record.session.is_closed());
        if !self.open.get(session.name()).is_some_and(is_same) {
            let record = SessionRecord {
                session: Arc::clone(session),
                base: self.highest + 1,
                opened_by_agent: false,
                last_reported: None,
                last_used: now,
                calls: 0,
            };
            self.open.insert(session.name().to_owned(), record);
        }
        self.open
            .get_mut(session.name())
            .expect("inserted above if it was missing")
    }

    /// Removes the record of a session, unless its name belongs to another session by now.
    fn remove(&mut self, session: &Arc<NamedSession>) {
        let record = self.open.get(session.name());
        if record.is_some_and(|record| Arc::ptr_eq(&record.session, session)) {
            self.open.remove(session.name());
        }
    }
}

#[derive(Debug)]
struct SessionRecord {
    session: Arc<NamedSession>,
    opened_by_agent: bool,
    /// Offset that is added to the session's revisions.
    base: u64,
    /// The last revision that the agent has seen.
    last_reported: Option<u64>,
    /// Time of the last call.
    last_used: Duration,
    /// Number of calls in progress.
    calls: usize,
}

/// An entry in a list of sessions.
#[derive(Debug)]
pub(super) struct ListedSession {
    pub(super) session: Arc<NamedSession>,
    pub(super) idle: Duration,
}

/// The session of a call. It counts as in use until this is dropped.
#[derive(Debug)]
pub(super) struct SessionGuard<'a> {
    sessions: &'a AgentSessions,
    pub(super) session: Arc<NamedSession>,
    _in_use: UseGuard,
}

impl AgentSessions {
    /// Creates a service for one agent. Its sessions are closed after `idle` without a call.
    pub(super) fn new(settings: ServiceSettings, idle: Duration) -> AgentSessions {
        AgentSessions::with(
            Arc::new(Service::new(settings, Arc::new(NoNotifications))),
            Some(idle),
        )
    }

    /// Uses the sessions of a server, which other interfaces open and close too.
    pub(super) fn shared(service: Arc<Service>) -> AgentSessions {
        AgentSessions::with(service, None)
    }

    fn with(service: Arc<Service>, idle: Option<Duration>) -> AgentSessions {
        AgentSessions {
            service,
            idle,
            records: Mutex::default(),
            queues: Mutex::default(),
            opened: Notify::new(),
        }
    }

    pub(super) fn service(&self) -> &Service {
        &self.service
    }

    /// Executes a tool.
    pub(super) fn call(
        &self,
        tool: &Tool,
        arguments: JsonObject,
        caller: &ClientHandle,
        interrupt: &Interrupt,
    ) -> Result<Reply, ToolError> {
        let call = Call {
            sessions: self,
            caller,
            interrupt,
        };
        tool.perform(arguments, &call)
    }

    /// Kills every program. No further session is opened.
    pub(super) fn end(&self) {
        self.service.end();
    }

    /// Returns the lock that serializes the calls of a session by the clients of a role. Read-only
    /// clients have their own, because `tui_expect` waits, and the owner must not wait for it.
    pub(super) fn queue(&self, role: Role, tool: &Tool, session: Option<&Value>) -> CallQueue {
        let name = match (session.and_then(Value::as_str), tool.default_session) {
            (Some(name), _) => name.to_owned(),
            (None, DefaultSession::Main) => DEFAULT_NAME.to_owned(),
            (None, DefaultSession::Only) => match self.default_candidates().as_slice() {
                [only] => only.name().to_owned(),
                _ => DEFAULT_NAME.to_owned(),
            },
        };
        let mut queues = lock(&self.queues);
        // Locks that no call holds or waits for are not needed.
        queues.retain(|_, queue| Arc::strong_count(queue) > 1);
        Arc::clone(queues.entry((role, name)).or_default())
    }

    /// Returns the sessions that a call without a name may refer to: those that agents opened, or
    /// all if there are none.
    fn default_candidates(&self) -> Vec<Arc<NamedSession>> {
        let all = self.service.all_sessions();
        let by_agent = |session: &&Arc<NamedSession>| self.is_opened_by_agent(session);
        let by_agent: Vec<Arc<NamedSession>> = all.iter().filter(by_agent).cloned().collect();
        if by_agent.is_empty() { all } else { by_agent }
    }

    fn is_opened_by_agent(&self, session: &Arc<NamedSession>) -> bool {
        let records = self.records();
        let record = records.open.get(session.name());
        record.is_some_and(|record| record.opened_by_agent && Arc::ptr_eq(&record.session, session))
    }

    fn records(&self) -> MutexGuard<'_, SessionRecords> {
        lock(&self.records)
    }
}

/// Opening, finding and closing sessions.
impl AgentSessions {
    /// Opens a session for a program. Closes an existing session with this name first if its
    /// program has exited. `settings` are parameters of `initialize`; null values select the
    /// defaults.
    pub(super) fn open(&self, name: &str, settings: Value) -> Result<SessionGuard<'_>, ToolError> {
        check_name(name)?;
        if let Ok(session) = self.service.session(Some(name)) {
            let program = session.program_session("launch").ok();
            if program.is_some_and(|program| program.exit_status().is_none()) {
                return Err(ToolError::new(
                    format!(
                        "session `{name}` is running `{}`",
                        session.command().join(" ")
                    ),
                    "name another `session`, or tui_close this one first",
                ));
            }
            if !self.is_opened_by_agent(&session) {
                return Err(ToolError::new(
                    format!(
                        "session `{name}` belongs to another client, and its program has exited or has not been started"
                    ),
                    "name another `session`",
                ));
            }
            self.close(&session)?;
        }
        let session = self.initialize(name, settings)?;
        let mut records = self.records();
        records.expired.retain(|expired| expired != name);
        records
            .entry(&session, self.service.clock.now())
            .opened_by_agent = true;
        drop(records);
        self.opened.notify_one();
        Ok(self.guard(session))
    }

    fn initialize(&self, name: &str, mut settings: Value) -> Result<Arc<NamedSession>, ToolError> {
        let open = self.service.all_sessions();
        let most = self.service.settings.max_sessions;
        if open.len() >= most {
            let open: Vec<&str> = open.iter().map(|session| session.name()).collect();
            return Err(ToolError::new(
                format!(
                    "{most} sessions are open, which is the maximum: {}",
                    open.join(", ")
                ),
                "tui_close one that is no longer needed",
            ));
        }
        // The artifact folder gets a new name each time: a session that is being closed may still
        // lock its own.
        let folder = {
            let mut records = self.records();
            records.opened += 1;
            // The folder's name may not be longer than a session's name, so a long name is cut to
            // make room for the number.
            let start: String = name.chars().take(MAX_NAME_CHARS / 2).collect();
            format!("{start} {}", records.opened)
        };
        settings["session"] = name.into();
        settings["name"] = folder.into();
        let refused = |error| {
            ToolError::from_rpc(
                &error,
                "correct `cols`, `rows`, `delay_ms` or the name of the session",
            )
        };
        self.service
            .call("initialize", settings, &Interrupt::new())
            .map_err(refused)?;
        self.service.session(Some(name)).map_err(refused)
    }

    /// Marks a session as in use.
    fn guard(&self, session: Arc<NamedSession>) -> SessionGuard<'_> {
        let in_use = session.begin_use();
        self.records()
            .entry(&session, self.service.clock.now())
            .calls += 1;
        SessionGuard {
            sessions: self,
            session,
            _in_use: in_use,
        }
    }

    /// Finds the session with this name, or the only session, and marks it as in use.
    pub(super) fn find(&self, name: Option<&str>) -> Result<SessionGuard<'_>, ToolError> {
        if let Some(name) = name {
            check_name(name)?;
        }
        let open = match name {
            Some(_) => self.service.all_sessions(),
            None => self.default_candidates(),
        };
        let names: Vec<&str> = open.iter().map(|session| session.name()).collect();
        let expired = self.records().expired.clone();
        let wanted = match (name, names.as_slice()) {
            (Some(name), _) => name,
            (None, [only]) => only,
            (None, []) => match expired.back() {
                Some(expired) => expired,
                None => {
                    return Err(ToolError::new(
                        "no session is open",
                        "tui_launch starts a program",
                    ));
                }
            },
            (None, names) => {
                return Err(ToolError::new(
                    format!("several sessions are open: {}", names.join(", ")),
                    "select one with `session`",
                ));
            }
        };
        let Some(session) = open.iter().find(|session| session.name() == wanted) else {
            let is_wanted = |expired: &String| expired == wanted;
            let message = match self.idle.filter(|_| expired.iter().any(is_wanted)) {
                Some(idle) => {
                    format!("session `{wanted}` was closed after {idle:?} without a call")
                }
                None => format!("no session `{wanted}`"),
            };
            let next = if names.is_empty() {
                "tui_launch starts a program".to_owned()
            } else {
                format!("the open sessions are {}", names.join(", "))
            };
            return Err(ToolError::new(message, next));
        };
        Ok(self.guard(Arc::clone(session)))
    }

    /// Closes a session and ends its program.
    pub(super) fn close(&self, session: &Arc<NamedSession>) -> Result<(), ToolError> {
        self.records().remove(session);
        let closed = self.service.close(session);
        closed.map_err(|error| ToolError::from_rpc(&error, "tui_sessions lists the open sessions"))
    }

    /// Returns all open sessions.
    pub(super) fn list(&self) -> Vec<ListedSession> {
        let now = self.service.clock.now();
        let mut records = self.records();
        let open = self
            .service
            .all_sessions()
            .into_iter()
            .map(|session| ListedSession {
                idle: now.saturating_sub(records.entry(&session, now).last_used),
                session,
            });
        open.collect()
    }
}

/// Fails if a session may not have this name.
fn check_name(name: &str) -> Result<(), ToolError> {
    session_name::check("session", name)
        .map_err(|error| ToolError::from_rpc(&error, "give another name"))
}

/// Closing idle sessions.
impl AgentSessions {
    /// Closes sessions that have been idle for too long, as long as the returned future is polled.
    pub(super) async fn close_idle(sessions: Arc<AgentSessions>) {
        loop {
            let closed = tokio::task::spawn_blocking({
                let sessions = Arc::clone(&sessions);
                move || sessions.close_expired()
            });
            match closed.await {
                Ok(Some(next)) => tokio::time::sleep(next).await,
                Ok(None) => sessions.opened.notified().await,
                // The runtime is shutting down.
                Err(_) => return,
            }
        }
    }

    /// Closes the sessions that have been idle for too long. Returns the time until the next one
    /// may expire.
    fn close_expired(&self) -> Option<Duration> {
        let idle = self.idle?;
        let now = self.service.clock.now();
        let mut expired = Vec::new();
        let mut next: Option<Duration> = None;
        let mut records = self.records();
        for (name, record) in &records.open {
            let left = match record.calls {
                0 => record.last_used.saturating_add(idle).saturating_sub(now),
                _ => idle,
            };
            if left.is_zero() {
                expired.push((name.clone(), Arc::clone(&record.session)));
            } else {
                next = Some(next.map_or(left, |next| next.min(left)));
            }
        }
        for (name, _) in &expired {
            records.open.remove(name);
            records.expired.push_back(name.clone());
            if records.expired.len() > MAX_EXPIRED {
                records.expired.pop_front();
            }
        }
        drop(records);
        for (_, session) in expired {
            // The guardian ends the processes that could not be closed.
            let _ = self.service.close(&session);
        }
        next
    }
}

impl SessionGuard<'_> {
    /// Returns the record of the session, unless the session has been closed meanwhile.
    fn record<'a>(&self, records: &'a mut SessionRecords) -> Option<&'a mut SessionRecord> {
        let record = records.open.get_mut(self.session.name())?;
        Arc::ptr_eq(&record.session, &self.session).then_some(record)
    }

    /// Returns the revision by which the agent knows a frame of a program.
    pub(super) fn revision(&self, program: &CurrentProgram, frame: &SessionFrame) -> u64 {
        let mut records = self.sessions.records();
        let base = self.record(&mut records).map_or(0, |record| record.base);
        base + program.revision(frame)
    }

    /// Returns the frame of a revision that the agent knows. Returns `None` if it belongs to
    /// another program or is no longer in the history.
    pub(super) fn frame_at(
        &self,
        program: &CurrentProgram,
        revision: u64,
    ) -> Option<Arc<SessionFrame>> {
        let base = self.record(&mut self.sessions.records())?.base;
        program.frame_at(revision.checked_sub(base)?)
    }

    /// Returns the last revision that the agent has seen.
    pub(super) fn last_reported(&self) -> Option<u64> {
        self.record(&mut self.sessions.records())?.last_reported
    }

    /// Stores the revision that the agent sees with this call.
    pub(super) fn set_last_reported(&self, revision: u64) {
        let mut records = self.sessions.records();
        records.highest = records.highest.max(revision);
        if let Some(record) = self.record(&mut records) {
            record.last_reported = Some(revision);
        }
    }
}

impl Drop for SessionGuard<'_> {
    fn drop(&mut self) {
        let now = self.sessions.service.clock.now();
        let mut records = self.sessions.records();
        if let Some(record) = self.record(&mut records) {
            record.calls = record.calls.saturating_sub(1);
            record.last_used = now;
        }
    }
}
