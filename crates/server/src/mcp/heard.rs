//! What a client sends, and that it has gone away.
//!
//! The SDK lets calls go on for some seconds after the input has ended, so that their answers may still be read. Whoever waits for a
//! screen then waits for nobody, and so the calls are told as soon as the end is read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

/// Whether a client has gone away. A clone is the same one.
#[derive(Debug, Clone)]
pub(super) struct Gone(watch::Sender<bool>);

impl Default for Gone {
    fn default() -> Gone {
        Gone(watch::Sender::new(false))
    }
}

impl Gone {
    /// For who wants to know.
    pub(super) fn subscribe(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }
}

/// An input that tells of its end.
#[derive(Debug)]
pub(super) struct Heard<R> {
    pub(super) input: R,
    pub(super) gone: Gone,
}

impl<R: AsyncRead + Unpin> AsyncRead for Heard<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let read = ready!(Pin::new(&mut self.input).poll_read(context, buffer));
        if read.is_err() || (room > 0 && buffer.filled().len() == before) {
            self.gone.0.send_replace(true);
        }
        Poll::Ready(read)
    }
}
