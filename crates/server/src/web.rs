//! HTTP and WebSocket: many sessions for many clients, and a page on which a person watches and drives them.
//!
//! A request passes, in this order: the listener, which bounds how many connections there are and how long their heads may take
//! (`web/listener.rs`); the guard, which asks from where it comes and who sends it (`web/guard.rs`, with `web/hosts.rs` and `web/gate.rs`); and
//! whoever answers it: sessions (`web/sessions.rs`), what they show (`web/buffer.rs`, `web/stream.rs`), what is done to them (`web/input.rs`),
//! what is kept of them (`web/cassettes.rs`), JSON-RPC (`web/rpc.rs`), MCP (`web/mcp.rs`), the page (`web/page.rs`). All of them ask the same service (`web/ask.rs`).

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::routing::{get, post};
use screentest::Clock;
use tokio::sync::{Mutex, Semaphore, oneshot};

use crate::service::client::ClientHandle;
use crate::service::{NoNotifications, Service, Settings};

mod answer;
mod ask;
mod body;
mod buffer;
mod cassettes;
mod exchange;
mod gate;
mod guard;
mod hosts;
mod input;
mod limits;
mod listener;
mod login;
mod mcp;
mod metrics;
mod openapi;
mod page;
mod refusal;
mod rpc;
mod sessions;
mod sockets;
mod stream;

pub use crate::service::client::Role;
pub use crate::service::stop::Stop;
#[doc(hidden)]
pub use exchange::Exchange;
pub use gate::{Gate, TokenError, Tokens};
pub(crate) use guard::Pass;
use hosts::Hosts;
use limits::Bucket;
pub(crate) use limits::{Place, Places};
pub use listener::Listeners;
use mcp::Agents;
use metrics::Metrics;

/// How a server is set up.
#[derive(Debug)]
pub struct Options {
    /// Who comes in.
    pub tokens: Tokens,
    /// Nobody may do more than look.
    pub read_only: bool,
    /// How long a session stays open of which nobody wants anything; forever where this is nothing.
    pub idle: Option<Duration>,
    /// How long the server stays while no session is open; forever where this is nothing.
    pub linger: Option<Duration>,
    /// How the server may be called besides its own address.
    pub hosts: Vec<String>,
}

/// How many files may be under way at once: who reads slowly holds a thread meanwhile.
const MOST_DOWNLOADS: usize = 16;

/// How many requests a second all clients together may send, and how many at once; those who may only look as many again.
const RATE: u32 = 2000;

/// The same for those who ask what needs no pass: they are not to keep out who has one.
const OPEN_RATE: u32 = 200;

/// How many wrong tokens and codes a second are answered as such.
const GUESSES: u32 = 10;

/// A server at work.
#[derive(Debug)]
pub(crate) struct Web {
    pub(crate) service: Arc<Service>,
    pub(crate) gate: Gate,
    pub(crate) hosts: Hosts,
    /// How long a session stays open of which nobody wants anything.
    pub(crate) idle: Option<Duration>,
    /// How long the server stays while no session is open.
    pub(crate) linger: Option<Duration>,
    pub(crate) metrics: Metrics,
    pub(crate) places: Arc<Places>,
    /// Whoever opens a session has this until it has its name.
    pub(crate) opening: Mutex<()>,
    /// Files that are under way, each on a thread of its own for as long as its reader takes.
    pub(crate) downloads: Arc<Semaphore>,
    pub(crate) rate: Bucket,
    /// For who may only look: they are not to keep out who may touch.
    pub(crate) look_rate: Bucket,
    /// For what needs no pass.
    pub(crate) open_rate: Bucket,
    pub(crate) guesses: Bucket,
    /// By which answers of this server are told from those of the one before it.
    pub(crate) boot: String,
    stop: Stop,
}

/// Makes links that let a browser in.
#[derive(Debug, Clone)]
pub struct Links(Arc<Web>);

impl Links {
    /// One that works once; `None` where nothing listens on the network.
    pub fn another(&self, role: Role) -> io::Result<Option<String>> {
        self.0.login_link(role)
    }
}

/// A server that is about to serve.
#[derive(Debug)]
pub struct Server {
    web: Arc<Web>,
    listeners: Listeners,
}

impl Server {
    /// Sets one up; whoever connects waits until it serves.
    pub fn new(
        settings: Settings,
        options: Options,
        listeners: Listeners,
        stop: &Stop,
    ) -> io::Result<Server> {
        let clock = Clock::system();
        let web = Web {
            service: Arc::new(Service::new(settings, Arc::new(NoNotifications))),
            gate: Gate::new(options.tokens, options.read_only, clock.clone()),
            hosts: Hosts::new(listeners.address(), options.hosts),
            idle: options.idle,
            linger: options.linger,
            metrics: Metrics::default(),
            places: Arc::default(),
            opening: Mutex::default(),
            downloads: Arc::new(Semaphore::new(MOST_DOWNLOADS)),
            rate: Bucket::new(RATE, clock.clone()),
            look_rate: Bucket::new(RATE, clock.clone()),
            open_rate: Bucket::new(OPEN_RATE, clock.clone()),
            guesses: Bucket::new(GUESSES, clock),
            boot: gate::random()?,
            stop: stop.clone(),
        };
        Ok(Server {
            web: Arc::new(web),
            listeners,
        })
    }

