//! What waits to be done, in the order in which it came.
//!
//! It is bounded: a client that asks much faster than it can be done has to wait, and its `cancel` with it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::wire::message::{Call, Id, Refused};

/// Something that came.
#[derive(Debug)]
pub(super) enum Item {
    /// A line, read, and as it was.
    Line(Result<Call, Refused>, Vec<u8>),
    /// There is nothing more to read.
    End,
}

/// What waits.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    items: VecDeque<Item>,
    bytes: usize,
}

impl Queue {
    /// How many bytes of lines may wait: four of the longest. As values they take a few times as much.
    const MOST: usize = 64 << 20;
    /// What a line takes besides its bytes, so that short ones are bounded too.
    const EACH: usize = 256;

    /// Adds an item, once there is room.
    pub(super) fn push(&self, item: Item) {
        let mut waiting = self.waiting();
        let size = size(&item);
        while !waiting.items.is_empty() && waiting.bytes + size > Queue::MOST {
            waiting = self.wait(waiting);
        }
        waiting.bytes += size;
        waiting.items.push_back(item);
        self.changed.notify_all();
    }

    /// Takes the oldest item, once there is one.
    pub(super) fn pop(&self) -> Item {
        let mut waiting = self.waiting();
        loop {
            match waiting.items.pop_front() {
                Some(item) => {
                    waiting.bytes -= size(&item);
                    self.changed.notify_all();
                    return item;
                }
                None => waiting = self.wait(waiting),
            }
        }
    }

    /// Takes the request of an id out of its turn.
    pub(super) fn remove(&self, id: &Id) -> Option<(Call, Vec<u8>)> {
        let mut waiting = self.waiting();
        let has_id =
            |item: &Item| matches!(item, Item::Line(Ok(call), _) if call.id.as_ref() == Some(id));
        let place = waiting.items.iter().position(has_id)?;
        let item = waiting.items.remove(place)?;
        waiting.bytes -= size(&item);
        self.changed.notify_all();
        match item {
            Item::Line(Ok(call), bytes) => Some((call, bytes)),
            _ => None,
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

fn size(item: &Item) -> usize {
    match item {
        Item::Line(_, bytes) => Queue::EACH + bytes.len(),
        Item::End => 0,
    }
}
