//! Being told that the view has changed.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Done, Perform};
use crate::service::{Job, lock};
use crate::subscription::{Subscription, Text, Wish};
use crate::wire::nothing::Nothing;
use crate::wire::number::{Whole, millis};
use crate::wire::{Code, Failure};

/// Tells of every change of the view from now on.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ViewSubscribe {
    debounce_ms: Option<Whole>,
    include_text: Option<bool>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subscribed {
    debounce_ms: u64,
    include_text: bool,
    ok: bool,
}

/// How many clients may be told of one session; each takes a thread.
const MOST: usize = 64;

/// How far apart notifications are unless a client says otherwise.
const DEBOUNCE: Duration = Duration::from_millis(100);

impl Perform for ViewSubscribe {
    type Answer = Subscribed;

    fn perform(self, job: &Job<'_>) -> Result<Subscribed, Failure> {
        let stage = job.stage()?;
        let debounce = millis("debounceMs", self.debounce_ms)?.unwrap_or(DEBOUNCE);
        let include_text = self.include_text.unwrap_or(false);
        let wish = Wish {
            debounce,
            text: match include_text {
                true => Text::Included,
                false => Text::Left,
            },
            session: job.session.clone(),
        };
        // The one before must have told its last before this one tells its first.
        let caller = &job.around.caller;
        if !caller.outlet.is_heard() {
            return Err(Failure::failed(
                "who asks by one request alone cannot be told of changes: subscribe over the WebSocket /rpc, or ask `changesSince`",
            ));
        }
        let before = lock(&stage.subscriptions).remove(&caller.number);
        drop(before);
        let subscription = Subscription::start(stage, wish, Arc::clone(&caller.outlet))
            .map_err(|error| Failure::caused("could not subscribe", &error))?;
        {
            let mut subscriptions = lock(&stage.subscriptions);
            if subscriptions.len() >= MOST {
                return Err(Failure::new(
                    Code::TooMany,
                    format!("{MOST} clients are told of this session, which is the most"),
                ));
            }
            subscriptions.insert(caller.number, subscription);
        }
        // Whoever went away before it was there could not take it along; who goes from now on does.
        if caller.is_gone() || stage.is_closed() {
            let unheard = lock(&stage.subscriptions).remove(&caller.number);
            drop(unheard);
        }
        Ok(Subscribed {
            debounce_ms: u64::try_from(debounce.as_millis()).unwrap_or(u64::MAX),
            include_text,
            ok: true,
        })
    }
}

/// Tells no more of changes.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct ViewUnsubscribe {
    _nothing: Nothing,
}

impl Perform for ViewUnsubscribe {
    type Answer = Done;

    fn perform(self, job: &Job<'_>) -> Result<Done, Failure> {
        if let Ok(stage) = job.stage() {
            let before = lock(&stage.subscriptions).remove(&job.around.caller.number);
            drop(before);
        }
        Ok(Done::OK)
    }
}
