//! A task that follows the screen of a session, across program restarts.
//!
//! Every change wakes the task. The task passes the current frame on. After a delivered frame, it
//! waits at least one interval. So the first change is delivered at once, later ones at most once
//! per interval, and the last one always. All followers of a process share one thread.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use screentest::SessionFrame;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::service::lock;
use crate::session::NamedSession;

/// A running follower. Dropping it stops it; nothing is delivered after that.
pub(crate) struct Follower {
    session: Arc<NamedSession>,
    /// `None` once the follower is stopped. Locked during a delivery.
    deliver: Arc<Mutex<Option<Deliver>>>,
    task: JoinHandle<()>,
    /// Whether the follower is dropped by its own delivery, which holds the lock.
    detached: bool,
}

type Deliver = Box<dyn FnMut(&SessionFrame) -> Delivery + Send>;

/// Whether a frame was delivered. The next interval starts with a delivered frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Sent,
    Skipped,
}

impl Follower {
    /// Starts to pass frames to `deliver`, at most one per interval. `before` says whether the
    /// caller has delivered a frame just now. `deliver` must not block for long.
    pub(crate) fn start(
        session: &Arc<NamedSession>,
        interval: Duration,
        before: Delivery,
        deliver: impl FnMut(&SessionFrame) -> Delivery + Send + 'static,
    ) -> io::Result<Follower> {
        let deliver: Deliver = Box::new(deliver);
        let deliver = Arc::new(Mutex::new(Some(deliver)));
        let changed = session.followers.join();
        let following = (Arc::clone(session), Arc::clone(&deliver));
        let task = runtime()?.spawn(async move {
            let (session, deliver) = following;
            if before == Delivery::Sent {
                tokio::time::sleep(interval).await;
            }
            follow(&session, &changed, interval, &deliver).await;
        });
        Ok(Follower {
            session: Arc::clone(session),
            deliver,
            task,
            detached: false,
        })
    }

    /// Stops the follower without waiting for a delivery. Callable from the delivery itself.
    pub(crate) fn detach(mut self) {
        self.detached = true;
    }

    /// Returns the followed session.
    pub(crate) fn session(&self) -> &Arc<NamedSession> {
        &self.session
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.task.abort();
        if !self.detached {
            *lock(&self.deliver) = None;
        }
    }
}

impl fmt::Debug for Follower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Follower")
            .field("session", &self.session.name())
            .finish_non_exhaustive()
    }
}

async fn follow(
    session: &NamedSession,
    changed: &Notify,
    interval: Duration,
    deliver: &Mutex<Option<Deliver>>,
) {
    loop {
        changed.notified().await;
        let Some(program) = session.program() else {
            continue;
        };
        let delivered = match &mut *lock(deliver) {
            Some(deliver) => deliver(&program.session.shown()),
            None => return,
        };
        if delivered == Delivery::Sent {
            tokio::time::sleep(interval).await;
        }
    }
}

/// Returns the runtime of all followers. It has one thread and is started for the first of them.
fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: Mutex<Option<&'static Runtime>> = Mutex::new(None);
    let mut runtime = lock(&RUNTIME);
    if let Some(runtime) = *runtime {
        return Ok(runtime);
    }
    let started = Builder::new_multi_thread()
        .worker_threads(1)
        .max_blocking_threads(1)
        .thread_name("screentest-follower")
        .enable_time()
        .build()?;
    // Never dropped: it runs until the process ends.
    Ok(runtime.insert(Box::leak(Box::new(started))))
}
