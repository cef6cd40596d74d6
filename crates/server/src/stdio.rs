//! JSON-RPC 2.0 on a pair of pipes: a message on each line.
//!
//! One thread reads, so that a `cancel` overtakes what waits; one does what is asked, in the order in which it came; one writes, so
//! that a client which does not read holds up nobody but itself. Two watch whether it still does. Whichever of them comes to an end,
//! [`run`] returns: what is still under way then is left where it stands.
//!
//! Elsewhere: lines of any bytes (`stdio/lines.rs`), what waits to be done (`stdio/queue.rs`), what waits to be read
//! (`stdio/writer.rs`), whether anybody could read it (`stdio/hangup.rs`).

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use screentest::{Clock, Interrupt};
use serde_json::Value;

use crate::method::Cancelled;
use crate::recording::Direction;
use crate::service::{Service, Settings, lock};
use crate::wire::message::{self, Call, Head, Id};
use crate::wire::{Code, Failure};
use lines::{Line, Lines};
use queue::{Found, Item, Queue};
use writer::Writer;

mod hangup;
mod lines;
mod queue;
mod writer;

/// Why a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// The client asked for it.
    ShutDown,
    /// There was nothing more to read, and all that was asked is answered.
    EndOfInput,
    /// Somebody else ended it, by [`Stop::now`].
    Stopped,
    /// The client does not read any more.
    OutputClosed,
    /// The client has not read for [`NOT_READ`].
    NotRead,
}

/// How long a client may leave what it is sent unread.
pub const NOT_READ: Duration = Duration::from_secs(30);

/// How long the last answers may take to be read once nothing else is left to do.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Ends a server from another thread. A clone is the same one.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<End>);

#[derive(Debug, Default)]
struct End {
    why: Mutex<Option<Ended>>,
    told: Condvar,
}

impl Stop {
    /// Ends it at once.
    pub fn now(&self) {
        self.because(Ended::Stopped);
    }

    /// The first reason counts.
    fn because(&self, why: Ended) {
        let mut told = lock(&self.0.why);
        told.get_or_insert(why);
        self.0.told.notify_all();
    }

