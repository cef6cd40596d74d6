//! A session that a client watches.
//!
//! Every change wakes the viewer's task. The task waits until the client's rate allows another
//! screen, the client has acknowledged enough of the earlier ones, and the socket is free. Only
//! then does it read the current screen. A slow client therefore gets fewer screens but never an
//! outdated one, and does not slow down anything else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use axum::extract::ws::Message;
use screentest::ExitStatus;
use screentest::core::formats::stream::{self, ProgramExit, WireScreen};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::protocol::{StreamNotice, StreamPace};
use crate::service::client::ClientHandle;
use crate::service::lock;
use crate::session::{CurrentProgram, NamedSession};
use crate::web::Web;
use crate::web::http::limits::Place;
use crate::web::websocket::{Disconnected, SocketSender};

/// Screens per second: the default and the maximum.
const DEFAULT_RATE: u32 = 30;
const MAX_RATE: u32 = 120;

/// The largest window of unacknowledged screens.
const MAX_WINDOW: u32 = 64;

/// Handle of a running viewer.
#[derive(Debug)]
pub(super) struct ViewerHandle {
    /// Weak, so that a closed session is dropped, which unlocks its artifact directory.
    session: Weak<NamedSession>,
    signals: Arc<ViewerSignals>,
    task: JoinHandle<()>,
    place: Place,
}

/// State that the client's messages change and the task reads.
#[derive(Debug)]
struct ViewerSignals {
    wake: Arc<Notify>,
    keyframe: AtomicBool,
    /// Revisions that were sent but not acknowledged.
    unacknowledged: Mutex<Vec<u64>>,
}

impl ViewerHandle {
    pub(super) fn start(
        web: &Arc<Web>,
        sender: &SocketSender,
        caller: &ClientHandle,
        channel: u32,
        session: &Arc<NamedSession>,
        pace: StreamPace,
        place: Place,
    ) -> ViewerHandle {
        let signals = Arc::new(ViewerSignals {
            wake: session.viewers.join(),
            keyframe: AtomicBool::new(false),
            unacknowledged: Mutex::default(),
        });
        let viewer = Viewer {
            web: Arc::clone(web),
            sender: sender.clone(),
            caller: caller.clone(),
            channel,
            session: Arc::clone(session),
            signals: Arc::clone(&signals),
            pause: Duration::from_secs(1) / pace.rate.unwrap_or(DEFAULT_RATE).clamp(1, MAX_RATE),
            window: pace
                .window
                .map(|window| window.clamp(1, MAX_WINDOW) as usize),
            sent: None,
            ended: None,
            driver: None,
        };
        ViewerHandle {
            session: Arc::downgrade(session),
            signals,
            task: tokio::spawn(viewer.run()),
            place,
        }
    }

    /// Returns the session, unless it is closed and dropped.
    pub(super) fn session(&self) -> Option<Arc<NamedSession>> {
        self.session.upgrade()
    }

    /// Stops the viewer. Returns the session that it watched, and its place.
    pub(super) fn stop(self) -> (Option<Arc<NamedSession>>, Place) {
        self.task.abort();
        (self.session(), self.place)
    }

    /// The client has drawn this revision.
    pub(super) fn acknowledge(&self, revision: u64) {
        lock(&self.signals.unacknowledged).retain(|sent| *sent > revision);
        self.signals.wake.notify_one();
    }

    /// The client has lost its screen.
    pub(super) fn request_keyframe(&self) {
        self.signals.keyframe.store(true, Ordering::SeqCst);
        lock(&self.signals.unacknowledged).clear();
        self.signals.wake.notify_one();
    }
}

/// Counts a viewer in the metrics until dropped.
struct ViewerCount(Arc<Web>);

impl Drop for ViewerCount {
    fn drop(&mut self) {
        self.0.metrics.viewers.fetch_sub(1, Ordering::Relaxed);
        self.0.metrics.viewer_left.notify_one();
    }
}

struct Viewer {
    web: Arc<Web>,
    sender: SocketSender,
    caller: ClientHandle,
    channel: u32,
    session: Arc<NamedSession>,
    signals: Arc<ViewerSignals>,
    pause: Duration,
    window: Option<usize>,
    /// The revision and the screen that the client has.
    sent: Option<(u64, WireScreen)>,
    /// Number of the program whose exit was sent.
    ended: Option<u64>,
    /// The controlling client that was sent last.
    driver: Option<(Option<String>, bool)>,
}

impl Viewer {
    async fn run(mut self) {
        self.web.metrics.viewers.fetch_add(1, Ordering::Relaxed);
        let _count = ViewerCount(Arc::clone(&self.web));
        let mut next = Instant::now();
        // Whether a change came too soon after the previous screen.
        let mut is_delayed = false;
        loop {
            tokio::select! {
                () = self.signals.wake.notified() => {}
                () = sleep_until(next), if is_delayed => {}
            }
            is_delayed = Instant::now() < next;
            // Only screens are delayed. Exit, close and control changes are sent immediately.
            let may_draw = !is_delayed && !self.is_behind();
            if !may_draw && !self.has_news() {
                continue;
            }
            match self.send_news(may_draw).await {
                Ok(Sent::Screen) => next = Instant::now() + self.pause,
                Ok(Sent::Nothing) => {}
                Ok(Sent::Closed) => return,
                Err(Disconnected) => return self.sender.close(),
            }
        }
    }

