//! Telling a client that the view has changed.
//!
//! What a person sees counts: cells, cursor, title, size. A client that names its session is told the name back.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use screentest::Frame;
use screentest::core::{Diff, Screen};
use serde::Serialize;

use crate::follow::{Follower, Told};
use crate::service::{Notice, Outlet, lock};
use crate::stage::Stage;
use crate::view;
use crate::wire::message;

/// A subscription, until dropped.
#[derive(Debug)]
pub(crate) struct Subscription {
    _follower: Follower,
}

/// What a client asked for.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) debounce: Duration,
    pub(crate) text: Text,
    /// The session, where the client named it.
    pub(crate) session: Option<String>,
}

/// Whether a notification has the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Text {
    Included,
    Left,
}

#[derive(Serialize)]
struct Changed {
    cols: u16,
    rows: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Subscription {
    /// Tells of what is there already, then of every change.
    pub(crate) fn start(
        stage: &Arc<Stage>,
        wish: Wish,
        outlet: Arc<dyn Outlet>,
    ) -> io::Result<Subscription> {
        let pace = wish.debounce;
        let teller = Arc::new(Teller {
            key: stage.name().to_owned(),
            wish,
            outlet,
            last: Mutex::default(),
        });
        let before = match stage.tui().session() {
            Ok(session) => teller.tell(&session.frame()),
            Err(_) => Told::No,
        };
        let follower = Follower::start(stage, pace, before, move |frame| teller.tell(frame))?;
        Ok(Subscription {
            _follower: follower,
        })
    }
}

#[derive(Debug)]
struct Teller {
    key: String,
    wish: Wish,
    outlet: Arc<dyn Outlet>,
    last: Mutex<Option<Screen>>,
}

impl Teller {
    fn tell(&self, frame: &Frame) -> Told {
        let mut last = lock(&self.last);
        let same = |last: &Screen| Diff::between(last, &frame.screen).is_empty();
        if last.as_ref().is_some_and(same) {
            return Told::No;
        }
        let screen = &frame.screen;
        let text = match self.wish.text {
            Text::Included => Some(view::text(screen)),
            Text::Left => None,
        };
        self.outlet.notify(Notice {
            key: self.key.clone(),
            method: "view.changed",
            params: message::value(&Changed {
                cols: screen.size.cols,
                rows: screen.size.rows,
                session: self.wish.session.clone(),
                text,
            }),
        });
        *last = Some(frame.screen.clone());
        Told::Yes
    }
}
