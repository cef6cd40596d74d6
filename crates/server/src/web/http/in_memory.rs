//! A server without a listener, which gets requests as bytes and returns the responses as bytes.
//! Only the fuzz targets use it (`service/fuzz_entry.rs`).
//!
//! Requests take the path of clients of the Unix socket: the HTTP parser, the middleware and the
//! routes.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::service::ServiceSettings;
use crate::web::auth::middleware::Transport;
use crate::web::http::limits::Connection;
use crate::web::http::listener;
use crate::web::mcp::McpEndpoint;
use crate::web::{Listeners, Server, Stop, WebOptions, router};

/// How long a response may take.
const TIMEOUT: Duration = Duration::from_secs(8);

/// A server that gets requests as bytes.
#[derive(Debug)]
pub struct InMemoryServer {
    runtime: Runtime,
    router: axum::Router,
}

impl InMemoryServer {
    /// Creates a server that is not reachable from outside.
    pub fn new(settings: ServiceSettings, options: WebOptions) -> io::Result<InMemoryServer> {
        let listeners = Listeners::default();
        let server = Server::new(settings, options, listeners, &Stop::default())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let router = {
            let _inside = runtime.enter();
            router(&server.web, &McpEndpoint::new(&server.web))
        };
        Ok(InMemoryServer { runtime, router })
    }

    /// Sends the bytes, closes the sending side and returns the response. Fails if that takes too
    /// long.
    pub fn respond(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let (client, server) = UnixStream::pair()?;
        server.set_nonblocking(true)?;
        let sent = bytes.to_vec();
        let (sender, response) = oneshot::channel();
        let closing = client.try_clone()?;
        // On another thread, because request and response may be larger than a socket buffer.
        std::thread::spawn(move || {
            // The receiver is gone after a timeout.
            let _ = sender.send(exchange(client, &sent));
        });
        let serving = async {
            let stream = tokio::net::UnixStream::from_std(server)?;
            let connection = Connection::default();
            let router = self.router.clone();
            listener::serve_connection(stream, Transport::Socket, connection, router).await;
            Ok::<_, io::Error>(())
        };
        // A connection that became a WebSocket is served until its client stops reading.
        let both = async { tokio::join!(serving, response) };
        let both = async { tokio::time::timeout(TIMEOUT, both).await };
        let Ok((served, response)) = self.runtime.block_on(both) else {
            let _ = closing.shutdown(Shutdown::Both);
            return Err(io::ErrorKind::TimedOut.into());
        };
        served?;
        response.map_err(io::Error::other)?
    }
}

fn exchange(mut client: UnixStream, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = client.try_clone()?;
    let sending = || {
        // The server stops reading when it responds early, for example to an invalid request.
        let _ = writer.write_all(bytes);
        let _ = writer.shutdown(Shutdown::Write);
    };
    std::thread::scope(|scope| {
        scope.spawn(sending);
        let mut response = Vec::new();
        client.read_to_end(&mut response)?;
        Ok(response)
    })
}
