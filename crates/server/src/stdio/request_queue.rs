//! The queued requests and the request in progress.
//!
//! Both are protected by one lock, so that a `cancel` finds a request in either place. The queue is
//! bounded: a client that sends requests much faster than they are executed has to wait, and so
//! does its `cancel`.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use screentest::session::Interrupt;

use crate::service::lock;
use crate::wire::message::RequestId;

/// An item of input.
#[derive(Debug)]
pub(super) enum QueuedInput {
    /// An unparsed line. It is parsed when it is executed, because parsed values need several times
    /// the memory.
    Line {
        /// The id by which it can be cancelled.
        id: Option<RequestId>,
        bytes: Vec<u8>,
    },
    /// A line that exceeded the maximum length.
    TooLong,
    /// The input has ended.
    End,
}

/// The request that a `cancel` found.
#[derive(Debug)]
pub(super) enum CancelOutcome {
    /// A queued request: its id as it was written, and its line. It has been removed.
    Queued(RequestId, Vec<u8>),
    /// The request in progress. Its interrupt has been raised.
    InProgress,
}

/// The queued requests and the request in progress.
#[derive(Debug, Default)]
pub(super) struct RequestQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    items: VecDeque<QueuedInput>,
    bytes: usize,
    in_progress: Option<(RequestId, Interrupt)>,
}

impl RequestQueue {
    /// Maximum number of queued bytes: four lines of maximum length.
    const MAX_BYTES: usize = 64 << 20;
    /// Cost of a line in addition to its bytes, so that the number of short lines is bounded too.
    const OVERHEAD: usize = 256;

    /// Adds an item. Blocks until there is room.
    pub(super) fn push(&self, item: QueuedInput) {
        let mut state = lock(&self.state);
        let size = size(&item);
        while !state.items.is_empty() && state.bytes + size > RequestQueue::MAX_BYTES {
            state = self.wait(state);
        }
        state.bytes += size;
        state.items.push_back(item);
        self.changed.notify_all();
    }

    /// Removes the oldest item. Blocks until there is one. It is in progress until
    /// [`RequestQueue::done`]. A `cancel` raises the returned interrupt.
    pub(super) fn pop(&self) -> (QueuedInput, Interrupt) {
        let mut state = lock(&self.state);
        loop {
            let Some(item) = state.items.pop_front() else {
                state = self.wait(state);
                continue;
            };
            state.bytes -= size(&item);
            let interrupt = Interrupt::new();
            state.in_progress = match &item {
                QueuedInput::Line { id: Some(id), .. } => Some((id.clone(), interrupt.clone())),
                _ => None,
            };
            self.changed.notify_all();
            return (item, interrupt);
        }
    }

    /// Ends the request in progress. It can no longer be cancelled.
    pub(super) fn done(&self) {
        lock(&self.state).in_progress = None;
    }

    /// Cancels the request with this id; the oldest, if there are several.
    pub(super) fn cancel(&self, id: &RequestId) -> Option<CancelOutcome> {
        let mut state = lock(&self.state);
        if let Some((known, interrupt)) = &state.in_progress
            && known == id
        {
            interrupt.raise();
            return Some(CancelOutcome::InProgress);
        }
        let has_id = |item: &QueuedInput| matches!(item, QueuedInput::Line { id: Some(known), .. } if known == id);
        let index = state.items.iter().position(has_id)?;
        let item = state.items.remove(index)?;
        state.bytes -= size(&item);
        self.changed.notify_all();
        match item {
            QueuedInput::Line {
                id: Some(id),
                bytes,
            } => Some(CancelOutcome::Queued(id, bytes)),
            _ => None,
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, QueueState>) -> MutexGuard<'a, QueueState> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(item: &QueuedInput) -> usize {
    match item {
        QueuedInput::Line { bytes, .. } => RequestQueue::OVERHEAD + bytes.len(),
        QueuedInput::TooLong => RequestQueue::OVERHEAD,
        QueuedInput::End => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(number: u64) -> RequestId {
        RequestId::of(&json!(number)).unwrap()
    }

    fn line(number: u64) -> QueuedInput {
        let id = Some(id(number));
        let bytes = vec![b'x'; 10];
        QueuedInput::Line { id, bytes }
    }

    #[test]
    fn request_can_be_cancelled_until_it_is_done() {
        let queue = RequestQueue::default();
        queue.push(line(1));
        queue.push(line(2));
        assert!(matches!(
            queue.cancel(&id(2)),
            Some(CancelOutcome::Queued(..))
        ));
        assert!(queue.cancel(&id(2)).is_none());
        let (_, interrupt) = queue.pop();
        assert!(matches!(
            queue.cancel(&id(1)),
            Some(CancelOutcome::InProgress)
        ));
        assert!(interrupt.is_raised());
        queue.done();
        assert!(queue.cancel(&id(1)).is_none());
        assert_eq!(lock(&queue.state).bytes, 0);
    }

    #[test]
    fn cancel_takes_the_older_of_two_requests_with_one_id() {
        let queue = RequestQueue::default();
        queue.push(line(1));
        queue.push(line(1));
        let (_, interrupt) = queue.pop();
        assert!(matches!(
            queue.cancel(&id(1)),
            Some(CancelOutcome::InProgress)
        ));
        assert!(interrupt.is_raised());
    }
}
