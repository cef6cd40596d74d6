//! MCP over HTTP: agents use the sessions that other clients use.
//!
//! See also: `mcp.rs` of the crate (the protocol and its tools), `auth/middleware.rs` (Host, Origin
//! and tokens).

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::mcp::McpServer;
use crate::service::client::Role;
use crate::web::Web;

/// The MCP endpoint of a server.
pub(super) struct McpEndpoint {
    server: McpServer,
    config: StreamableHttpServerConfig,
}

impl McpEndpoint {
    pub(super) fn new(web: &Web) -> McpEndpoint {
        // The middleware has already checked Host and Origin, with the server's list of names.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_max_request_body_bytes(Role::Full.limits().request_bytes)
            // The server sends nothing that an agent did not request, so no protocol session has to
            // be kept.
            .with_legacy_session_mode(false)
            .with_json_response(true);
        McpEndpoint {
            server: McpServer::shared(Arc::clone(&web.service), Arc::clone(&web.requests)),
            config,
        }
    }

    /// Returns the service of the route.
    pub(super) fn service(&self) -> StreamableHttpService<McpServer, LocalSessionManager> {
        let server = self.server.clone();
        StreamableHttpService::new(
            move || Ok(server.clone()),
            Arc::default(),
            self.config.clone(),
        )
    }

    /// Ends open connections of agents.
    pub(super) fn stop(&self) {
        self.config.cancellation_token.cancel();
    }
}
