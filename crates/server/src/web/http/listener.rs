//! Accepts connections and serves HTTP/1 on them.
//!
//! The number of connections, the time that a request head may take, and the time that a client may
//! leave a response unread are limited, so slow or silent clients cannot occupy all connections.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::sync::Semaphore;
use tower_service::Service as _;

use crate::limits::{MAX_CONNECTIONS, SEND_TIMEOUT};
use crate::web::Web;
use crate::web::auth::{self, middleware::Transport};
use crate::web::http::limits::Connection;
use crate::web::http::send_timeout::SendTimeout;

/// How long the head of a request may take to arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The sockets that a server listens on.
#[derive(Debug, Default)]
pub struct Listeners {
    /// TCP.
    pub network: Option<std::net::TcpListener>,
    /// A Unix socket that only its owner can open.
    pub socket: Option<std::os::unix::net::UnixListener>,
}

impl Listeners {
    /// Returns the TCP address.
    pub fn address(&self) -> Option<SocketAddr> {
        self.network.as_ref()?.local_addr().ok()
    }

    pub(crate) async fn serve(self, web: &Arc<Web>, router: Router) -> io::Result<()> {
        let network = async {
            let Some(listener) = self.network else {
                return std::future::pending().await;
            };
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            let next = async || {
                let (stream, _) = listener.accept().await?;
                // Without Nagle's algorithm, typed keys are sent immediately.
                let _ = stream.set_nodelay(true);
                Ok(stream)
            };
            accept(web, Transport::Network, &router, next).await
        };
        let socket = async {
            let Some(listener) = self.socket else {
                return std::future::pending().await;
            };
            listener.set_nonblocking(true)?;
            let listener = UnixListener::from_std(listener)?;
            let next = async || {
                loop {
                    let (stream, _) = listener.accept().await?;
                    if auth::is_same_user(&stream) {
                        return Ok(stream);
                    }
                    web.metrics.foreign.fetch_add(1, Ordering::Relaxed);
                }
            };
            accept(web, Transport::Socket, &router, next).await
        };
        tokio::select! {
            served = network => served,
            served = socket => served,
        }
    }
}

/// Accepts connections while the limit allows.
async fn accept<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    web: &Web,
    transport: Transport,
    router: &Router,
    next: impl AsyncFn() -> io::Result<S>,
) -> io::Result<()> {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            return Ok(());
        };
        let Ok(stream) = next().await else {
            web.metrics.failed_accepts.fetch_add(1, Ordering::Relaxed);
            // Failures are mostly due to a lack of file descriptors. The connection remains
            // pending, so an immediate retry would fail again.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = Connection::new(permit);
        tokio::spawn(serve_connection(
            stream,
            transport,
            connection,
            router.clone(),
        ));
    }
}

pub(crate) async fn serve_connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    transport: Transport,
    connection: Connection,
    router: Router,
) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(transport);
        request.extensions_mut().insert(connection.clone());
        let mut router = router.clone();
        async move {
            Ok::<_, Infallible>(
                router
                    .call(request)
                    .await
                    .unwrap_or_else(|never| match never {}),
            )
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(64 << 10);
    let stream = TokioIo::new(SendTimeout::new(stream, SEND_TIMEOUT));
    let serving = builder.serve_connection(stream, service);
    // Protocol errors and disconnects concern only the client.
    let _ = serving.with_upgrades().await;
}
