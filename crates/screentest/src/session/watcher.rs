//! Change notifications without a waiting thread, for clients that watch many programs.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use crate::lock::lock;

/// Receives change notifications of a program.
pub trait Watcher: Send + Sync {
    /// Called after the screen changed, the program exited, or the session began to close; also
    /// called at times when nothing changed. Runs in the thread that made the change, usually the
    /// one that reads the terminal, and must not block.
    fn changed(&self);
}

/// The watchers of a program. A dropped watcher is removed.
#[derive(Default)]
pub(crate) struct Watchers(Mutex<Vec<Weak<dyn Watcher>>>);

impl Watchers {
    pub(crate) fn add(&self, watcher: &Arc<dyn Watcher>) {
        self.lock().push(Arc::downgrade(watcher));
    }

    /// Notifies all watchers.
    pub(crate) fn notify(&self) {
        self.lock().retain(|watcher| match watcher.upgrade() {
            Some(watcher) => {
                watcher.changed();
                true
            }
            None => false,
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<dyn Watcher>>> {
        lock(&self.0)
    }
}

impl fmt::Debug for Watchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watchers").field(&self.lock().len()).finish()
    }
}
