//! HTTP and WebSocket server: sessions shared by several clients, and a web page to watch and
//! control them.
//!
//! A request passes the listener (`http/listener.rs`: limits on connections and on the time that a
//! request head may take), then the middleware (`auth/middleware.rs`, with `auth/hosts.rs` and
//! `auth.rs`: Host, Origin and credentials), then its handler. Handlers: sessions (`sessions.rs`),
//! their screen (`sessions/buffer.rs`, `stream.rs`, `images.rs`), their input
//! (`sessions/input.rs`), recordings (`cassettes.rs`), JSON-RPC (`rpc.rs`), MCP (`mcp.rs`) and the
//! page (`page.rs`). All except the page use the same [`Service`]. Most calls go through
//! `blocking.rs`, because they may block.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use screentest::clock::Clock;
use tokio::sync::{Mutex, oneshot};

use crate::limits::{FAILED_LOGIN_RATE, PUBLIC_RATE, RATE};
use crate::service::client::ClientHandle;
use crate::service::{NoNotifications, Service, ServiceSettings};

mod auth;
mod blocking;
mod cassettes;
mod http;
mod images;
mod mcp;
mod metrics;
mod openapi;
mod page;
mod rpc;
mod sessions;
mod stream;
mod websocket;

pub use crate::service::client::Role;
pub use crate::service::stop::Stop;
pub(crate) use auth::middleware::Access;
pub use auth::{Auth, TokenError, Tokens};
#[doc(hidden)]
pub use http::in_memory::InMemoryServer;
pub(crate) use http::limits::{Place, Places};
pub use http::listener::Listeners;

use auth::hosts::AllowedHosts;
use auth::{login, middleware};
use http::error;
use http::limits::{self, RateLimiter};
use mcp::McpEndpoint;
use metrics::Metrics;
use sessions::{buffer, input};

/// Options of a server.
#[derive(Debug)]
pub struct WebOptions {
    /// The tokens that clients may authenticate with.
    pub tokens: Tokens,
    /// Read-only: clients may watch but not type.
    pub read_only: bool,
    /// How long an unused session stays open. `None`: forever.
    pub idle: Option<Duration>,
    /// How long the server runs without an open session. `None`: forever.
    pub linger: Option<Duration>,
    /// Host names that the server accepts besides its own address.
    pub hosts: Vec<String>,
}

/// State of a running server, shared by all request handlers.
#[derive(Debug)]
pub(crate) struct Web {
    pub(crate) service: Arc<Service>,
    pub(crate) auth: Auth,
    pub(crate) hosts: AllowedHosts,
    /// How long an unused session stays open.
    pub(crate) idle: Option<Duration>,
    /// How long the server runs without an open session.
    pub(crate) linger: Option<Duration>,
    pub(crate) metrics: Metrics,
    /// Requests that are executed.
    pub(crate) requests: Arc<Places>,
    /// HTTP requests whose response has not been sent completely.
    pub(crate) unanswered: Places,
    /// Open WebSockets.
    pub(crate) sockets: Places,
    /// Sessions watched over streams.
    pub(crate) streams: Arc<Places>,
    /// Held while a new session gets its name, so that two concurrent requests cannot get the same
    /// one.
    pub(crate) naming_session: Mutex<()>,
    /// Downloads, each of which occupies a thread.
    pub(crate) downloads: Places,
    pub(crate) rate_limit: RateLimiter,
    /// For read-only clients, so that they cannot lock out the others.
    pub(crate) read_only_rate_limit: RateLimiter,
    /// For the paths that need no credentials.
    pub(crate) public_rate_limit: RateLimiter,
    pub(crate) failed_login_limit: RateLimiter,
    /// Random id of this process. It is a part of the ETags of screens, so that those of an earlier
    /// process do not match.
    pub(crate) boot_id: String,
    stop: Stop,
}

/// Creates login links for browsers.
#[derive(Debug, Clone)]
pub struct Links(Arc<Web>);

impl Links {
    /// Creates a link that works once. Returns `None` if the server does not listen on the network.
    pub fn another(&self, role: Role) -> io::Result<Option<String>> {
        self.0.create_login_link(role)
    }
}

/// A server whose sockets are open but not served yet.
#[derive(Debug)]
pub struct Server {
    web: Arc<Web>,
    listeners: Listeners,
}

impl Server {
    /// Creates a server. Clients that connect before [`Server::run`] wait until then.
    pub fn new(
        settings: ServiceSettings,
        options: WebOptions,
        listeners: Listeners,
        stop: &Stop,
    ) -> io::Result<Server> {
        let clock = Clock::system();
        let web = Web {
            service: Arc::new(Service::new(settings, Arc::new(NoNotifications))),
            auth: Auth::new(options.tokens, options.read_only, clock.clone()),
            hosts: AllowedHosts::new(listeners.address(), options.hosts),
            idle: options.idle,
            linger: options.linger,
            metrics: Metrics::default(),
            requests: Arc::new(Places::new("requests", |limits| limits.requests)),
            unanswered: Places::new("unanswered requests", |limits| limits.unanswered),
            sockets: Places::new("WebSockets", |limits| limits.sockets),
            streams: Arc::new(Places::new("streams", |limits| limits.streams)),
            naming_session: Mutex::default(),
            downloads: Places::new("downloads", |limits| limits.downloads),
            rate_limit: RateLimiter::new(RATE, clock.clone()),
            read_only_rate_limit: RateLimiter::new(RATE, clock.clone()),
            public_rate_limit: RateLimiter::new(PUBLIC_RATE, clock.clone()),
            failed_login_limit: RateLimiter::new(FAILED_LOGIN_RATE, clock),
            boot_id: auth::random_hex()?,
            stop: stop.clone(),
        };
        Ok(Server {
            web: Arc::new(web),
            listeners,
        })
    }

