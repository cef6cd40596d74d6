//! MCP for AI agents, on stdin and stdout, or over HTTP next to a server's other interfaces
//! (`web/mcp.rs`).
//!
//! Every character that an agent reads and every call it makes costs tokens. So there are few
//! tools, one call acts, waits and reports, and a report contains only what changed since the
//! agent's last one. Errors are returned as tool results with a next step, because agents see
//! little of protocol errors.
//!
//! See also: `mcp/tool.rs` (the list of tools, one file per tool), `mcp/agent_sessions.rs` (an
//! agent's sessions), `mcp/observation.rs` (reports of a screen), `stdio.rs` (JSON-RPC).

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
use screentest::session::Interrupt;

use crate::service::client::ClientHandle;
use crate::service::request_thread::{RequestThreadError, run_on_thread};
pub use crate::service::stop::Stop;
use crate::service::{NoNotifications, Service, ServiceSettings};
use crate::web::{Access as WebAccess, Place, Places};
use agent_sessions::AgentSessions;
use disconnect::{DisconnectFlag, DisconnectWatch};
use error::ToolError;
use tool::{Reply, Scheduling, TOOLS, Tool};

mod agent_sessions;
mod disconnect;
mod error;
mod observation;
mod schema;
mod tool;
mod wait;

/// The instructions that an agent reads before the list of tools.
const INSTRUCTIONS: &str = "Drives terminal programs. tui_launch starts one and shows its screen; tui_act types, presses, clicks, \
    waits (`until`) and returns the rows that changed. Rows and columns count from 1. Prefer `until` to repeated tui_look. \
    An error describes the screen and the next step.";

/// Why a client could not be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The server's threads could not be started.
    #[error("could not start the server's threads")]
    Start(#[from] io::Error),
    /// The first message was not `initialize`.
    #[error("the client's first message was not `initialize`")]
    Begin(#[source] Box<ServerInitializeError>),
}

/// Serves one client on stdin and stdout until it disconnects or `stop` is called. All programs
/// have been killed when this returns. The caller should then exit the process, because a thread
/// may still be blocked in a read.
///
/// Closes sessions that have had no request for `idle`.
pub fn run(settings: ServiceSettings, idle: Duration, stop: &Stop) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_name("screentest-mcp")
        .build()?;
    let sessions = Arc::new(AgentSessions::new(settings, idle));
    let served = runtime.block_on(serve(&sessions, stop));
    sessions.end();
    runtime.shutdown_background();
    served
}

async fn serve(sessions: &Arc<AgentSessions>, stop: &Stop) -> Result<(), ServeError> {
    let closer = tokio::spawn(AgentSessions::close_idle(Arc::clone(sessions)));
    let disconnected = DisconnectFlag::default();
    let server = McpServer {
        sessions: Arc::clone(sessions),
        disconnected: disconnected.clone(),
        access: Access::Owner,
    };
    let (input, output) = rmcp::transport::stdio_pipes();
    let input = DisconnectWatch {
        input,
        disconnected,
    };
    let serving = async {
        match rmcp::serve_server(server, (input, output)).await {
            Ok(running) => {
                // Closed, cancelled, or a panic in the SDK: in every case the client is gone.
                let _ = running.waiting().await;
                Ok(())
            }
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Begin(Box::new(error))),
        }
    };
    let served = tokio::select! {
        served = serving => served,
        () = stop.requested() => Ok(()),
    };
    closer.abort();
    served
}

/// Handles MCP requests.
#[derive(Debug, Clone)]
pub(crate) struct McpServer {
    sessions: Arc<AgentSessions>,
    disconnected: DisconnectFlag,
    access: Access,
}

/// How the client of a request is determined.
#[derive(Debug, Clone)]
enum Access {
    /// The user who started the server.
    Owner,
    /// The authenticated client of an HTTP request. Each call occupies one of these places.
    Authenticated(Arc<Places>),
}

