//! The sessions of an agent: since when nobody asked, and what the agent has seen of each.
//!
//! Revisions count up through all programs of all sessions, so that one which an agent remembers from a program before is never
//! taken for one of the program that is there now.
//!
//! Elsewhere: the sessions themselves, which other doors may have opened (`service.rs`).

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rmcp::model::JsonObject;
use screentest::{Frame, Interrupt};
use serde_json::Value;
use tokio::sync::Notify;

use super::tool::{Call, Meant, Reply, Tool};
use super::trouble::Trouble;
use crate::caller::Caller;
use crate::service::{Service, Settings, Silent, lock};
use crate::stage::{InUse, Stage};

/// How many names of ended sessions are remembered, so that an agent is told why one is gone.
const MOST_ENDED: usize = 16;

/// What a session is called where nobody says otherwise.
pub(super) const DEFAULT_NAME: &str = "main";

/// The sessions of an agent.
#[derive(Debug)]
pub(super) struct Desk {
    service: Arc<Service>,
    /// How long a session stays open of which nothing is asked; nothing where another door ends them.
    idle: Option<Duration>,
    papers: Mutex<Papers>,
    turns: Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>,
    opened: Notify,
}

#[derive(Debug, Default)]
struct Papers {
    open: BTreeMap<String, Paper>,
    /// Those that were ended for want of questions, the last of them last.
    ended: VecDeque<String>,
    /// The highest revision that was told of any session.
    highest: u64,
    /// How many sessions have been opened.
    opened: u64,
}

impl Papers {
    /// What is known of a session, from now on if nothing was before.
    fn of(&mut self, stage: &Arc<Stage>, now: Duration) -> &mut Paper {
        let is_it = |paper: &Paper| Arc::ptr_eq(&paper.stage, stage);
        // Another door may have closed some, whose names are to be free.
        self.open.retain(|_, paper| !paper.stage.is_closed());
        if !self.open.get(stage.name()).is_some_and(is_it) {
            let paper = Paper {
                stage: Arc::clone(stage),
                base: self.highest + 1,
                is_ours: false,
                told: None,
                used: now,
                calls: 0,
            };
            self.open.insert(stage.name().to_owned(), paper);
        }
        self.open
            .get_mut(stage.name())
            .expect("it is there, or was put there above")
    }

    /// Forgets a session, unless its name is another's by now.
    fn forget(&mut self, stage: &Arc<Stage>) {
        let paper = self.open.get(stage.name());
        if paper.is_some_and(|paper| Arc::ptr_eq(&paper.stage, stage)) {
            self.open.remove(stage.name());
        }
    }
}

/// What is known of one session.
#[derive(Debug)]
struct Paper {
    stage: Arc<Stage>,
    /// An agent opened it.
    is_ours: bool,
    /// What is added to the revisions of its stage.
    base: u64,
    /// The revision that the agent saw last.
    told: Option<u64>,
    /// When it was last asked something.
    used: Duration,
    /// How many calls are under way.
    calls: usize,
}

/// One line of a list of sessions.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) stage: Arc<Stage>,
    pub(super) idle: Duration,
}

/// A session that a call is about, which is in use until this is dropped.
#[derive(Debug)]
pub(super) struct Held<'a> {
    desk: &'a Desk,
    pub(super) stage: Arc<Stage>,
    _in_use: InUse,
}

impl Desk {
    /// One with sessions of its own, which end when nothing is asked of them for so long.
    pub(super) fn new(settings: Settings, idle: Duration) -> Desk {
        Desk::with(
            Arc::new(Service::new(settings, Arc::new(Silent))),
            Some(idle),
        )
    }

    /// One for the sessions of a server, which other doors open and close too.
    pub(super) fn over(service: Arc<Service>) -> Desk {
        Desk::with(service, None)
    }

    fn with(service: Arc<Service>, idle: Option<Duration>) -> Desk {
        Desk {
            service,
            idle,
            papers: Mutex::default(),
            turns: Mutex::default(),
            opened: Notify::new(),
        }
    }

    pub(super) fn service(&self) -> &Service {
        &self.service
    }

    /// Does what is asked.
    pub(super) fn call(
        &self,
        tool: &Tool,
        arguments: JsonObject,
        caller: &Caller,
        interrupt: &Interrupt,
    ) -> Result<Reply, Trouble> {
        let call = Call {
            desk: self,
            caller,
            interrupt,
        };
        tool.perform(arguments, &call)
    }

    /// Ends every program, and starts nothing any more.
    pub(super) fn end(&self) {
        self.service.end();
    }

