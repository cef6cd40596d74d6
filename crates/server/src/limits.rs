//! Limits on the resources of a server.
//!
//! They keep one client from using up the memory, the threads or the sockets that the others need.
//! Read-only clients have limits of their own, so that there is always room for the owner.
//! `docs/web.md` and `docs/formats/json-rpc.md` list the limits for users.

use std::time::Duration;

use crate::service::client::Role;

/// The most steps of a `batch`, including those of nested batches.
pub(crate) const MAX_BATCH_STEPS: usize = 1000;

/// The largest result of a method, in bytes of JSON, and the largest answer of an HTTP endpoint
/// that returns rows. The state of a screen of 200 columns with 10,000 rows of scrollback has about
/// a quarter of that.
pub(crate) const MAX_ANSWER_BYTES: usize = 16 << 20;

/// Answers up to this size reserve no memory: most are smaller, and each occupies a request's place
/// anyway.
pub(crate) const UNRESERVED_BYTES: usize = 64 << 10;

/// The most matches and groups that one `extract` returns.
pub(crate) const MAX_EXTRACTED: usize = 100_000;

/// The most cells of all terminals of a server together: five of the largest size, or 10,000 of
/// 80×24.
pub(crate) const MAX_CELLS: usize = 20_000_000;

/// The most characters of a session's key or name.
pub(crate) const MAX_NAME_CHARS: usize = 128;

/// The most names of open sessions that an error lists.
pub(crate) const MAX_LISTED_NAMES: usize = 20;

/// The most characters of a command line that a list of sessions shows.
pub(crate) const MAX_LISTED_COMMAND_CHARS: usize = 4096;

/// The most characters of a wrong value that an error quotes.
pub(crate) const MAX_QUOTED_CHARS: usize = 40;

/// How long an answer waits for memory that other answers use.
pub(crate) const ANSWER_MEMORY_TIMEOUT: Duration = Duration::from_secs(2);

/// The most connections from the network. The Unix socket has a separate limit of the same size.
pub(crate) const MAX_CONNECTIONS: usize = 2048;

/// The most sessions that one stream may watch.
pub(crate) const MAX_CHANNELS: usize = 512;

/// The most requests of one WebSocket that may wait.
pub(crate) const MAX_WAITING: usize = 64;

/// The most requests per second over the network of all clients of a role together, and the largest
/// burst.
pub(crate) const RATE: u32 = 2000;

/// Like [`RATE`], for the paths that need no credentials (`/healthz`, `/login`). The separate limit
/// keeps such requests from locking out authenticated clients.
pub(crate) const PUBLIC_RATE: u32 = 200;

/// The most failed logins per second that are answered with 401; further ones get 429.
pub(crate) const FAILED_LOGIN_RATE: u32 = 10;

/// How long a client may leave a response unread before it is disconnected.
pub(crate) const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// Limits on all clients of one role together, except where noted.
#[derive(Debug)]
pub(crate) struct RoleLimits {
    /// Requests that are executed at the same time; each occupies a thread.
    pub(crate) requests: usize,
    /// HTTP requests that are not completely answered yet. Each occupies a connection.
    pub(crate) unanswered: usize,
    /// Open WebSockets.
    pub(crate) sockets: usize,
    /// Downloads; each occupies a thread for as long as its client reads.
    pub(crate) downloads: usize,
    /// Sessions watched over streams, counted once per channel.
    pub(crate) streams: usize,
    /// Subscriptions to one session.
    pub(crate) subscriptions: usize,
    /// Bytes of answers that are being built or have not been sent yet.
    pub(crate) answer_bytes: usize,
    /// Bytes of one HTTP body or one WebSocket message.
    pub(crate) request_bytes: usize,
    /// Bytes of the requests of one WebSocket that may wait.
    pub(crate) waiting_bytes: usize,
}

impl Role {
    /// Returns the limits on the clients of this role.
    pub(crate) const fn limits(self) -> &'static RoleLimits {
        match self {
            Role::Full => &RoleLimits {
                requests: 400,
                unanswered: MAX_CONNECTIONS,
                sockets: 1024,
                downloads: 16,
                streams: 8192,
                subscriptions: 64,
                answer_bytes: 512 << 20,
                request_bytes: 1 << 20,
                waiting_bytes: 16 << 20,
            },
            // A request that only reads is short. Parsed JSON takes up to 16 times its length.
            Role::ReadOnly => &RoleLimits {
                requests: 200,
                unanswered: 512,
                sockets: 256,
                downloads: 8,
                streams: 1024,
                subscriptions: 64,
                answer_bytes: 128 << 20,
                request_bytes: 64 << 10,
                waiting_bytes: 256 << 10,
            },
        }
    }
}
