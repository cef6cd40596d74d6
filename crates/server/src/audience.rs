//! Those who look at a session from afar.
//!
//! The thread that reads a program's terminal only rings; what is shown then, each viewer fetches for itself when it can take it. So nobody
//! who is slow holds up the program, and nobody gets what is old.

use std::sync::{Arc, Mutex, MutexGuard, Weak};

use screentest::Watcher;
use tokio::sync::Notify;

use crate::service::lock;

/// All who look at one session.
#[derive(Debug, Default)]
pub(crate) struct Audience(Mutex<Vec<Weak<Notify>>>);

impl Audience {
    /// Somebody more: they are rung for all that is news until they drop their bell, and once at the beginning.
    pub(crate) fn join(&self) -> Arc<Notify> {
        let bell = Arc::new(Notify::new());
        bell.notify_one();
        self.lock().push(Arc::downgrade(&bell));
        bell
    }

    /// How many look.
    pub(crate) fn count(&self) -> usize {
        let bells = self.lock();
        bells.iter().filter(|bell| bell.strong_count() > 0).count()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Notify>>> {
        lock(&self.0)
    }
}

impl Watcher for Audience {
    fn news(&self) {
        self.lock().retain(|bell| match bell.upgrade() {
            Some(bell) => {
                // Kept for who is busy.
                bell.notify_one();
                true
            }
            None => false,
        });
    }
}
