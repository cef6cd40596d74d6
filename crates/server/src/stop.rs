//! Ending a server from another thread.

use std::sync::Arc;

use tokio::sync::Notify;

/// Ends a server from another thread. A clone is the same one.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Ends it at once.
    pub fn now(&self) {
        // Kept for who does not listen yet.
        self.0.notify_one();
    }

    /// Returns once somebody ends it.
    pub(crate) async fn said(&self) {
        self.0.notified().await;
    }
}
