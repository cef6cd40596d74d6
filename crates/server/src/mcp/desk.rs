//! The sessions of an agent: how many, since when nobody asked, and what the agent has seen of each.
//!
//! Revisions count up through all programs of all sessions, so that one which an agent remembers from a program before is never
//! taken for one of the program that is there now.
//!
//! Elsewhere: the sessions themselves (`service.rs`).

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rmcp::model::JsonObject;
use screentest::{Frame, Interrupt};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::tool::{Call, Meant, Reply, Tool};
use super::trouble::Trouble;
use crate::service::{Notice, Outlet, Service, Settings, lock};
use crate::stage::Stage;

/// The most sessions at a time: more than a person has windows, and few enough for any machine.
const MOST_SESSIONS: usize = 16;

/// What a session is called where nobody says otherwise.
pub(super) const DEFAULT_NAME: &str = "main";

/// Nobody can be told anything that was not asked for.
#[derive(Debug)]
struct Nobody;

impl Outlet for Nobody {
    fn notify(&self, _notice: Notice) {}
}

/// The sessions of an agent.
#[derive(Debug)]
pub(super) struct Desk {
    service: Service,
    idle: Duration,
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
    /// How many are about to be open.
    opening: usize,
}

impl Papers {
    /// Makes room for a session, under a key for the service that no other ever had: one that is being closed may still hold its
    /// own.
    fn reserve(&mut self, name: &str) -> Result<String, Trouble> {
        if self.open.len() + self.opening >= MOST_SESSIONS {
            let open: Vec<&str> = self.open.keys().map(String::as_str).collect();
            return Err(Trouble::new(
                format!(
                    "{MOST_SESSIONS} sessions are open, which is the most: {}",
                    open.join(", ")
                ),
                "tui_close one that is no longer needed",
            ));
        }
        self.opening += 1;
        self.opened += 1;
        Ok(format!("{name} {}", self.opened))
    }
}

/// What is known of one session.
#[derive(Debug)]
struct Paper {
    stage: Arc<Stage>,
    command: String,
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
    pub(super) name: String,
    pub(super) command: String,
    pub(super) stage: Arc<Stage>,
    pub(super) idle: Duration,
}

/// A session that a call is about, which is in use until this is dropped.
#[derive(Debug)]
pub(super) struct Held<'a> {
    desk: &'a Desk,
    pub(super) name: String,
    pub(super) stage: Arc<Stage>,
}

impl Desk {
    pub(super) fn new(settings: Settings, idle: Duration) -> Desk {
        Desk {
            service: Service::new(settings, Arc::new(Nobody)),
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
        interrupt: &Interrupt,
    ) -> Result<Reply, Trouble> {
        let call = Call {
            desk: self,
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
            (None, Meant::Only) => {
                let papers = self.papers();
                let only = papers.open.keys().next().filter(|_| papers.open.len() == 1);
                only.map_or(DEFAULT_NAME, String::as_str).to_owned()
            }
        };
        let mut turns = lock(&self.turns);
        // What nobody holds or waits for says nothing.
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(name).or_default())
    }

    fn papers(&self) -> MutexGuard<'_, Papers> {
        lock(&self.papers)
    }
}