    /// What is held by whose turn it is with a session.
    pub(super) fn turn(&self, tool: &Tool, session: Option<&Value>) -> Arc<tokio::sync::Mutex<()>> {
        let name = match (session.and_then(Value::as_str), tool.session) {
            (Some(name), _) => name.to_owned(),
            (None, Meant::Usual) => DEFAULT_NAME.to_owned(),
            (None, Meant::Only) => match self.meant().as_slice() {
                [only] => only.name().to_owned(),
                _ => DEFAULT_NAME.to_owned(),
            },
        };
        let mut turns = lock(&self.turns);
        // What nobody holds or waits for says nothing.
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(name).or_default())
    }

    /// Those of which one may be meant where none is named: those that agents opened, or else all.
    fn meant(&self) -> Vec<Arc<Stage>> {
        let all = self.service.all();
        let is_ours = |stage: &&Arc<Stage>| self.is_ours(stage);
        let ours: Vec<Arc<Stage>> = all.iter().filter(is_ours).cloned().collect();
        if ours.is_empty() { all } else { ours }
    }

    /// Whether an agent opened it.
    fn is_ours(&self, stage: &Arc<Stage>) -> bool {
        let papers = self.papers();
        let paper = papers.open.get(stage.name());
        paper.is_some_and(|paper| paper.is_ours && Arc::ptr_eq(&paper.stage, stage))
    }

    fn papers(&self) -> MutexGuard<'_, Papers> {
        lock(&self.papers)
    }
}

/// Opening, finding and closing.
impl Desk {
    /// Opens a session for a program. One of this name whose program has ended makes room for it.
    /// `settings` are parameters of `initialize`; those that are null are as usual.
    pub(super) fn open(&self, name: &str, settings: Value) -> Result<Held<'_>, Trouble> {
        if let Ok(stage) = self.service.stage(Some(name)) {
            let session = stage.session("launch").ok();
            if session.is_some_and(|session| session.outcome().is_none()) {
                return Err(Trouble::new(
                    format!(
                        "session `{name}` is running `{}`",
                        stage.command().join(" ")
                    ),
                    "name another `session`, or tui_close this one first",
                ));
            }
            if !self.is_ours(&stage) {
                return Err(Trouble::new(
                    format!(
                        "session `{name}` is somebody else's, and its program has ended or has not begun"
                    ),
                    "name another `session`",
                ));
            }
            self.close(&stage)?;
        }
        let stage = self.initialize(name, settings)?;
        let mut papers = self.papers();
        papers.ended.retain(|ended| ended != name);
        papers.of(&stage, self.service.clock.now()).is_ours = true;
        drop(papers);
        self.opened.notify_one();
        Ok(self.held(stage))
    }

    fn initialize(&self, name: &str, mut settings: Value) -> Result<Arc<Stage>, Trouble> {
        let open = self.service.all();
        let most = self.service.settings.most_sessions;
        if open.len() >= most {
            let open: Vec<&str> = open.iter().map(|stage| stage.name()).collect();
            return Err(Trouble::new(
                format!(
                    "{most} sessions are open, which is the most: {}",
                    open.join(", ")
                ),
                "tui_close one that is no longer needed",
            ));
        }
        // Its folder is called as no other ever was: one that is being closed may still hold its own.
        let folder = {
            let mut papers = self.papers();
            papers.opened += 1;
            format!("{name} {}", papers.opened)
        };
        settings["session"] = name.into();
        settings["name"] = folder.into();
        let refused = |failure| {
            Trouble::of_failure(
                &failure,
                "mend `cols`, `rows`, `delay_ms` or the name of the session",
            )
        };
        self.service
            .call("initialize", settings, &Interrupt::new())
            .map_err(refused)?;
        self.service.stage(Some(name)).map_err(refused)
    }

    /// A session that is in use from now on.
    fn held(&self, stage: Arc<Stage>) -> Held<'_> {
        let in_use = stage.in_use();
        self.papers().of(&stage, self.service.clock.now()).calls += 1;
        Held {
            desk: self,
            stage,
            _in_use: in_use,
        }
    }

    /// The session that is meant: by its name, or the only one.
    pub(super) fn hold(&self, name: Option<&str>) -> Result<Held<'_>, Trouble> {
        let open = match name {
            Some(_) => self.service.all(),
            None => self.meant(),
        };
        let names: Vec<&str> = open.iter().map(|stage| stage.name()).collect();
        let ended = self.papers().ended.clone();
        let meant = match (name, names.as_slice()) {
            (Some(name), _) => name,
            (None, [only]) => only,
            (None, []) => match ended.back() {
                Some(ended) => ended,
                None => {
                    return Err(Trouble::new(
                        "no session is open",
                        "tui_launch starts a program",
                    ));
                }
            },
            (None, names) => {
                return Err(Trouble::new(
                    format!("several sessions are open: {}", names.join(", ")),
                    "say which one with `session`",
                ));
            }
        };
        let Some(stage) = open.iter().find(|stage| stage.name() == meant) else {
            let is_meant = |ended: &String| ended == meant;
            let what = match self.idle.filter(|_| ended.iter().any(is_meant)) {
                Some(idle) => format!("session `{meant}` was ended after {idle:?} without a call"),
                None => format!("no session is `{meant}`"),
            };
            return Err(match names.is_empty() {
                true => Trouble::new(what, "tui_launch starts a program"),
                false => Trouble::new(what, format!("the open sessions are {}", names.join(", "))),
            });
        };
        Ok(self.held(Arc::clone(stage)))
    }

    /// Closes a session, and ends what runs in it.
    pub(super) fn close(&self, stage: &Arc<Stage>) -> Result<(), Trouble> {
        self.papers().forget(stage);
        let closed = self.service.close(stage);
        closed.map_err(|failure| Trouble::of_failure(&failure, "tui_sessions lists what is open"))
    }

    /// All that are open.
    pub(super) fn list(&self) -> Vec<Listed> {
        let now = self.service.clock.now();
        let mut papers = self.papers();
        let open = self.service.all().into_iter().map(|stage| Listed {
            idle: now.saturating_sub(papers.of(&stage, now).used),
            stage,
        });
        open.collect()
    }
}

