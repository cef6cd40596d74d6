//! Where connections come in.
//!
//! How many there are at once is bounded, and so is the time that the head of a request may take: who sends it letter by letter, or nothing at
//! all, holds a place only for a while.

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

use crate::web::Web;
use crate::web::auth::middleware::Line;

/// How many connections there may be at once from the network, and as many from the socket.
const MOST_CONNECTIONS: usize = 2048;

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(5);

/// Where a server listens.
#[derive(Debug, Default)]
pub struct Listeners {
    /// On the network.
    pub network: Option<std::net::TcpListener>,
    /// On a socket of the owner.
    pub socket: Option<std::os::unix::net::UnixListener>,
}

impl Listeners {
    /// Where on the network.
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
                // A key that is typed goes out at once.
                let _ = stream.set_nodelay(true);
                Ok(stream)
            };
            take(web, Line::Network, &router, next).await
        };
        let socket = async {
            let Some(listener) = self.socket else {
                return std::future::pending().await;
            };
            listener.set_nonblocking(true)?;
            let listener = UnixListener::from_std(listener)?;
            let next = async || Ok(listener.accept().await?.0);
            take(web, Line::Socket, &router, next).await
        };
        tokio::select! {
            served = network => served,
            served = socket => served,
        }
    }
}

/// Takes one connection after another, as long as there are places.
async fn take<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    web: &Web,
    line: Line,
    router: &Router,
    next: impl AsyncFn() -> io::Result<S>,
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let Ok(stream) = next().await else {
            web.metrics.not_accepted.fetch_add(1, Ordering::Relaxed);
            // One that could not be taken, for want of descriptors mostly, will be there again at once.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let serving = connection(stream, line, router.clone());
        tokio::spawn(async move {
            serving.await;
            drop(place);
        });
    }
}

pub(crate) async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    line: Line,
    router: Router,
) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(line);
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
        .header_read_timeout(HEAD)
        .max_buf_size(64 << 10);
    let serving = builder.serve_connection(TokioIo::new(stream), service);
    // Whoever breaks the protocol or goes away in the middle has only themselves to tell.
    let _ = serving.with_upgrades().await;
}
