//! What can be asked, as one closed list.
//!
//! A method is a name, whether it needs a session, what it does to it, and the type of its parameters; the type knows how it is done. The
//! table below is the only place that joins them, for every door.
//!
//! Elsewhere: the methods themselves, one file for each family.

use screentest::Terminal;
use serde::Serialize;
use serde_json::Value;

use crate::service::Job;
use crate::wire::message;
use crate::wire::{Failure, params};

mod batch;
mod click;
mod diff;
mod extract;
mod input;
mod keep;
mod launch;
mod past;
mod record;
mod replay;
mod server;
mod session;
mod state;
mod subscribe;
mod view;
mod wait;

pub(crate) use server::Cancelled;

/// Something that can be done for a client; its fields are the parameters.
trait Perform {
    /// What is answered.
    type Answer: Serialize;

    /// Does it.
    fn perform(self, job: &Job<'_>) -> Result<Self::Answer, Failure>;
}

/// Whether a method needs a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Session,
    /// It opens one, so that there must be none yet.
    NoSession,
    Nothing,
}

/// What a method does to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    /// It only asks.
    Looks,
    /// It is something that a person at the keyboard does; while somebody else drives, it is refused.
    Drives,
    /// It opens, closes, or leaves files.
    Changes,
}

macro_rules! actions {
    ($($name:literal: $variant:ident($params:ty), $needs:ident, $does:ident;)*) => {
        /// Something that a client asks for, with its parameters.
        #[derive(Debug)]
        #[non_exhaustive]
        pub(crate) enum Action {
            $($variant(Box<$params>),)*
        }

        /// The names of all methods, in the order in which the documentation has them.
        pub const METHODS: &[&str] = &[$($name,)*];

        /// What a method needs; `None` where there is no such method.
        pub(crate) fn needs(method: &str) -> Option<Needs> {
            match method {
                $($name => Some(Needs::$needs),)*
                _ => None,
            }
        }

        /// What a method does; `None` where there is no such method.
        pub(crate) fn does(method: &str) -> Option<Does> {
            match method {
                $($name => Some(Does::$does),)*
                _ => None,
            }
        }

        impl Action {
            /// Reads the parameters of a method.
            pub(crate) fn read(method: &str, params: Value) -> Result<Action, Failure> {
                match method {
                    $($name => params::read(params).map(|params| Action::$variant(Box::new(params))),)*
                    _ => Err(Failure::unknown_method(method)),
                }
            }

            /// Does what is asked. Whatever is answered passes here, and with it no secret.
            pub(crate) fn perform(self, job: &Job<'_>) -> Result<Value, Failure> {
                let answer = match self {
                    $(Action::$variant(params) => params.perform(job).map(|answer| message::value(&answer)),)*
                };
                answer.map(|answer| job.service.covered(answer))
            }
        }
    };
}

actions! {
    "initialize": Initialize(session::Initialize), NoSession, Changes;
    "launch": Launch(launch::Launch), Session, Drives;
    "sendKey": SendKey(input::SendKey), Session, Drives;
    "sendText": SendText(input::SendText), Session, Drives;
    "sendLine": SendLine(input::SendLine), Session, Drives;
    "click": Click(click::Click), Session, Drives;
    "waitForText": WaitForText(wait::WaitForText), Session, Looks;
    "waitUntil": WaitUntil(wait::WaitUntil), Session, Looks;
    "waitForStable": WaitForStable(wait::WaitForStable), Session, Looks;
    "currentView": CurrentView(view::CurrentView), Session, Looks;
    "dumpView": DumpView(keep::DumpView), Session, Changes;
    "renderView": RenderView(keep::RenderView), Session, Changes;
    "diffView": DiffView(diff::DiffView), Session, Changes;
    "expectSnapshot": ExpectSnapshot(keep::ExpectSnapshot), Session, Changes;
    "expectVisible": ExpectVisible(wait::ExpectVisible), Session, Looks;
    "expectNotVisible": ExpectNotVisible(wait::ExpectNotVisible), Session, Looks;
    "viewSubscribe": ViewSubscribe(subscribe::ViewSubscribe), Session, Looks;
    "viewUnsubscribe": ViewUnsubscribe(subscribe::ViewUnsubscribe), Nothing, Looks;
    "batch": Batch(batch::Batch), Nothing, Looks;
    "recording.start": RecordingStart(record::RecordingStart), Nothing, Changes;
    "recording.stop": RecordingStop(record::RecordingStop), Nothing, Changes;
    "recording.status": RecordingStatus(record::RecordingStatus), Nothing, Looks;
    "replay": Replay(replay::Replay), Nothing, Changes;
    "server.ping": Ping(server::Ping), Nothing, Looks;
    "server.shutdown": Shutdown(server::Shutdown), Nothing, Changes;
    "paste": Paste(input::Paste), Session, Drives;
    "mouse": Mouse(click::Mouse), Session, Drives;
    "resize": Resize(input::Resize), Session, Drives;
    "signal": SendSignal(input::SendSignal), Session, Drives;
    "currentState": CurrentState(state::CurrentState), Session, Looks;
    "currentSnapshot": CurrentSnapshot(state::CurrentSnapshot), Session, Looks;
    "cursor": Cursor(state::Cursor), Session, Looks;
    "exitStatus": ExitStatus(state::ExitStatus), Session, Looks;
    "scrollback": Scrollback(state::Scrollback), Session, Looks;
    "changesSince": ChangesSince(past::ChangesSince), Session, Looks;
    "saw": Saw(past::Saw), Session, Looks;
    "never": Never(past::Never), Session, Looks;
    "extract": Extract(extract::Extract), Session, Looks;
    "close": Close(session::Close), Session, Changes;
    "cancel": Cancel(server::Cancel), Nothing, Looks;
}

/// What most methods answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Done {
    ok: bool,
    /// That an input was sent to a program that was not ready for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_wait: Option<SentLate>,
}

/// The same words as in the event of a recording.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SentLate {
    waited_ms: u64,
    program: String,
}

impl Done {
    const OK: Done = Done {
        ok: true,
        auto_wait: None,
    };

    /// The answer after input was sent through a terminal.
    fn sent(tui: &Terminal) -> Done {
        let late = tui
            .session()
            .ok()
            .and_then(|session| session.take_auto_wait_timeout());
        Done {
            auto_wait: late.map(|late| SentLate {
                waited_ms: u64::try_from(late.waited.as_millis()).unwrap_or(u64::MAX),
                program: late.why.to_string(),
            }),
            ..Done::OK
        }
    }
}
