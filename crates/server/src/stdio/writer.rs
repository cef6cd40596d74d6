//! What waits to be read by the client, in the order in which it was said.
//!
//! Answers are never dropped: when too many wait, whoever has another one waits too. Of notifications about one thing only the
//! newest waits, in the place of the oldest. A client that reads nothing at all for a while is given up.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest::Clock;

use crate::recording::Direction;
use crate::service::{Notice, Outlet, lock};
use crate::wire::message;

/// What waits to be read.
#[derive(Debug)]
pub(super) struct Writer {
    clock: Clock,
    waiting: Mutex<Waiting>,
    /// There is something to write, or room for more.
    changed: Condvar,
    /// Writing has begun after a pause.
    begun: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    items: VecDeque<Item>,
    /// How long all answers are together.
    bytes: usize,
    notices: BTreeMap<String, Notice>,
    writing: bool,
    /// When the client last took something.
    progress: Duration,
    over: bool,
}

#[derive(Debug)]
enum Item {
    Answer(String),
    /// The notice of this key.
    Notice(String),
}

impl Waiting {
    /// Whether an answer of so many bytes may wait too.
    fn has_room(&self, bytes: usize) -> bool {
        self.bytes == 0 || self.bytes + bytes <= Writer::MOST
    }
}

impl Writer {
    /// How much may wait. An answer that is longer waits alone.
    const MOST: usize = 8 << 20;
    /// How much is written at once, so that a slow client is told from one that does not read.
    const CHUNK: usize = 64 << 10;

    pub(super) fn new(clock: Clock) -> Writer {
        Writer {
            clock,
            waiting: Mutex::default(),
            changed: Condvar::new(),
            begun: Condvar::new(),
        }
    }

    /// Adds an answer, once there is room.
    pub(super) fn send(&self, line: String) {
        let mut waiting = self.waiting();
        while !waiting.over && !waiting.has_room(line.len()) {
            waiting = self.wait(waiting);
        }
        waiting.bytes += line.len();
        waiting.items.push_back(Item::Answer(line));
        self.changed.notify_all();
    }

    /// Writes what waits, and what will, until that fails. `told` hears of every line just before it goes out.
    pub(super) fn run(
        &self,
        mut output: impl Write,
        told: impl Fn(Direction, &str),
    ) -> io::Result<()> {
        loop {
            let (direction, line) = self.next();
            told(direction, &line);
            let written = self.write(&mut output, line);
            let mut waiting = self.waiting();
            waiting.writing = false;
            waiting.over |= written.is_err();
            self.changed.notify_all();
            drop(waiting);
            written?;
        }
    }

    fn next(&self) -> (Direction, String) {
        let mut waiting = self.waiting();
        loop {
            let item = waiting.items.pop_front();
            let notice = match item {
                Some(Item::Answer(line)) => {
                    waiting.bytes -= line.len();
                    self.begin(&mut waiting);
                    return (Direction::Response, line);
                }
                Some(Item::Notice(key)) => waiting.notices.remove(&key),
                None => {
                    waiting = self.wait(waiting);
                    continue;
                }
            };
            if let Some(notice) = notice {
                self.begin(&mut waiting);
                drop(waiting);
                let line = message::notification(notice.method, &notice.params);
                return (Direction::Notification, line);
            }
        }
    }

    fn begin(&self, waiting: &mut Waiting) {
        waiting.writing = true;
        waiting.progress = self.clock.now();
        self.begun.notify_one();
    }

    fn write(&self, output: &mut impl Write, mut line: String) -> io::Result<()> {
        line.push('\n');
        for chunk in line.as_bytes().chunks(Writer::CHUNK) {
            output.write_all(chunk)?;
            self.waiting().progress = self.clock.now();
        }
        output.flush()
    }

    /// Returns once the client has taken nothing for so long, though there is something.
    pub(super) fn watch(&self, most: Duration) {
        let mut waiting = self.waiting();
        loop {
            let since = self.clock.now().saturating_sub(waiting.progress);
            waiting = if since < most {
                // Not woken by every line: it is enough to look when the time could be over.
                let never = Condvar::new();
                let woken = never.wait_timeout(waiting, most - since);
                woken.unwrap_or_else(PoisonError::into_inner).0
            } else if waiting.writing {
                return;
            } else {
                let woken = self.begun.wait(waiting);
                woken.unwrap_or_else(PoisonError::into_inner)
            };
        }
    }

