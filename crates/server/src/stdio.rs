//! JSON-RPC 2.0 on a pair of pipes, one message per line.
//!
//! ```text
//! reader ──► RequestQueue ──► worker ──► OutputQueue ──► writer
//!    └─ `cancel` is handled at once          ▲             │
//!                     notifications ─────────┘    watchdog, hangup
//! ```
//!
//! The reader handles `cancel` itself, so that it overtakes queued requests. The worker executes
//! requests in order. The writer has its own thread, so that the worker continues while the client
//! reads slowly. The watchdog and the hangup thread detect clients that no longer read.
//!
//! The worker ends [`run`] after the last request, or after `server.shutdown`. The writer, the
//! watchdog and the hangup thread end it if the client no longer reads. The work of the other
//! threads is then abandoned.
//!
//! See also: `stdio/line_reader.rs` (lines of bounded length), `stdio/request_queue.rs` (queued
//! requests), `stdio/writer.rs` (queued output), `stdio/hangup.rs` (closed pipes).

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use screentest::clock::Clock;
use screentest::session::Interrupt;
use serde::Serialize;
use serde_json::Value;

use crate::method::CancelResponse;
use crate::service::recording::Direction;
use crate::service::{Service, ServiceSettings, lock};
use crate::wire::message::{self, RequestHead, RequestId, RpcRequest};
use crate::wire::{ErrorCode, RpcError};
use line_reader::{StdioLine, StdioLineReader};
use request_queue::{CancelOutcome, QueuedInput, RequestQueue};
use writer::OutputQueue;

mod hangup;
mod line_reader;
mod request_queue;
mod writer;

/// Why a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// The client called `server.shutdown`.
    ShutDown,
    /// The input ended and all requests have been answered.
    EndOfInput,
    /// [`StdioStop::now`] was called.
    Stopped,
    /// The client closed the output.
    OutputClosed,
    /// The client has not read anything for [`NOT_READ`].
    NotRead,
}

/// How long a client may leave output unread.
pub const NOT_READ: Duration = Duration::from_secs(30);

/// How long a client may take to read the last responses after a shutdown.
const SHUTDOWN_FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Stops a server from another thread. A clone stops the same server.
#[derive(Debug, Clone, Default)]
pub struct StdioStop(Arc<StopState>);

#[derive(Debug, Default)]
struct StopState {
    reason: Mutex<Option<EndReason>>,
    changed: Condvar,
}

impl StdioStop {
    /// Stops the server at once.
    pub fn now(&self) {
        self.because(EndReason::Stopped);
    }

    /// Stops the server for a reason. Only the first reason counts.
    fn because(&self, reason: EndReason) {
        let mut stored = lock(&self.0.reason);
        stored.get_or_insert(reason);
        self.0.changed.notify_all();
    }

