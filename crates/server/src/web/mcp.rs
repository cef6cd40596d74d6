//! MCP over HTTP: agents drive the sessions of a server beside everybody else.
//!
//! Elsewhere: what an agent can ask (`mcp.rs`); from where it may come, and with which token (`guard.rs`).

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::{Web, body};
use crate::mcp::McpServer;

/// The agents of a server.
pub(super) struct Agents {
    door: McpServer,
    config: StreamableHttpServerConfig,
}

impl Agents {
    pub(super) fn new(web: &Web) -> Agents {
        // The guard has looked at Host and Origin by then, and knows under which names the server may be reached.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(body::LARGEST)
            // No agent is told anything that it did not ask for, so that a request is all there is to keep.
            .with_legacy_session_mode(false)
            .with_json_response(true);
        Agents {
            door: McpServer::shared(Arc::clone(&web.service), Arc::clone(&web.places)),
            config,
        }
    }

    /// What answers them.
    pub(super) fn service(&self) -> StreamableHttpService<McpServer, LocalSessionManager> {
        let door = self.door.clone();
        StreamableHttpService::new(
            move || Ok(door.clone()),
            Arc::default(),
            self.config.clone(),
        )
    }

    /// Lets go of those who listen.
    pub(super) fn end(&self) {
        self.config.cancellation_token.cancel();
    }
}