    /// Whether there is something to send besides a screen.
    fn has_news(&self) -> bool {
        let has_ended = || {
            let program = self.session.program();
            program.is_some_and(|program| {
                program.session.try_exit_status().is_some() && self.ended != Some(program.number)
            })
        };
        self.session.is_closed() || self.driver.as_ref() != Some(&self.driver_now()) || has_ended()
    }

    /// Whether the client has too many unacknowledged screens.
    fn is_behind(&self) -> bool {
        self.window
            .is_some_and(|window| lock(&self.signals.unacknowledged).len() >= window)
    }

    /// Waits until the socket is free and sends all news. Sends the screen only if `may_draw` is
    /// set or the program has exited.
    async fn send_news(&mut self, may_draw: bool) -> Result<Sent, Disconnected> {
        let sender = self.sender.clone();
        let mut socket = sender.lock().await;
        if let Some(driver) = self.driver_notice() {
            socket.send(Message::Text(driver.into())).await?;
        }
        if self.session.is_closed() {
            let revision = self.sent.as_ref().map_or(0, |(revision, _)| *revision);
            let closed = stream::closed(self.channel, revision);
            socket.send(Message::Binary(closed.into())).await?;
            return Ok(Sent::Closed);
        }
        let Some(program) = self.session.program() else {
            return Ok(Sent::Nothing);
        };
        let mut sent = Sent::Nothing;
        // The exit status is read before the screen, so the screen is complete if the program has
        // exited.
        let ended = program.session.try_exit_status();
        let ended = ended.filter(|_| self.ended != Some(program.number));
        // The last screen is not delayed, because it must precede the exit message.
        if (may_draw || ended.is_some())
            && let Some(message) = self.screen_message(&program)
        {
            socket.send(Message::Binary(message.into())).await?;
            sent = Sent::Screen;
        }
        if let Some(outcome) = ended {
            self.ended = Some(program.number);
            let revision = self.sent.as_ref().map_or(0, |(revision, _)| *revision);
            let ended = stream::ended(self.channel, revision, &exit(&outcome));
            socket.send(Message::Binary(ended.into())).await?;
        }
        Ok(sent)
    }

    /// Returns the message for the current screen, or `None` if the client has it.
    fn screen_message(&mut self, program: &CurrentProgram) -> Option<Vec<u8>> {
        let frame = program.session.shown();
        let revision = program.revision(&frame);
        let wants_keyframe = self.signals.keyframe.swap(false, Ordering::SeqCst);
        let before = self.sent.take_if(|_| wants_keyframe);
        drop(before);
        if self
            .sent
            .as_ref()
            .is_some_and(|(sent, _)| *sent == revision)
        {
            return None;
        }
        let current = WireScreen::new(frame.screen.clone(), frame.counts.bells);
        let metrics = &self.web.metrics;
        let message = match &self.sent {
            Some((base, before))
                if before.screen().size == current.screen().size && *base < revision =>
            {
                metrics.deltas.fetch_add(1, Ordering::Relaxed);
                stream::delta(self.channel, revision, *base, before, &current)
            }
            _ => {
                metrics.keyframes.fetch_add(1, Ordering::Relaxed);
                stream::keyframe(self.channel, revision, &current)
            }
        };
        let length = message.len() as u64;
        metrics.streamed_bytes.fetch_add(length, Ordering::Relaxed);
        if self.window.is_some() {
            lock(&self.signals.unacknowledged).push(revision);
        }
        self.sent = Some((revision, current));
        Some(message)
    }

    /// Returns the name of the controlling client, and whether it is this one.
    fn driver_now(&self) -> (Option<String>, bool) {
        let name = self.session.control.holder().map(|driver| driver.name);
        (name, self.session.control.is_held_by(&self.caller))
    }

    /// Returns the message about control, if it has changed.
    fn driver_notice(&mut self) -> Option<String> {
        let now = self.driver_now();
        if self.driver.as_ref() == Some(&now) {
            return None;
        }
        let notice = StreamNotice::Driver {
            channel: self.channel,
            name: now.0.clone(),
            you: now.1,
        };
        self.driver = Some(now);
        serde_json::to_string(&notice).ok()
    }
}

/// The kind of the last message that one call of [`Viewer::send_news`] sent.
enum Sent {
    Screen,
    Nothing,
    Closed,
}

fn exit(outcome: &ExitStatus) -> ProgramExit {
    match outcome {
        ExitStatus::Exited(code) => ProgramExit::Exited(*code),
        ExitStatus::Signaled(signal) => ProgramExit::Signaled(signal.to_string().into()),
    }
}