impl ServerHandler for McpServer {
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
        let tools = TOOLS.iter().map(Tool::description).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    /// Receives malformed requests, whether their method is known or not.
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
            let message = format!(
                "unknown tool `{}`: the tools are {}",
                request.name,
                names.join(", ")
            );
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let sessions = Arc::clone(&self.sessions);
        let (caller, place) = self.access.admit(&context)?;
        // Calls for one session run in the order of their arrival; other sessions do not wait. The
        // tools that close and list sessions do not wait either.
        let queue = match tool.scheduling {
            Scheduling::PerSession => {
                Some(sessions.queue(caller.role, tool, arguments.get("session")))
            }
            Scheduling::Immediate => None,
        };
        let mut disconnected = self.disconnected.subscribe();
        let unwanted = async move {
            tokio::select! {
                () = context.ct.cancelled() => {}
                // An error means that the sender is gone, and with it the server.
                _ = disconnected.wait_for(|flag| *flag) => {}
            }
        };
        tokio::pin!(unwanted);
        let _turn = match &queue {
            Some(queue) => tokio::select! {
                biased;
                () = &mut unwanted => return Ok(self.result(Err(ToolError::cancelled())).into()),
                turn = queue.lock() => Some(turn),
            },
            None => None,
        };
        let interrupt = Interrupt::new();
        let raised = interrupt.clone();
        let done = run_on_thread(caller.role, move || {
            let done = sessions.call(tool, arguments, &caller, &interrupt);
            drop(place);
            done
        });
        tokio::pin!(done);
        let done = tokio::select! {
            done = &mut done => done,
            () = unwanted => {
                raised.raise();
                done.await
            }
        };
        // The agent keeps its sessions.
        let done = done.unwrap_or_else(|error| {
            Err(match error {
                RequestThreadError::NotStarted(_) => {
                    ToolError::new(error.to_string(), "wait a moment, then try again")
                }
                RequestThreadError::Panicked => ToolError::internal(tool.name),
            })
        });
        Ok(self.result(done).into())
    }
}

impl Access {
    /// Returns the client of a request and the place that it occupies.
    fn admit(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<(ClientHandle, Option<Place>), ErrorData> {
        let places = match self {
            Access::Owner => return Ok((ClientHandle::owner(Arc::new(NoNotifications)), None)),
            Access::Authenticated(places) => places,
        };
        let parts = context.extensions.get::<axum::http::request::Parts>();
        let pass = parts.and_then(|parts| parts.extensions.get::<WebAccess>());
        // Authentication runs before this handler. Without its result, deny everything.
        let pass = pass
            .ok_or_else(|| ErrorData::invalid_request("the request is not authenticated", None))?;
        let place = places.take(pass.role);
        let place = place.map_err(|message| ErrorData::internal_error(message, None))?;
        let caller = ClientHandle::new(pass.role, Arc::new(NoNotifications));
        Ok((caller, Some(place)))
    }
}

impl McpServer {
    /// Creates a server for the sessions of a service. All agents share one state, because their
    /// requests do not identify them: a revision that one agent has seen counts as seen for all.
    pub(crate) fn shared(service: Arc<Service>, places: Arc<Places>) -> McpServer {
        McpServer {
            sessions: Arc::new(AgentSessions::shared(service)),
            disconnected: DisconnectFlag::default(),
            access: Access::Authenticated(places),
        }
    }

    /// Converts the outcome of a call to a tool result without secrets.
    fn result(&self, done: Result<Reply, ToolError>) -> CallToolResult {
        let service = self.sessions.service();
        let redacted = |text: &str| ContentBlock::text(service.secrets().text(text));
        match done {
            Ok(reply) => {
                let mut result = CallToolResult::success(vec![redacted(&reply.text)]);
                result.structured_content = Some(service.redact(reply.data));
                result.content.extend(reply.png.map(|png| {
                    // The screen was redacted before it was drawn.
                    ContentBlock::image(STANDARD.encode(png), "image/png")
                }));
                result
            }
            Err(error) => CallToolResult::error(vec![redacted(&error.to_string())]),
        }
    }
}
