//! The client that sends a request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::service::NotificationSink;

/// A client. A clone refers to the same client.
#[derive(Debug, Clone)]
pub(crate) struct ClientHandle {
    /// Unique number.
    pub(crate) number: u64,
    /// What the client may do.
    pub(crate) role: Role,
    /// Receives the client's notifications.
    pub(crate) sink: Arc<dyn NotificationSink>,
    disconnected: Arc<AtomicBool>,
}

/// Permissions of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// View everything, change nothing.
    ReadOnly,
    /// Everything.
    Full,
}

impl Role {
    /// Returns the clients of this role, as errors name them.
    pub(crate) fn clients(self) -> &'static str {
        match self {
            Role::ReadOnly => "read-only clients",
            Role::Full => "clients with full access",
        }
    }
}

impl ClientHandle {
    /// Returns the client of the user who started the server. It may do everything.
    pub(crate) fn owner(sink: Arc<dyn NotificationSink>) -> ClientHandle {
        ClientHandle {
            number: 0,
            role: Role::Full,
            sink,
            disconnected: Arc::default(),
        }
    }

    /// Returns a new client with a new number.
    pub(crate) fn new(role: Role, sink: Arc<dyn NotificationSink>) -> ClientHandle {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        ClientHandle {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            role,
            sink,
            disconnected: Arc::default(),
        }
    }

    /// Marks the client as disconnected.
    pub(crate) fn disconnect(&self) {
        self.disconnected.store(true, Ordering::SeqCst);
    }

    /// Returns whether the client has disconnected.
    pub(crate) fn is_disconnected(&self) -> bool {
        self.disconnected.load(Ordering::SeqCst)
    }
}
