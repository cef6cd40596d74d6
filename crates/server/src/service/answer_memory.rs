//! The memory for answers that are being built or have not been sent yet.
//!
//! The memory of an answer is reserved before it is allocated. If answers use all memory of a role,
//! the next answer waits until some are sent, and fails after a while. Read-only clients have
//! separate memory, so that they cannot use up the memory for the other clients.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::limits::ANSWER_MEMORY_TIMEOUT;
use crate::service::client::Role;
use crate::service::lock;
use crate::wire::{ErrorCode, RpcError};

/// The memory for answers, separate for each role.
#[derive(Debug)]
pub(crate) struct AnswerMemory {
    full: Arc<MemoryPool>,
    read_only: Arc<MemoryPool>,
}

#[derive(Debug)]
struct MemoryPool {
    most: usize,
    used: Mutex<usize>,
    freed: Condvar,
}

/// Reserved memory. Dropping it releases it.
#[derive(Debug)]
pub(crate) struct Reservation {
    pool: Arc<MemoryPool>,
    bytes: usize,
}

impl Default for AnswerMemory {
    fn default() -> AnswerMemory {
        let pool = |role: Role| Arc::new(MemoryPool::new(role.limits().answer_bytes));
        AnswerMemory {
            full: pool(Role::Full),
            read_only: pool(Role::ReadOnly),
        }
    }
}

impl AnswerMemory {
    /// Returns an empty reservation of a role's memory.
    pub(crate) fn reservation(&self, role: Role) -> Reservation {
        let pool = match role {
            Role::Full => &self.full,
            Role::ReadOnly => &self.read_only,
        };
        Reservation {
            pool: Arc::clone(pool),
            bytes: 0,
        }
    }
}

impl MemoryPool {
    fn new(most: usize) -> MemoryPool {
        MemoryPool {
            most,
            used: Mutex::new(0),
            freed: Condvar::new(),
        }
    }
}

impl Reservation {
    /// Reserves more memory. Blocks until there is enough, but not longer than `timeout`. An answer
    /// that is larger than all of the memory is built alone.
    fn grow_within(&mut self, bytes: usize, timeout: Duration) -> Result<(), RpcError> {
        let most = self.pool.most;
        let fits = |used: &usize| *used == self.bytes || used.saturating_add(bytes) <= most;
        let waited = self
            .pool
            .freed
            .wait_timeout_while(lock(&self.pool.used), timeout, |used| !fits(used));
        let (mut used, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if !fits(&used) {
            return Err(RpcError::new(
                ErrorCode::TooMany,
                format!(
                    "other answers use all of the {} MiB for answers: try again after they are read",
                    most >> 20
                ),
            ));
        }
        *used += bytes;
        self.bytes += bytes;
        Ok(())
    }

    /// Releases the memory that exceeds this amount.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let released = self.bytes.saturating_sub(bytes);
        self.bytes -= released;
        *lock(&self.pool.used) -= released;
        self.pool.freed.notify_all();
    }

    /// Reserves more memory, and waits for it if necessary.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), RpcError> {
        self.grow_within(bytes, ANSWER_MEMORY_TIMEOUT)
    }

    /// Reserves more memory. Fails at once if there is not enough.
    pub(crate) fn try_grow(&mut self, bytes: usize) -> Result<(), RpcError> {
        self.grow_within(bytes, Duration::ZERO)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        *lock(&self.pool.used) -= self.bytes;
        self.pool.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reservation(pool: &Arc<MemoryPool>) -> Reservation {
        Reservation {
            pool: Arc::clone(pool),
            bytes: 0,
        }
    }

    #[test]
    fn answers_of_a_role_share_its_memory() {
        let pool = Arc::new(MemoryPool::new(10));
        let (mut first, mut second) = (reservation(&pool), reservation(&pool));
        first.try_grow(6).unwrap();
        second.try_grow(4).unwrap();
        assert_eq!(second.try_grow(1).unwrap_err().code(), ErrorCode::TooMany);
        drop(first);
        second.try_grow(6).unwrap();
        second.shrink_to(3);
        reservation(&pool).try_grow(7).unwrap();
    }

    #[test]
    fn one_answer_may_exceed_the_memory_alone() {
        let pool = Arc::new(MemoryPool::new(10));
        let (mut first, mut second) = (reservation(&pool), reservation(&pool));
        first.try_grow(100).unwrap();
        first.try_grow(100).unwrap();
        assert!(second.try_grow(1).is_err());
        drop(first);
        second.try_grow(1).unwrap();
    }

    #[test]
    fn waiting_answer_continues_when_memory_is_released() {
        let pool = Arc::new(MemoryPool::new(10));
        let (mut first, mut second) = (reservation(&pool), reservation(&pool));
        first.try_grow(10).unwrap();
        let waiting = std::thread::spawn(move || {
            second
                .grow_within(10, Duration::from_secs(3600))
                .map(|()| second)
        });
        drop(first);
        waiting.join().unwrap().unwrap();
        assert_eq!(*lock(&pool.used), 0);
    }
}