    /// What makes links that let a browser in; it works as long as the server does.
    pub fn links(&self) -> Links {
        Links(Arc::clone(&self.web))
    }

    /// Serves until somebody ends it. When this returns, every program has ended.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .thread_name("screentest-web")
            .max_blocking_threads(limits::MOST_THREADS + MOST_DOWNLOADS + 16)
            .build()?;
        let served = runtime.block_on(serve(&self.web, self.listeners));
        self.web.service.end();
        // Viewers have been told that their session is closed; who does not listen is not waited for.
        runtime.shutdown_timeout(FAREWELL);
        served
    }
}

/// How long programs have to end.
const CLOSING: Duration = Duration::from_secs(30);

/// How long viewers have to be told that a server ends.
const FAREWELL: Duration = Duration::from_secs(1);

async fn serve(web: &Arc<Web>, listeners: Listeners) -> io::Result<()> {
    let idle = tokio::spawn(sessions::end_idle(Arc::clone(web)));
    let agents = Agents::new(web);
    let served = tokio::select! {
        served = listeners.serve(web, router(web, &agents)) => served,
        () = web.stop.requested() => Ok(()),
        () = sessions::all_gone(web) => Ok(()),
    };
    idle.abort();
    agents.end();
    let service = Arc::clone(&web.service);
    // Programs end, and what is recorded of them is complete, while viewers can still be told. Not on a thread that a request could hold.
    let (tell, ended) = oneshot::channel();
    let closing = std::thread::Builder::new().spawn(move || {
        service.close_all();
        // Nobody waits any more where it took too long.
        let _ = tell.send(());
    });
    if closing.is_ok() {
        let _ = tokio::time::timeout(CLOSING, ended).await;
    }
    web.viewers_left().await;
    served
}

fn router(web: &Arc<Web>, agents: &Agents) -> Router {
    Router::new()
        .route("/healthz", get(metrics::health))
        .route("/metrics", get(metrics::tell))
        .route("/login", get(login::enter))
        .route("/api/login-link", post(login::link))
        .route("/api/openapi.json", get(openapi::document))
        .route("/api/me", get(login::me))
        .route("/api/sessions", get(sessions::list).post(sessions::create))
        .route(
            "/api/sessions/{id}",
            get(sessions::one).delete(sessions::delete),
        )
        .route("/api/sessions/{id}/buffer", get(buffer::read))
        .route(
            "/api/sessions/{id}/cassette",
            get(cassettes::running)
                .post(cassettes::start)
                .delete(cassettes::stop),
        )
        .route("/api/sessions/{id}/cassette/marks", post(cassettes::mark))
        .route("/api/cassettes", get(cassettes::list))
        .route("/api/cassettes/{name}", get(cassettes::one))
        .route("/api/cassettes/{name}/frames", get(cassettes::frames))
        .route("/api/cassettes/{name}/download", get(cassettes::download))
        .route("/api/sessions/{id}/input", post(input::input))
        .route("/api/sessions/{id}/resize", post(input::resize))
        .route("/api/sessions/{id}/signal", post(input::signal))
        .route("/api/sessions/{id}/stream", get(stream::one))
        .route("/api/stream", get(stream::many))
        .route_service("/mcp", agents.service())
        .route("/rpc", get(rpc::socket).post(rpc::answer))
        .fallback(page::file)
        .method_not_allowed_fallback(refusal::wrong_method)
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(web),
            guard::check,
        ))
        .layer(axum::extract::DefaultBodyLimit::max(body::LARGEST))
        .with_state(Arc::clone(web))
}

impl Web {
    /// Waits a moment until all viewers were told that their session is closed.
    async fn viewers_left(&self) {
        let until = tokio::time::Instant::now() + FAREWELL;
        while self.metrics.viewers.load(Ordering::Relaxed) > 0
            && tokio::time::timeout_at(until, self.metrics.left.notified())
                .await
                .is_ok()
        {}
    }

    /// Somebody who asks and is told nothing else.
    pub(crate) fn caller(&self, role: Role) -> ClientHandle {
        ClientHandle::new(role, Arc::new(NoNotifications))
    }

    /// Ends the server, if a client asked for it.
    pub(crate) fn end_if_asked(&self) {
        if self.service.is_shutting_down() {
            self.stop.now();
        }
    }
}
