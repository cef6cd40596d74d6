//! Pool of idle supervisors, in a page of memory that the guardian and all supervisors share.
//!
//! A supervisor enters the pool when it is idle and leaves it with a request. So the guardian forks
//! only if the pool is empty, and a supervisor serves the next program once no process of the last
//! one is left. In a suite of small tests, forks and exits of processes took a tenth of the time.

use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::Pid;

use super::guardian_process::errno;

/// Maximum number of idle supervisors. A host that closes hundreds of sessions at once should not
/// keep hundreds of processes, and more than this seldom start at the same moment.
const MAX_IDLE: usize = 8;

const FREE: i32 = 0;
/// Reserved for a supervisor that is being forked.
const RESERVED: i32 = -1;

/// The pool. Each slot holds the process id of an idle supervisor.
pub(super) struct IdlePool {
    slots: [AtomicI32; MAX_IDLE],
}

impl IdlePool {
    /// Creates an empty pool, which forks of this process share.
    pub(super) fn new() -> Result<&'static IdlePool, Errno> {
        // SAFETY: new memory, zeroed by the kernel, which means free slots. It is never unmapped,
        // so references stay valid as long as the process lives.
        unsafe {
            let page = libc::mmap(
                ptr::null_mut(),
                size_of::<IdlePool>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if page == libc::MAP_FAILED {
                return Err(errno());
            }
            Ok(&*page.cast::<IdlePool>())
        }
    }

    /// Returns whether no supervisor is idle or being forked.
    pub(super) fn is_empty(&self) -> bool {
        let taken = |slot: &AtomicI32| slot.load(Ordering::SeqCst) != FREE;
        !self.slots.iter().any(taken)
    }

    /// Reserves a slot for a supervisor before it is forked; false if all are taken.
    pub(super) fn reserve(&self) -> bool {
        self.change(FREE, RESERVED)
    }

    /// Gives the reserved slot to the forked supervisor. Guardian and supervisor both call this,
    /// since either may run first; the second call finds no reserved slot.
    pub(super) fn fill_reserved(&self, supervisor: Pid) {
        self.change(RESERVED, raw(supervisor));
    }

    /// Frees the reserved slot: the fork failed.
    pub(super) fn release_reserved(&self) {
        self.change(RESERVED, FREE);
    }

    /// Enters the pool; false if it is full.
    pub(super) fn enter(&self, supervisor: Pid) -> bool {
        self.change(FREE, raw(supervisor))
    }

    /// Leaves the pool; false if the supervisor was not in it.
    pub(super) fn leave(&self, supervisor: Pid) -> bool {
        self.change(raw(supervisor), FREE)
    }

    /// Changes the first slot that holds `from`.
    fn change(&self, from: i32, to: i32) -> bool {
        let order = Ordering::SeqCst;
        let change = |slot: &AtomicI32| slot.compare_exchange(from, to, order, order).is_ok();
        self.slots.iter().any(change)
    }
}

fn raw(supervisor: Pid) -> i32 {
    supervisor.as_raw_nonzero().get()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pid(raw: i32) -> Pid {
        Pid::from_raw(raw).unwrap()
    }

    #[test]
    fn a_supervisor_that_is_being_forked_counts_as_idle() {
        let idle_pool = IdlePool::new().unwrap();
        assert!(idle_pool.is_empty());
        assert!(idle_pool.reserve());
        assert!(!idle_pool.is_empty());
        idle_pool.fill_reserved(pid(7));
        assert!(!idle_pool.is_empty());
        assert!(idle_pool.leave(pid(7)));
        assert!(idle_pool.is_empty());

        assert!(idle_pool.reserve());
        idle_pool.release_reserved();
        assert!(idle_pool.is_empty());
    }

    #[test]
    fn a_supervisor_with_work_is_not_entered_again_by_the_guardian() {
        let idle_pool = IdlePool::new().unwrap();
        assert!(idle_pool.reserve());
        idle_pool.fill_reserved(pid(7));
        assert!(idle_pool.leave(pid(7)));
        idle_pool.fill_reserved(pid(7));
        assert!(idle_pool.is_empty());
    }

    #[test]
    fn the_pool_is_bounded() {
        let idle_pool = IdlePool::new().unwrap();
        let entered = (1..100).filter(|id| idle_pool.enter(pid(*id))).count();
        assert_eq!(entered, MAX_IDLE);
        assert!(!idle_pool.reserve());
        assert!(idle_pool.leave(pid(1)));
        assert!(!idle_pool.leave(pid(1)));
        assert!(idle_pool.enter(pid(100)));
    }
}
