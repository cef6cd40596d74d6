//! Queues output for the client and writes it in order.
//!
//! Responses are never dropped: if too many are queued, senders block. Of notifications with the
//! same key only the newest is queued, at the position of the oldest. The server ends if the client
//! reads nothing for a while although there is output.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest::clock::Clock;

use crate::service::recording::Direction;
use crate::service::{Notification, NotificationSink, lock};
use crate::wire::message;

/// The queued output.
#[derive(Debug)]
pub(super) struct OutputQueue {
    clock: Clock,
    pending: Mutex<PendingOutput>,
    /// Notified when there is something to write, or room for more.
    changed: Condvar,
    /// Notified when the writing of a line begins.
    writing_started: Condvar,
}

#[derive(Debug, Default)]
struct PendingOutput {
    items: VecDeque<QueuedOutput>,
    /// Total length of all queued responses.
    bytes: usize,
    notifications: BTreeMap<String, Notification>,
    writing: bool,
    /// When the client last read something, or when the writing of a line began, if that is later.
    last_progress: Duration,
    closed: bool,
}

#[derive(Debug)]
enum QueuedOutput {
    Response(String),
    /// The notification with this key.
    Notification(String),
}

impl PendingOutput {
    /// Returns whether there is room for a response of this length.
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes == 0 || self.bytes + bytes <= OutputQueue::MAX_BYTES
    }
}

impl OutputQueue {
    /// Maximum length of all queued responses. A longer response is queued alone.
    const MAX_BYTES: usize = 8 << 20;
    /// Number of bytes per write. Small enough to distinguish a slow client from one that does not
    /// read.
    const CHUNK: usize = 64 << 10;

    pub(super) fn new(clock: Clock) -> OutputQueue {
        OutputQueue {
            clock,
            pending: Mutex::default(),
            changed: Condvar::new(),
            writing_started: Condvar::new(),
        }
    }

    /// Queues a response. Blocks until there is room.
    pub(super) fn send(&self, line: String) {
        let mut pending = self.pending();
        while !pending.closed && !pending.has_room(line.len()) {
            pending = self.wait(pending);
        }
        pending.bytes += line.len();
        pending.items.push_back(QueuedOutput::Response(line));
        self.changed.notify_all();
    }

    /// Writes queued output until a write fails. Calls `record` for every line just before it is
    /// written.
    pub(super) fn run(
        &self,
        mut output: impl Write,
        record: impl Fn(Direction, &str),
    ) -> io::Result<()> {
        loop {
            let (direction, line) = self.next();
            record(direction, &line);
            let written = self.write(&mut output, line);
            let mut pending = self.pending();
            pending.writing = false;
            pending.closed |= written.is_err();
            self.changed.notify_all();
            drop(pending);
            written?;
        }
    }

    fn next(&self) -> (Direction, String) {
        let mut pending = self.pending();
        loop {
            let item = pending.items.pop_front();
            let notification = match item {
                Some(QueuedOutput::Response(line)) => {
                    pending.bytes -= line.len();
                    self.begin(&mut pending);
                    return (Direction::Response, line);
                }
                Some(QueuedOutput::Notification(key)) => pending.notifications.remove(&key),
                None => {
                    pending = self.wait(pending);
                    continue;
                }
            };
            if let Some(notification) = notification {
                self.begin(&mut pending);
                drop(pending);
                let line = message::notification_line(notification.method, &notification.params);
                return (Direction::Notification, line);
            }
        }
    }

    fn begin(&self, pending: &mut PendingOutput) {
        pending.writing = true;
        pending.last_progress = self.clock.now();
        self.writing_started.notify_one();
    }

    fn write(&self, output: &mut impl Write, mut line: String) -> io::Result<()> {
        line.push('\n');
        for chunk in line.as_bytes().chunks(OutputQueue::CHUNK) {
            output.write_all(chunk)?;
            self.pending().last_progress = self.clock.now();
        }
        output.flush()
    }

