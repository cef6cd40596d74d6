//! Locks that ignore poisoning.
//!
//! A thread that panics, for example in an emulator or in a caller's condition, must not make every
//! other thread of the session panic too. A panic that matters to other threads is recorded as a
//! failure of the session.

use std::sync::{
    Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    TryLockError, WaitTimeoutResult,
};
use std::time::Duration;

/// A mutex that threads lock in turn: a thread that unlocks it and locks it again at once lets a
/// waiting thread go first. The standard mutex lets the running thread win, so that a thread that
/// works in short slices would starve all others.
#[derive(Debug)]
pub(crate) struct FairMutex<T> {
    /// Held while waiting for `value`.
    next: Mutex<()>,
    value: Mutex<T>,
}

impl<T> FairMutex<T> {
    pub(crate) fn new(value: T) -> FairMutex<T> {
        FairMutex {
            next: Mutex::new(()),
            value: Mutex::new(value),
        }
    }

    /// Locks the mutex.
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        let _next = lock(&self.next);
        lock(&self.value)
    }

    /// Locks the mutex if no thread has it or waits for it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let _next = try_lock(&self.next)?;
        try_lock(&self.value)
    }
}

/// Locks a mutex.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a mutex if no thread has locked it.
fn try_lock<T: ?Sized>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(locked) => Some(locked),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Locks for reading.
pub(crate) fn read<T: ?Sized>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks for writing.
pub(crate) fn write<T: ?Sized>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// Blocks until the condition variable is notified. Spurious returns are possible.
pub(crate) fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Like [`wait`], for at most `timeout`.
pub(crate) fn wait_timeout<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    timeout: Duration,
) -> (MutexGuard<'a, T>, WaitTimeoutResult) {
    condvar
        .wait_timeout(guard, timeout)
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::FairMutex;

    #[test]
    fn a_thread_that_locks_again_at_once_lets_a_waiting_thread_go_first() {
        let mutex = FairMutex::new(Vec::new());
        std::thread::scope(|scope| {
            let mut locked = mutex.lock();
            locked.push("first");
            scope.spawn(|| mutex.lock().push("waiting"));
            while mutex.next.try_lock().is_ok() {
                std::thread::yield_now();
            }
            drop(locked);
            mutex.lock().push("again");
            assert_eq!(*mutex.lock(), ["first", "waiting", "again"]);
        });
    }

    #[test]
    fn a_locked_mutex_cannot_be_tried() {
        let mutex = FairMutex::new(());
        let locked = mutex.lock();
        assert!(mutex.try_lock().is_none());
        drop(locked);
        assert!(mutex.try_lock().is_some());
    }

    #[test]
    fn a_mutex_can_be_tried_after_a_thread_panicked_with_it() {
        let mutex = FairMutex::new(());
        std::thread::scope(|scope| {
            let panicking = scope.spawn(|| {
                let _locked = mutex.lock();
                panic!("as this test intends");
            });
            panicking.join().unwrap_err();
        });
        assert!(mutex.try_lock().is_some());
    }
}