    /// Waits until all is written, at most so long.
    pub(super) fn finish(&self, most: Duration) {
        let until = self.clock.now().saturating_add(most);
        let mut waiting = self.waiting();
        while !waiting.over && (waiting.writing || !waiting.items.is_empty()) {
            let left = until.saturating_sub(self.clock.now());
            if left.is_zero() {
                return;
            }
            let woken = self.changed.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }

    fn wait<'a>(&self, waiting: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        let woken = self.changed.wait(waiting);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Writer {
    fn notify(&self, notice: Notice) {
        let mut waiting = self.waiting();
        let key = notice.key.clone();
        if waiting.notices.insert(key.clone(), notice).is_none() {
            waiting.items.push_back(Item::Notice(key));
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

    /// A client that reads only when it is told to; what it has read goes to a channel.
    struct Reluctant {
        turns: mpsc::Receiver<()>,
        read: mpsc::Sender<String>,
    }

    impl Write for Reluctant {
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

    fn start() -> (Arc<Writer>, mpsc::Sender<()>, mpsc::Receiver<String>) {
        let writer = Arc::new(Writer::new(Clock::system()));
        let ((turn, turns), (read, lines)) = (mpsc::channel(), mpsc::channel());
        let running = Arc::clone(&writer);
        thread::spawn(move || running.run(Reluctant { turns, read }, |_, _| {}));
        (writer, turn, lines)
    }

    fn notice(number: usize) -> Notice {
        Notice {
            key: "a".to_owned(),
            method: "view.changed",
            params: json!(number),
        }
    }

    #[test]
    fn of_notifications_only_the_newest_waits_in_the_place_of_the_oldest() {
        let (writer, turn, lines) = start();
        writer.send("first".to_owned());
        for number in 0..1000 {
            writer.notify(notice(number));
        }
        writer.send("second".to_owned());
        writer.notify(notice(1000));
        // The first may be on its way already.
        assert!(writer.waiting().items.len() <= 3);
        for _ in 0..3 {
            turn.send(()).unwrap();
        }
        let told = "{\"jsonrpc\":\"2.0\",\"method\":\"view.changed\",\"params\":1000}\n";
        for line in ["first\n", told, "second\n"] {
            assert_eq!(lines.recv().unwrap(), line);
        }
        writer.finish(Duration::from_secs(60));
    }

    #[test]
    fn eight_mebibytes_may_wait_or_one_answer() {
        let waiting = |bytes| Waiting {
            bytes,
            ..Waiting::default()
        };
        assert!(waiting(0).has_room(100 << 20));
        assert!(waiting(1).has_room(Writer::MOST - 1));
        assert!(!waiting(1).has_room(Writer::MOST));
    }

    #[test]
    fn answers_that_wait_for_room_are_not_lost() {
        let (writer, turn, lines) = start();
        let large = "x".repeat(Writer::MOST / 2);
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
    fn a_client_that_reads_nothing_is_given_up_and_one_that_is_told_nothing_is_not() {
        let (writer, turn, lines) = start();
        let watch = |most| {
            let watched = Arc::clone(&writer);
            thread::spawn(move || watched.watch(most))
        };
        let long = watch(Duration::from_secs(3600));
        writer.send("read".to_owned());
        turn.send(()).unwrap();
        lines.recv().unwrap();
        writer.finish(Duration::from_secs(60));
        writer.send("not read".to_owned());
        watch(Duration::from_millis(50)).join().unwrap();
        assert!(writer.waiting().writing);
        assert!(!long.is_finished());
    }

    #[test]
    fn who_has_more_to_say_is_let_go_when_the_client_is_gone() {
        let (writer, turn, lines) = start();
        let large = "x".repeat(Writer::MOST);
        drop((turn, lines));
        for _ in 0..4 {
            writer.send(large.clone());
        }
    }
}
