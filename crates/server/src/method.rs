//! The methods that clients can call, as one closed list.
//!
//! A method has a name, parameters, a requirement (does it need a session?) and an effect. The type
//! of the parameters implements the method. The table below is the only place that joins these, for
//! all interfaces. Each family of methods has its own file.

use screentest::{Action, Terminal};
use serde::Serialize;
use serde_json::Value;

use crate::service::MethodContext;
use crate::wire::{Answer, RpcError, params};

mod batch;
mod click;
mod diff;
mod extract;
mod history;
mod input;
mod launch;
mod recording;
mod replay;
mod server;
mod session;
mod snapshot;
mod state;
mod subscribe;
mod view;
mod wait;

pub(crate) use server::CancelResponse;
pub(crate) use state::StateResponse;

/// A method. The fields of the implementing type are its parameters.
trait Perform {
    /// The result.
    type Response: Serialize;

    /// Executes the method.
    fn perform(self, context: &MethodContext<'_>) -> Result<Self::Response, RpcError>;
}

/// Whether a method needs a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionNeed {
    /// The session must be open.
    Open,
    /// The session must not be open, because the method opens it.
    NotOpen,
    /// The method works without a session.
    Optional,
}

/// The effect of a method on a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodEffect {
    /// Only reads.
    Reads,
    /// Acts on the program as a person at the keyboard does. Refused while another client has
    /// control.
    Types,
    /// Opens or closes sessions, or writes files.
    Changes,
}

macro_rules! methods {
    ($($name:literal: $variant:ident($params:ty), $need:ident, $effect:ident;)*) => {
        /// A method with its parameters.
        #[derive(Debug)]
        #[non_exhaustive]
        pub(crate) enum MethodCall {
            $($variant(Box<$params>),)*
        }

        /// The names of all methods.
        pub const METHODS: &[&str] = &[$($name,)*];

        /// Returns whether a method needs a session, or `None` for an unknown method.
        pub(crate) fn session_need(method: &str) -> Option<SessionNeed> {
            match method {
                $($name => Some(SessionNeed::$need),)*
                _ => None,
            }
        }

        /// Returns the effect of a method, or `None` for an unknown method.
        pub(crate) fn effect(method: &str) -> Option<MethodEffect> {
            match method {
                $($name => Some(MethodEffect::$effect),)*
                _ => None,
            }
        }

        impl MethodCall {
            /// Parses the parameters of a method.
            pub(crate) fn parse(method: &str, params: Value) -> Result<MethodCall, RpcError> {
                match method {
                    $($name => params::read(params).map(|params| MethodCall::$variant(Box::new(params))),)*
                    _ => Err(RpcError::unknown_method(method)),
                }
            }

            /// Executes the method. All results pass through here, which limits their size and
            /// redacts secrets.
            pub(crate) fn perform(self, context: &MethodContext<'_>) -> Result<Answer, RpcError> {
                match self {
                    $(MethodCall::$variant(params) => answer(&params.perform(context)?, context),)*
                }
            }
        }
    };
}

// Columns: the name of the method; its variant of `MethodCall`, with the type of the parameters;
// whether a session must be open (`SessionNeed`); what the method does to it (`MethodEffect`).
methods! {
    "initialize": Initialize(session::Initialize), NotOpen, Changes;
    "launch": Launch(launch::Launch), Open, Types;
    "sendKey": SendKey(input::SendKey), Open, Types;
    "sendText": SendText(input::SendText), Open, Types;
    "sendLine": SendLine(input::SendLine), Open, Types;
    "click": Click(click::Click), Open, Types;
    "waitForText": WaitForText(wait::WaitForText), Open, Reads;
    "waitUntil": WaitUntil(wait::WaitUntil), Open, Reads;
    "waitForStable": WaitForStable(wait::WaitForStable), Open, Reads;
    "currentView": CurrentView(view::CurrentView), Open, Reads;
    "dumpView": DumpView(snapshot::DumpView), Open, Changes;
    "renderView": RenderView(snapshot::RenderView), Open, Changes;
    "diffView": DiffView(diff::DiffView), Open, Changes;
    "expectSnapshot": ExpectSnapshot(snapshot::ExpectSnapshot), Open, Changes;
    "expectVisible": ExpectVisible(wait::ExpectVisible), Open, Reads;
    "expectNotVisible": ExpectNotVisible(wait::ExpectNotVisible), Open, Reads;
    "viewSubscribe": ViewSubscribe(subscribe::ViewSubscribe), Open, Reads;
    "viewUnsubscribe": ViewUnsubscribe(subscribe::ViewUnsubscribe), Optional, Reads;
    "batch": Batch(batch::Batch), Optional, Reads;
    "recording.start": RecordingStart(recording::RecordingStart), Optional, Changes;
    "recording.stop": RecordingStop(recording::RecordingStop), Optional, Changes;
    "recording.status": RecordingStatus(recording::RecordingStatus), Optional, Reads;
    "replay": Replay(replay::Replay), Optional, Changes;
    "server.ping": Ping(server::Ping), Optional, Reads;
    "server.shutdown": Shutdown(server::Shutdown), Optional, Changes;
    "paste": Paste(input::Paste), Open, Types;
    "mouse": Mouse(click::Mouse), Open, Types;
    "resize": Resize(input::Resize), Open, Types;
    "signal": SendSignal(input::SendSignal), Open, Types;
    "currentState": CurrentState(state::CurrentState), Open, Reads;
    "currentSnapshot": CurrentSnapshot(state::CurrentSnapshot), Open, Reads;
    "cursor": Cursor(state::Cursor), Open, Reads;
    "exitStatus": ExitStatus(state::ExitStatus), Open, Reads;
    "scrollback": Scrollback(state::Scrollback), Open, Reads;
    "changesSince": ChangesSince(history::ChangesSince), Open, Reads;
    "saw": Saw(history::Saw), Open, Reads;
    "never": Never(history::Never), Open, Reads;
    "extract": Extract(extract::Extract), Open, Reads;
    "close": Close(session::Close), Open, Changes;
    "cancel": Cancel(server::Cancel), Optional, Reads;
}

/// Writes a response as JSON.
fn answer(response: &impl Serialize, context: &MethodContext<'_>) -> Result<Answer, RpcError> {
    let service = context.service;
    let memory = service
        .answer_memory
        .reservation(context.origin.caller.role);
    Answer::new(response, &service.secrets(), memory)
}

/// Performs an action. `call` is the name of the call in errors, as in tuispec.
fn perform(tui: &Terminal, call: &str, action: &Action) -> Result<(), RpcError> {
    let done = tui.perform(action);
    done.map_err(|error| RpcError::from_tui(call, &error))
}

/// The response of most methods.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OkResponse {
    /// Present if input was sent although the program was not ready for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    auto_wait: Option<LateInput>,
    ok: bool,
}

/// Input that was sent to a program that was not ready. The same fields as in the event of a
/// recording.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LateInput {
    program: String,
    waited_ms: u64,
}

impl OkResponse {
    const OK: OkResponse = OkResponse {
        auto_wait: None,
        ok: true,
    };

    /// Returns the response after input was sent to a terminal.
    fn sent(tui: &Terminal) -> OkResponse {
        let late = tui
            .session()
            .ok()
            .and_then(|session| session.take_auto_wait_timeout());
        OkResponse {
            auto_wait: late.map(|late| LateInput {
                program: late.why.to_string(),
                waited_ms: u64::try_from(late.waited.as_millis()).unwrap_or(u64::MAX),
            }),
            ..OkResponse::OK
        }
    }
}
