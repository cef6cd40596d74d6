//! Notifies a client that the view of a session has changed.
//!
//! Only visible changes count: cells, cursor, title and size. If the client named the session in
//! its request, the notification contains that name.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use screentest::SessionFrame;
use screentest::core::{Diff, Screen};
use serde::Serialize;

use crate::service::client::{ClientHandle, Role};
use crate::service::{Notification, NotificationSink, lock};
use crate::session::follower::{Delivery, Follower};
use crate::session::{NamedSession, screen_text};
use crate::wire::message;

/// An active subscription. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Subscription {
    /// The role of the client, whose subscriptions are limited separately.
    pub(crate) role: Role,
    _follower: Follower,
}

/// What the client requested.
#[derive(Debug, Clone)]
pub(crate) struct SubscriptionOptions {
    pub(crate) debounce: Duration,
    pub(crate) text: TextField,
    /// The session name, if the request contained it.
    pub(crate) session: Option<String>,
}

/// Whether notifications contain the text of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextField {
    Included,
    Omitted,
}

#[derive(Serialize)]
struct ViewChanged {
    cols: u16,
    rows: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Subscription {
    /// Sends a notification for the current view, if there is one, and then for every change.
    pub(crate) fn start(
        session: &Arc<NamedSession>,
        options: SubscriptionOptions,
        client: &ClientHandle,
    ) -> io::Result<Subscription> {
        let interval = options.debounce;
        let notifier = Arc::new(ChangeNotifier {
            key: session.name().to_owned(),
            options,
            sink: Arc::clone(&client.sink),
            last: Mutex::default(),
        });
        let before = match session.tui().session() {
            Ok(program) => notifier.notify_if_changed(&program.frame()),
            Err(_) => Delivery::Skipped,
        };
        let follower = Follower::start(session, interval, before, move |frame| {
            notifier.notify_if_changed(frame)
        })?;
        Ok(Subscription {
            role: client.role,
            _follower: follower,
        })
    }
}

#[derive(Debug)]
struct ChangeNotifier {
    key: String,
    options: SubscriptionOptions,
    sink: Arc<dyn NotificationSink>,
    last: Mutex<Option<Screen>>,
}

impl ChangeNotifier {
    fn notify_if_changed(&self, frame: &SessionFrame) -> Delivery {
        let mut last = lock(&self.last);
        let same = |last: &Screen| Diff::between(last, &frame.screen).is_empty();
        if last.as_ref().is_some_and(same) {
            return Delivery::Skipped;
        }
        let screen = &frame.screen;
        let text = match self.options.text {
            TextField::Included => Some(screen_text::text(screen)),
            TextField::Omitted => None,
        };
        self.sink.notify(Notification {
            key: self.key.clone(),
            method: "view.changed",
            params: message::to_value(&ViewChanged {
                cols: screen.size.cols,
                rows: screen.size.rows,
                session: self.options.session.clone(),
                text,
            }),
        });
        *last = Some(frame.screen.clone());
        Delivery::Sent
    }
}
