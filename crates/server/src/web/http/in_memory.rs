//! Requests as bytes, and what is answered to them, without a listener: for the fuzz targets of this project (`probe.rs`).
//!
//! All else is as it is for who comes by the socket of the owner: the reader of HTTP, the guard, the routes.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::service::Settings;
use crate::web::auth::middleware::Line;
use crate::web::http::listener;
use crate::web::mcp::Agents;
use crate::web::{Listeners, Options, Server, Stop, router};

/// How long an answer may take to come.
const PATIENCE: Duration = Duration::from_secs(8);

/// A server to which bytes are given.
#[derive(Debug)]
pub struct Exchange {
    runtime: Runtime,
    router: axum::Router,
}

impl Exchange {
    /// One that nobody else reaches.
    pub fn new(settings: Settings, options: Options) -> io::Result<Exchange> {
        let listeners = Listeners::default();
        let server = Server::new(settings, options, listeners, &Stop::default())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let router = {
            let _inside = runtime.enter();
            router(&server.web, &Agents::new(&server.web))
        };
        Ok(Exchange { runtime, router })
    }

    /// What is answered to these bytes once nothing follows them. An error where that took too long.
    pub fn answer(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let (client, server) = UnixStream::pair()?;
        server.set_nonblocking(true)?;
        let sent = bytes.to_vec();
        let (tell, heard) = oneshot::channel();
        let closing = client.try_clone()?;
        // On a thread of its own: what is sent and answered may be more than a socket holds.
        std::thread::spawn(move || {
            // Nobody waits any more where it took too long.
            let _ = tell.send(talk(client, &sent));
        });
        let serving = async {
            let stream = tokio::net::UnixStream::from_std(server)?;
            listener::connection(stream, Line::Socket, self.router.clone()).await;
            Ok::<_, io::Error>(())
        };
        // What became a socket of its own is served on until nothing more is heard of it.
        let both = async { tokio::join!(serving, heard) };
        let both = async { tokio::time::timeout(PATIENCE, both).await };
        let Ok((served, heard)) = self.runtime.block_on(both) else {
            let _ = closing.shutdown(Shutdown::Both);
            return Err(io::ErrorKind::TimedOut.into());
        };
        served?;
        heard.map_err(io::Error::other)?
    }
}

fn talk(mut client: UnixStream, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = client.try_clone()?;
    let sending = || {
        // Who was answered before all was read is not listened to any more.
        let _ = writer.write_all(bytes);
        let _ = writer.shutdown(Shutdown::Write);
    };
    std::thread::scope(|scope| {
        scope.spawn(sending);
        let mut heard = Vec::new();
        client.read_to_end(&mut heard)?;
        Ok(heard)
    })
}