    fn wait(&self) -> Ended {
        let mut told = lock(&self.0.why);
        loop {
            match *told {
                Some(why) => return why,
                None => {
                    let woken = self.0.told.wait(told);
                    told = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

/// Serves one client until the end. When this returns, every program has been killed; the caller is expected to leave the process,
/// as a thread may still be about to read or write.
pub fn run(
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + AsFd + Send + 'static,
    stop: &Stop,
) -> io::Result<Ended> {
    let heard = output.as_fd().try_clone_to_owned()?;
    let writer = Arc::new(Writer::new(Clock::system()));
    let service = Arc::new(Service::new(settings, Arc::clone(&writer) as _));
    let door = Arc::new(Door {
        queue: Queue::default(),
        service: Arc::clone(&service),
        writer: Arc::clone(&writer),
        stop: stop.clone(),
    });
    let spawn = |name: &str, work: Box<dyn FnOnce(&Door) + Send>| {
        let door = Arc::clone(&door);
        let thread = thread::Builder::new().name(format!("screentest-{name}"));
        thread.spawn(move || work(&door)).map(drop)
    };
    spawn("writer", Box::new(move |door| door.write(output)))?;
    spawn("watchdog", Box::new(Door::watch))?;
    spawn("hangup", Box::new(move |door| door.hear(&heard)))?;
    spawn("worker", Box::new(Door::work))?;
    spawn("reader", Box::new(move |door| door.read(input)))?;
    let why = stop.wait();
    service.kill();
    match why {
        Ended::EndOfInput => writer.finish(NOT_READ),
        Ended::ShutDown => writer.finish(LAST_WORDS),
        Ended::Stopped | Ended::OutputClosed | Ended::NotRead => {}
    }
    service.end();
    Ok(why)
}

/// What the threads share.
#[derive(Debug)]
struct Door {
    queue: Queue,
    service: Arc<Service>,
    writer: Arc<Writer>,
    stop: Stop,
}

/// Reading.
impl Door {
    fn read(&self, input: impl Read) {
        // After a fault of ours nobody would read any more, and so it is as if nothing more came.
        let _ = catch_unwind(AssertUnwindSafe(|| self.read_lines(input)));
        self.queue.push(Item::End);
    }

    fn read_lines(&self, input: impl Read) {
        let mut lines = Lines::new(input);
        loop {
            let item = match lines.next() {
                Ok(Line::Bytes(bytes)) if bytes.trim_ascii().is_empty() => continue,
                Ok(Line::Bytes(bytes)) => {
                    let head = Head::of(&bytes);
                    if head.asks_for("cancel")
                        && let Ok(call) = message::read(&bytes)
                    {
                        self.cancel(&call, &bytes);
                        continue;
                    }
                    Item::Line {
                        id: head.id(),
                        bytes,
                    }
                }
                Ok(Line::TooLong) => Item::TooLong,
                // What cannot be read is as good as over.
                Ok(Line::End) | Err(_) => return,
            };
            self.queue.push(item);
        }
    }

    /// Cancels a request that waits, or for which something is waited.
    fn cancel(&self, call: &Call, bytes: &[u8]) {
        self.note_request(bytes);
        let outcome = match call.params.get("id").and_then(Id::of) {
            None => Err(Failure::params("missing field `id`")),
            Some(id) => Ok(message::value(&Cancelled::answer(self.cancel_by(&id)))),
        };
        if call.id.is_some() {
            self.answer(call.id.as_ref(), outcome);
        }
    }

    fn cancel_by(&self, id: &Id) -> bool {
        match self.queue.cancel(id) {
            Some(Found::Waiting(id, bytes)) => {
                self.note_request(&bytes);
                self.answer(Some(&id), Err(cancelled()));
                true
            }
            // Whoever does it answers.
            Some(Found::UnderWay) => true,
            None => false,
        }
    }
}

/// Doing.
impl Door {
    fn work(&self) {
        loop {
            let (item, interrupt) = self.queue.pop();
            match item {
                Item::End => return self.stop.because(Ended::EndOfInput),
                Item::TooLong => {
                    let most = Lines::<io::Empty>::MOST;
                    let words = format!("a line has more than {most} bytes");
                    self.note_request(&[]);
                    self.answer(None, Err(Failure::new(Code::Parse, words)));
                }
                Item::Line { bytes, .. } => {
                    self.note_request(&bytes);
                    match message::read(&bytes) {
                        Ok(call) => self.call(call, &interrupt),
                        Err(refused) => self.answer(refused.id.as_ref(), Err(refused.failure)),
                    }
                    if self.service.is_shutting_down() {
                        return self.stop.because(Ended::ShutDown);
                    }
                }
            }
        }
    }

    fn call(&self, call: Call, interrupt: &Interrupt) {
        let (method, params) = (call.method, call.params);
        // A fault of ours costs one request, not the sessions of the client.
        let done = catch_unwind(AssertUnwindSafe(|| {
            self.service.call(&method, params, interrupt)
        }));
        let outcome = done.unwrap_or_else(|_| {
            Err(Failure::new(
                Code::Internal,
                format!("`{method}` met a fault of the server, which stderr tells"),
            ))
        });
        self.queue.done();
        // Who cancelled it was told that it is cancelled. How far it had come is a matter of chance.
        let outcome = match interrupt.is_raised() {
            true => Err(cancelled()),
            false => outcome,
        };
        if call.id.is_some() {
            self.answer(call.id.as_ref(), outcome);
        }
    }
}

fn cancelled() -> Failure {
    Failure::new(Code::Cancelled, "another request cancelled this one")
}

/// Answering.
impl Door {
    fn answer(&self, id: Option<&Id>, outcome: Result<Value, Failure>) {
        // What explains a failure quotes what was shown.
        let outcome = outcome.map_err(|failure| self.service.covered(message::value(&failure)));
        let line = message::answer(id, &outcome);
        self.writer.send(line);
    }

    /// Records what a client sent, without what must not be shown.
    fn note_request(&self, bytes: &[u8]) {
        let recorder = &self.service.recorder;
        if !recorder.is_active() {
            return;
        }
        let line = String::from_utf8_lossy(bytes);
        let line = line.trim_end_matches(['\n', '\r']);
        let secrets = self.service.secrets();
        if secrets.is_empty() {
            return recorder.note(Direction::Request, line);
        }
        // A value may be written with escapes, which only reading it undoes.
        let line = match serde_json::from_str::<Value>(line) {
            Ok(value) => {
                let covered = self.service.covered(value.clone());
                match covered == value {
                    true => line.to_owned(),
                    false => covered.to_string(),
                }
            }
            Err(_) => secrets.text(line).into_owned(),
        };
        recorder.note(Direction::Request, &line);
    }

    fn write(&self, output: impl Write) {
        let recorder = &self.service.recorder;
        // Here is the one order in which the client reads answers and notifications.
        let told = |direction, line: &str| recorder.note(direction, line);
        if self.writer.run(output, told).is_err() {
            self.stop.because(Ended::OutputClosed);
        }
    }

    fn hear(&self, output: &OwnedFd) {
        // Where the kernel cannot say, whoever writes finds out.
        if hangup::wait(output).is_ok() {
            self.stop.because(Ended::OutputClosed);
        }
    }

    fn watch(&self) {
        self.writer.watch(NOT_READ);
        self.stop.because(Ended::NotRead);
    }
}