/// Ending those of which nothing is asked.
impl Desk {
    /// Ends sessions as their time comes, for as long as this is polled.
    pub(super) async fn end_idle(desk: Arc<Desk>) {
        loop {
            let swept = tokio::task::spawn_blocking({
                let desk = Arc::clone(&desk);
                move || desk.sweep()
            });
            match swept.await {
                Ok(Some(next)) => tokio::time::sleep(next).await,
                Ok(None) => desk.opened.notified().await,
                // The runtime ends.
                Err(_) => return,
            }
        }
    }

    /// Ends those whose time is over. Returns in how long the next one may be.
    fn sweep(&self) -> Option<Duration> {
        let idle = self.idle?;
        let now = self.service.clock.now();
        let mut over = Vec::new();
        let mut next: Option<Duration> = None;
        let mut papers = self.papers();
        for (name, paper) in &papers.open {
            let left = match paper.calls {
                0 => paper.used.saturating_add(idle).saturating_sub(now),
                _ => idle,
            };
            match left.is_zero() {
                true => over.push((name.clone(), Arc::clone(&paper.stage))),
                false => next = Some(next.map_or(left, |next| next.min(left))),
            }
        }
        for (name, _) in &over {
            papers.open.remove(name);
            papers.ended.push_back(name.clone());
            if papers.ended.len() > MOST_ENDED {
                papers.ended.pop_front();
            }
        }
        drop(papers);
        for (_, stage) in over {
            // What could not be ended is in the hands of its supervisor.
            let _ = self.service.close(&stage);
        }
        next
    }
}

impl Held<'_> {
    /// What is known of it. It may have been closed meanwhile, and its name given to another.
    fn paper<'a>(&self, papers: &'a mut Papers) -> Option<&'a mut Paper> {
        let paper = papers.open.get_mut(self.stage.name())?;
        Arc::ptr_eq(&paper.stage, &self.stage).then_some(paper)
    }

    /// The number by which the agent knows a frame.
    pub(super) fn revision(&self, frame: &Frame) -> u64 {
        let mut papers = self.desk.papers();
        let base = self.paper(&mut papers).map_or(0, |paper| paper.base);
        base + self.stage.revision(frame)
    }

    /// What was shown at a revision that the agent knows; `None` where it is of another program, or forgotten.
    pub(super) fn frame_at(&self, revision: u64) -> Option<Arc<Frame>> {
        let base = self.paper(&mut self.desk.papers())?.base;
        self.stage.frame_at(revision.checked_sub(base)?)
    }

    /// The revision that the agent saw last.
    pub(super) fn told(&self) -> Option<u64> {
        self.paper(&mut self.desk.papers())?.told
    }

    /// Notes what the agent sees.
    pub(super) fn tell(&self, revision: u64) {
        let mut papers = self.desk.papers();
        papers.highest = papers.highest.max(revision);
        if let Some(paper) = self.paper(&mut papers) {
            paper.told = Some(revision);
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let now = self.desk.service.clock.now();
        let mut papers = self.desk.papers();
        if let Some(paper) = self.paper(&mut papers) {
            paper.calls = paper.calls.saturating_sub(1);
            paper.used = now;
        }
    }
}
