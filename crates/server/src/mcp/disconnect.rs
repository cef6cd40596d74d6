//! Detects that a client has disconnected, as soon as its input ends.
//!
//! The SDK lets calls continue for some seconds after the end of the input, so that their results
//! can still be read. A call that waits for a screen would then wait although its client is gone.
//! Therefore the calls are notified when the end of the input is read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;

/// Whether a client has disconnected. Clones share the flag.
#[derive(Debug, Clone)]
pub(super) struct DisconnectFlag(watch::Sender<bool>);

impl Default for DisconnectFlag {
    fn default() -> DisconnectFlag {
        DisconnectFlag(watch::Sender::new(false))
    }
}

impl DisconnectFlag {
    /// Returns a receiver for changes of the flag.
    pub(super) fn subscribe(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }
}

/// An input that sets the flag at its end.
#[derive(Debug)]
pub(super) struct DisconnectWatch<R> {
    pub(super) input: R,
    pub(super) disconnected: DisconnectFlag,
}

impl<R: AsyncRead + Unpin> AsyncRead for DisconnectWatch<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let read = ready!(Pin::new(&mut self.input).poll_read(context, buffer));
        if read.is_err() || (room > 0 && buffer.filled().len() == before) {
            self.disconnected.0.send_replace(true);
        }
        Poll::Ready(read)
    }
}
