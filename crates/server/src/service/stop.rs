//! Stops a server from another thread.

use std::sync::Arc;

use tokio::sync::Notify;

/// Stops a server from another thread. A clone stops the same server.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Stops the server at once.
    pub fn now(&self) {
        // `Notify` stores the permit if the server is not waiting yet.
        self.0.notify_one();
    }

    /// Returns once [`Stop::now`] has been called.
    pub(crate) async fn requested(&self) {
        self.0.notified().await;
    }
}
