//! Being told of news without waiting for it: for whoever watches many programs and has no thread to spare for each.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Somebody who watches a program.
pub trait Watcher: Send + Sync {
    /// Something else is shown, or the program has ended, or the session is being closed. This is called by the thread that reads the
    /// terminal: it must not block.
    fn news(&self);
}

/// All who watch. Whoever is dropped does not watch any more.
#[derive(Default)]
pub(crate) struct Watchers(Mutex<Vec<Weak<dyn Watcher>>>);

impl Watchers {
    pub(crate) fn add(&self, watcher: &Arc<dyn Watcher>) {
        self.lock().push(Arc::downgrade(watcher));
    }

    /// Tells all of them.
    pub(crate) fn tell(&self) {
        self.lock().retain(|watcher| match watcher.upgrade() {
            Some(watcher) => {
                watcher.news();
                true
            }
            None => false,
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Weak<dyn Watcher>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Watchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watchers").field(&self.lock().len()).finish()
    }
}
