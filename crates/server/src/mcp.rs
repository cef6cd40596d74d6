//! MCP: the same service for AI agents, on stdin and stdout, or over HTTP beside the other doors of a server (`web/mcp.rs`).
//!
//! An agent pays for every character it reads and for every call it makes. So there are few tools; one call acts, waits and tells;
//! and what is told is what changed since the agent last looked. What goes wrong is told as the answer of a tool, with what to do
//! next: an agent sees little of a protocol's errors.
//!
//! Elsewhere: the tools, one file each (`mcp/tool.rs` lists them); the sessions of an agent (`mcp/desk.rs`); what is told of a
//! screen (`mcp/observation.rs`). JSON-RPC for everybody else is `stdio.rs`.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, InitializeResult, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use screentest::Interrupt;

use crate::caller::Caller;
use crate::service::{Service, Settings, Silent};
pub use crate::stop::Stop;
use crate::web::{Access, RequestSlot, RequestSlots};
use desk::Desk;
use heard::{Gone, Heard};
use tool::{Reply, TOOLS, Tool, Turn};
use trouble::Trouble;

mod act;
mod action;
mod changes;
mod close;
mod desk;
mod expect;
mod extract;
mod heard;
mod launch;
mod look;
mod observation;
mod schema;
mod sessions;
mod spans;
mod target;
mod tool;
mod trouble;
mod until;

/// What an agent is told before it sees the tools.
const INSTRUCTIONS: &str = "Drives terminal programs. tui_launch starts one and shows its screen; tui_act types, presses, clicks, \
    waits (`until`) and answers with the rows that changed. Rows and columns count from 1. Prefer `until` over looking again. \
    An error says what is on the screen and what to do next.";

/// Why a client could not be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The threads of the server could not be started.
    #[error("could not start the server's threads")]
    Start(#[from] io::Error),
    /// What came first is not how MCP begins.
    #[error("the client did not begin with `initialize`")]
    Begin(#[source] Box<ServerInitializeError>),
}

/// Serves one client on stdin and stdout, until it goes away or somebody ends it. When this returns, every program has been killed;
/// the caller is expected to leave the process, as a thread may still be about to read.
///
/// Sessions of which nothing was asked for `idle` are ended.
pub fn run(settings: Settings, idle: Duration, stop: &Stop) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_name("screentest-mcp")
        .build()?;
    let desk = Arc::new(Desk::new(settings, idle));
    let served = runtime.block_on(serve(&desk, stop));
    desk.end();
    runtime.shutdown_background();
    served
}

async fn serve(desk: &Arc<Desk>, stop: &Stop) -> Result<(), ServeError> {
    let sweep = tokio::spawn(Desk::end_idle(Arc::clone(desk)));
    let gone = Gone::default();
    let door = Door {
        desk: Arc::clone(desk),
        gone: gone.clone(),
        asks: Asks::Owner,
    };
    let (input, output) = rmcp::transport::stdio_pipes();
    let input = Heard { input, gone };
    let serving = async {
        match rmcp::serve_server(door, (input, output)).await {
            Ok(running) => {
                // Whether it was closed or cancelled, and even a fault in the SDK: the client is gone.
                let _ = running.waiting().await;
                Ok(())
            }
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Begin(Box::new(error))),
        }
    };
    let served = tokio::select! {
        served = serving => served,
        () = stop.said() => Ok(()),
    };
    sweep.abort();
    served
}

/// What speaks the protocol.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    desk: Arc<Desk>,
    /// Whether the client has gone away.
    gone: Gone,
    asks: Asks,
}

/// Who asks.
#[derive(Debug, Clone)]
enum Asks {
    /// Whoever started us.
    Owner,
    /// Whoever a gate let in, which says what they may do; they take a place while they are served.
    LetIn(Arc<RequestSlots>),
}

impl ServerHandler for Door {
    fn get_info(&self) -> InitializeResult {
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("screentest", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(Tool::described).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    /// A request that is not as it should be comes here, whether its method is known or not.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params(
                "tools/call needs params with the `name` of a tool, a string, and `arguments`, an object",
                None,
            ),
            method => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None),
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let words = format!(
                "no tool is `{}`: there is {}",
                request.name,
                names.join(", ")
            );
            return Err(ErrorData::invalid_params(words, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let desk = Arc::clone(&self.desk);
        // What is asked of one session is done in the order in which it came; others do not wait for it. Who wants to end one
        // that waits, or to see what is open, does not wait either.
        let turn = match tool.turn {
            Turn::OfSession => Some(desk.turn(tool, arguments.get("session"))),
            Turn::AtOnce => None,
        };
        let (caller, place) = self.asks.admit(&context)?;
        let mut gone = self.gone.subscribe();
        let unwanted = async move {
            tokio::select! {
                () = context.ct.cancelled() => {}
                // Whoever could tell otherwise is gone as well.
                _ = gone.wait_for(|gone| *gone) => {}
            }
        };
        tokio::pin!(unwanted);
        let _turn = match &turn {
            Some(turn) => tokio::select! {
                biased;
                () = &mut unwanted => return Ok(self.answer(Err(Trouble::cancelled())).into()),
                turn = turn.lock() => Some(turn),
            },
            None => None,
        };
        let interrupt = Interrupt::new();
        let raised = interrupt.clone();
        let mut done = tokio::task::spawn_blocking(move || {
            let done = desk.call(tool, arguments, &caller, &interrupt);
            drop(place);
            done
        });
        let done = tokio::select! {
            done = &mut done => done,
            () = unwanted => {
                raised.raise();
                done.await
            }
        };
        // A fault of ours costs one call, not the sessions of the agent.
        let done = done.unwrap_or_else(|_| Err(Trouble::fault(tool.name)));
        Ok(self.answer(done).into())
    }
}

impl Asks {
    /// Who asks this, and the place they take.
    fn admit(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<(Caller, Option<RequestSlot>), ErrorData> {
        let places = match self {
            Asks::Owner => return Ok((Caller::owner(Arc::new(Silent)), None)),
            Asks::LetIn(places) => places,
        };
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let pass = parts.and_then(|parts| parts.extensions.get::<Access>());
        // Nobody comes here past the gate; should it be so, they may do nothing.
        let pass = pass.ok_or_else(|| ErrorData::invalid_request("who asks is not known", None))?;
        let place = places.take(pass.role).ok_or_else(|| {
            let words = "too many requests are under way: wait for some of them";
            ErrorData::internal_error(words, None)
        })?;
        Ok((Caller::new(pass.role, Arc::new(Silent)), Some(place)))
    }
}

impl Door {
    /// One to the sessions of a server. All agents share it, as the protocol tells them apart no more; so what one was told of a screen counts
    /// as told.
    pub(crate) fn over(service: Arc<Service>, places: Arc<RequestSlots>) -> Door {
        Door {
            desk: Arc::new(Desk::over(service)),
            gone: Gone::default(),
            asks: Asks::LetIn(places),
        }
    }

    /// What the client reads, without what must not be shown.
    fn answer(&self, done: Result<Reply, Trouble>) -> CallToolResult {
        let service = self.desk.service();
        let covered = |text: &str| ContentBlock::text(service.secrets().text(text));
        match done {
            Ok(reply) => {
                let mut result = CallToolResult::success(vec![covered(&reply.text)]);
                result.structured_content = Some(service.covered(reply.data));
                result.content.extend(reply.png.map(|png| {
                    // The screen behind the picture has its secrets covered already.
                    ContentBlock::image(STANDARD.encode(png), "image/png")
                }));
                result
            }
            Err(trouble) => CallToolResult::error(vec![covered(&trouble.to_string())]),
        }
    }
}
