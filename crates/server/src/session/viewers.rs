//! The viewers of a session's screen: web pages and attached terminals, subscriptions and
//! recordings.
//!
//! The thread that reads the program's terminal only wakes the viewers. Each viewer fetches the
//! current screen when it is ready to send it. So a slow viewer does not delay the program, and no
//! viewer receives an outdated screen.

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use screentest::session::Watcher;
use tokio::sync::Notify;

use crate::service::lock;

/// The viewers of one session.
#[derive(Debug, Default)]
pub(crate) struct Viewers(Mutex<Vec<Weak<Notify>>>);

impl Viewers {
    /// Adds a viewer. It is notified once now and after every change, until it drops the returned
    /// value.
    pub(crate) fn join(&self) -> Arc<Notify> {
        let waker = Arc::new(Notify::new());
        waker.notify_one();
        self.lock().push(Arc::downgrade(&waker));
        waker
    }

    /// Returns the number of viewers.
    pub(crate) fn count(&self) -> usize {
        let wakers = self.lock();
        wakers
            .iter()
            .filter(|waker| waker.strong_count() > 0)
            .count()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Notify>>> {
        lock(&self.0)
    }
}

impl Watcher for Viewers {
    fn changed(&self) {
        self.lock().retain(|waker| match waker.upgrade() {
            Some(waker) => {
                // `Notify` stores the permit if the viewer is not waiting yet.
                waker.notify_one();
                true
            }
            None => false,
        });
    }
}
