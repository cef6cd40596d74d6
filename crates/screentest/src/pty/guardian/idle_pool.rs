//! Pool of idle supervisors, in a page of memory that the guardian and all supervisors share.
//!
//! A supervisor enters the pool when it is idle and leaves it with a request. So the guardian forks
//! only if the pool is empty, and a supervisor whose program has left nothing behind serves the
//! next. In a suite of small tests, forks and exits of processes took a tenth of the time.

use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::Pid;

use super::guardian_process::errno;

/// Maximum number of idle supervisors. A host that closes hundreds of sessions at once should not
/// keep hundreds of processes, and more than this seldom start at the same moment.
const PLACES: usize = 8;

const FREE: i32 = 0;
/// Reserved for a supervisor that is being forked.
const COMING: i32 = -1;

/// The pool. Each place holds the process id of an idle supervisor.
pub(super) struct Ready {
    places: [AtomicI32; PLACES],
}

impl Ready {
    /// Creates an empty pool, which forks of this process share.
    pub(super) fn new() -> Result<&'static Ready, Errno> {
        // SAFETY: new memory, zeroed by the kernel, which means free places. It is never unmapped,
        // so references stay valid as long as the process lives.
        unsafe {
            let page = libc::mmap(
                ptr::null_mut(),
                size_of::<Ready>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            if page == libc::MAP_FAILED {
                return Err(errno());
            }
            Ok(&*page.cast::<Ready>())
        }
    }

    /// Returns whether no supervisor is idle or being forked.
    pub(super) fn is_empty(&self) -> bool {
        let taken = |place: &AtomicI32| place.load(Ordering::SeqCst) != FREE;
        !self.places.iter().any(taken)
    }

    /// Reserves a place for a supervisor before it is forked; false if all are taken.
    pub(super) fn expect(&self) -> bool {
        self.change(FREE, COMING)
    }

    /// Gives the reserved place to the forked supervisor. Guardian and supervisor both call this,
    /// since either may run first; the second call finds no reserved place.
    pub(super) fn came(&self, supervisor: Pid) {
        self.change(COMING, raw(supervisor));
    }

    /// Frees the reserved place: the fork failed.
    pub(super) fn came_not(&self) {
        self.change(COMING, FREE);
    }

    /// Enters the pool; false if it is full.
    pub(super) fn enter(&self, supervisor: Pid) -> bool {
        self.change(FREE, raw(supervisor))
    }

    /// Leaves the pool; false if the supervisor was not in it.
    pub(super) fn leave(&self, supervisor: Pid) -> bool {
        self.change(raw(supervisor), FREE)
    }

    /// Changes the first place that holds `from`.
    fn change(&self, from: i32, to: i32) -> bool {
        let order = Ordering::SeqCst;
        let change = |place: &AtomicI32| place.compare_exchange(from, to, order, order).is_ok();
        self.places.iter().any(change)
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
        let ready = Ready::new().unwrap();
        assert!(ready.is_empty());
        assert!(ready.expect());
        assert!(!ready.is_empty());
        ready.came(pid(7));
        assert!(!ready.is_empty());
        assert!(ready.leave(pid(7)));
        assert!(ready.is_empty());

        assert!(ready.expect());
        ready.came_not();
        assert!(ready.is_empty());
    }

    #[test]
    fn a_supervisor_with_work_is_not_entered_again_by_the_guardian() {
        let ready = Ready::new().unwrap();
        assert!(ready.expect());
        ready.came(pid(7));
        assert!(ready.leave(pid(7)));
        ready.came(pid(7));
        assert!(ready.is_empty());
    }

    #[test]
    fn the_pool_is_bounded() {
        let ready = Ready::new().unwrap();
        let entered = (1..100).filter(|id| ready.enter(pid(*id))).count();
        assert_eq!(entered, PLACES);
        assert!(!ready.expect());
        assert!(ready.leave(pid(1)));
        assert!(!ready.leave(pid(1)));
        assert!(ready.enter(pid(100)));
    }
}