/// Opening, finding and closing.
impl Desk {
    /// Opens a session for a program. One of this name whose program has ended makes room for it.
    pub(super) fn open(
        &self,
        name: &str,
        command: &str,
        cols: Option<u16>,
        rows: Option<u16>,
    ) -> Result<Held<'_>, Trouble> {
        let before = self.papers().open.get(name).map(|paper| {
            let ended = paper
                .stage
                .session("launch")
                .map_or(true, |session| session.outcome().is_some());
            (ended, paper.command.clone(), Arc::clone(&paper.stage))
        });
        match before {
            Some((false, command, _)) => {
                return Err(Trouble::new(
                    format!("session `{name}` is running `{command}`"),
                    "name another `session`, or tui_close this one first",
                ));
            }
            Some((true, _, stage)) => self.close(name, &stage)?,
            None => {}
        }
        let key = self.papers().reserve(name)?;
        let opened = self.initialize(&key, cols, rows);
        let mut papers = self.papers();
        papers.opening -= 1;
        let stage = opened?;
        papers.ended.retain(|ended| ended != name);
        let paper = Paper {
            stage: Arc::clone(&stage),
            command: command.to_owned(),
            base: papers.highest + 1,
            told: None,
            used: self.service.clock.now(),
            calls: 1,
        };
        papers.open.insert(name.to_owned(), paper);
        drop(papers);
        self.opened.notify_one();
        Ok(Held {
            desk: self,
            name: name.to_owned(),
            stage,
        })
    }

    fn initialize(
        &self,
        key: &str,
        cols: Option<u16>,
        rows: Option<u16>,
    ) -> Result<Arc<Stage>, Trouble> {
        let mut settings = json!({"session": key});
        for (field, number) in [("terminalCols", cols), ("terminalRows", rows)] {
            if let Some(number) = number {
                settings[field] = number.into();
            }
        }
        let refused = |failure| {
            Trouble::of_failure(&failure, "mend `cols`, `rows` or the name of the session")
        };
        self.service
            .call("initialize", settings, &Interrupt::new())
            .map_err(refused)?;
        self.service.stage(Some(key)).map_err(refused)
    }

    /// The session that is meant: by its name, or the only one.
    pub(super) fn hold(&self, name: Option<&str>) -> Result<Held<'_>, Trouble> {
        let mut papers = self.papers();
        let names: Vec<String> = papers.open.keys().cloned().collect();
        let meant = match (name, names.as_slice()) {
            (Some(name), _) => name.to_owned(),
            (None, [only]) => only.clone(),
            (None, []) => match papers.ended.back() {
                Some(ended) => ended.clone(),
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
        let was_idle = papers.ended.contains(&meant);
        let Some(paper) = papers.open.get_mut(&meant) else {
            let what = match was_idle {
                true => format!(
                    "session `{meant}` was ended after {:?} without a call",
                    self.idle
                ),
                false => format!("no session is `{meant}`"),
            };
            return Err(match names.is_empty() {
                true => Trouble::new(what, "tui_launch starts a program"),
                false => Trouble::new(what, format!("the open sessions are {}", names.join(", "))),
            });
        };
        paper.calls += 1;
        Ok(Held {
            desk: self,
            stage: Arc::clone(&paper.stage),
            name: meant,
        })
    }

    /// Closes a session, and ends what runs in it.
    pub(super) fn close(&self, name: &str, stage: &Arc<Stage>) -> Result<(), Trouble> {
        let mut papers = self.papers();
        let is_it = |paper: &Paper| Arc::ptr_eq(&paper.stage, stage);
        if papers.open.get(name).is_some_and(is_it) {
            papers.open.remove(name);
        }
        drop(papers);
        let closed = self.service.close(stage);
        closed.map_err(|failure| Trouble::of_failure(&failure, "tui_sessions lists what is open"))
    }

    /// All that are open.
    pub(super) fn list(&self) -> Vec<Listed> {
        let now = self.service.clock.now();
        let papers = self.papers();
        let open = papers.open.iter().map(|(name, paper)| Listed {
            name: name.clone(),
            command: paper.command.clone(),
            stage: Arc::clone(&paper.stage),
            idle: now.saturating_sub(paper.used),
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
        let now = self.service.clock.now();
        let mut over = Vec::new();
        let mut next: Option<Duration> = None;
        let mut papers = self.papers();
        for (name, paper) in &papers.open {
            let left = match paper.calls {
                0 => paper.used.saturating_add(self.idle).saturating_sub(now),
                _ => self.idle,
            };
            match left.is_zero() {
                true => over.push((name.clone(), Arc::clone(&paper.stage))),
                false => next = Some(next.map_or(left, |next| next.min(left))),
            }
        }
        for (name, _) in &over {
            papers.open.remove(name);
            papers.ended.push_back(name.clone());
            if papers.ended.len() > MOST_SESSIONS {
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
        let paper = papers.open.get_mut(&self.name)?;
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
