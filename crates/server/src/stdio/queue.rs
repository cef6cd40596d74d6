//! What waits to be done, in the order in which it came, and what is being done.
//!
//! Both are behind one lock: a request is always in one of the two places, so that a `cancel` finds it wherever it is. What waits is
//! bounded: a client that asks much faster than it can be done has to wait, and its `cancel` with it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use screentest::Interrupt;

use crate::service::lock;
use crate::wire::message::Id;

/// Something that came.
#[derive(Debug)]
pub(super) enum Item {
    /// A line, as it was: what it says is read when its turn comes, as values take a few times as much as their bytes.
    Line {
        /// What it can be cancelled by.
        id: Option<Id>,
        bytes: Vec<u8>,
    },
    /// A line that nobody could hold.
    TooLong,
    /// There is nothing more to read.
    End,
}

/// What a `cancel` found.
#[derive(Debug)]
pub(super) enum Found {
    /// A request that waited, by its id as it was written, and its line. It is taken out.
    Waiting(Id, Vec<u8>),
    /// A request that is being done; what it waits for is interrupted.
    UnderWay,
}

/// What waits, and what is being done.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    items: VecDeque<Item>,
    bytes: usize,
    under_way: Option<(Id, Interrupt)>,
}

impl Queue {
    /// How many bytes of lines may wait: four of the longest.
    const MOST: usize = 64 << 20;
    /// What a line takes besides its bytes, so that short ones are bounded too.
    const EACH: usize = 256;

    /// Adds an item, once there is room.
    pub(super) fn push(&self, item: Item) {
        let mut waiting = lock(&self.waiting);
        let size = size(&item);
        while !waiting.items.is_empty() && waiting.bytes + size > Queue::MOST {
            waiting = self.wait(waiting);
        }
        waiting.bytes += size;
        waiting.items.push_back(item);
        self.changed.notify_all();
    }

    /// Takes the oldest item, once there is one. It is under way from now on, until [`Queue::done`]; what is returned with it is
    /// raised when it is cancelled.
    pub(super) fn pop(&self) -> (Item, Interrupt) {
        let mut waiting = lock(&self.waiting);
        loop {
            let Some(item) = waiting.items.pop_front() else {
                waiting = self.wait(waiting);
                continue;
            };
            waiting.bytes -= size(&item);
            let interrupt = Interrupt::new();
            waiting.under_way = match &item {
                Item::Line { id: Some(id), .. } => Some((id.clone(), interrupt.clone())),
                _ => None,
            };
            self.changed.notify_all();
            return (item, interrupt);
        }
    }

    /// Nothing is under way any more: nobody can cancel it from now on.
    pub(super) fn done(&self) {
        lock(&self.waiting).under_way = None;
    }

    /// Cancels the request of an id; of several, the oldest.
    pub(super) fn cancel(&self, id: &Id) -> Option<Found> {
        let mut waiting = lock(&self.waiting);
        if let Some((known, interrupt)) = &waiting.under_way
            && known == id
        {
            interrupt.raise();
            return Some(Found::UnderWay);
        }
        let has_id =
            |item: &Item| matches!(item, Item::Line { id: Some(known), .. } if known == id);
        let place = waiting.items.iter().position(has_id)?;
        let item = waiting.items.remove(place)?;
        waiting.bytes -= size(&item);
        self.changed.notify_all();
        match item {
            Item::Line {
                id: Some(id),
                bytes,
            } => Some(Found::Waiting(id, bytes)),
            _ => None,
        }
    }

    fn wait<'a>(&self, waiting: MutexGuard<'a, Waiting>) -> MutexGuard<'a, Waiting> {
        let woken = self.changed.wait(waiting);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(item: &Item) -> usize {
    match item {
        Item::Line { bytes, .. } => Queue::EACH + bytes.len(),
        Item::TooLong => Queue::EACH,
        Item::End => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(number: u64) -> Id {
        Id::of(&json!(number)).unwrap()
    }

    fn line(number: u64) -> Item {
        let id = Some(id(number));
        let bytes = vec![b'x'; 10];
        Item::Line { id, bytes }
    }

    #[test]
    fn a_request_can_be_cancelled_from_when_it_came_until_it_is_done() {
        let queue = Queue::default();
        queue.push(line(1));
        queue.push(line(2));
        assert!(matches!(queue.cancel(&id(2)), Some(Found::Waiting(..))));
        assert!(queue.cancel(&id(2)).is_none());
        let (_, interrupt) = queue.pop();
        // Nobody has begun with it yet.
        assert!(matches!(queue.cancel(&id(1)), Some(Found::UnderWay)));
        assert!(interrupt.is_raised());
        queue.done();
        assert!(queue.cancel(&id(1)).is_none());
        assert_eq!(lock(&queue.waiting).bytes, 0);
    }

    #[test]
    fn of_two_with_one_id_the_older_is_cancelled() {
        let queue = Queue::default();
        queue.push(line(1));
        queue.push(line(1));
        let (_, interrupt) = queue.pop();
        assert!(matches!(queue.cancel(&id(1)), Some(Found::UnderWay)));
        assert!(interrupt.is_raised());
    }
}
