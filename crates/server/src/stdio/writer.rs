//! What waits to be read by the client, in the order in which it was said.
//!
//! Answers are never dropped: when too many wait, whoever has another one waits too. Of notifications about one thing only the
//! newest waits, in the place of the oldest. A client that reads nothing at all for a while is given up.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use screentest::Clock;

use crate::service::{Notice, Outlet};
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
        while !waiting.over && waiting.bytes > 0 && waiting.bytes + line.len() > Writer::MOST {
            waiting = self.wait(waiting);
        }
        waiting.bytes += line.len();
        waiting.items.push_back(Item::Answer(line));
        self.changed.notify_all();
    }

    /// Writes what waits, and what will, until that fails. `told` hears of every notification that goes out.
    pub(super) fn run(&self, mut output: impl Write, told: impl Fn(&str)) -> io::Result<()> {
        loop {
            let line = self.next(&told);
            let written = self.write(&mut output, line);
            let mut waiting = self.waiting();
            waiting.writing = false;
            waiting.over |= written.is_err();
            self.changed.notify_all();
            drop(waiting);
            written?;
        }
    }

    fn next(&self, told: &impl Fn(&str)) -> String {
        let mut waiting = self.waiting();
        loop {
            let item = waiting.items.pop_front();
            let notice = match item {
                Some(Item::Answer(line)) => {
                    waiting.bytes -= line.len();
                    self.begin(&mut waiting);
                    return line;
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
                told(&line);
                return line;
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
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
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
}