    /// Blocks until the client has read nothing for `limit` although there is output.
    pub(super) fn watch_progress(&self, limit: Duration) {
        let mut pending = self.pending();
        loop {
            let since = self.clock.now().saturating_sub(pending.last_progress);
            pending = if since < limit {
                // Sleeps until the limit could be reached, without being woken by every line.
                let never = Condvar::new();
                let woken = never.wait_timeout(pending, limit - since);
                woken.unwrap_or_else(PoisonError::into_inner).0
            } else if pending.writing {
                return;
            } else {
                let woken = self.writing_started.wait(pending);
                woken.unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    /// Blocks until all queued output is written, at most for `limit`.
    pub(super) fn finish(&self, limit: Duration) {
        let until = self.clock.now().saturating_add(limit);
        let mut pending = self.pending();
        while !pending.closed && (pending.writing || !pending.items.is_empty()) {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return;
            }
            let woken = self.changed.wait_timeout(pending, left);
            pending = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn pending(&self) -> MutexGuard<'_, PendingOutput> {
        lock(&self.pending)
    }

    fn wait<'a>(&self, pending: MutexGuard<'a, PendingOutput>) -> MutexGuard<'a, PendingOutput> {
        let woken = self.changed.wait(pending);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}

impl NotificationSink for OutputQueue {
    fn notify(&self, notification: Notification) {
        let mut pending = self.pending();
        let key = notification.key.clone();
        if pending
            .notifications
            .insert(key.clone(), notification)
            .is_none()
        {
            pending.items.push_back(QueuedOutput::Notification(key));
        }
        self.changed.notify_all();
    }

    fn flush(&self) {
        self.finish(super::NOT_READ);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::thread;

    use serde_json::json;

    use super::*;

    /// A client that reads once per message on `turns` and sends what it has read to `read`.
    struct SteppedClient {
        turns: mpsc::Receiver<()>,
        read: mpsc::Sender<String>,
    }

    impl Write for SteppedClient {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            self.turns.recv().map_err(gone)?;
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.read
                .send(text)
                .map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn start() -> (Arc<OutputQueue>, mpsc::Sender<()>, mpsc::Receiver<String>) {
        let writer = Arc::new(OutputQueue::new(Clock::system()));
        let ((turn, turns), (read, lines)) = (mpsc::channel(), mpsc::channel());
        let running = Arc::clone(&writer);
        thread::spawn(move || running.run(SteppedClient { turns, read }, |_, _| {}));
        (writer, turn, lines)
    }

    fn notification(number: usize) -> Notification {
        Notification {
            key: "a".to_owned(),
            method: "view.changed",
            params: json!(number),
        }
    }

    #[test]
    fn newest_notification_replaces_queued_ones() {
        let (writer, turn, lines) = start();
        writer.send("first".to_owned());
        for number in 0..1000 {
            writer.notify(notification(number));
        }
        writer.send("second".to_owned());
        writer.notify(notification(1000));
        // The first response may already be in a write.
        assert!(writer.pending().items.len() <= 3);
        for _ in 0..3 {
            turn.send(()).unwrap();
        }
        let expected = "{\"jsonrpc\":\"2.0\",\"method\":\"view.changed\",\"params\":1000}\n";
        for line in ["first\n", expected, "second\n"] {
            assert_eq!(lines.recv().unwrap(), line);
        }
        writer.finish(Duration::from_secs(60));
    }

    #[test]
    fn queue_holds_eight_mebibytes_or_one_response() {
        let pending = |bytes| PendingOutput {
            bytes,
            ..PendingOutput::default()
        };
        assert!(pending(0).has_room(100 << 20));
        assert!(pending(1).has_room(OutputQueue::MAX_BYTES - 1));
        assert!(!pending(1).has_room(OutputQueue::MAX_BYTES));
    }

    #[test]
    fn responses_that_wait_for_room_are_not_lost() {
        let (writer, turn, lines) = start();
        let large = "x".repeat(OutputQueue::MAX_BYTES / 2);
        let sender = {
            let (writer, large) = (Arc::clone(&writer), large.clone());
            thread::spawn(move || (0..4).for_each(|_| writer.send(large.clone())))
        };
        let mut read = 0;
        while read < 4 * (large.len() + 1) {
            turn.send(()).unwrap();
            read += lines.recv().unwrap().len();
        }
        sender.join().unwrap();
    }

    #[test]
    fn watchdog_ends_only_for_unread_output() {
        let (writer, turn, lines) = start();
        let watch = |most| {
            let watched = Arc::clone(&writer);
            thread::spawn(move || watched.watch_progress(most))
        };
        let long = watch(Duration::from_secs(3600));
        writer.send("read".to_owned());
        turn.send(()).unwrap();
        lines.recv().unwrap();
        writer.finish(Duration::from_secs(60));
        writer.send("not read".to_owned());
        watch(Duration::from_millis(50)).join().unwrap();
        assert!(writer.pending().writing);
        assert!(!long.is_finished());
    }

    #[test]
    fn senders_do_not_block_after_the_client_is_gone() {
        let (writer, turn, lines) = start();
        let large = "x".repeat(OutputQueue::MAX_BYTES);
        drop((turn, lines));
        for _ in 0..4 {
            writer.send(large.clone());
        }
    }
}
