//! One session that a client watches.
//!
//! The task is rung by every change. It waits until the pace of the client lets it, until the client has shown what it has, and until the socket
//! is free; only then does it look what is shown. So a client that is slow gets fewer screens and never an old one, and nobody waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use axum::extract::ws::Message;
use screentest::ExitStatus;
use screentest::core::formats::stream::{self, Ended, Seen};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::wish::{Pace, Told};
use crate::caller::Caller;
use crate::service::lock;
use crate::stage::{Program, Stage};
use crate::web::Web;
use crate::web::sockets::{Gone, Mouth};

/// How many screens a second, unless a client says otherwise, and at most.
const RATE: u32 = 30;
const MOST_RATE: u32 = 120;

/// The most screens that a client may leave unacknowledged.
const MOST_WINDOW: u32 = 64;

/// A session that is watched, until it is ended.
#[derive(Debug)]
pub(super) struct Viewing {
    /// Not to keep one that is closed: its name is free then.
    stage: Weak<Stage>,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// What the client says to the task.
#[derive(Debug)]
struct Shared {
    bell: Arc<Notify>,
    keyframe: AtomicBool,
    /// How many messages were sent that the client has not acknowledged, by their revisions.
    unseen: Mutex<Vec<u64>>,
}

impl Viewing {
    pub(super) fn start(
        web: &Arc<Web>,
        mouth: &Mouth,
        caller: &Caller,
        channel: u32,
        stage: &Arc<Stage>,
        pace: Pace,
    ) -> Viewing {
        let shared = Arc::new(Shared {
            bell: stage.audience.join(),
            keyframe: AtomicBool::new(false),
            unseen: Mutex::default(),
        });
        let viewer = Viewer {
            web: Arc::clone(web),
            mouth: mouth.clone(),
            caller: caller.clone(),
            channel,
            stage: Arc::clone(stage),
            shared: Arc::clone(&shared),
            pause: Duration::from_secs(1) / pace.rate.unwrap_or(RATE).clamp(1, MOST_RATE),
            window: pace
                .window
                .map(|window| window.clamp(1, MOST_WINDOW) as usize),
            sent: None,
            ended: None,
            driver: None,
        };
        Viewing {
            stage: Arc::downgrade(stage),
            shared,
            task: tokio::spawn(viewer.run()),
        }
    }

    /// The session, unless it is closed and gone.
    pub(super) fn stage(&self) -> Option<Arc<Stage>> {
        self.stage.upgrade()
    }

    /// Ends it; gives the session that was watched.
    pub(super) fn end(self) -> Option<Arc<Stage>> {
        self.task.abort();
        self.stage()
    }

    /// The client has shown this.
    pub(super) fn acknowledge(&self, revision: u64) {
        lock(&self.shared.unseen).retain(|sent| *sent > revision);
        self.shared.bell.notify_one();
    }

    /// The client has lost what it had.
    pub(super) fn ask_keyframe(&self) {
        self.shared.keyframe.store(true, Ordering::SeqCst);
        lock(&self.shared.unseen).clear();
        self.shared.bell.notify_one();
    }
}

/// Counts a viewer as long as it is there.
struct Counted(Arc<Web>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.metrics.viewers.fetch_sub(1, Ordering::Relaxed);
        self.0.metrics.left.notify_one();
    }
}

struct Viewer {
    web: Arc<Web>,
    mouth: Mouth,
    caller: Caller,
    channel: u32,
    stage: Arc<Stage>,
    shared: Arc<Shared>,
    pause: Duration,
    window: Option<usize>,
    /// What the client has.
    sent: Option<(u64, Seen)>,
    /// Which program's end was told.
    ended: Option<u64>,
    /// Who was told to drive.
    driver: Option<(Option<String>, bool)>,
}

impl Viewer {
    async fn run(mut self) {
        self.web.metrics.viewers.fetch_add(1, Ordering::Relaxed);
        let _counted = Counted(Arc::clone(&self.web));
        let mut next = Instant::now();
        // Whether there may be a screen that came too soon after the one before.
        let mut is_held = false;
        loop {
            tokio::select! {
                () = self.shared.bell.notified() => {}
                () = sleep_until(next), if is_held => {}
            }
            is_held = Instant::now() < next;
            // Only screens wait; that it is over, and who drives, is told at once.
            let shows = !is_held && !self.sees_too_little();
            if !shows && !self.has_word() {
                continue;
            }
            match self.tell(shows).await {
                Ok(Said::Screen) => next = Instant::now() + self.pause,
                Ok(Said::Nothing) => {}
                Ok(Said::Closed) => return,
                Err(Gone) => return self.mouth.shut(),
            }
        }
    }

