//! What can be asked, as one closed list.
//!
//! A method is a name, whether it needs a session, and the type of its parameters; the type knows how it is done. The table below
//! is the only place that joins the three, for every door.
//!
//! Elsewhere: the methods themselves, one file for each family.

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

macro_rules! actions {
    ($($name:literal: $variant:ident($params:ty), $needs:ident;)*) => {
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
    "initialize": Initialize(session::Initialize), NoSession;
    "launch": Launch(launch::Launch), Session;
    "sendKey": SendKey(input::SendKey), Session;
    "sendText": SendText(input::SendText), Session;
    "sendLine": SendLine(input::SendLine), Session;
    "click": Click(click::Click), Session;
    "waitForText": WaitForText(wait::WaitForText), Session;
    "waitUntil": WaitUntil(wait::WaitUntil), Session;
    "waitForStable": WaitForStable(wait::WaitForStable), Session;
    "currentView": CurrentView(view::CurrentView), Session;
    "dumpView": DumpView(keep::DumpView), Session;
    "renderView": RenderView(keep::RenderView), Session;
    "diffView": DiffView(diff::DiffView), Session;
    "expectSnapshot": ExpectSnapshot(keep::ExpectSnapshot), Session;
    "expectVisible": ExpectVisible(wait::ExpectVisible), Session;
    "expectNotVisible": ExpectNotVisible(wait::ExpectNotVisible), Session;
    "viewSubscribe": ViewSubscribe(subscribe::ViewSubscribe), Session;
    "viewUnsubscribe": ViewUnsubscribe(subscribe::ViewUnsubscribe), Nothing;
    "batch": Batch(batch::Batch), Nothing;
    "recording.start": RecordingStart(record::RecordingStart), Nothing;
    "recording.stop": RecordingStop(record::RecordingStop), Nothing;
    "recording.status": RecordingStatus(record::RecordingStatus), Nothing;
    "replay": Replay(replay::Replay), Nothing;
    "server.ping": Ping(server::Ping), Nothing;
    "server.shutdown": Shutdown(server::Shutdown), Nothing;
    "paste": Paste(input::Paste), Session;
    "mouse": Mouse(click::Mouse), Session;
    "resize": Resize(input::Resize), Session;
    "signal": SendSignal(input::SendSignal), Session;
    "currentState": CurrentState(state::CurrentState), Session;
    "currentSnapshot": CurrentSnapshot(state::CurrentSnapshot), Session;
    "cursor": Cursor(state::Cursor), Session;
    "exitStatus": ExitStatus(state::ExitStatus), Session;
    "scrollback": Scrollback(state::Scrollback), Session;
    "changesSince": ChangesSince(past::ChangesSince), Session;
    "saw": Saw(past::Saw), Session;
    "never": Never(past::Never), Session;
    "extract": Extract(extract::Extract), Session;
    "close": Close(session::Close), Session;
    "cancel": Cancel(server::Cancel), Nothing;
}

/// What most methods answer.
#[derive(Debug, Serialize)]
struct Done {
    ok: bool,
}

impl Done {
    const OK: Done = Done { ok: true };
}