    fn wait(&self) -> EndReason {
        let mut stored = lock(&self.0.reason);
        loop {
            match *stored {
                Some(reason) => return reason,
                None => {
                    let woken = self.0.changed.wait(stored);
                    stored = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// Serves one client until the end of the server. All programs have been killed when this returns.
/// The caller should then exit the process, because a thread may still be blocked in a read or
/// write.
pub fn run(
    settings: ServiceSettings,
    input: impl Read + Send + 'static,
    output: impl Write + AsFd + Send + 'static,
    stop: &StdioStop,
) -> io::Result<EndReason> {
    let watched_output = output.as_fd().try_clone_to_owned()?;
    let output_queue = Arc::new(OutputQueue::new(Clock::system()));
    let service = Arc::new(Service::new(settings, Arc::clone(&output_queue) as _));
    let server = Arc::new(StdioServer {
        requests: RequestQueue::default(),
        service: Arc::clone(&service),
        output: Arc::clone(&output_queue),
        stop: stop.clone(),
    });
    let spawn = |name: &str, work: Box<dyn FnOnce(&StdioServer) + Send>| {
        let server = Arc::clone(&server);
        let thread = thread::Builder::new().name(format!("screentest-{name}"));
        thread.spawn(move || work(&server)).map(drop)
    };
    spawn("writer", Box::new(move |server| server.write(output)))?;
    spawn("watchdog", Box::new(StdioServer::watch_progress))?;
    spawn(
        "hangup",
        Box::new(move |server| server.watch_hangup(&watched_output)),
    )?;
    spawn("worker", Box::new(StdioServer::work))?;
    spawn("reader", Box::new(move |server| server.read(input)))?;
    let reason = stop.wait();
    service.kill();
    match reason {
        EndReason::EndOfInput => output_queue.finish(NOT_READ),
        EndReason::ShutDown => output_queue.finish(SHUTDOWN_FLUSH_TIMEOUT),
        EndReason::Stopped | EndReason::OutputClosed | EndReason::NotRead => {}
    }
    service.end();
    Ok(reason)
}

/// The state that all threads share.
#[derive(Debug)]
struct StdioServer {
    requests: RequestQueue,
    service: Arc<Service>,
    output: Arc<OutputQueue>,
    stop: StdioStop,
}

/// Reading.
impl StdioServer {
    fn read(&self, input: impl Read) {
        // After a panic nothing is read any more, which is handled like the end of the input.
        let _ = catch_unwind(AssertUnwindSafe(|| self.read_lines(input)));
        self.requests.push(QueuedInput::End);
    }

    fn read_lines(&self, input: impl Read) {
        let mut lines = StdioLineReader::new(input);
        loop {
            let item = match lines.next() {
                Ok(StdioLine::Bytes(bytes)) if bytes.trim_ascii().is_empty() => continue,
                Ok(StdioLine::Bytes(bytes)) => {
                    let head = RequestHead::of(&bytes);
                    if head.is_call_to("cancel")
                        && let Ok(request) = message::parse_request(&bytes)
                    {
                        self.cancel(&request, &bytes);
                        continue;
                    }
                    QueuedInput::Line {
                        id: head.id(),
                        bytes,
                    }
                }
                Ok(StdioLine::TooLong) => QueuedInput::TooLong,
                // A read error is handled like the end of the input.
                Ok(StdioLine::End) | Err(_) => return,
            };
            self.requests.push(item);
        }
    }

    /// Handles a `cancel` request.
    fn cancel(&self, request: &RpcRequest, bytes: &[u8]) {
        self.record_request(bytes);
        let outcome = match request.params.get("id").and_then(RequestId::of) {
            None => Err(RpcError::invalid_params("missing field `id`")),
            Some(id) => Ok(CancelResponse::new(self.cancel_request(&id))),
        };
        if request.id.is_some() {
            self.respond(request.id.as_ref(), outcome);
        }
    }

    /// Cancels the request with this id. Returns whether there was one.
    fn cancel_request(&self, id: &RequestId) -> bool {
        match self.requests.cancel(id) {
            Some(CancelOutcome::Queued(id, bytes)) => {
                self.record_request(&bytes);
                self.respond_error(Some(&id), cancelled());
                true
            }
            // The worker sends the response.
            Some(CancelOutcome::InProgress) => true,
            None => false,
        }
    }
}

/// Executing requests.
impl StdioServer {
    fn work(&self) {
        loop {
            let (item, interrupt) = self.requests.pop();
            match item {
                QueuedInput::End => return self.stop.because(EndReason::EndOfInput),
                QueuedInput::TooLong => {
                    let max = StdioLineReader::<io::Empty>::MAX_BYTES;
                    let details = format!("a line has more than {max} bytes");
                    self.record_request(&[]);
                    self.respond_error(None, RpcError::new(ErrorCode::Parse, details));
                }
                QueuedInput::Line { bytes, .. } => {
                    self.record_request(&bytes);
                    match message::parse_request(&bytes) {
                        Ok(request) => self.call(request, &interrupt),
                        Err(invalid) => self.respond_error(invalid.id.as_ref(), invalid.error),
                    }
                    if self.service.is_shutting_down() {
                        return self.stop.because(EndReason::ShutDown);
                    }
                }
            }
        }
    }

    fn call(&self, request: RpcRequest, interrupt: &Interrupt) {
        let (method, params) = (request.method, request.params);
        // A panic fails this request only. The client keeps its sessions.
        let done = catch_unwind(AssertUnwindSafe(|| {
            self.service.call(&method, params, interrupt)
        }));
        let outcome = done.unwrap_or_else(|_| {
            Err(RpcError::new(
                ErrorCode::Internal,
                format!(
                    "`{method}` failed because of a bug in the server; its stderr has the details"
                ),
            ))
        });
        self.requests.done();
        // A successful `cancel` has been confirmed already, so the response must match it even if
        // the method was faster.
        let outcome = if interrupt.is_raised() {
            Err(cancelled())
        } else {
            outcome
        };
        if request.id.is_some() {
            self.respond(request.id.as_ref(), outcome);
        }
    }
}

fn cancelled() -> RpcError {
    RpcError::new(ErrorCode::Cancelled, "another request cancelled this one")
}

/// Responding and recording.
impl StdioServer {
    fn respond<R: Serialize>(&self, id: Option<&RequestId>, outcome: Result<R, RpcError>) {
        // Errors quote the screen, so they are redacted too.
        let outcome = outcome.map_err(|error| self.service.redact(message::to_value(&error)));
        let line = message::response_line(id, &outcome);
        self.output.send(line);
    }

    fn respond_error(&self, id: Option<&RequestId>, error: RpcError) {
        self.respond::<()>(id, Err(error));
    }

    /// Records a request without secrets.
    fn record_request(&self, bytes: &[u8]) {
        let recorder = &self.service.recorder;
        if !recorder.is_active() {
            return;
        }
        let line = String::from_utf8_lossy(bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        let secrets = self.service.secrets();
        if secrets.is_empty() {
            return recorder.write_event(Direction::Request, line);
        }
        // A secret may be written with JSON escapes, so redact the parsed value.
        let line = match serde_json::from_str::<Value>(line) {
            Ok(value) => {
                let redacted = self.service.redact(value.clone());
                if redacted == value {
                    line.to_owned()
                } else {
                    redacted.to_string()
                }
            }
            Err(_) => secrets.text(line).into_owned(),
        };
        recorder.write_event(Direction::Request, &line);
    }

    fn write(&self, output: impl Write) {
        let recorder = &self.service.recorder;
        // Recorded here because this is the order in which the client reads the lines.
        let record = |direction, line: &str| recorder.write_event(direction, line);
        if self.output.run(output, record).is_err() {
            self.stop.because(EndReason::OutputClosed);
        }
    }

    fn watch_hangup(&self, output: &OwnedFd) {
        // If the kernel cannot report hangups, the next write fails instead.
        if hangup::wait(output).is_ok() {
            self.stop.because(EndReason::OutputClosed);
        }
    }

    fn watch_progress(&self) {
        self.output.watch_progress(NOT_READ);
        self.stop.because(EndReason::NotRead);
    }
}