    /// Whether there is something to tell besides a screen.
    fn has_word(&self) -> bool {
        let has_ended = || {
            let program = self.stage.program();
            program.is_some_and(|program| {
                program.session.known_outcome().is_some() && self.ended != Some(program.number)
            })
        };
        self.stage.is_closed() || self.driver.as_ref() != Some(&self.driver_now()) || has_ended()
    }

    /// Whether the client has not yet shown what it has.
    fn sees_too_little(&self) -> bool {
        self.window
            .is_some_and(|window| lock(&self.shared.unseen).len() >= window)
    }

    /// Tells what is new, as soon as the socket is free; the screen only if it may be shown.
    async fn tell(&mut self, shows: bool) -> Result<Said, Gone> {
        let mouth = self.mouth.clone();
        let mut turn = mouth.turn().await;
        if let Some(driver) = self.new_driver() {
            turn.say(Message::Text(driver.into())).await?;
        }
        if self.stage.is_closed() {
            let revision = self.sent.as_ref().map_or(0, |(revision, _)| *revision);
            let closed = stream::closed(self.channel, revision);
            turn.say(Message::Binary(closed.into())).await?;
            return Ok(Said::Closed);
        }
        let Some(program) = self.stage.program() else {
            return Ok(Said::Nothing);
        };
        let mut said = Said::Nothing;
        // Whether it has ended is asked first: all it showed is there then.
        let ended = program.session.known_outcome();
        let ended = ended.filter(|_| self.ended != Some(program.number));
        // The last screen waits for nothing: it comes before the word that it is the last.
        if (shows || ended.is_some())
            && let Some(message) = self.screen(&program)
        {
            turn.say(Message::Binary(message.into())).await?;
            said = Said::Screen;
        }
        if let Some(outcome) = ended {
            self.ended = Some(program.number);
            let revision = self.sent.as_ref().map_or(0, |(revision, _)| *revision);
            let ended = stream::ended(self.channel, revision, &how(&outcome));
            turn.say(Message::Binary(ended.into())).await?;
        }
        Ok(said)
    }

    /// What is shown, if the client does not have it.
    fn screen(&mut self, program: &Program) -> Option<Vec<u8>> {
        let frame = program.session.shown();
        let revision = program.revision(&frame);
        let wants_all = self.shared.keyframe.swap(false, Ordering::SeqCst);
        let before = self.sent.take_if(|_| wants_all);
        drop(before);
        if self
            .sent
            .as_ref()
            .is_some_and(|(sent, _)| *sent == revision)
        {
            return None;
        }
        let seen = Seen::new(frame.screen.clone(), frame.counts.bells);
        let metrics = &self.web.metrics;
        let message = match &self.sent {
            Some((base, before))
                if before.screen().size == seen.screen().size && *base < revision =>
            {
                metrics.deltas.fetch_add(1, Ordering::Relaxed);
                stream::delta(self.channel, revision, *base, before, &seen)
            }
            _ => {
                metrics.keyframes.fetch_add(1, Ordering::Relaxed);
                stream::keyframe(self.channel, revision, &seen)
            }
        };
        let length = message.len() as u64;
        metrics.streamed_bytes.fetch_add(length, Ordering::Relaxed);
        if self.window.is_some() {
            lock(&self.shared.unseen).push(revision);
        }
        self.sent = Some((revision, seen));
        Some(message)
    }

    /// Who drives, and whether it is this client.
    fn driver_now(&self) -> (Option<String>, bool) {
        let name = self.stage.wheel.driver().map(|driver| driver.name);
        (name, self.stage.wheel.is_with(&self.caller))
    }

    /// Who drives, where the client was told otherwise.
    fn new_driver(&mut self) -> Option<String> {
        let now = self.driver_now();
        if self.driver.as_ref() == Some(&now) {
            return None;
        }
        let told = Told::Driver {
            channel: self.channel,
            name: now.0.clone(),
            you: now.1,
        };
        self.driver = Some(now);
        serde_json::to_string(&told).ok()
    }
}

/// What was said in one turn.
enum Said {
    Screen,
    Nothing,
    Closed,
}

fn how(outcome: &ExitStatus) -> Ended {
    match outcome {
        ExitStatus::Exited(code) => Ended::Exited(*code),
        ExitStatus::Signaled(signal) => Ended::Signaled(signal.to_string().into()),
    }
}