    /// Returns a handle that creates login links. It works as long as the server runs.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.web))
    }

    /// Serves until the server is stopped. When this returns, every program has ended.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("screentest-web")
            .max_blocking_threads(limits::MAX_THREADS)
            .build()?;
        let served = runtime.block_on(serve(&self.web, self.listeners));
        self.web.service.end();
        // Viewers were notified that their sessions are closed. Clients that do not read are not
        // waited for.
        runtime.shutdown_timeout(VIEWER_GRACE);
        served
    }
}

/// How long programs may take to end when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long the server waits at the end for viewers to receive that their session is closed.
const VIEWER_GRACE: Duration = Duration::from_secs(1);

async fn serve(web: &Arc<Web>, listeners: Listeners) -> io::Result<()> {
    let idle = tokio::spawn(sessions::close_idle(Arc::clone(web)));
    let mcp_endpoint = McpEndpoint::new(web);
    let served = tokio::select! {
        served = listeners.serve(web, router(web, &mcp_endpoint)) => served,
        () = web.stop.requested() => Ok(()),
        () = sessions::wait_until_unused(web) => Ok(()),
    };
    idle.abort();
    mcp_endpoint.stop();
    let service = Arc::clone(&web.service);
    // Closes all sessions, which completes their recordings, while viewers can still be notified.
    // This runs on a separate thread because requests may occupy all threads of the pool.
    let (sender, closed) = oneshot::channel();
    let closing = std::thread::Builder::new().spawn(move || {
        service.close_all();
        // The receiver is gone if closing took longer than the timeout.
        let _ = sender.send(());
    });
    if closing.is_ok() {
        let _ = tokio::time::timeout(CLOSE_TIMEOUT, closed).await;
    }
    web.wait_for_viewers().await;
    served
}

fn router(web: &Arc<Web>, mcp_endpoint: &McpEndpoint) -> Router {
    Router::new()
        .route("/healthz", get(metrics::health))
        .route("/metrics", get(metrics::metrics))
        .route("/login", get(login::login))
        .route("/api/login-link", post(login::link))
        .route("/api/openapi.json", get(openapi::document))
        .route("/api/me", get(login::me))
        .route("/api/sessions", get(sessions::list).post(sessions::create))
        .route(
            "/api/sessions/{id}",
            get(sessions::one).delete(sessions::delete),
        )
        .route("/api/sessions/{id}/buffer", get(buffer::buffer))
        .route("/api/sessions/{id}/images/{hash}", get(images::of_session))
        .route(
            "/api/sessions/{id}/cassette",
            get(cassettes::recording_status)
                .post(cassettes::start)
                .delete(cassettes::stop),
        )
        .route("/api/sessions/{id}/cassette/marks", post(cassettes::mark))
        .route("/api/cassettes", get(cassettes::list))
        .route("/api/cassettes/{name}", get(cassettes::one))
        .route("/api/cassettes/{name}/frames", get(cassettes::frames))
        .route(
            "/api/cassettes/{name}/images/{hash}",
            get(images::of_cassette),
        )
        .route("/api/cassettes/{name}/download", get(cassettes::download))
        .route("/api/sessions/{id}/input", post(input::input))
        .route("/api/sessions/{id}/resize", post(input::resize))
        .route("/api/sessions/{id}/signal", post(input::signal))
        .route("/api/sessions/{id}/stream", get(stream::stream_session))
        .route("/api/stream", get(stream::stream_any))
        .route_service("/mcp", mcp_endpoint.service())
        .route("/rpc", get(rpc::socket).post(rpc::post))
        .fallback(page::file)
        .method_not_allowed_fallback(error::method_not_allowed)
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(web),
            middleware::check,
        ))
        .layer(axum::extract::DefaultBodyLimit::max(
            Role::Full.limits().request_bytes,
        ))
        .with_state(Arc::clone(web))
}

impl Web {
    /// Waits a short time until all viewers have received that their session is closed.
    async fn wait_for_viewers(&self) {
        let until = tokio::time::Instant::now() + VIEWER_GRACE;
        while self.metrics.viewers.load(Ordering::Relaxed) > 0
            && tokio::time::timeout_at(until, self.metrics.viewer_left.notified())
                .await
                .is_ok()
        {}
    }

    /// Creates a client that receives no notifications.
    pub(crate) fn caller(&self, role: Role) -> ClientHandle {
        ClientHandle::new(role, Arc::new(NoNotifications))
    }

    /// Stops the server if a client requested a shutdown.
    pub(crate) fn stop_if_requested(&self) {
        if self.service.is_shutting_down() {
            self.stop.now();
        }
    }
}
