//! Notifications: messages to a client that are not responses.

use std::fmt::Debug;

use serde_json::Value;

/// Receives the notifications for one client.
pub trait NotificationSink: Debug + Send + Sync {
    /// Queues a notification. Must not block. A queued notification is replaced by a newer one with
    /// the same key.
    fn notify(&self, notification: Notification);

    /// Blocks until everything queued before has been sent, or until nothing reads it.
    fn flush(&self) {}

    /// Returns whether notifications reach the client.
    fn can_notify(&self) -> bool {
        true
    }
}

/// A sink for clients that receive responses only. Discards notifications.
#[derive(Debug)]
pub(crate) struct NoNotifications;

impl NotificationSink for NoNotifications {
    fn notify(&self, _notification: Notification) {}

    fn can_notify(&self) -> bool {
        false
    }
}

/// A JSON-RPC notification.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    /// The subject. If several notifications with the same key are queued, only the newest is
    /// sent.
    pub key: String,
    /// The method.
    pub method: &'static str,
    /// The parameters.
    pub params: Value,
}
